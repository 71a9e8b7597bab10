# SPDX-License-Identifier: BSD-2-Clause
"""Comments of no room bear more signs of hard English than english.tsv and the limits allow."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.docs import english

CHECKOUT = Path("docs/style.md").resolve().parent.parent
C = """// SPDX-License-Identifier: BSD-2-Clause
/* What is in a
 * string is none. */
const char *s = "/* who */"; // one
// two
int a; /* 0; or who opened it */
// three
"""
PYTHON = """'''A module.'''
# one
# two
a = "# three"  # who


def f():
    '''Says it.'''
"""
YAML = "doc: Of a queue.\nfields:\n  - {name: a, doc: Tells who.}\n  - {name: doc, other: 1}\n"


class English(unittest.TestCase):
    def test_rooms(self) -> None:
        rooms = english.rooms_of(CHECKOUT)
        self.assertGreater(sum(map(len, rooms.values())), 10000)
        self.assertEqual([], english.rises(rooms, english.read_table()))

    def test_table_has_no_other_rooms(self) -> None:
        self.assertEqual(set(), set(english.read_table()) - set(english.rooms_of(CHECKOUT)))

    def test_comments_of_c(self) -> None:
        texts = [english.plain(text) for text in english.c_comments(C)]
        self.assertEqual(["What is in a\nstring is none.", "one\ntwo", "0; or who opened it", "three"], texts[1:])

    def test_comments_of_python(self) -> None:
        texts = [english.plain(text) for text in english.python_comments(PYTHON)]
        self.assertEqual(["one\ntwo", "who", "A module.", "Says it."], texts)

    def test_docs_of_a_spec(self) -> None:
        self.assertEqual(["Of a queue.", "Tells who."], list(english.yaml_docs(YAML)))

    def test_signs(self) -> None:
        texts = ["Whoever opened it; nobody else", "What the device says", "The Whole; of it", "ring;ring", "It was told.", "0 for `whose`"]
        self.assertEqual([1, 2, 2, 1], [english.count(texts, sign) for sign in english.SIGNS])

    def test_figures_only_fall(self) -> None:
        rooms = {"a": ["so"] * 97 + ["who"] * 3, "b": ["so"] * 3 + ["who"], "c": ["so"] * 98 + ["who"] * 2}
        self.assertEqual(["a", "c"], [line[0] for line in english.rises(rooms, {})])  # b has few comments
        self.assertEqual(["c"], [line[0] for line in english.rises(rooms, {"a": {"who": 3}})])
        table = {"a": {"who": 9}, "b": {"who": 9}, "c": {"who": 1}}
        self.assertEqual({"a": {"who": 3}, "c": {"who": 1}}, english.lowered(rooms, table))


if __name__ == "__main__":
    unittest.main()
