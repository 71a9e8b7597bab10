# SPDX-License-Identifier: BSD-2-Clause
"""Golden copies of the C generated from a small spec with one of each construct. Each change of a template shows as a diff of C.
Tests of bytes, oracles and compilers cover the C generated from the real specs.

    bazel run //tools:update_goldens        updates them
"""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

from codegen import emit
from codegen.check import checked_model

SPECS = (Path("tests/codegen/base"), Path("tests/codegen/golden/spec"))
GOLDEN = Path("tests/codegen/golden")
GENERATED = ("include", "src")
REFRESH = "bazel run //tools:update_goldens"


def generated() -> dict[str, str]:
    """Relative path → text of every C file that the specs become."""
    files = sorted(str(path) for folder in SPECS for path in folder.glob("*.yaml"))
    rendered = emit.render(checked_model(files))
    return {f"{'src' if path.endswith('.c') else 'include'}/{path}": text for path, text in rendered.items()}


def copies(folder: Path) -> dict[str, str]:
    paths = [path for part in GENERATED for path in (folder / part).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def differences() -> list[str]:
    """Differences between the copies and the newly generated files, as the lines of a diff."""
    lines: list[str] = []
    new, old = generated(), copies(GOLDEN)
    for name in sorted(new.keys() | old.keys()):
        before, after = (text.get(name, "").splitlines() for text in (old, new))
        lines += difflib.unified_diff(before, after, f"{GOLDEN / name}", f"{name} (generated)", lineterm="")
    return lines


def update(root: Path) -> None:
    """Makes the copies below `root` equal to what is generated now."""
    os.chdir(root)
    new, old = generated(), copies(GOLDEN)
    for name in sorted(old.keys() - new.keys()):
        (GOLDEN / name).unlink()
        print(f"removed {GOLDEN / name}")
    written = emit.write(new, GOLDEN)
    print("\n".join(f"wrote {GOLDEN / name}" for name in written))


if __name__ == "__main__":
    if "BUILD_WORKSPACE_DIRECTORY" not in os.environ:
        sys.exit(f"to be started with: {REFRESH}")
    update(Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]))
