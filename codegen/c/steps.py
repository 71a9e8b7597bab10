# SPDX-License-Identifier: BSD-2-Clause
"""The steps that a user of C can call, named and typed.

A request's stages become types, its edges functions from one type to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional

from codegen.machine.automaton import Edge, Machine, Start, least
from codegen.c import cnames
from codegen.model.model import Argument, Field, Item, Model, Prepared, Segment, Wrap
from codegen.machine.stages import Passage, Stage


@dataclass
class Parameter:
    c_type: str  # "uint32_t", "const struct segue_address_vector *"
    name: str
    doc: str
    counted: bool = False  # a pointer to a number of entries or bytes, which the next parameter gives
    told: str = ""  # of a field: its meaning, unit and range

    @property
    def declaration(self) -> str:
        return self.c_type + ("" if self.c_type.endswith("*") else " ") + self.name


@dataclass
class Step:
    """A function for one edge."""

    stage: Stage
    edge: Edge
    to: Stage
    slot: int  # list: announcement of its size
    name: str  # "raddr": the user's name after segue_
    function: str  # of a ring, for all steps that do the same: "seguei_step_raddr". Of a block "seguei_sq_write_wants_raddr_raddr"
    parameters: list[Parameter]
    by_struct: bool
    scalars: list[Field]  # fields given as parameters
    prepared: Optional[Prepared]
    announces: list[tuple[int, Field, int]]  # (slot, field, bytes per unit)
    repeats: bool = False  # an array of the segment, entries one after the other
    entries_slot: int = 0  # list: announcement of the number of its entries
    sum_slot: int = 0  # list: announcement of the sum over its entries
    least: int = 0  # array of a one-call post: least entries
    most: Optional[int] = None  # most entries. None: as many as the largest WQE holds

    @property
    def segment(self) -> Segment:
        return self.edge.segment

    @property
    def doc(self) -> str:
        """The segment that its function writes, and its values."""
        return "\n".join([self.segment.doc, *(f"@{p.name}: {p.told}" for p in self.parameters if p.told)])

    @property
    def across(self) -> bool:
        """The segment may lie across the end of the ring, and this function must handle that."""
        return not (self.repeats or self.segment.tail or self.edge.symbol.op == "list") and self.edge.wrap is not Wrap.NONE

    @property
    def does(self) -> tuple:
        """A key that is equal for steps of one name that do the same."""
        symbol = self.edge.symbol
        return (symbol.fixed, symbol.min, symbol.max, symbol.head, symbol.pad, symbol.entries and self.entries_slot,
                symbol.sum and (symbol.sum[0], self.sum_slot), self.slot, self.repeats, self.least, self.most,
                *((slot, f.name, unit) for slot, f, unit in self.announces), *(p.declaration for p in self.parameters))

    @property
    def fixed(self) -> list[tuple[Field, int]]:
        return [(self.segment.get(name), value) for name, value in self.edge.symbol.fixed]

    @property
    def written(self) -> list[tuple[Field, str]]:
        """(field, value in C) of the fields that the builder computes."""
        piece, lap = self.edge.symbol.piece, self.segment.get(self.edge.symbol.lap)
        return ([(lap, "seguei_block_lap(&w.b)")] if lap else []) + ([(self.segment.get(piece[0]), f"{1 - piece[1]}")] if piece else [])

    @property
    def piece(self) -> str:
        """Byte and mask of the bit that marks the last piece, in C. Empty if there is none."""
        piece = self.edge.symbol.piece
        byte, mask = self.segment.get(piece[0]).bit if piece else (0, 0)
        return f"{byte}, {mask:#x}" if piece else ""

    @property
    def zeroed(self) -> bool:
        """Some members of the struct are set by neither side and must be zero."""
        given = {f.name for f in self.scalars} | {f.name for f, _ in [*self.fixed, *self.written]}
        if self.segment.tail:
            given.add(self.segment.tail.length.name)
        return any(f.in_struct and f.name not in given for f in self.segment.fields)

    @property
    def pointers(self) -> list[tuple[str, str]]:
        """(condition in C that it is missing, name) of each pointer. Arrays and payloads are needed only if their length is not 0."""
        found = []
        for number, p in enumerate(self.parameters):
            if p.c_type.endswith("*"):
                held = f"{self.parameters[number + 1].name} && " if p.counted else ""
                found.append((f"{held}!{p.name}", p.name))
        return found

    @property
    def bounded(self) -> bool:
        """An array whose number of entries is checked."""
        return self.repeats and (self.least > 0 or self.most is not None)

    @property
    def makes_value(self) -> bool:
        """The step fills a struct of its own. Otherwise it passes the caller's struct to the packer."""
        if self.repeats:
            return bool(self.fixed or self.written)
        if self.edge.symbol.op == "list" or self.prepared:
            return False
        return not self.by_struct or any(f.in_struct for f, _ in [*self.fixed, *self.written])


@dataclass
class Begin:
    """A function that begins a work request."""

    machine: Machine
    start: Start
    name: str
    function: str  # of a ring, for all queues: "seguei_request_send"
    parameters: list[Parameter]
    to: Stage  # stage from which the caller continues, after segments that the queue writes itself
    units: int = 0  # of the shortest WQE
    gaps: list[int] = field(default_factory=list)  # on blocks: bytes of segments that the queue writes


@dataclass
class Call:
    """One step of a one-call post."""

    step: Step
    arguments: list[str]  # from the struct: "lkey", or "table_ctrl->owner" of a segment given whole
    names: list[str] = field(default_factory=list)  # their members


@dataclass
class Variant:
    """A one-call post with some of the optional parts of the layout."""

    present: list[str]  # members that are not NULL, or not 0, in this variant
    needed: list[tuple[str, str]]  # members that this variant requires: name, and C condition that it is missing
    calls: list[Call]
    last: Stage


@dataclass
class OneCall:
    begin: Begin
    members: list[Parameter]
    variants: list[Variant]  # the first that fits is taken. The last has no optional part

    @property
    def calls(self) -> list[Call]:
        """The variant without optional parts."""
        return self.variants[-1].calls


@dataclass
class BuilderSet:
    """All functions of one machine."""

    machine: Machine
    handle: str  # "segue_rc_sq"
    options: list[Argument]
    begins: list[Begin]
    steps: list[Step] = field(default_factory=list)
    arrays: list[Step] = field(default_factory=list)  # only of one-call posts
    stages: list[Stage] = field(default_factory=list)  # stages that a caller can hold
    one_calls: list[OneCall] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)  # spec items from which it is made

    @property
    def name(self) -> str:
        return self.machine.name

    laps: bool = False  # its builders write the lap of the ring
    ring: bool = True  # posted to a ring. Otherwise written to a block of the caller's

    @property
    def one_call(self) -> str:
        """The first word of the name of a function for a whole request."""
        return "post" if self.ring else "commit"

    @property
    def send(self) -> bool:
        return self.machine.queue == "send"

    def keeps(self, stage: Stage) -> bool:
        """A request that ends here can be kept as a pattern, unless later requests must wait for it."""
        return self.ring and self.send and stage.accepting and not stage.request.next_flag

    @property
    def build(self) -> str:
        """The type that the steps of a ring pass on."""
        return "seguei_build" if self.send else "seguei_recv"

    def setting(self, stage: Stage, option: Argument) -> str:
        """The function of an option, named as that of a step."""
        return f"seguei_{self.name}_{'' if self.ring else stage.name + '_'}{option.name}"

    def ending(self, stage: Stage, name: str) -> str:
        return f"seguei_{self.name}_{'end' if self.ring else stage.name}_{name}"

    @property
    def batch(self) -> str:
        """The handle of several requests in a row: "segue_rc_batch"."""
        return f"segue_{self.machine.name}_batch"


def state_type(machine: Machine, stage: Stage) -> str:
    return f"struct segue_{machine.name}_{stage.name}"


def handle_name(machine: Machine) -> str:
    return f"segue_{machine.name}_sq" if machine.queue == "send" else f"segue_{machine.queue}"


def scalar(f: Field) -> Parameter:
    if f.is_bytes:
        return Parameter("const uint8_t *", f.name, f.doc, told=f"{f.doc} {f.width // 8} bytes.")
    least, most = cnames.lowest(f), cnames.highest(f)
    bounds = f"{least} to {most:#x}" if (least, most) not in ((0, 2**32 - 1), (0, 2**64 - 1)) else ""
    within = ", ".join(word for word in (f.unit, bounds) if word)
    return Parameter(cnames.parameter_type(f), f.name, f.doc, told=f"{f.doc} ({within})" if within else f.doc)


def one_step(machine: Machine, passage: Passage, stage: Stage, edge: Edge, to: Stage, repeats: bool = False) -> Step:
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
        parameters += [scalar(f) for f in scalars]
    elif segment.whole:
        by_struct = True
        parameters.append(Parameter(struct, segment.name, segment.doc))
    else:
        scalars = fields
        parameters += [scalar(f) for f in scalars]
    if segment.tail:
        parameters += [Parameter("const void *", "data", "payload, copied", True),
                       replace(scalar(segment.tail.length), c_type="uint32_t")]
    name = edge.call + ("_list" if repeats else "")
    symbol = edge.symbol
    return Step(stage, edge, to, passage.slot(symbol.count), name, f"seguei_{machine.name}_{stage.name}_{name}", parameters, by_struct,
                scalars, prepared, passage.slots_of(segment), repeats, passage.slot(symbol.entries),
                passage.slot(symbol.sum[1] if symbol.sum else None))


def array_step(one: Step, to: Stage, least: int, most: Optional[int], number: int) -> Step:
    struct = f"const struct {cnames.seg(one.segment)} *"
    entries = f"entries, {least} to {most}" if most is not None else "entries"
    parameters = [Parameter(struct, "list", "the entries", True), Parameter("uint32_t", "count", entries)]
    return replace(one, to=to, name=f"{one.name}_list", function=f"{one.function}_array_{number}", parameters=parameters, by_struct=False,
                   scalars=[], prepared=None, announces=[], repeats=True, least=least, most=most)


def begin_of(model: Model, machine: Machine, start: Start, passage: Passage) -> Begin:
    request, device = start.request, model.device
    control = request.control.size if request.control else 0
    parameters = [Parameter("uint64_t", "wr_id", "returned with the completion")] if device.ring else []
    if request.control and request.control.control.flags:
        parameters.append(Parameter("uint32_t", "flags", f"of enum segue_{device.roles['flags'].name}, or 0"))
    parameters += [replace(scalar(a.field), name=a.name, doc=a.doc) for a in request.args]
    to, gaps = passage.behind_queue()
    function = "request" if device.ring and machine.queue == "send" else f"{machine.name}_begin"
    return Begin(machine, start, request.call, f"seguei_{function}_{request.name}", parameters, to,
                 -(-least(device, start, control) // device.unit), gaps)


def steps_of(machine: Machine, passage: Passage) -> list[Step]:
    found = []
    for stage in passage.stages:
        for edge, to in stage.steps:
            if edge.symbol.by == "queue" or edge.symbol.op == "terminator":
                continue
            found.append(one_step(machine, passage, stage, edge, to))
            if stage.takes_arrays(edge):
                found.append(one_step(machine, passage, stage, edge, to, repeats=True))
    return found


def share(model: Model, sets: list[BuilderSet]) -> None:
    """Gives all steps of rings that do the same one function, for all queues. Also for all requests, if nothing in it depends on the request.

    A user's file moves no function of the base set: if only one queue's header has it, other queues have it by another name."""
    found: dict[str, dict[tuple, Step]] = {}
    alone: dict[str, Optional[str]] = {}  # function of the base set → the only queue that has it
    every = [(model.is_own(step.stage.request), builders, step) for builders in sets for step in builders.steps + builders.arrays]
    for own, builders, step in sorted(every, key=lambda one: one[0]):
        segment = step.segment
        bound = step.edge.symbol.fixed or step.edge.symbol.op == "list" or step.announces or step.bounded
        words = ["step" if builders.send else "recv_step", builders.send and step.across and "across", bound and step.stage.request.name,
                 segment.name != segment.call and segment.name, step.name]
        same = found.setdefault("_".join(word for word in words if word), {})
        if step.does not in same:
            words[0] = f"{words[0]}_{len(same) + 1}" if same else words[0]
            step.function = "_".join(["seguei", *(word for word in words if word)])
            same[step.does] = step
        step.function = same[step.does].function
        if not own:
            alone[step.function] = builders.name if alone.get(step.function, builders.name) == builders.name else None
        elif (alone.get(step.function) or builders.name) != builders.name:
            step.function = step.function.replace("seguei_", "seguei_own_", 1)


def functions(sets: list[BuilderSet], user: Optional[BuilderSet]) -> list[tuple[BuilderSet, Begin | Step]]:
    """The functions of rings that several machines share, and those of one machine alone."""
    found: dict[str, list[tuple[BuilderSet, Begin | Step]]] = {}
    for builders in sets:
        for one in [*builders.begins, *builders.steps, *builders.arrays]:
            found.setdefault(one.function, []).append((builders, one))
    users = {function: {builders.name for builders, _ in found[function]} for function in sorted(found)}
    return [found[f][0] for f in users if (users[f] == {user.name} if user else len(users[f]) > 1)]
