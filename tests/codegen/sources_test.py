# SPDX-License-Identifier: BSD-2-Clause
"""Sources are data, and tools/sources.py finds what a repository does not have."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from codegen.model.model import Citation, Repository
from codegen.load.source import parse
from tools.sources import Repository as Folder
from tools.sources import words_of

KNOWN = {name: Repository(name, f"https://x.org/{name}", "v1", name == "UCX", "") for name in ("UCX", "Linux-7.2")}


class Sources(unittest.TestCase):
    def test_parse(self) -> None:
        text = "Linux-7.2:include/qp.h#seg, MLX5_*; UCX:ib_mlx5.inl (a; note); document:Manual, 3; https://y.org/a#b"
        source, problems = parse(text, KNOWN)
        self.assertEqual((str(source), problems, source.confidence), (text, [], "primary"))
        self.assertEqual(source.citations, (
            Citation("Linux-7.2", "include/qp.h", ("seg", "MLX5_*"), "", "https://x.org/Linux-7.2/blob/v1/include/qp.h"),
            Citation("UCX", "ib_mlx5.inl", (), "a; note", "https://x.org/UCX/blob/v1/ib_mlx5.inl", True),
            Citation("document", "Manual, 3"),
            Citation("https", "//y.org/a#b", (), "", "https://y.org/a#b", True),
        ))
        self.assertEqual(parse("UCX:a.c; https://y.org", KNOWN)[0].confidence, "secondary")

    def test_look_up(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
            Path(folder, "lib").mkdir()
            Path(folder, "lib", "dv.h").write_text("struct dv_seg;\n#define DV_ONE 1\n", encoding="utf-8")
            for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "text"], ["tag", "v1"]):
                subprocess.run(["git", "-C", folder, *command], check=True, env=env)
            Path(folder, "lib", "dv.h").write_text("struct dv_se;\n", encoding="utf-8")
            at_tag, as_it_is = Folder(folder, "v1"), Folder(folder, "v2")
            self.assertEqual(list(at_tag.missing(Citation("", "lib/dv.h", ("dv_seg", "DV_*")))), [])
            self.assertEqual(list(at_tag.missing(Citation("", "lib/dv.h", ("dv_se", "DV_TWO")))), ["dv_se in lib/dv.h", "DV_TWO in lib/dv.h"])
            self.assertEqual(list(at_tag.missing(Citation("", "dv.h"))), ["dv.h"])
            self.assertEqual(list(as_it_is.missing(Citation("", "lib/dv.h", ("dv_se", "dv_seg")))), ["dv_seg in lib/dv.h"])

    def test_what_is_cited_is_near(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "qp.c").write_text("".join(f"line {i}\n" for i in range(100)) + "enum { OP_SEND = 0x0a };\nint post(void);\n"
                                            + "int far;\n" * 100 + "enum { OP_READ = 0x10 };\n", encoding="utf-8")
            files = Folder(folder, "v1")
            cited = Citation("", "qp.c", ("post",))
            self.assertTrue(files.near(cited, words_of("SEND", 10)))
            self.assertTrue(files.near(cited, words_of("TAKE_SEND", None)))
            self.assertTrue(files.near(cited, words_of("OTHER", 0xa)))
            self.assertFalse(files.near(cited, words_of("READ", 0x1f)))
            self.assertFalse(files.near(cited, words_of("line_1", None)))
            self.assertTrue(files.near(Citation("", "qp.c", ("OP_*",)), words_of("READ", 0x1f)))
            self.assertTrue(files.near(Citation("", "none.c", ("post",)), words_of("READ", 16)))


if __name__ == "__main__":
    unittest.main()
