# SPDX-License-Identifier: BSD-2-Clause
"""Each fenced block of the hand-written pages is one test's, and one's only; a new one without a test is named here.

What a test takes is asked of the test itself: the pattern or function with which it looks for its blocks.
"""

from __future__ import annotations

import re
import unittest
from collections.abc import Callable
from pathlib import Path

from tests.backends import page
from tests.docs import commands_test, page_files, fragments_test, log_page_test, nic_test, pages, request_test, segment_test
from tests.softhca.tables import blocks as tables
from tests.tutorial import many_peers_test, tutorial, tutorial_test

SEGMENT = segment_test.PAGE
TABLES = "docs/softhca/tables.md"
FAULTS = "docs/softhca/faults.md"

# Test → page → pattern of its blocks.
PATTERNS: list[tuple[str, str, re.Pattern[str]]] = [
    ("//tests/tutorial:tutorial_test", "docs/tutorial.md", tutorial.BLOCK),
    ("//tests/tutorial:tutorial_test", "docs/adopting.md", tutorial.BLOCK),
    ("//tests/tutorial:many_peers_test", "docs/many-peers.md", tutorial.BLOCK),
    ("//tests/tutorial:many_peers_test", "docs/many-peers.md", many_peers_test.SCRIPT),
    ("//tests/tutorial:many_peers_test", "docs/many-peers.md", many_peers_test.COMMANDS),
    ("//tests/docs:request_test", "docs/adding-a-request.md", request_test.WRONG_STEP),
    ("//tests/docs:nic_test", "docs/adding-a-nic.md", nic_test.RULE),
    ("tests/consumer/run", SEGMENT, page_files.FILE),
    ("//tests/softhca/tables:tables_test", TABLES, tables.FILE),
] + [
    (f"//tests/docs:{test}_test", f"docs/adding-a-{test_page}.md", pattern)
    for test, test_page in (("request", "request"), ("nic", "nic"))
    for pattern in (page_files.FILE, page_files.COMMANDS, page_files.PRINTED)
]

# Test → whether a block is its.
OTHERS: list[tuple[str, Callable[[pages.Block], bool]]] = [
    ("//tests/docs:commands_test", commands_test.typed_here),
    ("//tests/docs:commands_test", lambda block: block.line in [shown.line for shown in commands_test.outputs(block.page).values()]),
    ("//tests/docs:commands_test", commands_test.is_plan),
    ("//tests/docs:log_page_test", log_page_test.is_output),
    ("//tests/docs:fragments_test", fragments_test.is_fragment),
    ("//tests/docs:fragments_test", fragments_test.is_spec),
    ("//tests/docs:fragments_test", fragments_test.is_sentence),
    ("nobody: a picture", fragments_test.is_picture),
    ("//tests/docs:fragments_test", fragments_test.is_rule),
    ("//tests/backends:all", page.is_block),
    ("//tests/tutorial:tutorial_test", lambda block: block.line in [shown.line for shown in tutorial_test.prints(block.page).values()]),
    ("//tests/tutorial:tutorial_test", lambda block: block.page == "docs/tutorial.md" and block.caption == "`BUILD`:"),
    ("//tests/docs:segment_test", lambda block: block.page == SEGMENT and not block.language),
    ("tests/consumer/run", lambda block: block.page == SEGMENT and block.text == segment_test.RAN),
]


def lines_of(pattern: re.Pattern[str], page: str) -> set[int]:
    """Where the fences of the blocks are that a pattern finds."""
    text = Path(page).read_text(encoding="utf-8")
    return {text.count("\n", 0, text.index("```", match.start())) + 1 for match in pattern.finditer(text)}


class Blocks(unittest.TestCase):
    def test_each_is_one_tests(self) -> None:
        found = {(page, test, pattern.pattern): lines_of(pattern, page) for test, page, pattern in PATTERNS}
        for (page, test, pattern), lines in found.items():
            self.assertTrue(lines, f"{test} finds nothing on {page} with {pattern}")
        counted: dict[str, int] = {}
        for page in pages.all_pages():
            for block in pages.read(page):
                tests = [test for (where, test, _), lines in found.items() if where == page and block.line in lines]
                tests += [test for test, mine in OTHERS if mine(block)]
                with self.subTest(str(block)):
                    self.assertEqual(1, len(tests), f"{block} ({block.language or 'no language'}, '{block.caption}') is the block of "
                                     f"{' and '.join(tests) or 'no test: name it as a file, or see tests/docs/pages.py'}")
                    counted[tests[0]] = counted.get(tests[0], 0) + 1
        for test, count in sorted(counted.items()):
            print(f"{count:4} {test}")
        print(f"{sum(counted.values()):4} blocks")


if __name__ == "__main__":
    unittest.main()
