# SPDX-License-Identifier: BSD-2-Clause
"""README.md's table is what the bench counts: Segue's figures but for rounding, libmlx5's within 5 %, as distributions compile it. And libmlx5
takes at least twice as many instructions, without its locks, too.

Counted by callgrind, so it does not matter what else the machine does.
"""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

from tools.bench.page import FIRST_PAGE


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


class FirstPage(unittest.TestCase):
    def test_table(self) -> None:
        env = {**os.environ, "SOFTHCA_DIR": os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"), f"segue-test-{os.getpid()}")}
        output = subprocess.run(["tools/bench/bench", "--first-page"], stdout=subprocess.PIPE, text=True, check=True, env=env).stdout
        print(output)
        readme = {cells(line)[0]: cells(line)[1:] for line in Path("README.md").read_text("utf-8").splitlines() if line.startswith("| ")}
        counted = [cells(line) for line in output.splitlines()]
        self.assertEqual([words for words, _, _ in FIRST_PAGE], [row[0] for row in counted])
        for words, *figures in counted:
            with self.subTest(words):
                self.assertIn(words, readme)
                locks, none, ours = map(int, figures)
                said = list(map(int, readme[words]))
                self.assertLessEqual(abs(said[0] - locks), locks / 20)
                self.assertLessEqual(abs(said[1] - none), none / 20)
                self.assertLessEqual(abs(said[2] - ours), 1)
                self.assertGreaterEqual(min(locks, none), 2 * ours)


if __name__ == "__main__":
    unittest.main()
