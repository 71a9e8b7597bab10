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
# Chains in which one argument is wrong, and words of the only error.
WRONG_ARGUMENTS = {
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), 2), 4, 5, 6))": "too few arguments",
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), 2, 3), 4, 5, 6, 7))": "too many arguments",
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALD), 2, 3), 4, 5, 6))": "SEGUE_SIGNALD",
    "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), rkey, 3), 4, 5, 6))": "rkey",
}


# Macros of several arguments, and of names that the macros of steps show: arguments as others.
SEVERAL = "#define PLACE 2, 3\n#define PIECE 4, 5, 6\n#define flags )\n#define w (\n"
TAKES_SEVERAL = "segue_post(segue_sge(segue_raddr(segue_rdma_write(rc, 1, SEGUE_SIGNALED), PLACE), PIECE))"


def chain(steps: int, right: bool) -> str:
    text = "segue_rdma_write(rc, 1, SEGUE_SIGNALED)"
    text = f"segue_raddr({text}, 2, 3)" if right else text
    for number in range(steps - 2):
        text = f"segue_sge({text}, {number + 1}, 4, 5)"
    return f"segue_post({text})"


def source_of(*chains: str) -> str:
    functions = [f"int post_{n}(struct segue_rc_sq *rc)\n{{\n\treturn {text};\n}}\n" for n, text in enumerate(chains)]
    return '#include "segue/gen/builders.h"\n' + "".join(functions)


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
        source = source_of(chain(steps, True))
        # A busy machine may need a second and a third run to be quick enough.
        for _ in range(3):
            seconds, _, errors = run(compiler, source, "-S", "-o", "/dev/null")
            took[steps] = min(seconds, took.get(steps, seconds))
            if took[steps] <= MOST_SECONDS:
                break
        text = run(compiler, source, "-E", "-P")[1]
        size = len(text) - text.index("int post_0(")
        print(f"{compiler}: {steps} steps, {took[steps]:.2f} s, {size} bytes")
        if errors:
            found.append(f"{compiler}: {steps} steps do not compile\n{errors}")
        if size > steps * MOST_BYTES_PER_STEP:
            found.append(f"{compiler}: {steps} steps expand to {size} bytes")
    if took[STEPS] > MOST_SECONDS:
        found.append(f"{compiler}: {STEPS} steps take {took[STEPS]:.2f} s; expected at most {MOST_SECONDS}")
    errors = run(compiler, source_of(TAKES_SEVERAL).replace("\n", "\n" + SEVERAL, 1), "-S", "-o", "/dev/null")[2]
    if errors:
        found.append(f"{compiler}: an argument that is a macro of several does not compile\n{errors}")
    # Compiled at once: errors come in the order of the chains, so that a second one of the same chain is not taken for that of the next.
    wrong = {chain(STEPS, False): "segue_sge struct segue_rc_rdma_write_wants_raddr", **WRONG_ARGUMENTS}
    errors = run(compiler, source_of(*wrong), "-S", "-o", "/dev/null")[2]
    lines = re.findall(r": error: (.*)", errors)
    if len(lines) != len(wrong) or not all(word in line for line, words in zip(lines, wrong.values()) for word in words.split()):
        found.append(f"{compiler}: {len(wrong)} mistakes, one of them in {STEPS} steps, make {len(lines)} errors\n{errors[:8000]}")
    print(f"{compiler}: {len(wrong)} mistakes: {len(lines)} errors, {len(errors)} bytes: {lines[0]}")
    return found


if __name__ == "__main__":
    problems = faults("gcc") + faults("clang")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
