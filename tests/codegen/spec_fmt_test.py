# SPDX-License-Identifier: BSD-2-Clause
"""Every spec file is in canonical form, and the tool that says so tells and repairs what is not."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import unittest

from tests.codegen.cases import ROOT, base_files
from tools.spec_fmt import main

GOOD = """\
# SPDX-License-Identifier: BSD-2-Clause
kind: enum
name: colour
doc: Colours.
source: "own:made up for tests"
bits: 8
# The values come last.
values:
  - {name: RED, value: 0x0a, doc: Like a rose.}
"""


def catalogue() -> list[str]:
    found = []
    for folder, _, names in os.walk("spec"):
        if os.path.basename(folder) != "schema":
            found += [os.path.join(folder, name) for name in names if name.endswith(".yaml")]
    return sorted(found)


class SpecFmt(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def run_tool(self, *arguments: str) -> tuple[int, str]:
        with contextlib.redirect_stderr(io.StringIO()) as stream:
            status = main(list(arguments))
        return status, stream.getvalue()

    def format(self, text: str, *options: str) -> tuple[int, str, str]:
        """Status, first error and the file afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "colour.yaml")
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text)
            status, errors = self.run_tool(*options, file)
            with open(file, encoding="utf-8") as stream:
                return status, errors.replace(folder + "/", "").split("\n")[0], stream.read()

    def test_catalogue_is_canonical(self) -> None:
        files = catalogue()
        self.assertGreater(len(files), 50)
        self.assertEqual(self.run_tool("--check", *files, *base_files()), (0, ""))

    def test_good_file_stays(self) -> None:
        self.assertEqual(self.format(GOOD), (0, "", GOOD))

    def test_item_keys_are_put_in_order_with_their_comments(self) -> None:
        lines = GOOD.splitlines(keepends=True)
        wrong = "".join([lines[0], *lines[6:], *lines[1:6]])
        status, error, after = self.format(wrong, "--check")
        self.assertEqual((status, error), (1, "colour.yaml:5: error: the key 'kind' comes after 'values'; expected it before"))
        self.assertEqual(after, wrong)
        self.assertEqual(self.format(wrong), (0, "", GOOD))

    def test_lines_are_tidied(self) -> None:
        for wrong, error in ((GOOD.replace("0x0a", "0x0A"), "9: error: 0x0A has capital letters; expected 0x0a"),
                             (GOOD.replace("bits: 8", "bits: 8 "), "6: error: blanks at the end of the line; expected none"),
                             (GOOD + "\n", "10: error: an empty line at the end; expected none"),
                             (GOOD[:-1], "9: error: the last line does not end; expected a line feed")):
            with self.subTest(error):
                self.assertEqual(self.format(wrong, "--check"), (1, f"colour.yaml:{error}", wrong))
                self.assertEqual(self.format(wrong), (0, "", GOOD))

    def test_inner_keys_are_reported_only(self) -> None:
        wrong = GOOD.replace("name: RED, value: 0x0a", "value: 0x0a, name: RED")
        error = "colour.yaml:9: error: the key 'name' comes after 'value'; expected it before"
        self.assertEqual(self.format(wrong), (1, error, wrong))

    def test_bad_file_is_left_alone(self) -> None:
        for wrong in (GOOD.replace("bits: 8", "bits: 8 \nbits: 9"), GOOD.replace("bits", "bitz"), "", "- \n"):
            with self.subTest(wrong):
                status, _, after = self.format(wrong)
                self.assertEqual((status, after), (1, wrong))


if __name__ == "__main__":
    unittest.main()
