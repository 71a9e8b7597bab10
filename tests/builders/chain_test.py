# SPDX-License-Identifier: BSD-2-Clause
"""A chain of any length: compile time, what the macros expand to, and one error for one mistake, in C.

Arguments: folders with headers.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys

MOST_SECONDS = 1.0  # of a processor, headers included, for STEPS
STEPS = 40
MOST_BYTES_PER_STEP = 12000  # of preprocessed text
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
# A chain in which one argument is wrong, and what the only error says.
WRONG_ARGUMENTS = {
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), 2), 4, 5, 6))": "too few arguments",
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), 2, 3), 4, 5, 6, 7))": "too many arguments",
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALD), 2, 3), 4, 5, 6))": "SEGUE_SIGNALD",
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), rkey, 3), 4, 5, 6))": "rkey",
}
HEAD = '#include "segue/gen/builders.h"\nint post(struct segue_rc_sq *rc)\n{\n\treturn '


def chain(steps: int, right: bool) -> str:
    text = "segue_rdma_write(rc, 1, SEGUE_SIGNALED)"
    text = f"segue_raddr({text}, 2, 3)" if right else text
    for number in range(steps - 2):
        text = f"segue_sge({text}, {number + 1}, 4, 5)"
    return f"{HEAD}segue_post({text});\n}}\n"


def run(compiler: str, source: str, *more: str) -> tuple[float, str, str]:
    """Processor seconds, output and error output."""
    command = [compiler, *FLAGS, *[f"-I{folder}" for folder in sys.argv[1:]], *more, "-xc", "-"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = subprocess.run(command, input=source, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, result.stdout, result.stderr


def faults(compiler: str) -> list[str]:
    found = []
    took = {}
    for steps in (2, STEPS // 2, STEPS):
        source = chain(steps, True)
        # A busy machine may need a second and a third run to be quick enough.
        for _ in range(3):
            seconds, _, errors = run(compiler, source, "-S", "-o", "/dev/null")
            took[steps] = min(seconds, took.get(steps, seconds))
            if took[steps] <= MOST_SECONDS:
                break
        text = run(compiler, source, "-E", "-P")[1]
        size = len(text) - text.index("int post(")
        print(f"{compiler}: {steps} steps, {took[steps]:.2f} s, {size} bytes")
        if errors:
            found.append(f"{compiler}: {steps} steps do not compile\n{errors}")
        if size > steps * MOST_BYTES_PER_STEP:
            found.append(f"{compiler}: {steps} steps expand to {size} bytes")
    if took[STEPS] > MOST_SECONDS:
        found.append(f"{compiler}: {STEPS} steps take {took[STEPS]:.2f} s; expected at most {MOST_SECONDS}")
    errors = run(compiler, chain(STEPS, False), "-S", "-o", "/dev/null")[2]
    lines = re.findall(r": error: (.*)", errors)
    names = ("segue_sge", "struct segue_rc_rdma_write_wants_raddr")
    if len(lines) != 1 or not all(name in lines[0] for name in names):
        found.append(f"{compiler}: one mistake in {STEPS} steps makes {len(lines)} errors\n{errors[:2000]}")
    print(f"{compiler}: one mistake in {STEPS} steps: {len(lines)} error, {len(errors)} bytes: {lines[0]}")
    for wrong, what in WRONG_ARGUMENTS.items():
        errors = run(compiler, f"{HEAD}{wrong};\n}}\n", "-S", "-o", "/dev/null")[2]
        lines = re.findall(r": error: (.*)", errors)
        if len(lines) != 1 or what not in lines[0]:
            found.append(f"{compiler}: {what}: {len(lines)} errors\n{errors[:2000]}")
    return found


if __name__ == "__main__":
    problems = faults("gcc") + faults("clang")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
