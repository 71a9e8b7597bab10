# SPDX-License-Identifier: BSD-2-Clause
"""docs/from-a-log.md shows what segue explain prints, and each form of a line that it knows."""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

import yaml

from tests.docs import pages

PAGE = "docs/from-a-log.md"
COMMAND = "bazel run //tools/segue --"


def outputs() -> dict[int, pages.Block]:
    """Line of a block of commands → the block behind it, which shows what they print."""
    blocks = pages.read(PAGE)
    return {first.line: second for first, second in zip(blocks, blocks[1:]) if first.language in pages.SHELL and not second.language}


def is_output(block: pages.Block) -> bool:
    return block.page == PAGE and block.line in [shown.line for shown in outputs().values()]


class LogPage(unittest.TestCase):
    maxDiff = None

    def test_outputs(self) -> None:
        shown = outputs()
        self.assertEqual(3, len(shown))
        for block in pages.read(PAGE):
            if block.line not in shown:
                continue
            typed = block.text.replace(COMMAND, os.environ["SEGUE"])
            result = subprocess.run(["bash", "-c", typed], stdout=subprocess.PIPE, check=True)
            self.assertEqual(shown[block.line].text, result.stdout.decode(), str(block))

    def test_forms(self) -> None:
        text = Path(PAGE).read_text(encoding="utf-8")
        forms = yaml.safe_load(Path("spec/logs/forms.yaml").read_text(encoding="utf-8"))["forms"]
        for form in forms:
            example = form["example"].strip().replace("|", "&#124;")
            self.assertIn(f"| {form['name']} | `{example}` |\n", text)


if __name__ == "__main__":
    unittest.main()
