# SPDX-License-Identifier: BSD-2-Clause
"""Instructions per completion, counted by callgrind, with gcc and with clang. Figures are printed; a budget holds them."""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROUNDS = 64  # of poll.c
BATCH = 16
# Receives with their payload inside the completion, polled by those who ask for such (scatter_to_cqe).
PAYLOAD = {"poll_payload": 131, "poll_payload_16": 120, "poll_payload_srq": 152, "poll_payload_none": 61}
# As measured; a change that costs an instruction has to say why. TARGET is what they are to be.
BUDGET = {
    "gcc": {"poll_empty": 8, "poll_send": 45, "poll_send_16": 41, "poll_receive": 50, "poll_receive_srq": 63, "poll_receive_inline": 250, "poll_inline_16": 130, **PAYLOAD},
    "clang": {"poll_empty": 7, "poll_send": 45, "poll_send_16": 39, "poll_receive": 50, "poll_receive_srq": 63, "poll_receive_inline": 250, "poll_inline_16": 130, **PAYLOAD},
}
TARGET = {"poll_empty": 8, "poll_send": 45, "poll_receive": 50}
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ALONE = {"gcc": ["-fno-ipa-icf"], "clang": []}  # equal functions must not share their code, or counts would add up
ROOMS = ["base", "ring", "text"]  # of the runtime: what polling needs


def build(compiler: str, folder: str) -> str:
    sources = ["tests/runtime/polling/poll.c", *glob.glob(os.environ["SEGUE_SOURCES"] + "/*.c")]
    for room in ROOMS:
        sources += glob.glob(f"runtime/{room}/*.c")
    program = os.path.join(folder, compiler)
    includes = ["-I.", "-Iinclude", "-I" + os.environ["SEGUE_HEADERS"]]
    sections = ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    command = [compiler, *FLAGS, *ALONE[compiler], *sections, *includes, *sources, "-o", program, "-lpthread"]
    subprocess.run(command, check=True)
    return program


def counts(compiler: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        options = ["--compress-strings=no", "--compress-pos=no", "--callgrind-out-file=" + out]
        command = ["valgrind", "--tool=callgrind", *options, build(compiler, folder)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as file:
            text = file.read()
    costs: dict[str, int] = {}
    function = ""
    for line in text.splitlines():  # each function with what it calls
        if line.startswith("fn="):
            function = line[3:]
        elif re.match(r"[\d+*-]", line) and function:
            costs[function] = costs.get(function, 0) + int(line.split()[1])
    found = {name: cost / ROUNDS for name, cost in costs.items() if name.startswith("poll_")}
    for name in ("poll_send_16", "poll_inline_16", "poll_payload_16"):
        found[name] *= ROUNDS / BATCH
    return found


class Polling(unittest.TestCase):
    def check(self, compiler: str) -> None:
        found = counts(compiler)
        print(f"\n{compiler}: instructions per completion (per call where there is none)")
        for name, cost in sorted(found.items()):
            print(f"{name:20} {cost:9.2f}" + (f"   target {TARGET[name]}" if name in TARGET else ""))
        sys.stdout.flush()
        for name, budget in BUDGET[compiler].items():
            with self.subTest(compiler=compiler, name=name):
                self.assertLessEqual(found[name], budget)

    def test_gcc(self) -> None:
        self.check("gcc")

    def test_clang(self) -> None:
        self.check("clang")


if __name__ == "__main__":
    unittest.main()
