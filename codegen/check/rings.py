# SPDX-License-Identifier: BSD-2-Clause
"""Rings in plain memory: existing queues, strides that hold their entries, and laps in one bit."""

from __future__ import annotations

from codegen.check.size_fields import is_bit, is_plain, odd_text
from codegen.load.load import Problem
from codegen.machine.automaton import elements
from codegen.model.model import Device, Model, Ring, WorkRequest


def check_rings(model: Model, device: Device) -> list[Problem]:
    if device.ring and device.rings:
        return [(device.rings[0].place, f"device '{device.name}' has 'rings' and posts to a ring "
                                        "already; expected them if it posts to blocks")]
    problems: list[Problem] = []
    seen: list[str] = []
    for ring in device.rings:
        problems += [(ring.place, text) for text in ring_texts(model, device, ring, seen)]
        seen += ring.of
    return problems


def requests_of(model: Model, queue: str) -> list[WorkRequest]:
    return [r for r in model.work_requests if queue in r.queues]


def ring_texts(model: Model, device: Device, ring: Ring, seen: list[str]) -> list[str]:
    texts = [f"'rings' of device '{device.name}' name '{queue}' twice" for queue in ring.of if queue in seen]
    texts += [f"'rings' of device '{device.name}' name '{queue}', which has no requests; expected "
              "a transport or a kind of receive queue" for queue in ring.of
              if not requests_of(model, queue)]
    sends = any(r.queue == "send" for queue in ring.of for r in requests_of(model, queue))
    least = device.entry if sends else 0
    unit = max(model.sizes(queue)[0] for queue in ring.of)
    if ring.stride % unit or ring.stride and ring.stride < least:
        texts.append(f"'stride' of a ring of device '{device.name}' is {ring.stride}; expected a "
                     f"multiple of the unit of {unit} bytes, and no less than an entry")
    for request in (r for queue in ring.of for r in requests_of(model, queue) if ring.lap):
        texts += lap_texts(request, ring.lap[0])
    kinds = {bool(model.lap(r, queue)) for queue in ring.of for r in requests_of(model, queue) if ring.lap}
    if len(kinds) > 1:
        texts.append(f"some requests of a ring of device '{device.name}' have '{ring.lap[0]}' under 'args', and some have not; expected all, or "
                     "none, for which the builder writes it into each segment that has it")
    texts += completion_texts(device, ring, first=seen == [])
    bell = ring.doorbell
    if bell is not None and (not is_plain(bell.index) or bell.index.pieces):
        why = "lies in several places; expected one" if bell.index.pieces else odd_text(bell.index)
        texts.append(f"'{bell.index.name}' of '{bell.segment.name}', the index of a doorbell, {why}")
    if bell is not None and bell.lap is not None and not is_bit(bell.lap):
        texts.append(f"'{bell.lap.name}' of '{bell.segment.name}' is no bit; expected one for the "
                     "lap of a doorbell")
    return texts


def completion_texts(device: Device, ring: Ring, first: bool) -> list[str]:
    texts, places = [], {c.cqe.get(ring.color[0]).first_bit for c in ring.completions}  # type: ignore[union-attr]
    if ring.completions and not first:
        texts.append(f"a ring of device '{device.name}' has 'completions' and is not the first; expected them in the first of 'rings' alone")
    if len(places) > 1 or not all(is_bit(c.cqe.get(ring.color[0])) for c in ring.completions):
        texts.append(f"'{ring.color[0]}' of completions of device '{device.name}' is no bit, or lies at several places; expected one bit at "
                     "the same place of each format")
    texts += [f"'{c.cqe.name}' of device '{device.name}' names a request and has no 'index'; expected the field that tells it"
              for c in ring.completions if c.names != "none" and c.index is None]
    return texts


def lap_texts(request: WorkRequest, name: str) -> list[str]:
    segments = [e.segment for e in elements(request.layout) if e.segment] + [s for s in [request.control] if s]
    fields = [segment.get(name) for segment in segments if segment.get(name)]
    if not fields or not all(is_bit(field) for field in fields):
        return [f"work request '{request.name}' has no segment with a bit '{name}'; expected one, as its ring has laps"]
    return []
