# SPDX-License-Identifier: BSD-2-Clause
"""Programs over plain rings, compiled here, and how many instructions their functions take: callgrind counts exactly, and does not care
what else the machine is doing."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffunction-sections", "-fdata-sections"]
ALONE = {"gcc": ["-fno-ipa-icf"], "clang": []}  # equal functions must not share their code, or counts would add up
# What is linked, but not called by what is counted, need not be fast; where it is called, the figures show it.
SLOW = ["runtime/text/*.c", "segue.gen/src/*.c"]
FAST = ["runtime/base/*.c", "runtime/ring/*.c"]


def build(compiler: str, sources: list[str], folder: str) -> str:
    """`sources`, with the rooms of the runtime that need no device, as `folder`/COMPILER."""
    objects = Path(folder, compiler + ".o")
    objects.mkdir()

    def compile_one(source: Path, level: str) -> str:
        output = str(objects / (str(source).replace("/", "_") + ".o"))
        includes = ["-I.", "-Iinclude", "-Isegue.gen/include"]
        subprocess.run([compiler, *FLAGS, *ALONE[compiler], level, *includes, "-c", str(source), "-o", output], check=True)
        return output

    jobs = [(Path(source), "-O2") for source in sources]
    for patterns, level in ((FAST, "-O2"), (SLOW, "-O0")):
        jobs += [(file, level) for pattern in patterns for file in sorted(Path().glob(pattern))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(pool.map(lambda job: compile_one(*job), jobs))
    program = os.path.join(folder, compiler)
    subprocess.run([compiler, "-Wl,--gc-sections", *files, "-o", program, "-lpthread"], check=True)
    return program


def profile(program: str, folder: str) -> str:
    out = os.path.join(folder, "callgrind.out")
    command = ["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file=" + out]
    result = subprocess.run([*command, program], check=False, stderr=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert result.returncode == 0, f"{program} ended with {result.returncode}: {result.stdout}"
    return Path(out).read_text(encoding="utf-8")


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


def instructions(compiler: str, sources: list[str]) -> dict[str, int]:
    """What each function of a program takes."""
    with tempfile.TemporaryDirectory() as folder:
        return inclusive(profile(build(compiler, sources, folder), folder))
