# SPDX-License-Identifier: BSD-2-Clause
"""Segments before and after a segment in the WQEs of all queues."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.machine.automaton import Machine, states_of
from codegen.model.model import Segment


@dataclass
class Following:
    """Segments that may directly follow a segment, if they are the same for several requests and queues."""

    requests: list[str]
    queues: list[str]
    after: list[Segment]
    end: bool


@dataclass
class Preceding:
    """Segments that may directly precede a segment, if they are the same for several queues."""

    queues: list[str]
    before: list[Segment]
    first: bool  # it may be the first of the WQE


def followings(machines: list[Machine], segment: Segment) -> list[Following]:
    queues: dict[tuple, list[str]] = {}  # (request, may end, names of next segments) → queues
    for machine in machines:
        for start in machine.starts:
            for edge in (edge for state in states_of(start) for edge in state.edges):
                if edge.segment is segment:
                    key = (start.request.name, edge.to.accepting, tuple(dict.fromkeys(e.segment.name for e in edge.to.edges)))
                    if machine.name not in queues.setdefault(key, []):
                        queues[key].append(machine.name)
    requests: dict[tuple, list[str]] = {}
    for (request, end, after), where in queues.items():
        requests.setdefault((tuple(where), end, after), []).append(request)
    by_name = {e.segment.name: e.segment for m in machines for s in m.states for e in s.edges}
    rows = [Following(sorted(names), list(where), [by_name[n] for n in after], end)
            for (where, end, after), names in requests.items()]
    return sorted(rows, key=lambda row: (row.requests, row.queues))


def precedings(machines: list[Machine], segment: Segment) -> list[Preceding]:
    found: dict[tuple, Preceding] = {}
    for machine in machines:
        before = {e.segment.name: e.segment for s in machine.states for e in s.edges
                  if any(f.segment is segment for f in e.to.edges)}
        firsts = [start.request.control for start in machine.starts
                  if any(f.segment is segment for f in start.to.edges)]
        before = {**{control.name: control for control in firsts if control}, **before}
        if before or firsts:
            key = (tuple(sorted(before)), None in firsts)
            found.setdefault(key, Preceding([], [before[n] for n in sorted(before)], key[1])).queues.append(machine.name)
    return list(found.values())
