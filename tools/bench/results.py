# SPDX-License-Identifier: BSD-2-Clause
"""The results side by side: the contenders of each column, ratios, means, comparisons."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

# The contenders of each side, of which the cheapest counts.
SIDES = {
    "libmlx5": ("ibv_wr", "ibv_post_send", "ibv_post_recv", "ibv_poll_cq", "ibv_start_poll"),
    "no locks": ("ibv_wr, no locks", "ibv_post_send, no locks", "ibv_post_recv, no locks", "ibv_poll_cq, no locks", "ibv_start_poll, no locks"),
    "UCX": ("UCX",),
    "Segue": ("builders", "batch", "pattern", "handler"),
    "honest": ("honest",),
    "absolute": ("absolute",),
}
OURS = SIDES["Segue"] + ("kept", "one-call", "array", "one-by-one")
RATIOS = ("no locks", "UCX", "honest", "absolute")


@dataclass
class Results:
    about: dict[str, str] = field(default_factory=dict)  # compiler, versions
    rows: dict[str, dict[str, float]] = field(default_factory=dict)  # instructions by contender
    unequal: dict[str, list[str]] = field(default_factory=dict)  # contenders that wrote other bytes, and do not count
    lines: dict[str, dict[str, dict[str, list[float]]]] = field(default_factory=dict)  # of cache, data and code, by contender, cold or warm

    def add(self, row: str, contender: str, instructions: float) -> None:
        self.rows.setdefault(row, {})[contender] = round(instructions, 2)

    def add_lines(self, row: str, contender: str, state: str, data: float, code: float) -> None:
        self.lines.setdefault(row, {}).setdefault(contender, {})[state] = [round(data, 2), round(code, 2)]

    def lines_of(self, row: str, side: str) -> Optional[dict[str, list[float]]]:
        """Lines of the contender of a side that touches the fewest when cold."""
        found = [self.lines[row][c] for c in SIDES[side] if c in self.lines[row]]
        return min(found, key=lambda states: sum(states["cold"])) if found else None

    def side(self, row: str, side: str) -> Optional[float]:
        found = [self.rows[row][c] for c in SIDES[side] if c in self.rows[row]]
        return min(found) if found else None

    def other_forms(self, row: str) -> dict[str, float]:
        """Segue's forms that cost more than its cheapest, or do less."""
        least = self.side(row, "Segue")
        return {c: n for c in OURS for n in (self.rows[row].get(c),) if n and (n != least or c not in SIDES["Segue"])}

    def ratio(self, row: str, side: str) -> Optional[float]:
        """Ratio of another side's cost to Segue's. For a floor, of the floor's Segue to the floor."""
        ours, other = self.side(row, "Segue"), self.side(row, side)
        if not ours or not other:
            return None
        return ours / other if side in ("honest", "absolute") else other / ours

    def mean(self, side: str, rows: Iterable[str]) -> Optional[tuple[float, int]]:
        """The geometric mean of the ratios, and of how many rows."""
        return geometric([r for r in (self.ratio(row, side) for row in rows) if r])

    def floor_mean(self, floor: str, rows: Iterable[str]) -> Optional[tuple[float, int]]:
        """The same of a floor in Segue's place, against libmlx5 without locks."""
        both = [(self.side(row, "no locks"), self.side(row, floor)) for row in rows]
        return geometric([theirs / least for theirs, least in both if theirs and least])

    def keep_equal(self, sums: dict[str, dict[str, str]]) -> None:
        """Leaves out what wrote other bytes than Segue's builders."""
        for row, by in sums.items():
            wanted = by.get("builders")
            for contender, found in by.items():
                if wanted and found not in ("-", wanted):
                    self.unequal.setdefault(row, []).append(contender)
                    self.rows.get(row, {}).pop(contender, None)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps({"about": self.about, "rows": self.rows, "unequal": self.unequal, "lines": self.lines}, indent=1) + "\n", encoding="utf-8")


def geometric(found: list[float]) -> Optional[tuple[float, int]]:
    """The mean of so many, and how many."""
    return (math.exp(sum(map(math.log, found)) / len(found)), len(found)) if found else None


def read(path: Path) -> Results:
    saved = json.loads(path.read_text(encoding="utf-8"))
    return Results(saved["about"], saved["rows"], saved["unequal"], saved.get("lines", {}))


def exceeding(old: dict[str, float], new: dict[str, float], by: float = 1.02) -> list[str]:
    """A line for each that costs at least a fiftieth more than before. Names are 'ROW CONTENDER'."""
    lines = [f"{name}: {new[name]:.1f} instructions, recorded are {old[name]:.1f}" for name in old
             if name in new and new[name] > old[name] * by]
    return lines + [f"{name}: recorded, and not there any more" for name in old if name not in new]


def flat(rows: dict[str, dict[str, float]], contenders: Iterable[str]) -> dict[str, float]:
    wanted = set(contenders)
    return {f"{row} {c}": n for row, by in rows.items() for c, n in by.items() if c in wanted}


def shown(value: Optional[float], digits: int = 0) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
