# SPDX-License-Identifier: BSD-2-Clause
"""Does what docs/adding-a-segment.md says: writes its files into this folder, or compares them (--check).

A file of the tutorial is a line with its name in backquotes and a colon, and a fenced block below it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TUTORIAL = HERE.parent.parent / "docs" / "adding-a-segment.md"
FILE = re.compile(r"^`([\w./-]+)`:\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OWN = {"README.md", "follow_tutorial.py", "run"}


def main(argv: list[str]) -> int:
    files = dict(FILE.findall(TUTORIAL.read_text(encoding="utf-8")))
    if argv == ["--check"]:
        here = {str(p.relative_to(HERE)) for p in HERE.rglob("*") if p.is_file() and "bazel-" not in str(p.relative_to(HERE))}
        wrong = [name for name, text in files.items() if name not in here or (HERE / name).read_text(encoding="utf-8") != text]
        wrong += sorted(here - OWN - set(files))
        for name in sorted(wrong):
            print(f"tests/consumer/{name}: differs from docs/adding-a-segment.md; run tests/consumer/follow_tutorial.py")
        return 1 if wrong or not files else 0
    for name, text in files.items():
        (HERE / name).parent.mkdir(parents=True, exist_ok=True)
        (HERE / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
