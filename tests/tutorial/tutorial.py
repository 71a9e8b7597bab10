# SPDX-License-Identifier: BSD-2-Clause
"""The code in docs/tutorial.md: taken out of it step by step, and kept equal to the demo's files.

    tutorial.py extract TUTORIAL OUT    writes OUT/STEP/FILE for each step: what a reader has at that point
    tutorial.py files PAGE OUT          writes OUT/FILE for each file of a page without steps
    tutorial.py update TUTORIAL FILE... puts the text of the files into the blocks that begin with the same lines

A block of a file is a line with its name in backquotes (and ", continued" for what follows) and a colon, and a fenced
block below it. `stepN.c` is the main program of a step.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^`([\w.]+)`(?:, continued)?:\n```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"step\d+\.c")
WHOLE = "pingpong"


def join(blocks: list[str]) -> str:
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def steps(text: str) -> dict[str, dict[str, str]]:
    """Step → file → content; the last step is the whole program."""
    found: dict[str, dict[str, str]] = {}
    files: dict[str, list[str]] = {}
    for name, block in BLOCK.findall(text):
        if STEP.fullmatch(name):
            found[name[:-2]] = {file: join(parts) for file, parts in files.items()} | {name: block}
        else:
            files.setdefault(name, []).append(block)
    found[WHOLE] = {file: join(parts) for file, parts in files.items()}
    return found


def cut(content: str, anchors: list[str]) -> list[str]:
    """The file in as many pieces as there are anchors, each beginning with its anchor's line."""
    at = [0]
    for anchor in anchors[1:]:
        at.append(content.index("\n" + anchor + "\n", at[-1]) + 1)
    return [content[a:b].strip("\n") + "\n" for a, b in zip(at, at[1:] + [len(content)])]


def update(text: str, files: dict[str, str]) -> str:
    anchors: dict[str, list[str]] = {}
    for name, block in BLOCK.findall(text):
        anchors.setdefault(name, []).append(block.strip("\n").split("\n\n")[0])
    pieces = {name: iter(cut(content, anchors[name])) for name, content in files.items()}

    def replace(match: re.Match[str]) -> str:
        if match[1] not in pieces:
            return match[0]
        return match[0][: match.start(2) - match.start()] + next(pieces[match[1]]) + "```"

    return BLOCK.sub(replace, text)


def main(argv: list[str]) -> int:
    command, tutorial, *rest = argv
    text = Path(tutorial).read_text(encoding="utf-8")
    if command == "update":
        files = {Path(f).name: Path(f).read_text(encoding="utf-8") for f in rest}
        Path(tutorial).write_text(update(text, files), encoding="utf-8")
        return 0
    for step, files in steps(text).items():
        for name, content in files.items():
            target = Path(rest[0]) / (step if command == "extract" else "") / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
