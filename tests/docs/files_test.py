# SPDX-License-Identifier: BSD-2-Clause
"""Each file that docs/architecture.md names is in the tree: under its path, or under the end of one."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

CHECKOUT = Path("docs/style.md").resolve().parent.parent
PAGE = CHECKOUT / "docs/architecture.md"
FOLDERS = ("codegen", "docs", "include", "runtime", "spec", "tests", "tools")
NAMED = re.compile(r"`([\w./]+\.(?:c|h|py|yaml|md|txt))`")
GENERATED = "segue/gen/"


def missing(text: str, files: list[str]) -> list[str]:
    names = [name for name in NAMED.findall(text) if not name.startswith(GENERATED)]
    return [name for name in names if not any(f"/{file}".endswith(f"/{name}") for file in files)]


class Files(unittest.TestCase):
    def test_page(self) -> None:
        files = [str(path.relative_to(CHECKOUT)) for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*")]
        text = PAGE.read_text(encoding="utf-8")
        self.assertGreater(len(NAMED.findall(text)), 50)
        self.assertEqual([], missing(text, files))

    def test_what_is_missing(self) -> None:
        text = "`sq.c`, `ring/sq.c` and `segue/gen/rc.h`, but neither `q.c` nor `cq/sq.c`"
        self.assertEqual(["q.c", "cq/sq.c"], missing(text, ["runtime/ring/sq.c"]))


if __name__ == "__main__":
    unittest.main()
