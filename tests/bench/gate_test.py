# SPDX-License-Identifier: BSD-2-Clause
"""No row of the bench takes more instructions than is recorded, with gcc and with clang: more than a fiftieth above fails, and names the row.

Counted by callgrind, so it does not matter what else the machine does. `bazel run //tests/bench:gate_test -- --record` writes down what there
is now.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

from tests.counters.counters import build
from tools.bench.counting import counted
from tools.bench.results import OURS, exceeding

RECORDED = "tests/bench/recorded.json"
RECORDED_VERBS = "tools/bench/verbs.json"  # where the report of `segue run` takes them from
SOURCES = sorted(map(str, Path("tools/bench/ours").glob("*.c")))
# No floors, and of batches the short shapes alone (one entry, 28 bytes inline) and neither 4, 8 nor 32: these are made of the same steps, and would
# cost the compilers another minute.
OPTIONS = ["-D_GNU_SOURCE", "-DBENCH_GATE"]
COMPILERS = ("gcc", "clang")
# libibverbs' calls that Segue carries out (segue_verbs_adopt()), on the emulated device and as Bazel compiles them.
ADOPTED = ["rc/rdma_write", "rc/send", "rc/atomic", "ud/send", "dci/rdma_write", "xrc_initiator/send", "poll/send", "poll/receive", "post-receive"]
# Rows that take more than libmlx5's: of long inline data.
SLOWER = ["rc/send_inv/inline200 ibv_post_send", "dci/rdma_write_imm/av-inline200/16 ibv_wr", "xrc_initiator/send_inv/inline200 ibv_post_send"]


def count(compiler: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        found = counted([build(compiler, SOURCES, folder, OPTIONS), ""])  # all, BlueFlame among them
    return {f"{row} {contender}": round(one.instructions, 1) for (row, contender), one in found.items() if contender in OURS}


def count_verbs(more: dict[str, str]) -> dict[str, float]:
    found = counted([os.path.abspath("tools/bench/rows"), *ADOPTED], ["tools/softhca/softhca"], {"MLX5_SHUT_UP_BF": "1", **more})
    return {f"{row} {contender}": round(one.instructions, 1) for (row, contender), one in found.items() if contender.startswith("ibv_")}


def count_all(compiler: str) -> dict[str, float]:
    return count_verbs({"BENCH_ADOPT": "1"}) if compiler == "adopted" else count(compiler)


def recorded_in(name: str) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = json.loads(Path(name).read_text(encoding="utf-8"))
    return rows


class Gate(unittest.TestCase):
    def check(self, compiler: str) -> None:
        recorded = recorded_in(RECORDED_VERBS if compiler == "adopted" else RECORDED)[compiler]
        now = count_all(compiler)
        less = [name for name in recorded if name in now and now[name] < recorded[name] / 1.02]
        print(f"{compiler}: {len(now)} rows; {len(less)} take less than is recorded: {', '.join(less[:10])}")
        self.assertEqual([], exceeding(recorded, now))
        self.assertEqual([], [name for name in now if name not in recorded], "not recorded; run with --record")

    def test_gcc(self) -> None:
        self.check("gcc")

    def test_clang(self) -> None:
        self.check("clang")

    def test_adopted(self) -> None:
        self.check("adopted")

    def test_adopted_without_locks(self) -> None:
        """They take no more with MLX5_SINGLE_THREADED."""
        now = count_verbs({"BENCH_ADOPT": "1", "MLX5_SINGLE_THREADED": "1"})
        self.assertEqual([], exceeding(recorded_in(RECORDED_VERBS)["adopted"], now))

    def test_faster(self) -> None:
        """A program that is adopted is not slower for it."""
        rows = recorded_in(RECORDED_VERBS)
        self.assertEqual(SLOWER, [row for row, n in rows["adopted"].items() if n > rows["libmlx5"][row]])

    def test_notices(self) -> None:
        self.assertEqual(["a: 103.0 instructions, recorded are 100.0", "b: recorded, and not there any more"],
                         exceeding({"a": 100, "b": 1, "c": 50}, {"a": 103, "c": 51}))


def write(name: str, found: dict[str, dict[str, float]]) -> None:
    path = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"], name)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: {', '.join(f'{len(rows)} rows of {which}' for which, rows in found.items())}")


def record() -> None:
    write(RECORDED, {compiler: count_all(compiler) for compiler in COMPILERS})
    adopted = count_all("adopted")
    theirs = count_verbs({})  # for what `segue run --report` says; not checked, as another libmlx5 takes others
    write(RECORDED_VERBS, {"adopted": adopted, "libmlx5": {row: theirs[row] for row in adopted}})


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    else:
        unittest.main()
