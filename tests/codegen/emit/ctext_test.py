# SPDX-License-Identifier: BSD-2-Clause
"""Laying out C text. What clang-format makes of whole files is tested by //tests/segments:format_test."""

import unittest

from codegen import ctext


class Comments(unittest.TestCase):
    def test_one_line(self) -> None:
        self.assertEqual(ctext.comment("A doc."), "/** A doc. */")

    def test_wraps(self) -> None:
        lines = ctext.comment("word " * 40, 1, "/*").split("\n")
        self.assertEqual((lines[0], lines[-1]), ("\t/*", "\t */"))
        self.assertTrue(all(ctext.width(line) <= ctext.COLUMNS for line in lines))

    def test_cannot_be_ended_by_a_doc(self) -> None:
        self.assertEqual(ctext.comment("MLX5_*/ and /* x"), "/** MLX5_* / and / * x */")

    def test_beside_when_all_fit(self) -> None:
        rows = [("int a;", "First."), ("uint32_t bcd;", "Second.")]
        self.assertEqual(
            ctext.documented(rows), "\tint a;\t      /* First. */\n\tuint32_t bcd; /* Second. */"
        )

    def test_above_when_one_does_not(self) -> None:
        rows = [("int a;", "First."), ("int b;", "word " * 30)]
        self.assertTrue(ctext.documented(rows).startswith("\t/* First. */\n\tint a;\n\t/*\n"))


class Wrapping(unittest.TestCase):
    def test_parameters_stand_below_each_other(self) -> None:
        line = f"static inline void {'f' * 50}(const uint8_t *first, const uint8_t *second)"
        self.assertEqual(
            ctext.wrap(line).split("\n"),
            [
                f"static inline void {'f' * 50}(const uint8_t *first,",
                "\t" * 8 + "      const uint8_t *second)",
            ],
        )

    def test_short_lines_and_comments_stay(self) -> None:
        for line in ("int a;", "/* " + "x" * 120 + " */", "#define A " + "x" * 120):
            self.assertEqual(ctext.fit(line), line)

    def test_twice_is_once(self) -> None:
        line = "\treturn " + " && ".join(f"(w{i} & 0xff00ff00u) == 0" for i in range(12)) + ";"
        self.assertEqual(ctext.fit(ctext.fit(line)), ctext.fit(line))


class Strings(unittest.TestCase):
    def test_escapes(self) -> None:
        self.assertEqual(ctext.string('a "b" \\ ??=', 0), '"a \\"b\\" \\\\ ?\\?="')

    def test_pieces_join_to_the_whole(self) -> None:
        text = "some words of a doc " * 20
        pieces = ctext.string(text, 15).split("\n")
        self.assertGreater(len(pieces), 3)
        self.assertEqual("".join(p.strip()[1:-1] for p in pieces), " ".join(text.split()))


if __name__ == "__main__":
    unittest.main()
