# SPDX-License-Identifier: BSD-2-Clause
"""Golden copies: the C generated from //spec:mlx5, kept in tests/codegen/golden so that each change of a template
or a spec shows as a diff of C.

    bazel run //tools:update_goldens        brings them up to date
"""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

GOLDEN = Path("tests/codegen/golden")
# Folders of the generator's outputs, as Bazel lays them out, and where their copies are.
GENERATED = {Path("segue.gen/include"): GOLDEN / "include", Path("segue.gen/src"): GOLDEN / "src"}
REFRESH = "bazel run //tools:update_goldens"


def files(folder: Path) -> dict[str, str]:
    """Relative path → text of every C file below a folder."""
    found = {}
    for path, _, names in os.walk(folder, followlinks=True):
        for name in names:
            if name.endswith((".h", ".c")):
                file = Path(path) / name
                found[str(file.relative_to(folder))] = file.read_text(encoding="utf-8")
    return found


def differences() -> list[str]:
    """What differs between the copies and what is generated now, as the lines of a diff."""
    lines: list[str] = []
    for generated, golden in GENERATED.items():
        new, old = files(generated), files(golden)
        if not new:
            lines.append(f"nothing is generated in {generated}")
        for name in sorted(new.keys() | old.keys()):
            if new.get(name) == old.get(name):
                continue
            before, after = (text.get(name, "").splitlines() for text in (old, new))
            lines += difflib.unified_diff(
                before, after, f"{golden / name}", f"{name} (generated)", lineterm=""
            )
    return lines


def update(root: Path) -> None:
    """Makes the copies below `root` equal to what is generated now."""
    for generated, golden in GENERATED.items():
        new, old = files(generated), files(root / golden)
        for name in sorted(old.keys() - new.keys()):
            (root / golden / name).unlink()
            print(f"removed {golden / name}")
        for name, text in sorted(new.items()):
            if old.get(name) != text:
                target = root / golden / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
                print(f"wrote {golden / name}")


if __name__ == "__main__":
    if "BUILD_WORKSPACE_DIRECTORY" not in os.environ:
        sys.exit(f"to be started with: {REFRESH}")
    update(Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]))
