# SPDX-License-Identifier: BSD-2-Clause
"""Meaning of the size in a control segment."""

from __future__ import annotations

import math
from typing import Optional

from codegen.machine.automaton import elements, least, machines
from codegen.model.model import Element, Model, WorkRequest


def unit_of(model: Model, request: WorkRequest) -> int:
    """Bytes in which its entries are counted."""
    return model.sizes(request.queues[0])[0]


def count_of(model: Model, request: WorkRequest) -> tuple[int, int]:
    """(bytes before those that the control segment's size counts, bytes per count). Nothing on a ring. (length, 0) if all entries have one
    size.
    """
    if model.device.ring or request.control is None or request.ends:
        return 0, 0
    if not request.counts:
        start = next(start for machine in machines(model) for start in machine.starts if start.request is request)
        return least(model.device, start, request.control.size), 0
    base, unit = _counted(model, request)
    return base + (request.scale.less - request.scale.plus) * unit, unit


def _counted(model: Model, request: WorkRequest) -> tuple[int, int]:
    """As count_of(), for the number that is counted, before anything is added to it."""
    if request.counts == "units":
        return 0, unit_of(model, request) // request.scale.times
    plain = [e.segment for e in request.layout if e.op == "segment" and e.segment and not e.segment.tail]
    counted = [inner.segment for e in request.layout if e.op == "repeat" for inner in e.body if inner.segment]
    tailed = counted_tail(request)
    ahead = tailed.segment.tail.at if tailed else 0
    unit = counted[0].size if request.counts == "entries" and counted else 1
    return request.control.size + sum(s.size for s in plain) + ahead, unit // request.scale.times


def rounding_of(model: Model, request: WorkRequest) -> tuple[int, int]:
    """(bytes before those that count, multiple to which zeros fill the end of an entry), or (0, 0) without such a fill."""
    if not request.counts or model.device.ring or request.counts != "units" and request.scale.round == 1:
        return 0, 0
    base, unit = _counted(model, request)
    return base - request.scale.plus * unit, max(request.scale.round * unit, unit_of(model, request) if request.counts == "units" else 1)


def most_counted(model: Model, request: WorkRequest) -> int:
    """The most that a builder can count for the control segment's size."""
    base, unit = count_of(model, request)
    held = (math.prod(model.sizes(request.queues[0])) - base) // (unit or 1)
    bounds = [request.scale.of(e.max * len(e.body)) for e in request.layout
              if e.op == "repeat" and e.max is not None and request.counts == "entries"]
    tailed = counted_tail(request)
    return min([held, *bounds, *([request.scale.of(tailed.segment.tail.length.max)] if tailed else [])])


def counted_tail(request: WorkRequest) -> Optional[Element]:
    """For a request that counts bytes: the use of the segment whose payload is counted."""
    found = elements(request.layout)
    return next((e for e in found if e.segment and e.segment.tail and e.segment.tail.rest), None) if request.counts == "bytes" else None
