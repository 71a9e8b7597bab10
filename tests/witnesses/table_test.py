# SPDX-License-Identifier: BSD-2-Clause
"""The table of witnesses says what its tests do: each file that it names is there, is run, and has the text by which it is a witness."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.witnesses import table

TABLE = table.load()
ROWS = TABLE["formats"]


class Witnesses(unittest.TestCase):
    def test_rows_are_whole(self) -> None:
        for row in ROWS:
            with self.subTest(row["name"]):
                self.assertLessEqual({"name", "others"}, set(row))
                self.assertLessEqual(set(row), {"name", "others", "tests", "by_hand", "hole"})
                self.assertTrue("tests" in row or "hole" in row, "a row without a witness says what is missing")
        names = [row["name"] for row in ROWS]
        self.assertEqual(len(names), len(set(names)))

    def test_files_do_what_is_said(self) -> None:
        for row in ROWS:
            for kind in ("tests", "by_hand"):
                for path, text in row.get(kind, {}).items():
                    with self.subTest(row["name"], path=path):
                        self.assertIn(text, Path(path).read_text(encoding="utf-8"))

    def test_tests_are_run(self) -> None:
        """A BUILD file names it, perhaps by the part that tells it from its siblings."""
        builds = "".join(path.read_text(encoding="utf-8") for path in Path("tests").rglob("*") if path.name == "BUILD" or path.suffix == ".bzl")
        for path in sorted({Path(path) for row in ROWS for path in row.get("tests", {})}):
            stem = path.stem
            names = {path.name, stem, stem.removesuffix("_test"), stem.removeprefix("libmlx5_").removesuffix("_test"), f"{path.parent.name}/{path.name}"}
            with self.subTest(str(path)):
                self.assertTrue(path.name == "BUILD" or any(f'"{name}"' in builds for name in names), "no BUILD file names it")

    def test_no_more_rows_are_without(self) -> None:
        self.assertEqual(TABLE["without_tests"], sum("tests" not in row for row in ROWS))

    def test_page(self) -> None:
        self.assertEqual(table.page(TABLE), Path(table.PAGE).read_text(encoding="utf-8"), "bazel run //tests/witnesses:update")


if __name__ == "__main__":
    unittest.main()
