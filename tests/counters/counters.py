# SPDX-License-Identifier: BSD-2-Clause
"""Programs over plain rings, compiled here, and how many instructions their functions take: callgrind counts exactly, and does not care
what else the machine is doing."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffunction-sections", "-fdata-sections", "-I.", "-Iinclude", "-Isegue.gen/include"]
ALONE = {"gcc": ["-fno-ipa-icf"], "clang": []}  # equal functions must not share their code, or counts would add up


def build(compiler: str, sources: list[str], folder: str, more: Sequence[str] = ()) -> str:
    """`sources`, with the rooms of the runtime that need no device (library.sh), as `folder`/COMPILER. `more`: further options."""
    program = str(Path(folder, compiler))
    library = [f"tests/counters/{name}.a" for name in (compiler, "text")]
    command = [compiler, *FLAGS, *more, *ALONE[compiler], "-O2", "-Wl,--gc-sections", *sources, *library, "-o", program, "-lpthread"]
    subprocess.run(command, check=True)
    return program


def profile(program: str, folder: str) -> str:
    out = str(Path(folder, "callgrind.out"))
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
