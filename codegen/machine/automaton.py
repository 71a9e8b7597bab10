# SPDX-License-Identifier: BSD-2-Clause
"""Construction of machines from layouts.

Every queue kind (a transport's send queue, or a kind of receive queue) gets one deterministic, minimal automaton. Its start edges are the
work requests, and its other edges are segments. C types, the validation table and the pictures in the reference are all made from these
machines.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Callable, Iterable, Iterator, Optional

from codegen.model.model import Device, Element, Field, Model, Place, Segment, SpecError, WorkRequest, Wrap, once


@dataclass(frozen=True)
class Symbol:
    """Input of an edge: a segment as one layout uses it. Equal symbols are the same bytes to every reader."""

    op: str  # "segment", "list" or "terminator"
    segment: str
    fixed: tuple[tuple[str, int], ...] = ()
    count: Optional[tuple[str, str]] = None  # list: (segment, field) that announced its size
    unit: int = 0
    pad: int = 0
    min: int = 0
    max: Optional[int] = None
    by: str = "program"
    head: int = 0  # list
    entries: Optional[tuple[str, str]] = None  # list: (segment, field) that holds the number of entries
    sum: Optional[tuple[str, tuple[str, str]]] = None  # list: field of the entries, and (segment, field) that holds its sum
    piece: Optional[tuple[str, int]] = None  # the field that marks the last piece, and its value there
    lap: str = ""  # the field that holds the lap of the ring
    told: bool = False  # the control segment has the length of the payload

    @property
    def announced(self) -> list[tuple[tuple[str, str], int]]:
        """Sizes of a list from earlier segments: ((segment, field), bytes or entries per unit)."""
        return ([(self.count, self.unit)] if self.count else []) + ([(self.entries, 1)] if self.entries else []) + \
            ([(self.sum[1], 1)] if self.sum else [])

    def order(self) -> tuple:
        """A total order, so that no output depends on hashing."""
        return (self.segment, self.op, self.fixed, self.count or ("", ""), self.unit, self.pad, self.min, self.max or 0, self.by,
                self.head, self.entries or ("", ""), self.sum or ("", ("", "")), self.piece or ("", 0), self.lap, self.told)

    @property
    def written(self) -> set[str]:
        """The fields that the caller does not give."""
        return {name for name, _ in self.fixed} | {self.piece[0] if self.piece else "", self.lap}


@dataclass
class Edge:
    symbol: Symbol
    segment: Segment
    to: "MachineState"
    wrap: Wrap = Wrap.NONE

    @property
    def call(self) -> str:
        """Name of the builder function for this edge, after the prefix."""
        return self.segment.call + ("_list" if self.symbol.op == "list" else "")

    @property
    def fields(self) -> list[Field]:
        """The fields that a caller gives: those that this use does not fix and the builder does not write by itself."""
        named = self.segment.args if self.segment.args is not None else self.segment.fields
        return [f for f in named if f.in_struct and f.name not in self.symbol.written]


@dataclass
class MachineState:
    index: int = 0
    accepting: bool = False
    edges: list[Edge] = field(default_factory=list)
    after: str = ""  # call by which it is first reached

    @property
    def name(self) -> str:
        """The steps that it expects next: wants_raddr, may_take_sge, complete. Several states may have one name."""
        calls = list(dict.fromkeys(e.call for e in self.segment_edges))
        return ("may_take_" if self.accepting else "wants_") + "_or_".join(calls) if calls else "complete"

    @property
    def segment_edges(self) -> list[Edge]:
        return [e for e in self.edges if e.symbol.op != "terminator"]


@dataclass
class Start:
    request: WorkRequest
    to: MachineState
    layout: list[Element]  # as its queue has it


@dataclass
class Machine:
    name: str  # name of the transport, or of the kind of receive queue
    doc: str
    queue: str  # "send", or a kind of receive queue
    starts: list[Start]
    states: list[MachineState]
    announced: list[tuple[str, str]]  # (segment, field) pairs that announce list sizes, in slot order
    device: Device
    first: int  # units before the first segment
    unit: int = 1  # bytes in which its lengths are counted
    largest: int = 0  # units of the longest entry
    laps: dict[str, str] = field(default_factory=dict)  # request → the field that holds the lap of the ring

    def written(self, request: WorkRequest) -> set[str]:
        """Fields of its segments that the builder writes by itself."""
        return {self.laps.get(request.name, ""), request.ends[0] if request.ends else ""} - {""}

    def slot(self, announcing: Optional[tuple[str, str]]) -> int:
        return self.announced.index(announcing) if announcing else 0

    def unit_of(self, slot: int) -> int:
        units = {unit for s in self.states for e in s.edges for pair, unit in e.symbol.announced if pair == self.announced[slot]}
        return units.pop()


def names_of(pair: Optional[tuple[Segment, Field]]) -> Optional[tuple[str, str]]:
    return (pair[0].name, pair[1].name) if pair else None


class _Nfa:
    """Thompson's construction. States are integers, moves are lists of (symbol or None, to)."""

    def __init__(self) -> None:
        self.moves: list[list[tuple[Optional[Symbol], int]]] = []

    def state(self) -> int:
        self.moves.append([])
        return len(self.moves) - 1

    def add(self, source: int, symbol: Optional[Symbol], to: int) -> None:
        self.moves[source].append((symbol, to))

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        seen = set(states)
        todo = list(seen)
        while todo:
            for symbol, to in self.moves[todo.pop()]:
                if symbol is None and to not in seen:
                    seen.add(to)
                    todo.append(to)
        return frozenset(seen)

    def sequence(self, layout: list[Element], start: int) -> int:
        """Adds a layout of one queue (see layout_on()), and returns its end."""
        for element in layout:
            start = getattr(self, "_" + element.op)(element, start)
        return start

    def _segment(self, element: Element, start: int) -> int:
        end = self.state()
        self.add(start, symbol_of(element), end)
        return end

    _list = _segment

    def _terminator(self, element: Element, start: int) -> int:
        end = self._segment(element, start)
        self.add(start, None, end)  # a full stride has none
        return end

    def _choice(self, element: Element, start: int) -> int:
        end = self.state()
        for alternative in element.choices:
            first = self.state()
            self.add(start, None, first)
            self.add(self.sequence(alternative, first), None, end)
        return end

    def _optional(self, element: Element, start: int) -> int:
        end = self.state()  # a new state: in the end state of a loop, a path that omits this element could enter the loop
        self.add(self.sequence(element.body, start), None, end)
        self.add(start, None, end)
        return end

    def _repeat(self, element: Element, start: int) -> int:
        for _ in range(element.min):
            start = self.sequence(element.body, start)
        if element.max is None:
            loop = self.state()
            self.add(start, None, loop)
            self.add(self.sequence(element.body, loop), None, loop)
            return loop
        end = self.state()
        self.add(start, None, end)
        for _ in range(element.max - element.min):
            start = self.sequence(element.body, start)
            self.add(start, None, end)
        return end


def symbol_of(element: Element) -> Symbol:
    """The symbol of a layout's segment, list or terminator."""
    assert element.segment is not None
    symbol = Symbol(element.op, element.segment.name, tuple(sorted(element.fixed.items())), by=element.by, piece=element.piece,
                    lap=element.lap, told=element.told)
    if element.op != "list":
        return symbol
    return replace(symbol, count=names_of(element.count), unit=element.unit, pad=element.pad, min=element.min, max=element.max,
                   head=element.head, entries=names_of(element.entries),
                   sum=(element.sum[0].name, names_of(element.sum[1])) if element.sum else None)


def is_on(element: Element, queue: str) -> bool:
    """Whether anything of an element is for a queue."""
    if element.when is not None and queue not in element.when:
        return False
    if element.op == "choice":
        return any(is_on(inner, queue) for branch in element.choices for inner in branch)
    return element.op not in ("fragment", "optional", "repeat") or any(is_on(inner, queue) for inner in element.body)


def choices_on(element: Element, queue: str) -> list[list[Element]]:
    """The alternatives of a choice with elements for this queue. If there are none, one empty alternative, because the choice as a
    whole is for other queues.
    """
    return [branch for branch in element.choices if any(is_on(inner, queue) for inner in branch)] or [[]]


def layout_on(layout: list[Element], queue: str, address: list[Element]) -> list[Element]:
    """A layout for one queue: parts for others are removed, and fragments and the address are expanded."""
    found: list[Element] = []
    for element in layout:
        if element.when is not None and queue not in element.when:
            continue
        if element.op in ("address", "fragment"):
            found += layout_on(address if element.op == "address" else element.body, queue, address)
        elif element.segment is not None:
            found.append(element)
        else:
            here = choices_on(element, queue) if element.op == "choice" else []
            choices = [layout_on(branch, queue, address) for branch in here]
            found.append(replace(element, choices=choices, body=layout_on(element.body, queue, address)))
    return found


def built(model: Model, request: WorkRequest, queue: str) -> list[Element]:
    """The layout of a request on a queue, with the fields that the builder itself writes."""
    layout, lap, told = layout_on(request.layout, queue, model.address(queue)), model.lap(request, queue), any(s.what == "bytes" for s in request.sums)
    return _built(layout, request.ends, lap, told) if request.ends or lap or told else layout


def _built(layout: list[Element], ends: Optional[tuple[str, int]], lap: str, told: bool) -> list[Element]:
    found = []
    for element in layout:
        has = element.segment.get if element.segment else lambda name: None
        rests = element.segment is not None and element.segment.tail is not None and element.segment.tail.rest
        found.append(replace(
            element, piece=ends if ends and has(ends[0]) else None, lap=lap if lap and has(lap) else "",
            told=told and rests and (ends is not None or element.segment.tail.min_size > 0 or element.segment.tail.pad > 1),
            body=_built(element.body, ends, lap, told), choices=[_built(branch, ends, lap, told) for branch in element.choices]))
    return found


@dataclass
class _Dfa:
    starts: list[tuple[WorkRequest, int]]
    moves: list[dict[Symbol, int]]
    accepting: list[bool]


MOST_STATES = 1024  # of one machine


class TooManyStates(Exception):
    """The layouts have so many different ways that no table holds them."""


def _determinise(nfa: _Nfa, starts: list[tuple[WorkRequest, int]], finals: set[int]) -> _Dfa:
    numbers: dict[frozenset[int], int] = {}
    todo: deque[frozenset[int]] = deque()
    dfa = _Dfa([], [], [])

    def number(subset: frozenset[int]) -> int:
        if subset not in numbers:
            if len(numbers) == MOST_STATES:
                raise TooManyStates
            numbers[subset] = len(numbers)
            dfa.moves.append({})
            dfa.accepting.append(bool(subset & finals))
            todo.append(subset)
        return numbers[subset]

    for request, start in starts:
        dfa.starts.append((request, number(nfa.closure([start]))))
    while todo:
        subset = todo.popleft()
        targets: dict[Symbol, set[int]] = {}
        for state in subset:
            for symbol, to in nfa.moves[state]:
                if symbol is not None:
                    targets.setdefault(symbol, set()).add(to)
        here = numbers[subset]
        for symbol in sorted(targets, key=Symbol.order):
            dfa.moves[here][symbol] = number(nfa.closure(targets[symbol]))
    return dfa


def _minimise(dfa: _Dfa) -> list[int]:
    """Moore's partition refinement: the class of each state."""
    classes = [int(a) for a in dfa.accepting]
    while True:
        signatures: dict[tuple, int] = {}
        refined = []
        for state, moves in enumerate(dfa.moves):
            signature = (classes[state], tuple((s, classes[to]) for s, to in sorted(moves.items(), key=lambda m: m[0].order())))
            refined.append(signatures.setdefault(signature, len(signatures)))
        if len(signatures) == len(set(classes)):
            return refined
        classes = refined


def _machine(model: Model, name: str, doc: str, queue: str, requests: list[WorkRequest]) -> Machine:
    nfa = _Nfa()
    starts = []
    finals = set()
    layouts = [built(model, request, name) for request in requests]
    for request, layout in zip(requests, layouts):
        start = nfa.state()
        finals.add(nfa.sequence(layout, start))
        starts.append((request, start))
    try:
        dfa = _determinise(nfa, starts, finals)
    except TooManyStates:
        raise SpecError([_too_many(nfa, name, starts, finals)]) from None
    classes = _minimise(dfa)

    # Number the classes in the order in which a reader meets them: breadth first from the start edges.
    states: dict[int, MachineState] = {}
    order: deque[int] = deque()

    def reach(dfa_state: int, after: str) -> MachineState:
        cls = classes[dfa_state]
        if cls not in states:
            states[cls] = MachineState(index=len(states), accepting=dfa.accepting[dfa_state], after=after)
            order.append(dfa_state)
        return states[cls]

    first = requests[0].control.size // model.unit if requests[0].control else 0
    machine = Machine(name, doc, queue, [], [], [], model.device, first, *model.sizes(name))
    machine.laps = {request.name: model.lap(request, name) for request in requests}
    for (request, start), layout in zip(dfa.starts, layouts):
        machine.starts.append(Start(request, reach(start, request.name), layout))
    while order:
        dfa_state = order.popleft()
        here = states[classes[dfa_state]]
        for symbol, to in dfa.moves[dfa_state].items():
            segment = model.find(model.segments, symbol.segment)
            edge = Edge(symbol, segment, reach(to, segment.call))
            here.edges.append(edge)
    machine.states = list(states.values())
    for state in machine.states:
        for edge in state.edges:
            machine.announced += [pair for pair, _ in edge.symbol.announced if pair not in machine.announced]
    found = offsets(machine, machine.starts)
    for state in machine.states:
        for edge in state.edges:
            edge.wrap = wrap_of(machine.device, edge, found[state.index])
    return machine


def _too_many(nfa: _Nfa, name: str, starts: list[tuple[WorkRequest, int]], finals: set[int]) -> tuple[Place, str]:
    """The layout with too many states: a single one, or the one that exceeds the limit together with the others."""
    more = f"more than {MOST_STATES} states; expected "
    for request, start in starts:
        try:
            _determinise(nfa, [(request, start)], finals)
        except TooManyStates:
            return (request.place, f"what may come next in work request '{request.name}' on {name} depends on so much of what has "
                                   f"come that it takes {more}alternatives that are told apart by their first segment, or fewer")
    return (starts[-1][0].place, f"the requests on {name} have, taken together, {more}fewer alternatives and smaller bounds")


def offsets(machine: Machine, starts: list[Start]) -> dict[int, set[int]]:
    """Possible offsets of each state in its block, in units, when it is reached from `starts`."""
    found = {s.to.index: {machine.first % machine.device.units_per_block} for s in starts}
    todo = [s.to for s in starts]
    while todo:
        state = todo.pop()
        for edge in state.edges:
            after = _offsets_after(machine.device, edge, found[state.index])
            if not after <= found.setdefault(edge.to.index, set()):
                found[edge.to.index] |= after
                todo.append(edge.to)
    return found


def _offsets_after(device: Device, edge: Edge, offsets: set[int]) -> set[int]:
    anywhere = set(range(device.units_per_block))
    if edge.segment.tail:
        return anywhere
    if edge.symbol.op == "list":
        steps = {-(edge.symbol.head // device.unit)} if edge.symbol.pad % device.block == 0 else anywhere
    else:
        steps = {edge.segment.size // device.unit}
    return {(o + step) % device.units_per_block for o in offsets for step in steps}


def wrap_of(device: Device, edge: Edge, offsets: set[int]) -> Wrap:
    if edge.segment.tail or edge.symbol.op == "list":
        return Wrap.DATA
    units, block = edge.segment.size // device.unit, device.units_per_block
    if any(0 < o < block < o + units for o in offsets) or units > block:
        return Wrap.ANY
    return Wrap.EXACT if 0 in offsets else Wrap.NONE


@once
def machines(model: Model) -> list[Machine]:
    """One machine per transport's send queue, then one per kind of receive queue, if they have requests."""
    found = []
    for transport in model.transports:
        requests = [r for r in model.work_requests if transport.name in r.queues]
        if requests:
            found.append(_machine(model, transport.name, transport.doc, "send", requests))
    for queue in model.device.queues if model.devices else []:
        requests = [r for r in model.work_requests if r.queue == queue.name]
        if requests:
            found.append(_machine(model, queue.name, requests[0].doc, queue.name, requests))
    return found


def settings(machine: Machine, model: Model) -> dict[str, list[str]]:
    """Fields of each control segment with flags that are not filled by these on this queue."""
    owner = model.find(model.transports, machine.name)
    names: dict[str, set[str]] = {}
    for r in (start.request for start in machine.starts if start.request.control and start.request.control.control.flags):
        here = names.setdefault(r.control.name, {option.field.name for option in owner.options} if owner else set())
        here |= {one.field.name for one in [*r.args, *r.sums]} | set(r.fixed) | machine.written(r)
        here |= {f.name for _, f in r.control.control.parts}
        here |= {f.name for f in r.control.fields if f.const is not None}
    return {name: sorted(found) for name, found in sorted(names.items())}


# ---------------------------------------------------------------------------------------------------------------------
# Checks that need the machines.

ON = "on {queues}"  # in a sentence, for the queues concerned


def bits_of(segment: Segment, values: dict[str, int]) -> tuple[int, int]:
    """(mask, value) over the segment's bytes as one big-endian number: the bits that it has with these values."""
    mask = value = 0
    for f in segment.fields:
        constant = f.written(values[f.name]) if f.name in values else None
        if constant is not None:
            mask |= f.image((1 << f.width) - 1, segment.size)
            value |= f.image(constant, segment.size)
    return mask, value


def bits_differ(a: Segment, values_a: dict[str, int], b: Segment, values_b: dict[str, int]) -> bool:
    """True if no bytes have both values."""
    size = min(a.size, b.size)
    mask_a, value_a = (bits >> 8 * (a.size - size) for bits in bits_of(a, values_a))
    mask_b, value_b = (bits >> 8 * (b.size - size) for bits in bits_of(b, values_b))
    return bool((value_a ^ value_b) & mask_a & mask_b)


def always(edge: Edge) -> dict[str, int]:
    """The values that every segment of this use has."""
    return {f.name: f.const for f in edge.segment.fields if f.const is not None} | dict(edge.symbol.fixed)


def _excluded(segment: Segment, other: Edge) -> bool:
    """True if a field of `segment` cannot have the value that `other` always has in the same bits."""
    (mask, value), size = bits_of(other.segment, always(other)), other.segment.size
    for f in segment.fields:
        if f.is_bytes or f.reserved or f.pieces or f.byte + f.word // 8 > size:
            continue
        bits = f.image((1 << f.width) - 1, size)
        if mask & bits != bits:
            continue
        if not f.takes(f.meant(f.in_image(value, size))):
            return True
    return False


def tells_apart(a: Edge, b: Edge) -> bool:
    """True if no bytes can be both. The mark of the last piece also shows whether another one may come."""
    if (a.symbol.piece is None) != (b.symbol.piece is None):
        return True
    if bits_differ(a.segment, always(a), b.segment, always(b)):
        return True
    return _excluded(a.segment, b) or _excluded(b.segment, a)


def check_grammar(model: Model) -> list[tuple[Place, str]]:
    """Checks ambiguity, length and wrap policy. The same error on several queues is reported once, with all their names."""
    queues: dict[tuple[str, int, str], list[str]] = {}
    places: dict[tuple[str, int, str], Place] = {}
    for machine in machines(model):
        for place, text in [*_check_states(machine), *_check_calls(machine), *_check_empty_lists(machine), *_check_requests(model, machine),
                            *_check_length(model, machine), *_check_written_wraps(machine)]:
            key = (place.file, place.line, text)
            places[key] = place
            if machine.name not in queues.setdefault(key, []):
                queues[key].append(machine.name)
    return [(place, key[2].replace(ON, f"on {', '.join(queues[key])}")) for key, place in places.items()]


def reaching(machine: Machine, wanted: MachineState) -> list[Start]:
    """The requests with WQEs that pass through a state."""
    return [start for start in machine.starts if any(state is wanted for state in states_of(start))]


def _written_at(request: WorkRequest, edge: Edge) -> Place:
    """Place of an edge in a request's layout, or of the request itself if the edge belongs to a transport's address."""
    for element in elements(request.layout):
        if element.segment is edge.segment and tuple(sorted(element.fixed.items())) == edge.symbol.fixed:
            return element.place
    return request.place


def _may_be_empty(edge: Edge) -> bool:
    """True for a list that may be announced as empty, which no byte shows."""
    return edge.symbol.op == "list" and edge.symbol.min == 0


def _behind_empty(state: MachineState) -> list[MachineState]:
    """The states after empty lists alone."""
    found: list[MachineState] = []
    todo = [state]
    while todo:
        for edge in todo.pop().edges:
            if _may_be_empty(edge) and edge.to not in found and edge.to is not state:
                found.append(edge.to)
                todo.append(edge.to)
    return found


def _check_empty_lists(machine: Machine) -> list[tuple[Place, str]]:
    """If the bytes after an empty list could also be the list's own, no byte shows whether the list was there."""
    errors = []
    for state in machine.states:
        for behind in _behind_empty(state):
            for a in (e for e in state.edges if not _may_be_empty(e)):
                for b in (e for e in behind.edges if not _may_be_empty(e)):
                    if (a.symbol, a.to) == (b.symbol, b.to) or tells_apart(a, b):
                        continue
                    request = reaching(machine, state)[0].request
                    errors.append((_written_at(request, b), f"work request '{request.name}' {ON} is ambiguous: after {state.after}, segment "
                                   f"'{a.segment.name}' can be there, or an empty list and segment '{b.segment.name}' with the same bytes; "
                                   "expected a list of `min: 1`, or a const, `with` or `never` that tells them apart"))
    return errors


def _pairs(machine: Machine, edges: Callable[[MachineState], list[Edge]]) -> Iterator[tuple[MachineState, Edge, Edge]]:
    """Any two edges of a state."""
    for state in machine.states:
        for a, b in combinations(edges(state), 2):
            yield state, a, b


def _later(request: WorkRequest, a: Edge, b: Edge) -> Place:
    return max(_written_at(request, a), _written_at(request, b), key=lambda p: (p.file == request.place.file, p.line))


def _check_states(machine: Machine) -> list[tuple[Place, str]]:
    errors = []
    for state, a, b in _pairs(machine, lambda state: state.edges):
        if tells_apart(a, b):
            continue
        request = reaching(machine, state)[0].request
        errors.append((_later(request, a, b), f"work request '{request.name}' {ON} is ambiguous: after {state.after} the same bytes can be "
                       f"segment '{a.segment.name}' or segment '{b.segment.name}'; expected a const, `with` or `never` that tells them apart"))
    return errors


def _check_calls(machine: Machine) -> list[tuple[Place, str]]:
    """A call finds its segment by the state of the request."""
    errors = []
    for state, a, b in _pairs(machine, lambda state: state.segment_edges):
        if a.call != b.call:
            continue
        request = reaching(machine, state)[0].request
        two = f"segment '{a.segment.name}' in two forms" if a.segment is b.segment else f"segments '{a.segment.name}' and '{b.segment.name}'"
        errors.append((_later(request, a, b), f"work request '{request.name}' {ON} has {two} after {state.after}, both called "
                       f"segue_{a.call}(); expected segments with a `call` of their own"))
    return errors


def _check_requests(model: Model, machine: Machine) -> list[tuple[Place, str]]:
    """Two requests with one opcode and opmod must not accept the same bytes."""
    errors = []
    for i, a in enumerate(machine.starts):
        for b in machine.starts[i + 1:]:
            told = a.request.counts and b.request.counts or not model.devices
            behind = "" if told else "any bytes" if model.device.stale_rest else "" if model.device.ring else "zeros"
            if _same_control(a.request, b.request) and _meet(a.to, b.to, behind):
                later = max(a.request, b.request, key=lambda r: model.order(r.place))
                other = b.request if later is a.request else a.request
                alike = "have the same opcode and opmod" if later.opcode else "begin alike"
                errors.append((later.opcode_place or later.place,
                               f"work requests '{other.name}' and '{later.name}' {ON} {alike} and can "
                               f"have the same bytes; expected layouts that differ in a const, `with` or `never`"))
    return errors


def _same_control(a: WorkRequest, b: WorkRequest) -> bool:
    """True if one control segment can be that of either."""
    if (a.opcode and a.opcode.value, a.opmod) != (b.opcode and b.opcode.value, b.opmod):
        return False
    if a.control is None or b.control is None:
        return a.control is b.control
    return not (bits_differ(a.control, a.told, b.control, b.told))


def _zeros_end(first: list[MachineState]) -> bool:
    """True if bytes of zeros alone lead from one of these states to the end of a request."""
    for state in (states := [*first]):  # which become more
        states += [e.to for e in state.edges if e.to not in states and not bits_of(e.segment, always(e))[1]
                   and all(f.is_bytes or f.reserved or f.takes(f.meant(0)) for f in e.segment.fields)]
    return any(state.accepting for state in states)


def _meet(a: MachineState, b: MachineState, behind: str) -> bool:
    """True if both states accept some bytes. `behind`: what follows a request whose end is not known."""
    seen = {(a.index, b.index)}
    todo = [(a, b)]
    while todo:
        left, right = todo.pop()
        lefts, rights = [left, *_behind_empty(left)], [right, *_behind_empty(right)]
        ends = [any(s.accepting for s in lefts), any(s.accepting for s in rights)]
        if all(ends) or any(ends) and (behind == "any bytes" or behind == "zeros" and _zeros_end(rights if ends[0] else lefts)):
            return True
        for x in (e for s in lefts for e in s.edges):
            for y in (e for s in rights for e in s.edges):
                if tells_apart(x, y):
                    continue
                if "terminator" in (x.symbol.op, y.symbol.op) or any(e.segment.tail and e.segment.tail.rest for e in (x, y)):
                    return True  # any bytes may follow it, or be its payload
                if (x.to.index, y.to.index) not in seen:
                    seen.add((x.to.index, y.to.index))
                    todo.append((x.to, y.to))
    return False


def largest(device: Device, symbol: Symbol, segment: Segment) -> int:
    """The most bytes that this use of a segment adds, as far as the layout limits it. A tail counts its smallest size, because the builder
    bounds the rest by the queue's largest WQE.
    """
    if symbol.op == "list":
        return -(-((symbol.max or 0) * segment.size + symbol.head) // symbol.pad) * symbol.pad - symbol.head if symbol.max else 0
    if segment.tail:
        return max(-(-segment.tail.min_size // device.unit), 1) * device.unit
    return segment.size


def states_of(start: Start) -> list[MachineState]:
    seen = {start.to.index: start.to}
    todo = [start.to]
    while todo:
        for edge in todo.pop(0).edges:
            if edge.to.index not in seen:
                seen[edge.to.index] = edge.to
                todo.append(edge.to)
    return list(seen.values())


def least(device: Device, start: Start, control: int) -> int:
    """Bytes of the shortest WQE."""
    best = {start.to.index: 0}
    states = {s.index: s for s in states_of(start)}
    todo = deque([start.to.index])
    while todo:
        here = todo.popleft()
        for edge in states[here].edges:
            size = edge.segment.size
            if edge.segment.tail:
                size = max(edge.segment.tail.min_size, device.unit)
            if edge.symbol.op == "list":
                head = edge.symbol.head
                size = -(-(edge.symbol.min * size + head) // edge.symbol.pad) * edge.symbol.pad - head
            if best[here] + size < best.get(edge.to.index, 1 << 30):
                best[edge.to.index] = best[here] + size
                todo.append(edge.to.index)
    return control + min(size for index, size in best.items() if states[index].accepting)


def most(device: Device, start: Start, control: int) -> Optional[int]:
    """Bytes of the longest WQE, or None if only the queue limits it."""
    states = states_of(start)
    edges = [edge for state in states for edge in state.edges]
    if any(e.segment.tail or (e.symbol.op == "list" and e.symbol.max is None) for e in edges):
        return None
    before = {state.index: sum(edge.to is state for edge in edges) for state in states}
    reached = dict.fromkeys(before, 0)
    ready = [state for state in states if not before[state.index]]
    for state in ready:  # the list grows in the loop: each state comes after all that lead to it
        for edge in state.edges:
            length = reached[state.index] + largest(device, edge.symbol, edge.segment)
            reached[edge.to.index] = max(reached[edge.to.index], length)
            before[edge.to.index] -= 1
            if not before[edge.to.index]:
                ready.append(edge.to)
    return control + max(reached.values()) if len(ready) == len(states) else None


def _check_length(model: Model, machine: Machine) -> list[tuple[Place, str]]:
    if not model.device.ring:
        return []  # if the caller gives the memory, the builder checks at each step how much there is
    device = model.device
    units = device.largest
    errors = []
    for start in machine.starts:
        way = _longest(device, start.layout)
        total = machine.first + sum(length for _, length in way)
        if total > units:
            errors.append((_one_too_many(way, total - units, start.request),
                           f"work request '{start.request.name}' {ON} can be {total} units of {device.unit} bytes long, the largest WQE has "
                           f"{units}; expected a smaller `max`, or `max: wqe` where the queue's limit shall decide"))
    return errors


Lengths = list[tuple[Element, int]]  # segments in a row, and the units of each


def _one_too_many(way: Lengths, excess: int, request: WorkRequest) -> Place:
    """The place where a path becomes too long by `excess` units."""
    element = way[0][0]
    for element, length in reversed(way):
        excess -= length
        if excess <= 0:
            break
    return element.place if any(element is own for own in elements(request.layout)) else request.place  # it is in the address


def _longest(device: Device, layout: list[Element]) -> Lengths:
    """The longest path through a layout. A repetition with `max: wqe` counts once, because the builder bounds it."""
    way: Lengths = []
    for element in layout:
        if element.op == "choice":
            branches = [_longest(device, branch) for branch in element.choices]
            way += max(branches, key=lambda branch: sum(length for _, length in branch))
        elif element.segment is None:
            times = max(element.max or element.min, 1) if element.op == "repeat" else 1
            way += _longest(device, element.body) * times
        elif element.op != "terminator":
            way.append((element, largest(device, symbol_of(element), element.segment) // device.unit))
    return way


def elements(layout: list[Element]) -> Iterable[Element]:
    for element in layout:
        yield element
        yield from elements(element.body)
        for alternative in element.choices:
            yield from elements(alternative)


def _check_written_wraps(machine: Machine) -> list[tuple[Place, str]]:
    """A `wrap` in the spec must be the one that follows from the sizes."""
    strict = {Wrap.NONE: 0, Wrap.EXACT: 1, Wrap.ANY: 2, Wrap.DATA: 3}
    errors = []
    for start in machine.starts:
        derived: dict[str, Wrap] = {}
        for index, places in offsets(machine, [start]).items():
            for edge in machine.states[index].edges:
                wrap = wrap_of(machine.device, edge, places)
                known = derived.setdefault(edge.segment.name, wrap)
                derived[edge.segment.name] = max(known, wrap, key=strict.__getitem__)
        for element in elements(start.layout):
            if element.wrap is None or element.segment is None:
                continue
            found = derived.get(element.segment.name)
            if found is not None and found is not element.wrap:
                errors.append((element.place,
                               f"segment '{element.segment.name}' of work request '{start.request.name}' {ON} is written as "
                               f"wrap {element.wrap.value}; its size and position make it wrap {found.value}"))
    return errors
