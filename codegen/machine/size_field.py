# SPDX-License-Identifier: BSD-2-Clause
"""What the size in a control segment counts."""

from __future__ import annotations

from typing import Optional

from codegen.machine.automaton import elements, least, machines
from codegen.model.model import Element, Model, WorkRequest


def count_of(model: Model, request: WorkRequest) -> tuple[int, int]:
    """(bytes before what the control segment's size counts, bytes of each). Nothing on a ring;
    (length, 0) where all have one."""
    if model.device.ring or request.control is None:
        return 0, 0
    if request.counts == "units":
        return 0, model.unit
    if not request.counts:
        start = next(start for machine in machines(model) for start in machine.starts if start.request is request)
        return least(model.device, start, request.control.size), 0
    plain = [e.segment for e in request.layout if e.op == "segment" and e.segment and not e.segment.tail]
    counted = [inner.segment for e in request.layout if e.op == "repeat" for inner in e.body if inner.segment]
    tailed = counted_tail(request)
    ahead = tailed.segment.tail.at if tailed else 0
    unit = counted[0].size if request.counts == "entries" and counted else 1
    return request.control.size + sum(s.size for s in plain) + ahead, unit


def most_counted(model: Model, request: WorkRequest) -> int:
    """The most that a builder can count for the control segment's size."""
    base, unit = count_of(model, request)
    held = (model.device.largest * model.unit - base) // (unit or 1)
    bounds = [e.max * len(e.body) for e in request.layout if e.op == "repeat" and e.max is not None and request.counts == "entries"]
    tailed = counted_tail(request)
    return min([held, *bounds, *([tailed.segment.tail.length.max] if tailed else [])])


def counted_tail(request: WorkRequest) -> Optional[Element]:
    """Of a request that counts bytes: the use of the segment whose payload it counts."""
    found = elements(request.layout)
    return next((e for e in found if e.segment and e.segment.tail and e.segment.tail.rest), None) if request.counts == "bytes" else None
