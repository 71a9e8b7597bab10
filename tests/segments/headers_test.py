# SPDX-License-Identifier: BSD-2-Clause
"""Each public header compiles alone: C11 and C++17, gcc and clang, checked and not, every warning an error."""

import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

COMPILERS = [
    ["gcc", "-std=c11", "-xc"],
    ["clang", "-std=c11", "-xc"],
    ["g++", "-std=c++17", "-xc++", "-Wold-style-cast"],
    ["clang++", "-std=c++17", "-xc++", "-Wold-style-cast"],
]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wcast-align", "-Werror"]


def headers(folders: list[str]) -> list[str]:
    found = set()
    for folder in folders:
        for path, _, files in os.walk(folder, followlinks=True):
            for file in files:
                if file.endswith(".h"):
                    found.add(os.path.relpath(os.path.join(path, file), folder))
    return sorted(found)


def compile_alone(header: str, compiler: list[str], checked: int, folders: list[str]) -> str:
    """Empty, or what the compiler said."""
    command = compiler + WARNINGS + [f"-I{folder}" for folder in folders]
    command += [f"-DSEGUE_CHECKED={checked}", "-fsyntax-only", "-"]
    # Twice: the guard must work too.
    source = f'#include "{header}"\n#include "{header}"\nextern int no_empty_translation_unit;\n'
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    if result.returncode == 0:
        return ""
    return f"{header}, {' '.join(compiler)}, SEGUE_CHECKED={checked}:\n{result.stderr}"


def refusal_of_32_bits(folders: list[str]) -> str:
    """Empty, or what a compiler for a 32-bit target says in place of one sentence. Such a C library need not be installed."""
    command = ["gcc", "-m32", "-ffreestanding"] + [f"-I{folder}" for folder in folders] + ["-fsyntax-only", "-xc", "-"]
    result = subprocess.run(command, input='#include "segue/compiler.h"\n', capture_output=True, text=True)
    return "" if result.returncode and "Segue is for 64-bit targets" in result.stderr else f"-m32: {result.stderr}"


def main(folders: list[str]) -> int:
    names = headers(folders)
    if not names:
        print(f"no headers in {folders}")
        return 1
    jobs = list(itertools.product(names, COMPILERS, (0, 1)))
    with ThreadPoolExecutor(max_workers=2) as pool:
        failures = [text for text in pool.map(lambda job: compile_alone(*job, folders), jobs) if text]
    failures += filter(None, [refusal_of_32_bits(folders)])
    print("\n".join(failures))
    print(f"{len(names)} headers, {len(jobs)} compilations, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
