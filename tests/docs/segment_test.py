# SPDX-License-Identifier: BSD-2-Clause
"""docs/adding-a-segment.md, its last chapters: what is said of each mistake. Its files and its command are tests/consumer's."""

from __future__ import annotations

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.docs import page_files, pages

ROOT = Path(".").resolve()
PAGE = "docs/adding-a-segment.md"
RAN = "bazel test //...\n"


def said() -> dict[str, pages.Block]:
    """What is shown behind the files: by the tests, of the spec, of C, of C++."""
    shown = [block for block in pages.read(PAGE) if not block.language]
    return dict(zip(("tests", "spec", "c", "c++"), shown, strict=True))


class Mistakes(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.here = Path(folder.name)
        cls.files = dict(page_files.FILE.findall(Path(PAGE).read_text(encoding="utf-8")))
        for name, text in cls.files.items():
            (cls.here / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.here / name).write_text(text, encoding="utf-8")
        generated = cls.shell("python3 -m codegen.main generate --out gen/include --sources gen/src spec")
        assert generated.returncode == 0, generated.stderr

    @classmethod
    def shell(cls, command: str) -> subprocess.CompletedProcess:
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
        return subprocess.run(["sh", "-c", command], cwd=cls.here, env=environment, capture_output=True, text=True, check=False)

    def test_names_of_the_tests(self) -> None:
        """Those of the BUILD file; tests/consumer/run runs them."""
        self.assertIn(RAN, [block.text for block in pages.read(PAGE)])
        names: list[str] = []
        rules = {rule: lambda **_: None for rule in ("load", "cc_library", "segue_spec_library")}
        rules |= {rule: lambda name, **_: names.append(name) for rule in ("cc_test", "segue_spec_test")}
        exec(self.files["BUILD"], rules | {"load": lambda *_: None, "glob": lambda _: []})  # the part of Python that BUILD files are
        shown = re.findall(r"^//:(\w+) +PASSED in \d\.\ds$", said()["tests"].text, re.MULTILINE)
        self.assertEqual(sorted(names), shown)

    def test_in_the_spec(self) -> None:
        file = self.here / "spec/hash_op.yaml"
        good = file.read_text(encoding="utf-8")
        bad = re.sub(r'(name: ends, at: \{dword: 0, bits: )"[\d:]+"', r'\1"27:24"', good)
        self.assertNotEqual(good, bad)
        file.write_text(bad, encoding="utf-8")
        done = self.shell("python3 -m codegen.main check spec")
        file.write_text(good, encoding="utf-8")
        self.assertEqual("", pages.Shown(said()["spec"]).difference(done.stderr))

    def test_in_the_order(self) -> None:
        wrong = re.sub(r"segue_hash_op\((segue_hash\(rc, 1, .*?\)),.*?0x1122334455667788\)", r"\1", self.files["hash_test.c"],
                       flags=re.DOTALL)
        (self.here / "wrong.c").write_text(f'#line 1 "hash_test.c"\n{wrong}', encoding="utf-8")
        include = f"-Igen/include -I{ROOT}/include -I{ROOT}"
        for language, compiler in (("c", "gcc -std=c11"), ("c++", "g++ -std=c++17 -xc++")):
            done = self.shell(f"{compiler} -fsyntax-only {include} wrong.c")
            lines = [line.rstrip() for line in done.stderr.splitlines()]
            for line in said()[language].text.splitlines():
                with self.subTest(language, line=line):
                    self.assertTrue(any(line in got for got in lines), done.stderr)


if __name__ == "__main__":
    unittest.main()
