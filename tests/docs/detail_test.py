# SPDX-License-Identifier: BSD-2-Clause
"""No page, no example and no demo includes a header of segue/detail/, which is for other headers."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

CHECKOUT = Path("docs/style.md").resolve().parent.parent
INCLUDES_DETAIL = re.compile(r'^[^\S\n]*#[^\S\n]*include [<"]segue/detail/', re.MULTILINE)
FOLDERS = ("docs", "tools/demo", "tests/consumer", "tests/package")
SUFFIXES = (".md", ".h", ".hpp", ".c", ".cc")


class Detail(unittest.TestCase):
    def test_programs_do_without(self) -> None:
        files = [path for folder in FOLDERS for path in sorted((CHECKOUT / folder).rglob("*")) if path.suffix in SUFFIXES]
        files.append(CHECKOUT / "README.md")
        self.assertGreater(len(files), 100)
        self.assertEqual([], [str(path.relative_to(CHECKOUT)) for path in files if INCLUDES_DETAIL.search(path.read_text(encoding="utf-8"))])

    def test_includes_are_found(self) -> None:
        self.assertIsNotNone(INCLUDES_DETAIL.search("#include <stdio.h>\n#include <segue/detail/step.h>\n"))
        self.assertIsNotNone(INCLUDES_DETAIL.search('  # include "segue/detail/step.h"\n'))
        self.assertIsNone(INCLUDES_DETAIL.search("#include <segue/cq.h> /* segue/detail/ */\n"))


if __name__ == "__main__":
    unittest.main()
