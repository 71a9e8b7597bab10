# SPDX-License-Identifier: BSD-2-Clause
"""The fenced blocks of the hand-written pages, and what a page shows compared with what a program prints.

Comments for these tests stand before a block, or before the line that names it ("`step1` prints:"):

    <!-- figures: 0x3f2a10 = 0x1..0xffffff, *.* = 0.01..99999 -->
        Figures that differ from run to run, and the range in which each must lie. On the left is a
        figure of the block, a pattern for some of them, or several of these with "|" between them.
    <!-- any order -->      The lines come in any order.
    <!-- not run: why -->   Commands that cannot be run.
    <!-- by hand: why -->   Commands that take long: tests/docs/all_commands.sh runs them.

Any other figure is exact, and so is each word. A line "…" stands for any lines, "…" within a line for any words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

FENCE = re.compile(r"^ *```(\w*)$")
COMMENT = re.compile(r"^<!-- (?:(figures|not run|by hand): (.*)|(any order)) -->$")
KINDS = (r"0x[0-9a-f]+", r"-?\d+\.\d+", r"-?\d+")
FIGURE = re.compile(KINDS[0] + rf"|(?<![\w.])(?:{KINDS[1]}|{KINDS[2]})(?![\w.]*\d)")
SHELL = ("sh", "bash")


@dataclass
class Block:
    page: str
    line: int  # of the first fence, from 1
    language: str
    text: str = ""
    caption: str = ""  # the line before, if it ends in a colon
    notes: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def notes_above(lines: list[str], at: int) -> dict[str, str]:
    notes: dict[str, str] = {}
    while at >= 0 and (match := COMMENT.match(lines[at])):
        notes[match[1] or match[3]] = match[2] or ""
        at -= 1
    return notes


def blocks_of(page: str, text: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    lines = text.split("\n")
    found: list[Block] = []
    inside: Block | None = None
    for i, line in enumerate(lines):
        fence = FENCE.match(line)
        if inside and fence:
            found.append(inside)
            inside = None
        elif inside:
            inside.text += line + "\n"
        elif line.lstrip().startswith("```"):
            assert fence, f"{page}:{i + 1}: a fence that no test understands: {line}"
            caption = lines[i - 1] if i and lines[i - 1].endswith(":") else ""
            inside = Block(page, i + 1, fence[1], "", caption, notes_above(lines, i - (2 if caption else 1)))
    assert not inside, f"{inside}: the block is not closed"
    return found


def all_pages() -> list[str]:
    """The hand-written ones."""
    below = (page for page in Path("docs").rglob("*.md") if not page.parts[1].startswith("reference"))
    return ["README.md", "CONTRIBUTING.md", *sorted(str(page) for page in below)]


def read(page: str) -> list[Block]:
    return blocks_of(page, Path(page).read_text(encoding="utf-8"))


def commands(text: str) -> list[str]:
    """The commands of a block of shell, each with the lines that continue it; comments left out."""
    found: list[str] = []
    for line in text.replace("\\\n", " ").split("\n"):
        if line.strip() and not line.startswith("#"):
            found.append(line.strip())
    return found


def kind_of(figure: str) -> str:
    return next(kind for kind in KINDS if re.fullmatch(kind, figure))


def value(figure: str) -> float:
    return float(int(figure, 16)) if figure.startswith("0x") else float(figure)


class Shown:
    """What a page shows of an output."""

    def __init__(self, block: Block):
        self.block = block
        self.lines = block.text.rstrip("\n").split("\n")
        self.ranges: list[tuple[str, float, float]] = []
        for rule in filter(None, block.notes.get("figures", "").split(", ")):
            names, _, bounds = rule.partition(" = ")
            low, _, high = bounds.partition("..")
            self.ranges += [(name, value(low), value(high)) for name in names.split("|")]
        unused = [name for name, _, _ in self.ranges if not any(fnmatchcase(f, name) for f in FIGURE.findall(block.text))]
        assert not unused, f"{block}: no figure of the block is {', '.join(unused)}"

    def range_of(self, figure: str) -> tuple[float, float] | None:
        return next(((low, high) for name, low, high in self.ranges if fnmatchcase(figure, name)), None)

    def line_agrees(self, shown: str, got: str) -> bool:
        """Words and figures alike; spaces may differ where figures do."""
        ranges: list[tuple[float, float]] = []
        pattern, at = "", 0
        for match in FIGURE.finditer(shown):
            bounds = self.range_of(match[0])
            if not bounds:
                continue
            ranges.append(bounds)
            pattern += self.words(shown[at:match.start()]) + f"({kind_of(match[0])})"
            at = match.end()
        pattern += self.words(shown[at:])
        if ranges:
            pattern = re.sub(r"(?:\\ )+", " +", re.sub(r"^(?:\\ )+", "", pattern))
            got = got.strip()
        match = re.fullmatch(pattern, got)
        return bool(match) and all(low <= value(f) <= high for f, (low, high) in zip(match.groups(), ranges))

    @staticmethod
    def words(text: str) -> str:
        return re.escape(text).replace("…", ".+")

    def difference(self, output: str) -> str:
        """A sentence, or nothing."""
        got = output.rstrip("\n").split("\n")
        if "any order" in self.block.notes:
            return self.difference_unordered(got)
        at = 0
        skipping = False
        for line in self.lines:
            if line.strip() == "…":
                skipping = True
                at += 1
                continue
            while skipping and at < len(got) and not self.line_agrees(line, got[at]):
                at += 1
            if at >= len(got) or not self.line_agrees(line, got[at]):
                printed = got[at] if at < len(got) else "nothing more"
                return f"{self.block} shows\n  {line}\nand it prints\n  {printed}\nin\n" + "\n".join(got)
            at += 1
            skipping = False
        if not skipping and at != len(got):
            return f"{self.block} shows no line like\n  {got[at]}"
        return ""

    def difference_unordered(self, got: list[str]) -> str:
        left = got[:]
        for line in self.lines:
            agreeing = next((g for g in left if self.line_agrees(line, g)), None)
            if agreeing is None:
                return f"{self.block} shows\n  {line}\nand it prints\n" + "\n".join(got)
            left.remove(agreeing)
        return f"{self.block} shows no line like\n  {left[0]}" if left else ""
