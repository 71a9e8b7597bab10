# SPDX-License-Identifier: BSD-2-Clause
"""Every link of the hand-written pages leads to something in the tree."""

import re
import sys
import unittest
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


class Links(unittest.TestCase):
    def test_lead_somewhere(self) -> None:
        pages = [Path(p) for p in sys.argv[1:]]
        self.assertGreater(len(pages), 10)
        for page in pages:
            for target in LINK.findall(page.read_text(encoding="utf-8")):
                if "://" in target:
                    continue
                # Through the page's own link to the tree: folders and sources are none of the test's files.
                with self.subTest(page=str(page), link=target):
                    self.assertTrue((page.resolve().parent / target).exists(), f"{page}: there is no {target}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
