# SPDX-License-Identifier: BSD-2-Clause
"""Content for the templates of builders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codegen.machine.automaton import Machine, machines, settings
from codegen.c import cnames, tables
from codegen.c.one_call import one_call_of
from codegen.c.overloads import overloads
from codegen.c.steps import BuilderSet, Parameter, Step, begin_of, functions, handle_name, scalar, share, steps_of
from codegen.model.model import Field, Item, Model, Segment, Wrap, once
from codegen.machine.stages import Passage


@once
def builder_sets(model: Model) -> list[BuilderSet]:
    sets = []
    for machine in machines(model):
        transport = model.find(model.transports, machine.name)
        found = BuilderSet(machine, handle_name(machine), transport.options if transport else [], [], ring=model.device.ring)
        for start in machine.starts:
            passage = Passage(machine, start)
            found.begins.append(begin_of(model, machine, start, passage))
            found.stages += [stage for stage in passage.stages if not stage.by_queue]
            found.steps += steps_of(machine, passage)
        found.laps = any(model.lap(start.request, machine.name) for start in machine.starts)
        found.items = [s.request for s in machine.starts] + ([transport] if transport else [])
        found.one_calls = [one_call_of(found, model, begin) for begin in found.begins]
        sets.append(found)
    if model.device.ring:
        share(model, sets)
    return sets


def limited_of(segment: Segment) -> list[Field]:
    """Fields whose C type holds values outside their range."""
    return [f for f in segment.fields if f.in_struct and (cnames.has_max(f) or cnames.has_min(f) or cnames.gaps(f))]


def field_id(segment: Segment, f: Field) -> str:
    return f"SEGUEI_FIELD({cnames.seg_macro(segment)}_ID, {tables.field_index(segment, f)})"


@dataclass
class Put:
    """The code that writes one segment of a send or a receive WQE, in any state."""

    segment: Segment
    send: bool
    alone: bool = False
    array: bool = False
    listed: bool = False
    prepared: bool = False
    across: bool = False  # its prepared copy may cross the end of the ring

    @property
    def name(self) -> str:
        return f"seguei_{'' if self.send else 'recv_'}put_{self.segment.name}"

    @property
    def builder(self) -> str:
        return "seguei_build" if self.send else "seguei_recv"

    @property
    def refuse(self) -> str:
        return "seguei_refuse" if self.send else "seguei_recv_refuse"

    @property
    def limited(self) -> list[Field]:
        tail = self.segment.tail.length if self.segment.tail else None
        return [f for f in limited_of(self.segment) if f is not tail]

    @property
    def limited_args(self) -> list[Field]:
        return [f for f in self.segment.prepared.args if f in self.limited] if self.segment.prepared else []

    @property
    def prepared_parameters(self) -> list[Parameter]:
        assert self.segment.prepared
        name = self.segment.prepared.name
        return [Parameter(f"const struct segue_{name} *", name, "")] + [scalar(f) for f in self.segment.prepared.args]


@once
def put_context(model: Model) -> dict[str, Any]:
    """The segments that machines write. Those of send queues come first, each sorted by name. Blocks are written alike for both."""
    found: dict[tuple[bool, str], Put] = {}
    for builders in builder_sets(model):
        for step in builders.steps + builders.arrays:
            put = found.setdefault((builders.ring and not builders.send, step.segment.name), Put(step.segment, builders.send))
            if step.repeats:
                put.alone = True
                put.array = put.array or not step.bounded and not step.makes_value
            elif step.edge.symbol.op == "list":
                put.listed = True
            elif step.prepared:
                put.prepared = True
                put.across = put.across or step.edge.wrap is Wrap.ANY
            else:
                put.alone = True
    return {"puts": [found[key] for key in sorted(found)]}


def members(parameters: list[Parameter]) -> list[tuple[str, str]]:
    return [(p.declaration + ";", p.doc) for p in parameters]


def control_context(model: Model) -> dict[str, Any]:
    """At least one announcement, because C has no empty arrays."""
    passages = [Passage(machine, start) for machine in machines(model) for start in machine.starts]
    next_flag = next((r.next_flag.value for r in model.work_requests if r.next_flag), 0)
    next_field = sum(((1 << f.width) - 1) << f.lsb for f in model.control.control.flags if next_flag >> f.lsb & ((1 << f.width) - 1))
    return {"control": model.control, "announcements": max([1] + [len(passage.announced) for passage in passages]),
            "next_flag": next_flag, "next_field": next_field}


@once
def ways(model: Model) -> dict[str, list[tuple[str, str, str]]]:
    """Calls by the type of their first argument: name, the member that allows it, and the result."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for overload in overloads(builder_sets(model)):
        for argument, function, result, *_ in overload.choices:
            kind, to = ("STEP", result[13:]) if result.startswith("struct segue_") else ("END", result)
            found.setdefault(argument, []).append((overload.name, f"SEGUEI_HAS_{kind}({overload.name}, {function[7:]}, {to})", result))
    return found


def next_steps(model: Model) -> list[list[str]]:
    """Steps that can follow requests under construction: each set of steps once."""
    found = {tuple(name for name, *_ in steps) for argument, steps in ways(model).items() if not argument.endswith("*")}
    return [list(steps) for steps in sorted(found)]


def machine_context(model: Model) -> dict[str, Any]:
    from codegen.c import args  # imported here, because it needs the builders

    return {
        "shared_names": args.shared_names(model),
        "shared_args": args.shared(model),
        "ways_at": lambda argument: ways(model).get(argument, []),
        "functions_of": lambda user: functions(builder_sets(model), user),
        "control": model.control,
        "added": lambda step: added(step, model.sizes(step.stage.request.queues[0])[0]),
    }


@once
def builders_context(model: Model) -> dict[str, Any]:
    sets = builder_sets(model)
    begun = {request.control.name for request in model.work_requests if request.control}
    return {
        "sets": sets,
        "overloads": overloads(sets),
        "next_steps": next_steps(model),
        "tables": [tables.machine_table(s.machine) for s in sets],
        "announced": sorted({pair for s in sets for pair in s.machine.announced}),
        "control": model.control,
        "controls": {control.name: tables.control_name(model, control)
                     for control in model.controls if control.name in begun},
        "flag_masks": flag_masks(model),
        "option_bits": {s.name: option_bits(model, s.machine) for s in sets},
    }


def flag_masks(model: Model) -> list[tuple[str, str]]:
    """(name, value) of the flags that each request may have. Requests with the same flags refer to the first of them, which is not a user's."""
    rows, first = [], {"": "0u"}
    for request in sorted(model.work_requests, key=model.is_own):
        if request.control and request.control.control.flags:
            flags = " | ".join(map(cnames.enumerator, request.flags))
            rows.append((cnames.may(request), first.get(flags, f"({flags})")))
            first.setdefault(flags, cnames.may(request))
    return rows


def option_bits(model: Model, machine: Machine) -> list[tuple[str, int]]:
    """(field, its bits) of the flags' dword, for values other than flags."""
    fields = settings(machine, model)
    found = [(f.name, f.in_dword(control.control.flags[0].byte)) for control in model.controls
             for f in map(control.get, fields.get(control.name, ())) if f]
    return [(name, bits) for name, bits in found if bits]


@dataclass
class Added:
    """A step's contribution to a number that the control segment counts."""

    name: str  # of the control segment's field
    value: str  # in C
    each: bool  # the value is added for each entry of an array


def added(step: Step, unit: int) -> list[Added]:
    """The contributions of a step to the sums of its request."""
    found = []
    for one in (one for one in step.stage.request.sums if one.what != "padding"):
        value = ""
        if one.what == "entries" and step.segment is step.stage.request.layout[-1].body[0].segment:
            value = "1"
        elif one.what == "payload_units" and step.segment.tail and step.segment.tail.rest:
            value = f"((uint64_t){step.segment.tail.length.name} + {unit - 1}) / {unit}"
        elif one.what == "bytes" and step.segment.tail and step.segment.tail.rest:
            value = step.segment.tail.length.name
        elif one.what == "sum" and step.segment is one.segment:
            fixed = {f.name: v for f, v in step.fixed}
            struct = f"{step.segment.name}->" if step.by_struct else ""
            struct = "list[i]." if step.repeats else struct
            value = f"{fixed[one.of.name]}u" if one.of.name in fixed else struct + one.of.name
        found.append(Added(one.field.name, value, step.repeats))
    return found


def machine_items(model: Model) -> list[Item]:
    return [*model.work_requests, *model.transports, *model.fragments]
