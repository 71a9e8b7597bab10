# SPDX-License-Identifier: BSD-2-Clause
"""What the builder templates show: every step that a user can call, named and typed.

A machine's states become C types, its edges functions from one type to the next. This module decides names and
parameters; the templates say how they look in C.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Optional

from codegen.c import cnames, tables
from codegen.automaton import Edge, Machine, Start, elements, first_choice, least, machines, symbol_of, wrap_of
from codegen.model import Device, Element, Field, Item, Member, Model, Option, Prepared, Segment, WorkRequest, Wrap, once
from codegen.passage import Passage, Stage


def member_mask(members: list[Member]) -> int:
    value = 0
    for member in members:
        value |= member.value
    return value


@dataclass
class Parameter:
    c_type: str  # "uint32_t", "const struct segue_ah *"
    name: str
    doc: str
    counted: bool = False  # a pointer to so many entries or bytes as the parameter behind it says

    @property
    def declaration(self) -> str:
        return self.c_type + ("" if self.c_type.endswith("*") else " ") + self.name


@dataclass
class Step:
    """A function that takes one edge."""

    stage: Stage
    edge: Edge
    to: Stage
    slot: int  # list: where its size was announced
    name: str  # "raddr": the user's name behind segue_
    function: str  # "seguei_rc_write_wants_raddr_raddr"
    parameters: list[Parameter]
    by_struct: bool
    scalars: list[Field]  # fields given as parameters
    prepared: Optional[Prepared]
    announces: list[tuple[int, Field, int]]  # (slot, field, bytes per unit)
    repeats: bool = False  # an array of the segment, entries one after the other
    entries_slot: int = 0  # list: where the number of its entries was announced
    sum_slot: int = 0  # list: where the sum over its entries was announced
    least: int = 0  # array of a one-call post: entries, at least and
    most: Optional[int] = None  # at most; None: as many as the largest WQE holds

    @property
    def segment(self) -> Segment:
        return self.edge.segment

    @property
    def fixed(self) -> list[tuple[Field, int]]:
        return [(self.segment.get(name), value) for name, value in self.edge.symbol.fixed]

    @property
    def zeroed(self) -> bool:
        """Some member of the struct is set by nobody and must be zero."""
        given = {f.name for f in self.scalars} | {f.name for f, _ in self.fixed}
        if self.segment.tail:
            given.add(self.segment.tail.length.name)
        return any(f.in_struct and f.name not in given for f in self.segment.fields)

    @property
    def pointers(self) -> list[tuple[str, str]]:
        """(in C, when it is missing; name) of each pointer. Arrays and payloads are needed only if they hold anything."""
        found = []
        for number, p in enumerate(self.parameters):
            if p.c_type.endswith("*"):
                held = f"{self.parameters[number + 1].name} && " if p.counted else ""
                found.append((f"{held}!{p.name}", p.name))
        return found

    @property
    def bounded(self) -> bool:
        """An array of which the number of entries written is looked at."""
        return self.repeats and (self.least > 0 or self.most is not None)

    @property
    def makes_value(self) -> bool:
        """The step fills a struct of its own; otherwise it passes on the caller's."""
        if self.repeats:
            return bool(self.fixed)
        if self.edge.symbol.op == "list" or self.prepared:
            return False
        return not self.by_struct or any(f.in_struct for f, _ in self.fixed)


@dataclass
class Begin:
    """A function that begins a work request."""

    machine: Machine
    start: Start
    name: str
    function: str
    parameters: list[Parameter]
    to: Stage  # where the caller goes on, behind segments that the queue writes itself
    units: int = 0  # of the shortest WQE
    gaps: list[int] = field(default_factory=list)  # on blocks: bytes of segments that the queue writes

    @property
    def allowed(self) -> int:
        return member_mask(self.start.request.flags)

    def control_values(self) -> dict[str, str]:
        return {a.field.name: a.name for a in self.start.request.args}


@dataclass
class Call:
    """One step inside a one-call post."""

    step: Step
    arguments: list[str]  # from the struct: "lkey", or "table_ctrl->owner" of a segment given whole
    names: list[str] = field(default_factory=list)  # members that they come from


@dataclass
class Variant:
    """A one-call post with some of the optional parts of the layout."""

    present: list[str]  # members that are not NULL, or not 0, if it is this one
    needed: list[tuple[str, str]]  # members that may not be NULL then: name, and in C, when they are
    calls: list[Call]
    last: Stage


@dataclass
class OneCall:
    begin: Begin
    members: list[Parameter]
    variants: list[Variant]  # the one that fits first is taken; the last has no optional part

    @property
    def calls(self) -> list[Call]:
        """The plainest way."""
        return self.variants[-1].calls



@dataclass
class BuilderSet:
    """All functions of one machine."""

    machine: Machine
    handle: str  # "segue_rc_sq"
    options: list[Option]
    begins: list[Begin]
    steps: list[Step] = field(default_factory=list)
    arrays: list[Step] = field(default_factory=list)  # of one-call posts alone
    stages: list[Stage] = field(default_factory=list)  # that a caller can hold
    one_calls: list[OneCall] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)  # spec items it is made from

    @property
    def name(self) -> str:
        return self.machine.name

    ring: bool = True  # posted to a ring; otherwise written to a block of the caller's

    @property
    def one_call(self) -> str:
        """What the function of a whole request does: its name's beginning."""
        return "post" if self.ring else "commit"

    @property
    def send(self) -> bool:
        return self.machine.queue == "send"

    @property
    def batch(self) -> str:
        """The handle of several requests in a row: "segue_rc_batch"."""
        return f"segue_{self.machine.name}_batch"


def state_type(machine: Machine, stage: Stage) -> str:
    return f"struct segue_{machine.name}_{stage.name}"


def handle_name(machine: Machine) -> str:
    return f"segue_{machine.name}_sq" if machine.queue == "send" else f"segue_{machine.queue}"


def _scalar(f: Field) -> Parameter:
    if f.is_bytes:
        return Parameter("const uint8_t *", f.name, f.doc)
    return Parameter(cnames.parameter_type(f), f.name, f.doc)


def _step(machine: Machine, passage: Passage, stage: Stage, edge: Edge, to: Stage, repeats: bool = False) -> Step:
    segment = edge.segment
    fields = edge.fields
    if segment.tail:
        fields = [f for f in fields if f is not segment.tail.length]
    prepared = segment.prepared
    parameters: list[Parameter] = []
    by_struct = False
    scalars: list[Field] = []
    struct = f"const struct {cnames.seg(segment)} *"
    if edge.symbol.op == "list" or repeats:
        parameters += [Parameter(struct, "list", "the entries", True), Parameter("uint32_t", "count", "entries")]
    elif prepared:
        scalars = [f for f in prepared.args]
        parameters.append(Parameter(f"const struct segue_{prepared.name} *", prepared.name, "prepared once per destination"))
        parameters += [_scalar(f) for f in scalars]
    elif segment.whole:
        by_struct = True
        parameters.append(Parameter(struct, segment.name, segment.doc))
    else:
        scalars = fields
        parameters += [_scalar(f) for f in scalars]
    if segment.tail:
        parameters += [Parameter("const void *", "data", "payload, copied", True),
                       Parameter("uint32_t", segment.tail.length.name, segment.tail.length.doc)]
    name = edge.call + ("_list" if repeats else "")
    symbol = edge.symbol
    return Step(stage, edge, to, passage.slot(symbol.count), name, f"seguei_{machine.name}_{stage.name}_{name}", parameters, by_struct,
                scalars, prepared, passage.slots_of(segment), repeats, passage.slot(symbol.entries),
                passage.slot(symbol.sum[1] if symbol.sum else None))


def _array_step(one: Step, to: Stage, least: int, most: Optional[int], number: int) -> Step:
    struct = f"const struct {cnames.seg(one.segment)} *"
    entries = f"entries, {least} to {most}" if most is not None else "entries"
    parameters = [Parameter(struct, "list", "the entries", True), Parameter("uint32_t", "count", entries)]
    return replace(one, to=to, name=f"{one.name}_list", function=f"{one.function}_array_{number}", parameters=parameters, by_struct=False,
                   scalars=[], prepared=None, announces=[], repeats=True, least=least, most=most)


def _behind_queue(passage: Passage) -> tuple[Stage, list[int]]:
    """Where the caller's part begins: segments that the queue writes come first, and alone. And their sizes."""
    stage, sizes = passage.stages[0], []
    while stage.by_queue:
        sizes.append(stage.steps[0][0].segment.size)
        stage = stage.steps[0][1]
    return stage, sizes


def _begin(model: Model, machine: Machine, start: Start, passage: Passage) -> Begin:
    request, device = start.request, model.device
    control = request.control.size if request.control else 0
    parameters = [Parameter("uint64_t", "wr_id", "returned with the completion")] if device.ring else []
    if request.control and request.control.control.flags:
        parameters.append(Parameter("uint32_t", "flags", f"of enum segue_{device.roles['flags'].name}, or 0"))
    parameters += [replace(_scalar(a.field), name=a.name, doc=a.doc) for a in request.args]
    to, gaps = _behind_queue(passage)
    return Begin(machine, start, request.name, f"seguei_{machine.name}_begin_{request.name}", parameters,
                 to, -(-least(device, start, control) // device.unit), gaps)


def _takes_arrays(stage: Stage, edge: Edge) -> bool:
    """An array of any length, even none, may be written along this edge: it may be taken again and again, and where it
    leads nothing is possible that is not possible here."""
    if edge.symbol.op != "segment" or edge.segment.tail:
        return False
    state = stage.state
    here = {(e.symbol, e.to.index) for e in state.edges}
    there = {(e.symbol, e.to.index) for e in edge.to.edges}
    return (edge.symbol, edge.to.index) in there and there <= here and (state.accepting or not edge.to.accepting)


@once
def builder_sets(model: Model) -> list[BuilderSet]:
    sets = []
    for machine in machines(model):
        transport = model.find(model.transports, machine.name)
        found = BuilderSet(machine, handle_name(machine), transport.options if transport else [], [], ring=model.device.ring)
        for start in machine.starts:
            passage = Passage(machine, start)
            found.begins.append(_begin(model, machine, start, passage))
            found.stages += [stage for stage in passage.stages if not stage.by_queue]
            found.steps += _steps(machine, passage)
        found.items = [s.request for s in machine.starts] + ([transport] if transport else [])
        found.one_calls = [_one_call(found, model, begin) for begin in found.begins]
        sets.append(found)
    return sets


def _steps(machine: Machine, passage: Passage) -> list[Step]:
    found = []
    for stage in passage.stages:
        for edge, to in stage.steps:
            if edge.symbol.by == "queue" or edge.symbol.op == "terminator":
                continue
            found.append(_step(machine, passage, stage, edge, to))
            if _takes_arrays(stage, edge):
                found.append(_step(machine, passage, stage, edge, to, repeats=True))
    return found


MOST_OPTIONAL = 3  # parts that a one-call post may carry or not; each doubles its ways


class _Path:
    """The plainest layout of a request: first alternatives, no optional parts, arrays where entries may repeat."""

    def __init__(self, found: BuilderSet, model: Model, begin: Begin):
        self.found = found
        self.device = model.device
        self.machine = begin.machine.name
        transport = model.find(model.transports, self.machine)
        self.address = transport.address if transport else []
        self.stage = begin.to
        self.members = list(begin.parameters)
        self.calls: list[Call] = []

    def walk(self, layout: list[Element]) -> None:
        for element in layout:
            if element.when is not None and self.machine not in element.when:
                continue
            if element.by == "queue" or element.op == "terminator":
                continue
            if element.op == "address":
                self.walk(self.address)
            elif element.op == "optional":
                self._optional(element)
            elif element.op == "choice":
                self.walk(first_choice(element, self.machine))
            elif element.op == "repeat":
                self._repeat(element)
            elif element.op == "fragment":
                self.walk(element.body)
            else:
                self._take(element, self._step(element, False))

    def _optional(self, element: Element) -> None:
        """Left out."""

    def _repeat(self, element: Element) -> None:
        """An array of what is one segment of fixed size; of anything else no more than there has to be."""
        entry = self._single(element.body)
        for _ in range(element.min if entry is None or element.max is None else 0):
            self.walk(element.body)
        if entry is None:
            return
        known = [s for s in self._steps_of(entry) if s.repeats]
        self._take(entry, known[0] if known and element.max is None else self._array(element, entry))

    def _single(self, layout: list[Element]) -> Optional[Element]:
        layout = [e for e in layout if e.when is None or self.machine in e.when]
        if len(layout) != 1:
            return None
        element = layout[0]
        if element.op == "choice":
            return self._single(first_choice(element, self.machine))
        if element.op == "fragment":
            return self._single(element.body)
        return element if element.op == "segment" and element.segment and not element.segment.tail else None

    def _array(self, element: Element, entry: Element) -> Step:
        """A step that writes all entries of a repeat. It leads to where as few of them as may be lead: what comes behind may come there."""
        least = 0 if element.max is None else element.min
        one, to = self._step(entry, False), self.stage
        for _ in range(least):
            to = next(s for s in self.found.steps if s.stage is to and s.edge.symbol == one.edge.symbol and not s.repeats).to
        for step in self.found.arrays:
            if (step.stage, step.to, step.edge.symbol, step.least, step.most) == (self.stage, to, one.edge.symbol, least, element.max):
                return step
        step = _array_step(one, to, least, element.max, len(self.found.arrays))
        self.found.arrays.append(step)
        anywhere = set(range(self.device.units_per_block))
        for other in [s for s in self.found.steps + self.found.arrays if s.stage.request is step.stage.request]:
            other.edge = replace(other.edge, wrap=wrap_of(self.device, other.edge, anywhere))
        return step

    def _steps_of(self, element: Element) -> list[Step]:
        """The steps that an element is at this stage: one, and one for arrays."""
        wanted = symbol_of(element)
        return [s for s in self.found.steps if s.stage is self.stage and s.edge.symbol == wanted]

    def _take(self, element: Element, step: Step) -> None:
        names = [self._member(step, parameter) for parameter in step.parameters]
        self.calls.append(Call(step, names, names))
        self.stage = step.to

    def _step(self, element: Element, repeats: bool) -> Step:
        return next(s for s in self._steps_of(element) if s.repeats == repeats)

    def _member(self, step: Step, p: Parameter) -> str:
        """Adds a member to the struct, by a name that is free."""
        name = p.name
        if name in ("list", "count") and (step.repeats or step.edge.symbol.op == "list"):
            name = step.segment.call + ("s" if name == "list" else "_count")
        taken = {m.name for m in self.members}
        if name in taken:
            name = f"{step.segment.call}_{name}"
        while name in taken:
            name += "_2"
        self.members.append(Parameter(p.c_type, name, p.doc, p.counted))
        return name


class _Way(_Path):
    """A layout with some of its optional parts, for a one-call post. Each has a pointer, which is NULL where it is left out."""

    def __init__(self, found: BuilderSet, model: Model, begin: Begin, plain: _Way | None = None, chosen: Collection[int] = ()):
        super().__init__(found, model, begin)
        self.names: dict[tuple[int, int], str] = {}  # (optional part or 0, number in it) → member
        if plain:
            self.members, self.names = plain.members, plain.names
        self.chosen = chosen
        self.met: list[int] = []  # optional parts
        self.within = 0
        self.counts: dict[int, int] = {}
        self.present: list[str] = []
        self.needed: list[tuple[str, str]] = []
        self.left_out: list[tuple[str, str]] = []  # members that are NULL, and yet have a length: where their part is left out
        self.told = True  # whether the optional part is there has its member

    def _optional(self, element: Element) -> None:
        self.met.append(id(element))
        if self.within or id(element) not in self.chosen:
            return
        self.within, self.told = id(element), False
        self.walk(element.body)
        if not self.told:
            call = self.calls[-1]
            self._note(self._named(call.step, Parameter("bool", f"with_{call.step.name}", "whether the request has it")))
        self.within, self.told = 0, True

    def _take(self, element: Element, step: Step) -> None:
        # What is passed by its values is given whole where it may be left out: values have no NULL.
        whole = bool(self.within and step.scalars and not step.repeats and not step.prepared and not step.segment.tail)
        struct = Parameter(f"const struct {cnames.seg(step.segment)} *", step.segment.name, step.segment.doc)
        names = [self._pointer_or_value(step, p) for p in ([struct] if whole else step.parameters)]
        self.calls.append(Call(step, [f"{names[0]}->{p.name}" for p in step.parameters] if whole else names, names))
        self.needed += self._conditions(step, names, [struct] if whole else step.parameters)
        self.stage = step.to

    def _pointer_or_value(self, step: Step, p: Parameter) -> str:
        if self.told or not p.c_type.endswith("*"):
            return self._named(step, p)
        name = self._named(step, replace(p, doc=p.doc.rstrip(".") + "; NULL: left out"))
        self._note(name)
        return name

    def _note(self, name: str) -> None:
        self.present.append(name)
        self.told = True

    def _named(self, step: Step, p: Parameter) -> str:
        number = self.counts.get(self.within, 0)
        self.counts[self.within] = number + 1
        if (self.within, number) not in self.names:
            self.names[self.within, number] = self._member(step, self._told_apart(step, p))
        return self.names[self.within, number]

    def _told_apart(self, step: Step, p: Parameter) -> Parameter:
        """What is optional is named for its segment: inline_data and inline_data_byte_count."""
        if not self.within or p.name in ("list", "count", step.segment.name) or p.c_type == "bool":
            return p
        return replace(p, name=step.segment.call if p.counted else f"{step.segment.call}_{p.name}")

    def _conditions(self, step: Step, names: list[str], parameters: list[Parameter]) -> list[tuple[str, str]]:
        """The pointers that may not be NULL, those of arrays and payloads only if they hold anything."""
        found = []
        for number, (name, p) in enumerate(zip(names, parameters)):
            if not p.c_type.endswith("*"):
                continue
            held = f" && args->{names[number + 1]}" if p.counted else ""
            if name in self.present:
                self.left_out += [(name, f"!args->{name}{held}")] if held else []
            else:
                found.append((name, f"!args->{name}{held}"))
        return found


def _one_call(found: BuilderSet, model: Model, begin: Begin) -> OneCall:
    layout = begin.start.request.layout
    plain = _Way(found, model, begin)
    plain.walk(layout)
    optional = list(dict.fromkeys(plain.met))[:MOST_OPTIONAL]
    ways = []
    for count in range(len(optional), 0, -1):
        for chosen in combinations(optional, count):
            way = _Way(found, model, begin, plain, chosen)
            way.walk(layout)
            ways.append(way)
    without = list(dict.fromkeys(wrong for way in ways for wrong in way.left_out))
    return OneCall(begin, plain.members, [Variant(way.present, [w for w in without if w[0] not in way.present] + way.needed,
                                                  way.calls, way.stage) for way in [*ways, plain]])


Choice = tuple[str, str, str, list[Parameter], str]  # argument type, function, result type, parameters, argument name


@dataclass
class Overload:
    """One name that a user calls, and the functions behind it by the type of the first argument."""

    name: str  # without segue_
    choices: list[Choice]

    @property
    def begins(self) -> bool:
        """The first argument is a queue."""
        return self.choices[0][0].endswith("*")

    @property
    def ends(self) -> bool:
        """The result is no state."""
        return self.choices[0][2] in ("int", "void")

    @property
    def gives(self) -> bool:
        return self.choices[0][2] != "void"

    @property
    def bare_choices(self) -> list[Choice]:
        return [c for c in self.choices if not c[3]]

    @property
    def other_choices(self) -> list[Choice]:
        return [c for c in self.choices if c[3]]

    @property
    def wants(self) -> list[tuple[list[Parameter], list[str]]]:
        """The types of the first argument by what has to stand behind it."""
        found: dict[tuple[str, ...], tuple[list[Parameter], list[str]]] = {}
        for argument, _, _, parameters, _ in self.choices:
            key = tuple(p.declaration for p in parameters)
            found.setdefault(key, (parameters, []))[1].append(argument)
        return list(found.values())

    @property
    def bare(self) -> bool:
        return all(not c[3] for c in self.choices)

    @property
    def mixed(self) -> bool:
        return not self.bare and any(not c[3] for c in self.choices)


def overloads(sets: list[BuilderSet]) -> list[Overload]:
    """Every overloaded name, sorted."""
    found: dict[str, Overload] = {}

    def add(name: str, argument: str, function: str, result: str, parameters: list[Parameter], first: str) -> None:
        found.setdefault(name, Overload(name, [])).choices.append((argument, function, result, parameters, first))

    for builders in sets:
        machine = builders.machine
        handle = f"struct {builders.handle} *"
        queue = "sq" if builders.send else builders.machine.queue
        for begin in builders.begins:
            add(begin.name, handle, begin.function, state_type(machine, begin.to), begin.parameters, queue)
            if builders.ring and builders.send:
                add(begin.name, f"struct {builders.batch} *", f"seguei_{machine.name}_batch_{begin.name}", state_type(machine, begin.to),
                    begin.parameters, "batch")
        for step in builders.steps:
            add(step.name, state_type(machine, step.stage), step.function, state_type(machine, step.to), step.parameters, "w")
        for option in builders.options:
            for stage in option_stages(builders):
                add(option.name, state_type(machine, stage), f"seguei_{machine.name}_{stage.name}_{option.name}",
                    state_type(machine, stage), [_scalar(option.field)], "w")
        for stage in builders.stages:
            if stage.accepting:
                for ending in endings(builders):
                    add(ending, state_type(machine, stage), f"seguei_{machine.name}_{stage.name}_{ending}", "int", [], "w")
        for one in builders.one_calls:
            args = f"const struct segue_{machine.name}_{one.begin.name}_args *"
            add(f"{builders.one_call}_{one.begin.name}", handle, f"seguei_{machine.name}_{builders.one_call}_{one.begin.name}", "int",
                [Parameter(args, "args", "")], queue)
        if builders.ring:
            add("ring", handle, f"seguei_{machine.name}_ring", "void", [], queue)
        if builders.ring and builders.send:
            add("batch_begin", handle, f"seguei_{machine.name}_batch_begin", f"struct {builders.batch}", [], queue)
            add("batch_end", f"struct {builders.batch} *", f"seguei_{machine.name}_batch_end", "void", [], "batch")
    return [found[name] for name in sorted(found)]


def endings(builders: BuilderSet) -> list[str]:
    if not builders.ring:
        return ["commit"]
    return ["commit", "post", "post_blueflame"] if builders.send else ["commit", "post"]


def option_stages(builders: BuilderSet) -> list[Stage]:
    """Right behind the control segment, where the request's options may be set."""
    return [begin.to for begin in builders.begins]


def limited_of(segment: Segment) -> list[Field]:
    """Fields whose C type holds more than they do."""
    return [f for f in segment.fields if f.in_struct and (cnames.has_max(f) or cnames.has_min(f) or cnames.gaps(f))]


def field_id(segment: Segment, f: Field) -> str:
    return f"SEGUEI_FIELD({cnames.seg_macro(segment)}_ID, {tables.field_index(segment, f)})"


def dword_shift(f: Field) -> int:
    """Left shift of a control field within its dword."""
    return f.lsb % 32


@dataclass
class Put:
    """What is written for one segment of a send or a receive WQE, whatever the state."""

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

    def blame(self, f: Field) -> str:
        """The field as the posting path names it: see segue/range.h."""
        return field_id(self.segment, f)

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
        return [Parameter(f"const struct segue_{name} *", name, "")] + [_scalar(f) for f in self.segment.prepared.args]


@once
def put_context(model: Model) -> dict[str, Any]:
    """The segments that machines write: those of send queues first, each sorted by name; blocks are written alike for both."""
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
    return {"puts": [found[key] for key in sorted(found)], "field_id": field_id}


def _members(parameters: list[Parameter]) -> list[tuple[str, str]]:
    return [(p.declaration + ";", p.doc) for p in parameters]


def control_context(model: Model) -> dict[str, Any]:
    """At least one announcement, because C has no empty arrays."""
    passages = [Passage(machine, start) for machine in machines(model) for start in machine.starts]
    next_flag = next((r.next_flag.value for r in model.work_requests if r.next_flag), 0)
    next_field = sum(((1 << f.width) - 1) << f.lsb for f in model.control.control.flags if next_flag >> f.lsb & ((1 << f.width) - 1))
    return {"control": model.control, "announcements": max([1] + [len(passage.announced) for passage in passages]),
            "next_flag": next_flag, "next_field": next_field}


@once
def step_names(model: Model) -> dict[str, list[str]]:
    """What can be called with each type as the first argument."""
    found: dict[str, list[str]] = {}
    for overload in overloads(builder_sets(model)):
        for argument, *_ in overload.choices:
            found.setdefault(argument, []).append(overload.name)
    return found


def next_steps(model: Model) -> list[list[str]]:
    """What can follow requests under construction: each set of steps once."""
    found = {tuple(steps) for argument, steps in step_names(model).items() if not argument.endswith("*")}
    return [list(steps) for steps in sorted(found)]


def machine_context(model: Model) -> dict[str, Any]:
    return {
        "steps_at": lambda argument: step_names(model).get(argument, []),
        "control": model.control,
        "state_type": state_type,
        "exact": lambda wrap: wrap is not Wrap.NONE,
        "limited_of": limited_of,
        "dword_shift": dword_shift,
        "field_id": field_id,
        "count_of": lambda request: count_of(model, request),
        "added": lambda step: added(step, model.unit),
        "most_counted": lambda request: most_counted(model, request),
        "option_stages": option_stages,
        "members": _members,
        "dict": dict,
    }


def count_of(model: Model, request: WorkRequest) -> tuple[int, int]:
    """(bytes before what the control segment's size counts, bytes of each). Nothing on a ring;
    (length, 0) where all have one."""
    if model.device.ring or request.control is None:
        return 0, 0
    if request.counts == "units":
        return 0, model.unit
    if not request.counts:
        begin = next(b for s in builder_sets(model) for b in s.begins if b.start.request is request)
        return least(model.device, begin.start, request.control.size), 0
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


@once
def builders_context(model: Model) -> dict[str, Any]:
    sets = builder_sets(model)
    masks = {s.name: option_mask(s) for s in sets}
    return {
        "sets": sets,
        "overloads": overloads(sets),
        "next_steps": next_steps(model),
        "tables": [tables.machine_table(s.machine) for s in sets],
        "announced": sorted({pair for s in sets for pair in s.machine.announced}),
        "control": model.control,
        "controls": {control.name: tables.control_name(model, control)
                     for control in model.controls},
        "field_index": tables.field_index,
        "count_of": lambda request: count_of(model, request),
        "flags_of": lambda request: member_mask(request.flags),
        "option_mask": lambda machine: masks[machine.name],
    }


def option_mask(builders: BuilderSet) -> int:
    """Bits of the flags' dword that something else than flags fills: options of the transport, arguments of its requests, and
    what the builder writes itself."""
    mask = 0
    for request in (s.request for s in builders.machine.starts if s.request.control):
        segment = request.control
        control = segment.control
        fields = [one.field for one in [*builders.options, *request.args, *request.sums]]
        fields += [f for _, f in control.parts] + [f for f in segment.fields if f.const is not None]
        fields += [segment.get(name) for name in request.fixed]
        for f in fields if control.flags else []:
            if f.byte == control.flags[0].byte:
                mask |= ((1 << f.width) - 1) << dword_shift(f)
    return mask


@dataclass
class Added:
    """What a step adds to something that the control segment counts."""

    name: str  # of the control segment's field
    value: str  # in C
    each: bool  # of each entry of an array


def added(step: Step, unit: int) -> list[Added]:
    """What a step adds to the sums of its request."""
    found = []
    for one in step.stage.request.sums:
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
