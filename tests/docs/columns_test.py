# SPDX-License-Identifier: BSD-2-Clause
"""No line of C or C++ has more than the columns that docs/style.md allows, tabs of 8 counted as such."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

STYLE = Path("docs/style.md")
COLUMNS = int(re.search(r"tabs of 8, (\d+) columns", STYLE.read_text(encoding="utf-8"))[1])
CHECKOUT = STYLE.resolve().parent.parent
SUFFIXES = (".h", ".hpp", ".c", ".cc")
FOLDERS = ("include", "runtime", "tools", "tests", "docs")
# What a compiler is to say, whole: tests/builders/must_not_compile reads it.
EXPECTED = "// expect-"
# Made by the generator, whose names are the spec's.
MADE = "tests/codegen/golden/"


def too_long(text: str) -> list[int]:
    return [number for number, line in enumerate(text.split("\n"), 1) if len(line.expandtabs(8)) > COLUMNS and not line.startswith(EXPECTED)]


class Columns(unittest.TestCase):
    def test_all(self) -> None:
        found = (path.relative_to(CHECKOUT) for folder in FOLDERS for path in sorted((CHECKOUT / folder).rglob("*")))
        files = [path for path in found if path.suffix in SUFFIXES and not str(path).startswith(MADE)]
        self.assertGreater(len(files), 900)
        self.assertEqual([], [f"{path}:{line}" for path in files for line in too_long((CHECKOUT / path).read_text(encoding="utf-8"))])

    def test_tabs_count(self) -> None:
        self.assertEqual([2], too_long("\t" * 12 + "1234\n" + "\t" * 12 + "12345"))


if __name__ == "__main__":
    unittest.main()
