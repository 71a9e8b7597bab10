# SPDX-License-Identifier: BSD-2-Clause
"""What a check costs: function calls of Python, which are the same on each machine. 0.35 s of a processor are about a million of them."""

from __future__ import annotations

import cProfile
import os
import pstats
import unittest

from codegen.main import main
from tests.codegen.cases import ROOT

MOST = 1_000_000


class Cost(unittest.TestCase):
    def test_a_check_of_mlx5(self) -> None:
        os.chdir(ROOT)
        with cProfile.Profile() as profile:
            self.assertEqual(0, main(["check", "spec/mlx5"]))
        calls = pstats.Stats(profile).total_calls
        print(f"{calls} calls")
        self.assertLess(calls, MOST)


if __name__ == "__main__":
    unittest.main()
