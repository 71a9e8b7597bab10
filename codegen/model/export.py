# SPDX-License-Identifier: BSD-2-Clause
"""The checked model as plain data, which `main.py model` prints as JSON and back ends read.

It has lists, mappings, strings and numbers alone, and depends on no language or library.
codegen/model/model.schema.json defines its meaning. A key is left out if it has its default.
"""

from __future__ import annotations

from typing import Any, Optional

from codegen.machine.automaton import Machine, Start, Symbol, machines, settings, symbol_of
from codegen.machine.size_field import count_of, rounding_of
from codegen.model.model import (CONTROL_PARTS, Control, Device, Element, Enumeration, Field, Item, Member, Model,
                           Ring, Segment, Source, Sum, Table, Tail, Transport, Vector, WorkRequest, once)
from codegen.machine.stages import Passage
from codegen.load.values import highest, lowest

FORMAT = "segue-model"
VERSION = 1
EXACT = (1 << 53) - 1  # some readers of JSON do not keep larger numbers

Data = dict[str, Any]


def number(value: int) -> int | str:
    return value if abs(value) <= EXACT else hex(value)


def numbers(values: Data) -> Data:
    return {name: value.hex() if isinstance(value, bytes) else number(value)
            for name, value in values.items()}


def short(data: Data) -> Data:
    """The data without keys that have their defaults."""
    return {key: v for key, v in data.items()
            if v is not None and v is not False and v not in ("", [], {})}


def told(source: Source, confidence: str) -> Data:
    return {"source": str(source), "secondary": confidence == "secondary"}


def item(of: Item) -> Data:
    data = {"name": of.name, "doc": of.doc, "source": str(of.source)}
    return data | ({"secondary": True} if of.confidence == "secondary" else {})


def member(m: Member) -> Data:
    said = {"name": m.name, "doc": m.doc, "mask": m.mask, **told(m.source, m.confidence)}
    return short(said) | {"value": number(m.value)}


def enumeration(e: Enumeration) -> Data:
    members = [member(m) for m in e.members]
    return item(e) | short({"flags": e.flags}) | {"bits": e.bits, "members": members}


def place(f: Field) -> Data:
    """A byte string is a number of bytes. Any other field is a number of bits of a word."""
    if f.is_bytes:
        return {"byte": f.byte, "bytes": f.width // 8}
    order = "little" if f.little else "big"
    data = {"byte": f.byte, "word": f.word, "low": f.lsb, "bits": f.width, "order": order}
    return data | ({"pieces": [place(piece) for piece in f.pieces]} if f.pieces else {})


def field_data(f: Field) -> Data:
    held = {"name": f.format.name, "cqe": f.format.is_cqe, "count": f.count} if f.format else None
    data = short({
        "name": f.name, "doc": f.doc, **told(f.source, f.confidence),
        "enum": f.enum.name if f.enum else "", "flags": f.flags.name if f.flags else "",
        "closed": f.closed, "unit": f.unit, "stale": f.stale, "never": [number(v) for v in f.never],
        "format": held,
    }) | place(f)
    if f.const is not None:
        return data | {"const": number(f.const)}
    if not f.is_bytes:
        data |= {"min": number(lowest(f)), "max": number(highest(f))}
    data |= {"minus": f.minus} if f.minus else {"signed": True} if f.signed else {}
    return data | ({"zero_means": number(f.zero_means)} if f.zero_means is not None else {})


def reserved(f: Field) -> Data:
    return short({"name": f.name, "stale": f.stale}) | place(f)


def tail(t: Optional[Tail]) -> Optional[Data]:
    """Without `length` the payload is the rest of the length in the control segment, after the other segments."""
    if t is None:
        return None
    length = {"max": t.length.max} if t.rest else {"length": t.length.name}
    return {"at": t.at, "pad": t.pad, "least": t.min_size} | length


def control(c: Optional[Control]) -> Optional[Data]:
    if c is None:
        return None
    parts = {name: getattr(c, name).name for name in CONTROL_PARTS if getattr(c, name)}
    return parts | {"flags": [f.name for f in c.flags]}


def vector(v: Vector) -> Data:
    data = {"doc": v.doc, "in": numbers(v.values), "out": v.out.hex()}
    return data | ({"tail": v.tail.hex()} if v.tail else {})


def segment(s: Segment) -> Data:
    args = [f for f in (s.args if s.args is not None else s.fields) if f.in_struct]
    copied: Data = {}
    if s.prepared:
        copied = {"name": s.prepared.name, "args": [f.name for f in s.prepared.args]}
    return item(s) | short({
        "tail": tail(s.tail), "control": control(s.control), "call": s.call,
        "empty": s.empty.name if s.empty else "", "whole": s.whole, "prepared": copied,
        "match": {name: [number(v) for v in values] for name, values in s.match.items()},
    }) | {
        "size": s.size, "fields": [field_data(f) for f in s.fields],
        "reserved": [reserved(f) for f in s.reserved], "args": [f.name for f in args],
        "vectors": [vector(v) for v in s.vectors],
    }


def element(e: Element) -> Data:
    """One node of a layout."""
    data = {"op": e.op} | ({"when": e.when} if e.when is not None else {})
    if e.op == "choice":
        return data | {"choices": [[element(inner) for inner in branch] for branch in e.choices]}
    if e.op == "repeat":
        data |= {"max": e.max} if e.max is not None else {}
        return data | {"min": e.min, "body": layout(e.body)}
    if e.op == "optional":
        return data | {"body": layout(e.body)}
    if e.op == "fragment":
        return data | {"name": e.name, "body": layout(e.body)}
    if e.segment is None:
        return data
    return data | use(symbol_of(e), e.segment)


def layout(elements: list[Element]) -> list[Data]:
    return [element(e) for e in elements]


def size_of(model: Model, r: WorkRequest) -> Data:
    """The count in the size field of the control segment: (bytes of the entry - base) / unit."""
    assert r.control and r.control.control
    base, unit = (0, model.unit) if model.device.ring else count_of(model, r)
    counts = "units" if model.device.ring else "pieces" if r.ends else r.counts or "nothing"
    field = r.size or r.control.control.size if counts not in ("nothing", "pieces") else None
    start, to = rounding_of(model, r)
    filled = {"round": to, "round_from": start} if to else {}
    return {"counts": counts, "base": base, "unit": unit} | filled | ({"field": field.name} if field else {})


def total(r: WorkRequest, one: Sum) -> Data:
    """A field of the control segment that is a sum over later segments."""
    of = one.segment if one.what == "sum" else r.layout[-1].body[0].segment if one.what == "entries" else None
    data = {"field": one.field.name, "counts": {"sum": "field"}.get(one.what, one.what), **one.scale.keys}
    data |= {"segment": of.name} if of else {}
    return data | ({"of": one.of.name} if one.of else {})


def table(t: Table) -> Data:
    forms = [{"value": value, "segment": form.name} for value, form in t.forms]
    return {"piece": t.piece.name, "field": t.field.name, "told": t.told, "above": t.above, "forms": forms}


def request(model: Model, r: WorkRequest) -> Data:
    data = item(r) | {
        "queue": r.queue, "transports": r.transports, "flags": [f.name for f in r.flags],
        "args": [{"name": a.name, "field": a.field.name, "doc": a.doc} for a in r.args],
        "fixed": numbers(r.told), "least": r.least, "layout": layout(r.layout),
    } | short({
        "reaches_no_peer": r.no_address, "next_flag": r.next_flag.name if r.next_flag else "",
        "unseen": [short({"why": u.why, "transport": u.transport, "segment": u.segment})
                   for u in r.unseen],
        "creatable": [short({"why": u.why, "transport": u.transport}) for u in r.creatable],
        "call": r.call if r.call != r.name else "", "shared": r.shared, "control": r.control.name if r.control else "",
        "sums": [total(r, one) for one in r.sums], "table": table(r.table) if r.table else {},
        "ends": {"field": r.ends[0], "last": r.ends[1]} if r.ends else {},
    })
    if r.control is None:
        return data
    opcode = {"opcode": {"name": r.opcode.name, "value": r.opcode.value}} if r.opcode else {}
    return data | opcode | {"opmod": r.opmod, "size": size_of(model, r)}


def transport(t: Transport) -> Data:
    states = [short({"name": s.name, "doc": s.doc, **told(s.source, s.confidence)}) | {
        "value": s.value, "send": s.send, "receive": s.recv, "needs": [m.name for m in s.needs],
    } for s in t.states]
    changes = [short({"doc": c.doc, **told(c.source, c.confidence)}) | {
        "from": c.sources, "to": c.to, "by": c.by, "required": [m.name for m in c.required],
        "optional": [m.name for m in c.optional],
    } for c in t.transitions]
    return item(t) | short({"control": t.control.name if t.control else ""}) | {
        "initial": t.initial, "number_at": t.number_at, "address": layout(t.address),
        "options": [{"name": o.name, "field": o.field.name, "doc": o.doc} for o in t.options],
        "states": states, "transitions": changes,
    }


def use(symbol: Symbol, segment: Segment) -> Data:
    """A segment as one layout uses it."""
    data: Data = {"op": symbol.op, "segment": symbol.segment, "fixed": numbers(dict(symbol.fixed))}
    data |= {"by": symbol.by} if symbol.by != "program" else {}
    data |= short({"lap": symbol.lap, "told": symbol.told})
    if symbol.piece:
        byte, mask = segment.get(symbol.piece[0]).bit
        data["piece"] = {"field": symbol.piece[0], "last": symbol.piece[1], "byte": byte, "mask": mask}
    if symbol.op != "list":
        return data
    said: Data = {"unit": symbol.unit, "pad": symbol.pad, "head": symbol.head, "min": symbol.min}
    said |= {"max": symbol.max} if symbol.max is not None else {}
    for name, pair in (("size", symbol.count), ("entries", symbol.entries)):
        said |= {name: {"segment": pair[0], "field": pair[1]}} if pair else {}
    if symbol.sum:
        of, (holder, total) = symbol.sum
        said["sum"] = {"of": of, "segment": holder, "field": total}
    return data | {"list": said}


def queue(model: Model, machine: Machine) -> Data:
    """A queue's automaton, and the data of each request."""
    segments = {edge.symbol: edge.segment for state in machine.states for edge in state.edges}
    symbols = list(segments)
    states = [{"name": state.name, "accepting": state.accepting, "edges": [
        {"use": symbols.index(edge.symbol), "to": edge.to.index, "wrap": edge.wrap.value}
        for edge in state.edges]} for state in machine.states]
    announced = [{"segment": name, "field": field, "unit": machine.unit_of(slot)}
                 for slot, (name, field) in enumerate(machine.announced)]
    return {"name": machine.name, "doc": machine.doc, "kind": machine.queue, "unit": machine.unit, "largest": machine.largest,
            "settings": settings(machine, model), "uses": [use(*one) for one in segments.items()],
            "announced": announced, "states": states,
            "requests": [begun(machine, start, symbols) | short({"lap": machine.laps[start.request.name]}) for start in machine.starts]}


def begun(machine: Machine, start: Start, symbols: list[Symbol]) -> Data:
    """The stages of a request: the states in which it passes."""
    stages = Passage(machine, start).stages
    gaps, first = [], stages[0]
    while first.by_queue and not first.steps[0][0].fields:
        gaps.append(first.steps[0][0].segment.name)
        first = first.steps[0][1]
    return {"name": start.request.name, "state": start.to.index, "first": stages.index(first), "gaps": gaps, "stages": [
        {"name": stage.name, "state": stage.state.index, "accepting": stage.accepting, "steps": [
            {"call": edge.call, "use": symbols.index(edge.symbol), "to": stages.index(to),
             "wrap": edge.wrap.value} for edge, to in stage.steps]} for stage in stages]}


def ring(r: Ring) -> Data:
    bell = r.doorbell
    data = short({"of": r.of, "stride": r.stride or None})
    data |= {"lap": {"field": r.lap[0], "first": r.lap[1]}} if r.lap else {}
    if bell:
        data["doorbell"] = {"segment": bell.segment.name, "index": bell.index.name,
                            "counts": "slots" if bell.wraps else "total",
                            "fixed": numbers({f.name: v for f, v in bell.fixed}),
                            **({"lap": bell.lap.name} if bell.lap else {})}
    if r.completions:
        data["completions"] = {"lap": {"field": r.color[0], "first": r.color[1]}, "of": [
            short({"cqe": c.cqe.name, "names": c.names, **{key: field and field.name for key, field in (
                ("index", c.index), ("failed", c.failed), ("status", c.status))}}) for c in r.completions]}
    return data


def device(model: Model, d: Device) -> Data:
    said = {"runtime": d.runtime, "c_prefix": d.c_prefix, "entry": d.entry or None, "stale_rest": d.stale_rest,
            "rings": [ring(r) for r in d.rings]}
    return item(d) | short(said) | {
        "byte_order": "little" if d.little else "big", "posting": d.posting, "unit": d.unit,
        "block": d.block, "largest": d.largest,
        "roles": {role: enum.name for role, enum in d.roles.items()},
        "queues": [{"name": q.name, "doc": q.doc}
                   | ({"control": q.control.name} if q.control else {}) for q in d.queues]}


@once
def neutral(model: Model) -> Data:
    return {
        "format": FORMAT, "version": VERSION,
        "devices": [device(model, d) for d in model.devices],
        "enums": [enumeration(e) for e in model.enums],
        "segments": [segment(s) for s in model.segments],
        "cqes": [segment(s) for s in model.cqes],
        "transports": [transport(t) for t in model.transports],
        "requests": [request(model, r) for r in model.work_requests],
        "queues": [queue(model, m) for m in machines(model)],
    }
