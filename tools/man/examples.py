# SPDX-License-Identifier: BSD-2-Clause
"""Examples of calls: functions of programs that tests compile and run, each as short as there is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LINES = 56  # of an example, at most
FUNCTION = re.compile(r"^(?:/\*(?:(?!\*/).)*\*/\n)?^[A-Za-z][^\n;{}=#]*\([^;{}]*\)\n\{\n.*?^\}$", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"\b(segue_\w+)\(")
FIRST = "first.c"  # the first program that a reader sees: its functions come before shorter ones


@dataclass(frozen=True)
class Example:
    file: str
    text: str

    @property
    def calls(self) -> set[str]:
        return set(CALL.findall(self.text))

    @property
    def rank(self) -> tuple[bool, int, str]:
        return Path(self.file).name != FIRST, self.text.count("\n"), self.file


def find(files: list[Path]) -> list[Example]:
    """All functions that may be examples, the best one first."""
    found = [Example(str(path), match[0]) for path in files for match in FUNCTION.finditer(path.read_text(encoding="utf-8"))]
    return sorted((one for one in found if one.text.count("\n") < LINES), key=lambda one: one.rank)


def of(names: list[str], examples: list[Example]) -> list[Example]:
    """One for each of the names that is called somewhere."""
    chosen: list[Example] = []
    for name in names:
        if not any(name in one.calls for one in chosen):
            chosen += [one for one in examples if name in one.calls][:1]
    return chosen
