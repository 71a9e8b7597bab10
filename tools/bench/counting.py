# SPDX-License-Identifier: BSD-2-Clause
"""Instructions and cache lines, counted by callgrind: exactly, and whatever else the machine does.

The programs do what is counted within measured(), call counted() behind each part, and print a line of it: its name (two words), how often
that was done, and more.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Optional


class Counted(NamedTuple):
    instructions: float  # for one operation
    more: str  # of the line
    data: float = 0  # lines of data that were not in the first level, of one operation
    code: float = 0


Name = tuple[str, str]
REFUSED = "refused:"
# Smaller than what ours/caches.c fills.
CACHES = ("--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64")


def counted(command: Sequence[str], below: Sequence[str] = (), env: Optional[Mapping[str, str]] = None,
            caches: Sequence[str] = ()) -> dict[Name, Counted]:
    """Counts of each part of a program, from one run. `below`: the command that starts it with a device, or nothing. `caches`: simulated
    caches with misses to count. Raises RuntimeError with the program's output.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, log = Path(folder, "out"), Path(folder, "log")
        valgrind = ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--combine-dumps=yes", f"--callgrind-out-file={out}",
                    "--toggle-collect=measured", "--dump-after=counted", f"--log-file={log}", *caches]
        result = subprocess.run([*below, *valgrind, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                env={**os.environ, **(env or {})})
        if result.returncode != 0:
            more = log.read_text("utf-8") if log.exists() else ""  # nothing, if valgrind did not start
            raise RuntimeError(f"{' '.join(command)} ended with {result.returncode}:\n{result.stderr}{more}")
        dumps = list(_dumps(out.read_text("utf-8")))
    lines = [line.split() for line in result.stdout.splitlines()]
    refused = [line for line in lines if line[2] == REFUSED]
    parts = [line for line in lines if line[2] != REFUSED]
    if refused or not parts or len(parts) > len(dumps):
        raise RuntimeError(f"{len(parts)} parts in {len(dumps)} dumps; refused: {[' '.join(line) for line in refused]}")
    return {(name, by): _of_one(events, int(times), " ".join(more)) for (name, by, times, *more), events in zip(parts, dumps)}


def _dumps(text: str) -> Iterator[dict[str, int]]:
    """The sums of each dump, by event."""
    names: list[str] = []
    for line in text.splitlines():
        if line.startswith("events:"):
            names = line.split()[1:]
        elif line.startswith("summary:"):
            yield dict(zip(names, map(int, line.split()[1:])))


def _of_one(events: dict[str, int], times: int, more: str) -> Counted:
    def of(*names: str) -> float:
        return sum(events.get(name, 0) for name in names) / times

    return Counted(of("Ir"), more, of("D1mr", "D1mw"), of("I1mr"))
