# SPDX-License-Identifier: BSD-2-Clause
"""No line of the library's C has more than the columns that docs/style.md allows, tabs of 8 counted as such."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

COLUMNS = int(re.search(r"tabs of 8, (\d+) columns", Path("docs/style.md").read_text(encoding="utf-8"))[1])
FOLDERS = ("include", "runtime")


def too_long(text: str) -> list[int]:
    return [number for number, line in enumerate(text.split("\n"), 1) if len(line.expandtabs(8)) > COLUMNS]


class Columns(unittest.TestCase):
    def test_all(self) -> None:
        files = [path for folder in FOLDERS for path in sorted(Path(folder).rglob("*")) if path.suffix in (".h", ".hpp", ".c")]
        self.assertGreater(len(files), 150)
        self.assertEqual([], [f"{path}:{line}" for path in files for line in too_long(path.read_text(encoding="utf-8"))])

    def test_tabs_count(self) -> None:
        self.assertEqual([2], too_long("\t" * 12 + "1234\n" + "\t" * 12 + "12345"))


if __name__ == "__main__":
    unittest.main()
