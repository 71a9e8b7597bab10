# SPDX-License-Identifier: BSD-2-Clause
"""Examples, demos and the pages that users copy from name nothing internal."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

CHECKOUT = Path("docs/style.md").resolve().parent.parent
FOLDERS = ("docs/examples", "tools/demo", "tests/consumer")
# Of these pages the fenced C is looked at: the others explain what is inside.
PAGES = ("README.md", "docs/tutorial.md", "docs/adopting.md", "docs/many-peers.md", "docs/threads.md", "docs/migrating.md")
INTERNAL = re.compile(r"\bseguei_\w+|\bSEGUEI_\w+")


def named(text: str) -> list[str]:
    return sorted(set(INTERNAL.findall(text)))


class Examples(unittest.TestCase):
    def test_programs(self) -> None:
        files = [path for folder in FOLDERS for path in sorted((CHECKOUT / folder).rglob("*")) if path.suffix in (".c", ".cc", ".h", ".hpp")]
        self.assertGreater(len(files), 40)
        self.assertEqual({}, {str(path.relative_to(CHECKOUT)): names for path in files if (names := named(path.read_text(encoding="utf-8")))})

    def test_pages(self) -> None:
        for page in PAGES:
            self.assertEqual([], named((CHECKOUT / page).read_text(encoding="utf-8")), page)

    def test_it_finds_some(self) -> None:
        self.assertEqual(["SEGUEI_HOT", "seguei_fail"], named("return seguei_fail(EINVAL); SEGUEI_HOT segue_fail"))


if __name__ == "__main__":
    unittest.main()
