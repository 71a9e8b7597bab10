# SPDX-License-Identifier: BSD-2-Clause
"""What a check costs: function calls of Python, which are the same on each machine. 0.35 s of a processor are about a million of them.
A check makes 657,074."""

from __future__ import annotations

import os
import sys
import unittest
from types import FrameType
from typing import Any

from codegen.main import main
from tests.codegen.cases import ROOT

MOST = 722_000


class Cost(unittest.TestCase):
    def test_a_check_of_mlx5(self) -> None:
        os.chdir(ROOT)
        calls = 0

        def count(_: FrameType, event: str, __: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        # Not cProfile, with which Python 3.11 has crashed here.
        sys.setprofile(count)
        try:
            status = main(["check", "spec/mlx5"])
        finally:
            sys.setprofile(None)
        self.assertEqual(0, status)
        print(f"{calls} calls")
        self.assertLess(calls, MOST)


if __name__ == "__main__":
    unittest.main()
