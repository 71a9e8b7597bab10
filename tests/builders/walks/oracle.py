# SPDX-License-Identifier: BSD-2-Clause
"""The layouts as trees and the segments as bit ranges, in JSON: what the second validator of tests/builders reads.

Positions come from a second reading of the YAML, layouts from the spec's elements. Nothing here goes through the
automaton or the tables that the library's own validator walks.
"""

from __future__ import annotations

from typing import Any

from codegen.machine.automaton import choices_on
from codegen.load.load import read_plain
from codegen.model.model import Element, Field, Member, Model, Segment
from tests.builders.walks.walks import walk_sets


def _bits(at: dict) -> tuple[int, int]:
    """(first bit from the start of the segment, width) of an `at`."""
    if "byte" in at:
        return at["byte"] * 8, at["bytes"] * 8
    high, low = (int(n) for n in at["bits"].split(":"))
    word = 64 if high > 31 else 32
    return at["dword"] * 32 + word - 1 - high, high - low + 1


def _members(segment: Segment, field: Field, raw: dict) -> list[str]:
    """The only values of a field with an enum, if it is one that programs fill in freely; the requests say which opcodes there are."""
    if "enum" not in raw or "const" in raw or "zero_means" in raw or (segment.control is not None and field is segment.control.opcode):
        return []
    assert field.enum is not None
    return [hex(m.value) for m in field.enum.members]


def _strange(field: Field, raw: dict) -> str:
    """The bits of a field of flags that none of them has."""
    if "flags" not in raw or "const" in raw or "zero_means" in raw:
        return "0x0"
    assert field.flags is not None
    return hex(((1 << field.width) - 1) & ~_flags(field.flags.members))


def _segment(segment: Segment, unit: int) -> dict[str, Any]:
    spec = read_plain(segment.place.file)
    fields = []
    free = set(range(spec["size"] * 8))
    for raw in spec["fields"]:
        f = segment.get(raw["name"])
        first, width = _bits(raw["at"])
        free -= set(range(first, first + width))
        if "byte" in raw["at"]:
            continue
        fields.append({
            "name": f.name, "byte": raw["at"]["dword"] * 4, "first": first, "width": width, "const": f.const is not None,
            "min": hex(f.min if f.const is None else f.const), "max": hex(f.max if f.const is None else f.const),
            "zero": raw.get("zero_means") is not None, "never": [hex(v) for v in f.never],
            "members": _members(segment, f, raw), "strange": _strange(f, raw),
        })
    for raw in spec.get("reserved", []):
        if raw.get("stale") or spec.get("stale"):
            first, width = _bits(raw["at"])
            free -= set(range(first, first + width))
    tail = None
    if "tail" in spec:
        free -= set(range(spec["tail"]["at"] * 8, spec["size"] * 8))
        length = next(f for f in spec["fields"] if f["name"] == spec["tail"]["length"])
        first, width = _bits(length["at"])
        tail = {"at": spec["tail"]["at"], "first": first, "width": width, "pad": spec["tail"].get("pad", unit),
                "min_size": spec["tail"].get("min_size", 0)}
    return {"name": segment.name, "size": spec["size"], "fields": fields, "reserved": sorted(free), "tail": tail}


def _sequence(model: Model, layout: list[Element], queue: str, address: list[Element], used: dict[str, Segment]) -> list[dict]:
    return [_node(model, e, queue, address, used) for e in layout if e.when is None or queue in e.when]


def _node(model: Model, e: Element, queue: str, address: list[Element], used: dict[str, Segment]) -> dict[str, Any]:
    def inside(layout: list[Element]) -> list[dict]:
        return _sequence(model, layout, queue, address, used)

    if e.op == "address":
        return {"op": "group", "bodies": [inside(address)]}
    if e.op == "fragment":
        return {"op": "group", "bodies": [inside(e.body)]}
    if e.op == "choice":
        return {"op": "group", "bodies": [inside(c) for c in choices_on(e, queue)]}
    if e.op == "optional":
        return {"op": "group", "bodies": [[], inside(e.body)]}
    if e.op == "repeat":
        return {"op": "repeat", "min": e.min, "max": 10000 if e.max is None else e.max, "bodies": [inside(e.body)]}
    assert e.segment is not None
    used[e.segment.name] = e.segment
    node: dict[str, Any] = {"op": e.op, "segment": e.segment.name,
                            "fixed": [{"field": name, "value": hex(value)} for name, value in sorted(e.fixed.items())]}
    if e.op == "list":
        assert e.count is not None
        used[e.count[0].name] = e.count[0]
        node |= {"by": e.count[0].name, "field": e.count[1].name, "unit": e.unit, "head": e.head, "pad": e.pad, "min": e.min,
                 "max": 10000 if e.max is None else e.max}
        if e.entries:
            used[e.entries[0].name] = e.entries[0]
            node |= {"entries_by": e.entries[0].name, "entries_field": e.entries[1].name}
        if e.sum:
            used[e.sum[1][0].name] = e.sum[1][0]
            node |= {"sum_of": e.sum[0].name, "sum_by": e.sum[1][0].name, "sum_field": e.sum[1][1].name}
    return node


def _flags(members: list[Member]) -> int:
    value = 0
    for member in members:
        value |= member.value
    return value


def oracle_context(model: Model) -> dict[str, Any]:
    used: dict[str, Segment] = {model.control.name: model.control}
    queues = []
    names = [t.name for t in model.transports] + [q.name for q in model.device.queues]
    control = model.control.control
    for name in names:
        transport = model.find(model.transports, name)
        requests = [r for r in model.work_requests if name in (r.transports if r.queue == "send" else [r.queue])]
        if not requests:
            continue
        own = [o.field for o in transport.options] if transport else []
        own += [a.field for r in requests for a in r.args if transport]
        own += [f for f in model.control.fields if f.stale]
        settings = 0
        for f in own:
            if f.byte == control.flags[0].byte:
                settings |= ((1 << f.width) - 1) << f.lsb
        queues.append({"name": name, "send": transport is not None, "requests": [
            {"name": r.name, "opcode": r.opcode.value if r.opcode else 0, "opmod": r.opmod, "flags": _flags(r.flags) | settings,
             "layout": _sequence(model, r.layout, name, transport.address if transport else [], used)}
            for r in requests]})
    return {"oracle": {"queues": queues, "segments": [_segment(used[n], model.unit) for n in sorted(used)]}}


def corpus_context(model: Model) -> dict[str, Any]:
    """Every layout of the walks as one line: queue, stride, bytes."""
    lines = dict.fromkeys((walk.name, case.stride, case.hex) for walk in walk_sets(model)
                          for shape in walk.shapes for case in shape.cases)
    return {"lines": list(lines)}
