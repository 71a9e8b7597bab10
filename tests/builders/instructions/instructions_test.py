# SPDX-License-Identifier: BSD-2-Clause
"""Generated builders must cost no more instructions than the same requests written by hand.

Compiles both with gcc and with clang, runs them under callgrind, which counts exactly and does not care what else the
machine is doing, and compares shape by shape. Figures are printed; a budget holds the one that matters most.
"""

from __future__ import annotations

import re
import sys
import unittest

from tests.counters.counters import instructions

ROUNDS = 64  # of main.c
# As measured; TARGET is what they are to be. write_16 is one of 16 requests of a batch, 15 of them unsignaled.
BUDGET = {"write_1": 54, "write_inline_28": 48, "write_16": 39.5, "write_16_batch": 32, "write_1_silent": 56, "write_blueflame": 84, "write_inline_any": 92, "write_args": 95, "recv_1": 35}
TARGET = {"write_1": 60, "write_inline_28": 55, "write_16": 40, "write_16_batch": 38, "write_blueflame": 85, "write_inline_any": 70, "recv_1": 35}
SOURCES = [f"tests/builders/instructions/{name}.c" for name in ("main", "generated", "by_hand")]


def counts(compiler: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for function, cost in instructions(compiler, SOURCES).items():
        match = re.fullmatch(r"(generated|by_hand)_(\w+)", function)
        if match:
            found.setdefault(match[2], {})[match[1]] = cost / ROUNDS
    return found


class Instructions(unittest.TestCase):
    def check(self, compiler: str) -> None:
        found = counts(compiler)
        self.assertGreaterEqual(len(found), 12, "shapes were lost on the way")
        print(f"\n{compiler:20} generated  by hand")
        for shape, cost in sorted(found.items()):
            target = f"   target {TARGET[shape]}" if shape in TARGET else ""
            print(f"{shape:20} {cost['generated']:9.2f}{cost['by_hand']:9.2f}{target}")
        sys.stdout.flush()
        for shape, cost in sorted(found.items()):
            with self.subTest(compiler=compiler, shape=shape):
                self.assertLessEqual(cost["generated"], cost["by_hand"])
                self.assertLessEqual(cost["generated"], BUDGET.get(shape, cost["generated"]))

    def test_gcc(self) -> None:
        self.check("gcc")

    def test_clang(self) -> None:
        self.check("clang")


if __name__ == "__main__":
    unittest.main()
