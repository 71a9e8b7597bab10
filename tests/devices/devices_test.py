# SPDX-License-Identifier: BSD-2-Clause
"""Each device beside mlx5 (which the rest of the tests is about): checked, generated, compiled as C and C++ by both compilers, and
its reference made, which is not checked in."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from codegen.main import main
from codegen.python.nic import Nic
from tests.codegen.cases import ROOT

SPEC = Path(ROOT, "spec")
DEVICES = sorted(folder.name for folder in SPEC.iterdir() if (folder / f"{folder.name}.yaml").exists() and folder.name != "mlx5")
FLAGS = ["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
CAREFUL = ["-Wshadow", "-Wconversion", "-Wsign-conversion"]  # of headers alone, as C++
LANGUAGES = (("gcc", "c", "c11"), ("clang", "c", "c11"), ("g++", "c++", "c++17"), ("clang++", "c++", "c++17"))
# What every such library is linked with.
RUNTIME = ("block/block.c", "text/walk.c", "text/control.c", "text/validate.c", "text/decode.c", "text/field.c", "text/cause.c")
LINK = re.compile(r"\]\(([^)#:]+)[)#]")


def specs(device: str) -> list[str]:
    return sorted(str(file) for part in (device, "verbs") for file in (SPEC / part).rglob("*.yaml"))


def call(*arguments: str) -> tuple[int, str]:
    return called(*arguments)[::2]


def called(*arguments: str) -> tuple[int, str, str]:
    """Exit status, what it prints, and its errors."""
    with contextlib.redirect_stderr(io.StringIO()) as errors, contextlib.redirect_stdout(io.StringIO()) as output:
        status = main(list(arguments))
    return status, output.getvalue(), errors.getvalue()


class Devices(unittest.TestCase):
    def test_there_are_some(self) -> None:
        self.assertGreaterEqual(len(DEVICES), 3)

    def test_each_is_checked_generated_and_compiled(self) -> None:
        for device in DEVICES:
            with self.subTest(device), tempfile.TemporaryDirectory() as out:
                include, sources = f"{out}/include", f"{out}/src"
                self.assertEqual(call("check", *specs(device)), (0, ""))
                self.assertEqual(call("generate", "--out", include, "--sources", sources, *specs(device)), (0, ""))
                headers = sorted(Path(include).rglob("*.h"))
                program = Path(out, "all.c")
                program.write_text("".join(f'#include "{header.relative_to(include)}"\n' for header in headers), encoding="utf-8")
                for compiler, language, standard in LANGUAGES:
                    files = [str(program)]
                    flags = FLAGS if language == "c" else FLAGS + CAREFUL
                    if language == "c":
                        files += [*map(str, Path(sources).glob("*.c")), *(f"{ROOT}/runtime/{file}" for file in RUNTIME)]
                    done = subprocess.run([compiler, f"-x{language}", f"-std={standard}", *flags, f"-I{include}", f"-I{ROOT}/include",
                                           f"-I{ROOT}", *files], capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stderr[:2000]), (0, ""), compiler)

    def test_each_has_a_reference(self) -> None:
        """Each page is written, and its links lead to one."""
        for device in DEVICES:
            with self.subTest(device), tempfile.TemporaryDirectory() as out:
                self.assertEqual(call("generate", "--group", "docs", "--out", out, *specs(device)), (0, ""))
                pages = sorted(Path(out).rglob("*.md"))
                self.assertGreater(len(pages), 20)
                for page in pages:
                    for link in LINK.findall(page.read_text(encoding="utf-8")):
                        self.assertTrue((page.parent / link).exists() or "/docs/" not in str(page) and link.startswith(".."),
                                        f"{page}: {link}")

    def test_entries_are_read(self) -> None:
        """By the command, from bytes or hexadecimal text, with spec files or with what `model` has printed."""
        with tempfile.TemporaryDirectory() as out:
            model, entry, text = Path(out, "nvme.json"), Path(out, "entry"), Path(out, "text")
            model.write_text(called("model", *specs("nvme"))[1], encoding="utf-8")
            nic = Nic.read(model)
            entry.write_bytes(nic.queue("io").flush(command_id=7, nsid=1).finish(size=64))
            text.write_text(entry.read_bytes().hex(" ", 4) + "\n", encoding="utf-8")
            for file in (entry, text):
                for source in (["--model", str(model)], specs("nvme")):
                    status, printed, errors = called("decode", "--queue", "io", "--entry", str(file), *source)
                    self.assertEqual((0, ""), (status, errors))
                    self.assertIn("flush on io\n byte 0", printed)
                    self.assertIn("nsid: 0x1", printed)
            entry.write_bytes(bytes(2))
            status, printed, errors = called("decode", "--queue", "io", "--entry", str(entry), "--model", str(model))
            self.assertEqual((1, ""), (status, printed))
            self.assertIn("found 2 bytes, expected", errors)


if __name__ == "__main__":
    unittest.main()
