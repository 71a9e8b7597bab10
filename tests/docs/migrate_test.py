# SPDX-License-Identifier: BSD-2-Clause
"""docs/migrate.sed brings a program from the names before 0.1.0 to today's: its names exist, and a small old program compiles after it, not before."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from pathlib import Path

SCRIPT = Path("docs/migrate.sed")
OLD = Path("tests/docs/migrate/old.c")
GENERATED = Path(os.environ["SEGUE_HEADERS"])
RENAME = re.compile(r"^s/\\b(\w+)\\b/([\w:]+)/g$", re.MULTILINE)
HEADER = re.compile(r"^s\|segue/([\w/]+)\\\.h\|segue/([\w/]+\.h)\|g$", re.MULTILINE)


def compiled(text: str) -> subprocess.CompletedProcess:
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Iinclude", f"-I{GENERATED}", "-xc", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


class Migrate(unittest.TestCase):
    def setUp(self) -> None:
        self.renames = RENAME.findall(SCRIPT.read_text(encoding="utf-8"))
        self.headers = HEADER.findall(SCRIPT.read_text(encoding="utf-8"))

    def test_each_line_is_understood(self) -> None:
        lines = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
        self.assertEqual(len(lines), len(self.renames) + len(self.headers))
        self.assertGreater(len(self.renames), 450)

    def test_new_names_exist_and_old_ones_do_not(self) -> None:
        text = "\n".join(p.read_text(encoding="utf-8") for folder in (Path("include"), GENERATED) for p in folder.rglob("*.h*"))
        there = set(re.findall(r"\b(?:segue|SEGUE)i?\w*", text)) | {"segue::scope"}
        self.assertEqual([], [new for _, new in self.renames if new not in there])
        again = {new for _, new in self.renames} | {"segue_cq_poll_payload"}  # which is still there
        self.assertEqual([], [old for old, _ in self.renames if old in there and old not in again])
        for old, new in self.headers:
            self.assertFalse((Path("include/segue") / f"{old}.h").exists(), old)
            self.assertTrue((Path("include/segue") / new).exists() or (GENERATED / "segue" / new).exists(), new)

    def test_a_new_name_is_not_renamed_again(self) -> None:
        seen: set[str] = set()
        for old, new in self.renames:
            self.assertNotIn(old, seen)
            seen.add(new)

    def test_an_old_program(self) -> None:
        self.assertNotEqual(0, compiled(OLD.read_text(encoding="utf-8")).returncode)
        new = subprocess.run(["sed", "-f", str(SCRIPT), str(OLD)], capture_output=True, text=True, check=True).stdout
        done = compiled(new)
        self.assertEqual(("", 0), (done.stderr, done.returncode))


if __name__ == "__main__":
    unittest.main()
