# SPDX-License-Identifier: BSD-2-Clause
"""Generated C is laid out as clang-format would lay it out. Arguments: the style file, then folders."""

import difflib
import os
import subprocess
import sys


def files(folders: list[str]) -> list[str]:
    found = []
    for folder in folders:
        for path, _, names in os.walk(folder, followlinks=True):
            found += [os.path.join(path, name) for name in names if name.endswith((".c", ".h"))]
    return sorted(found)


def main(style: str, folders: list[str]) -> int:
    bad = 0
    paths = files(folders)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        command = ["clang-format", f"--style=file:{os.path.abspath(style)}"]
        command.append(f"--assume-filename={os.path.basename(path)}")
        wanted = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        if wanted == text:
            continue
        bad += 1
        lines = difflib.unified_diff(
            text.splitlines(), wanted.splitlines(), path, "clang-format", lineterm="", n=1
        )
        print("\n".join(list(lines)[:60]))
    print(f"{len(paths)} files, {bad} not as clang-format wants them")
    return 1 if bad or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
