# SPDX-License-Identifier: BSD-2-Clause
"""Laying out C text."""

import unittest

from codegen.c import ctext


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
        self.assertEqual(ctext.documented(rows), "\tint a; /* First. */\n\tuint32_t bcd; /* Second. */")

    def test_above_when_one_does_not(self) -> None:
        rows = [("int a;", "First."), ("int b;", "word " * 30)]
        self.assertTrue(ctext.documented(rows).startswith("\tint a; /* First. */\n\t/*\n"))


class Folding(unittest.TestCase):
    def test_breaks_behind_commas(self) -> None:
        line = f"\tf({'a' * 40}, {'b' * 40}, {'c' * 40});"
        self.assertEqual(ctext.fold(line), f"\tf({'a' * 40}, {'b' * 40},\n\t\t\t{'c' * 40});")

    def test_not_within_strings(self) -> None:
        line = '\tf("' + "a, " * 40 + '\\", ", ' + "b" * 20 + ");"
        self.assertEqual(ctext.fold(line), '\tf(\n\t\t\t"' + "a, " * 40 + '\\", ",\n\t\t\t' + "b" * 20 + ");")

    def test_short_lines_and_comments_stay(self) -> None:
        for line in ("int a;", "/* " + "x, " * 50 + " */", "#define A " + "x, " * 50, "\t" + "x, " * 50 + "\\"):
            self.assertEqual(ctext.fit(line), line)

    def test_nothing_but_blanks_changes(self) -> None:
        line = "\treturn " + " && ".join(f"(w{i} & 0xff00ff00u) == 0" for i in range(12)) + ";"
        self.assertEqual(ctext.fit(ctext.fit(line)), ctext.fit(line))
        self.assertEqual("".join(ctext.fit(line).split()), "".join(line.split()))


class Strings(unittest.TestCase):
    def test_escapes(self) -> None:
        self.assertEqual(ctext.string('a "b" \\ ??='), '"a \\"b\\" \\\\ ?\\?="')


if __name__ == "__main__":
    unittest.main()
