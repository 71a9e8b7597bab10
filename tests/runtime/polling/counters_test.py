# SPDX-License-Identifier: BSD-2-Clause
"""What counters cost: at most three instructions an operation in sources that are compiled with SEGUE_COUNTERS=1. Others are held by polling_test.py
and tests/builders/instructions, whose budgets know of no counters."""

from __future__ import annotations

import tempfile
import unittest

from tests.counters.counters import build, inclusive, profile

MOST = 3
BLOCK = 64  # rounds of either program
PROGRAMS = {
    "polls": (["tests/runtime/polling/poll.c"], ("poll_", "loop_")),
    "posts": ([f"tests/builders/instructions/{name}.c" for name in ("main", "generated", "by_hand")], ("generated_",)),
}


def counts(compiler: str, program: str, counters: int) -> dict[str, float]:
    sources, prefixes = PROGRAMS[program]
    with tempfile.TemporaryDirectory() as folder:
        costs = inclusive(profile(build(compiler, sources, folder, [f"-DSEGUE_COUNTERS={counters}"]), folder))
    return {name: cost / BLOCK for name, cost in costs.items() if name.startswith(prefixes)}


class CountersCost(unittest.TestCase):
    def check(self, compiler: str) -> None:
        for program in PROGRAMS:
            off, on = (counts(compiler, program, counters) for counters in (0, 1))
            dearest = max(on, key=lambda name: on[name] - off[name])
            print(f"{compiler}: {program}: at most {on[dearest] - off[dearest]:.2f} more, for {dearest}")
            self.assertGreaterEqual(len(on), 12, "shapes were lost on the way")
            self.assertGreater(on[dearest], off[dearest], "nothing is counted")
            for name in on:
                with self.subTest(compiler=compiler, name=name):
                    self.assertLessEqual(on[name] - off[name], MOST)

    def test_gcc(self) -> None:
        self.check("gcc")

    def test_clang(self) -> None:
        self.check("clang")


if __name__ == "__main__":
    unittest.main()
