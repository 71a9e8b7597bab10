# SPDX-License-Identifier: BSD-2-Clause
"""Instructions, counted by callgrind: exactly, and whatever else the machine does.

The programs do what is counted within measured(), call counted() behind each part, and print a line of it: its name (two words), how often
that was done, and more.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Optional


class Counted(NamedTuple):
    instructions: float  # for one operation
    more: str  # of the line


Name = tuple[str, str]
REFUSED = "refused:"


def counted(command: Sequence[str], below: Sequence[str] = (), env: Optional[Mapping[str, str]] = None) -> dict[Name, Counted]:
    """What each part of a program takes, in one run. `below`: what starts it, a device or nothing. Raises RuntimeError with what it said."""
    with tempfile.TemporaryDirectory() as folder:
        out, log = Path(folder, "out"), Path(folder, "log")
        valgrind = ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--combine-dumps=yes", f"--callgrind-out-file={out}",
                    "--toggle-collect=measured", "--dump-after=counted", f"--log-file={log}"]
        result = subprocess.run([*below, *valgrind, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                env={**os.environ, **(env or {})})
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {result.returncode}:\n{result.stderr}{log.read_text('utf-8')}")
        dumps = [int(line.split()[1]) for line in out.read_text("utf-8").splitlines() if line.startswith("summary:")]
    lines = [line.split() for line in result.stdout.splitlines()]
    refused = [line for line in lines if line[2] == REFUSED]
    parts = [line for line in lines if line[2] != REFUSED]
    if refused or not parts or len(parts) > len(dumps):
        raise RuntimeError(f"{len(parts)} parts in {len(dumps)} dumps; refused: {[' '.join(line) for line in refused]}")
    return {(name, by): Counted(total / int(times), " ".join(more)) for (name, by, times, *more), total in zip(parts, dumps)}
