# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of pages take for equal, and for different."""

import unittest

from tests.docs import pages

PAGE = """\
# A page

<!-- figures: 0x3f2a10 = 0x1..0xffffff, *.* = 0.1..99 -->
`step1` prints:
```text
queue pair 0x3f2a10, 64 buffers, 1.25 us
     8      4.14
…
all right
```
And:
```sh
# a comment
one  # after
two \\
    three
```
"""
GOOD = """\
queue pair 0x7, 64 buffers, 98.9 us
    8 77.00
any
thing
all right
"""


class Shown(unittest.TestCase):
    def setUp(self) -> None:
        self.shown, self.shell = pages.blocks_of("page.md", PAGE)

    def test_blocks(self) -> None:
        self.assertEqual("`step1` prints:", self.shown.caption)
        self.assertEqual("page.md:5", str(self.shown))
        self.assertEqual(("sh", "And:", {}), (self.shell.language, self.shell.caption, self.shell.notes))
        self.assertEqual(["one  # after", "two      three"], pages.commands(self.shell.text))

    def test_what_agrees(self) -> None:
        self.assertEqual("", pages.Shown(self.shown).difference(GOOD))

    def test_what_differs(self) -> None:
        for good, bad in (
            ("0x7,", "0x0,"),  # out of its range
            ("64 buffers", "63 buffers"),  # exact, as nothing is said of it
            ("98.9", "99.1"),
            ("98.9", "0x9"),
            ("    8 77", "    9 77"),
            ("queue pair", "Queue pair"),
            ("all right", "all wrong"),
            ("any\nthing\nall right\n", ""),
            ("all right\n", "all right\nand more\n"),
        ):
            with self.subTest(bad=bad):
                self.assertIn(good, GOOD)
                self.assertNotEqual("", pages.Shown(self.shown).difference(GOOD.replace(good, bad)))

    def test_any_order(self) -> None:
        block, = pages.blocks_of("page.md", "<!-- any order -->\n```\na 1\nb 2\n```\n")
        self.assertEqual("", pages.Shown(block).difference("b 2\na 1\n"))
        for bad in ("b 2\n", "b 2\na 1\na 1\n", "b 2\na 2\n"):
            self.assertNotEqual("", pages.Shown(block).difference(bad))

    def test_a_range_for_nothing_is_refused(self) -> None:
        block, = pages.blocks_of("page.md", "<!-- figures: 7 = 1..9 -->\n```\na 1\n```\n")
        with self.assertRaises(AssertionError):
            pages.Shown(block)

    def test_fences(self) -> None:
        for bad in ("```sh\nopen\n", "```sh strange\n```\n"):
            with self.assertRaises(AssertionError):
                pages.blocks_of("page.md", bad)


if __name__ == "__main__":
    unittest.main()
