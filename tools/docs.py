# SPDX-License-Identifier: BSD-2-Clause
"""The references docs/reference, generated from //spec:mlx5, and docs/reference-efa, generated from //spec:efa, and docs/pictures. They
are checked in so that they can be read on the web.

    bazel run //tools:update_docs        updates them

Graphviz lays graphs out, and its versions place boxes differently. A picture names the version that made it. If another version is
installed, only the words of a picture are compared, not their places.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from pathlib import Path

from codegen import emit
from codegen.check import checked_model
from tools import pictures

REFERENCE = Path("docs/reference")
REFERENCE_EFA = Path("docs/reference-efa")
SPECS = {REFERENCE: ("spec/mlx5", "spec/verbs"), REFERENCE_EFA: ("spec/efa", "spec/verbs")}
PICTURES = Path("docs/pictures")  # of README.md
REFRESH = "bazel run //tools:update_docs"
LAID_OUT = re.compile(r"Laid out by (\S+ \S+)\. -->")
# Made by //tests/requests, which compares it, and by //tools/bench.
OF_OTHERS = {"carried-out.md", "performance-posting.svg", "performance-polling.svg"}
WORDS = re.compile(r"<(?:text|title)[^>]*>([^<]*)<")


def generated(root: Path = Path("."), folder: Path = REFERENCE) -> dict[str, str]:
    """Path below the folder → text, as the generator writes it now."""
    files = sorted(str(f) for part in SPECS.get(folder, SPECS[REFERENCE]) for f in (root / part).rglob("*.yaml"))
    model = checked_model(files)
    return pictures.generated(model) if folder == PICTURES else emit.render(model, "docs")


def checked_in(folder: Path) -> dict[str, str]:
    files = sorted(f for f in folder.rglob("*") if f.suffix in (".md", ".svg") and f.name not in OF_OTHERS)
    return {str(f.relative_to(folder)): f.read_text(encoding="utf-8") for f in files}


def comparable(text: str, other: str) -> str:
    """The text, or only the words of a picture that another version of Graphviz has laid out."""
    here, there = LAID_OUT.search(text), LAID_OUT.search(other)
    if here and there and here.group(1) != there.group(1):
        return "\n".join(WORDS.findall(text))
    return text


def differences(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """Differences between the reference as checked in and as generated, as the lines of a diff."""
    lines: list[str] = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name, ""), new.get(name, "")
        before, after = comparable(before, after), comparable(after, before)
        if before != after or (name in old) != (name in new):
            names = (str(REFERENCE / name), f"{name} (generated)")
            lines += difflib.unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="")
    return lines


def update(root: Path) -> None:
    """Makes what is below `root` equal to what is generated now."""
    for folder in (*SPECS, PICTURES):
        old, new = checked_in(root / folder), generated(folder=folder)
        for name in sorted(old.keys() - new.keys()):
            (root / folder / name).unlink()
            print(f"removed {folder / name}")
        for name in emit.write(new, root / folder):
            print(f"wrote {folder / name}")


if __name__ == "__main__":
    if "BUILD_WORKSPACE_DIRECTORY" not in os.environ:
        sys.exit(f"to be started with: {REFRESH}")
    try:
        update(Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]))
    except OSError as error:
        sys.exit(f"{error.filename or '-'}: error: {error.strerror}")
