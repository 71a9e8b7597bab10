# SPDX-License-Identifier: BSD-2-Clause
"""Generated builders must cost no more instructions than the same requests written by hand.

Compiles both with gcc and with clang, runs them under callgrind, which counts exactly and does not care what else the
machine is doing, and compares shape by shape. Figures are printed; a budget holds the one that matters most.
"""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROUNDS = 64  # of main.c
# As measured; TARGET is what they are to be. write_16 is one of 16 requests of a batch, 15 of them silent.
BUDGET = {"write_1": 54, "write_inline_28": 48, "write_16": 39.5, "write_1_silent": 56, "recv_1": 35}
TARGET = {"write_1": 60, "write_inline_28": 55, "write_16": 40, "recv_1": 35}
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ALONE = {"gcc": ["-fno-ipa-icf"], "clang": []}  # equal functions must not share their code, or counts would add up


def build(compiler: str, folder: str) -> str:
    headers = os.environ["SEGUE_HEADERS"]
    sources = glob.glob("tests/builders/instructions/*.c") + glob.glob("runtime/*/*.c") + glob.glob("runtime/object/*/*.c")
    sources += glob.glob(os.environ["SEGUE_SOURCES"] + "/*.c")
    program = os.path.join(folder, compiler)
    subprocess.run([compiler, *FLAGS, *ALONE[compiler], "-I.", "-Iinclude", "-I" + headers, *sources, "-o", program, "-lmlx5", "-libverbs", "-lpthread"], check=True)
    return program


def profile(program: str, folder: str) -> str:
    out = os.path.join(folder, "callgrind.out")
    command = ["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file=" + out]
    subprocess.run([*command, program], check=True, stderr=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        return file.read()


def inclusive(text: str) -> dict[str, int]:
    """Instructions of each function, those of its callees included."""
    costs: dict[str, int] = {}
    function = ""
    for line in text.splitlines():
        if line.startswith("fn="):
            function = line[3:]
        elif re.match(r"[\d+*-]", line) and function:
            costs[function] = costs.get(function, 0) + int(line.split()[1])
    return costs


def counts(compiler: str) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        costs = inclusive(profile(build(compiler, folder), folder))
    found: dict[str, dict[str, float]] = {}
    for function, cost in costs.items():
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
