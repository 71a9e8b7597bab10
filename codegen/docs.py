# SPDX-License-Identifier: BSD-2-Clause
"""What the pages of the reference show. The templates in templates/docs say how.

A page is asked for by the template with an item of the model; everything on it is derived from the model and the
machines, so that a page cannot say more or less than the generated C does.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Iterable, Optional

from codegen import cnames
from codegen.automaton import Edge, Machine, MachineState, Start, Symbol, largest
from codegen.builders import Begin, BuilderSet, Call, OneCall, Parameter, Step, _Path, builder_sets
from codegen.drawing import Arrow, Box, Picture, bit_diagram, bit_range, graph, num
from codegen.model import Citation, Element, Enumeration, Field, Fragment, Item, Model, Repository, Segment, Source, Transport, WorkRequest, once

OWN_PICTURE = 12  # boxes from which a family of requests gets a picture of its own
ANY_STATE = 3  # a transition from so many states is drawn from one box that names them


# ---------------------------------------------------------------------------------------------------------------------
# Words.


def md(text: str) -> str:
    """Prose from the spec, so that Markdown shows it unchanged, also in a table cell."""
    text = re.sub(r"([\\`*\[\]<>|#~])", r"\\\1", " ".join(text.split()))
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text)


def cited(source: Source) -> str:
    """A source, each file of it a link to what was read."""
    def one(c: Citation) -> str:
        place = f"<{c.url}>" if c.repository == "https" else f"[{md(f'{c.repository}: {c.path}')}]({c.url})" if c.url else md(c.path)
        symbols = f" {', '.join(f'`{symbol}`' for symbol in c.symbols)}" if c.symbols else ""
        return place + symbols + (f" ({md(c.note)})" if c.note else "")

    return "; ".join(map(one, source.citations))


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    found = re.match(r".*?\.(?=\s+[A-Z]|$)", " ".join(text.split()))
    return found.group(0) if found else text


def join(names: Iterable[str], last: str = "and") -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}" if names else ""


# ---------------------------------------------------------------------------------------------------------------------
# Segments: where each field is, and what stands before and behind a segment.


def bytes_of(f: Field) -> str:
    """Bytes that hold part of a field: "11", "4–6"."""
    first, last = f.first_bit // 8, (f.first_bit + f.width - 1) // 8
    return str(first) if first == last else f"{first}–{last}"


def rows_of(segment: Segment) -> list[Field]:
    """Fields and reserved ranges in the order of their bits."""
    return sorted(segment.fields + segment.reserved, key=lambda f: f.first_bit)


@dataclass
class Following:
    """What may come right behind a segment, where it is the same for several requests and queues."""

    requests: list[str]
    queues: list[str]
    after: list[Segment]
    end: bool


@dataclass
class Preceding:
    """What may stand right before a segment, where it is the same for several queues."""

    queues: list[str]
    before: list[Segment]
    first: bool  # it may be the first of the WQE


def reaching(machine: Machine, wanted: MachineState) -> list[Start]:
    """The requests whose WQEs pass through a state."""
    found = []
    for start in machine.starts:
        seen, todo = {start.to.index}, [start.to]
        while todo:
            state = todo.pop()
            for edge in state.edges:
                if edge.to.index not in seen:
                    seen.add(edge.to.index)
                    todo.append(edge.to)
        if wanted.index in seen:
            found.append(start)
    return found


def followings(machines: list[Machine], segment: Segment) -> list[Following]:
    queues: dict[tuple, list[str]] = {}  # (request, may end, names of what follows) → queues
    for machine in machines:
        for start in machine.starts:
            for edge in _edges_of(start):
                if edge.segment is segment:
                    key = (start.request.name, edge.to.accepting, _names(edge.to))
                    if machine.name not in queues.setdefault(key, []):
                        queues[key].append(machine.name)
    requests: dict[tuple, list[str]] = {}
    for (request, end, after), where in queues.items():
        requests.setdefault((tuple(where), end, after), []).append(request)
    by_name = {e.segment.name: e.segment for m in machines for s in m.states for e in s.edges}
    rows = [Following(sorted(names), list(where), [by_name[n] for n in after], end)
            for (where, end, after), names in requests.items()]
    return sorted(rows, key=lambda row: (row.requests, row.queues))


def precedings(machines: list[Machine], control: Segment, segment: Segment) -> list[Preceding]:
    found: dict[tuple, Preceding] = {}
    for machine in machines:
        before = {e.segment.name: e.segment for s in machine.states for e in s.edges
                  if any(f.segment is segment for f in e.to.edges)}
        first = any(f.segment is segment for start in machine.starts for f in start.to.edges)
        if first and machine.queue == "send":
            before = {control.name: control, **before}
        if before or first:
            key = (tuple(sorted(before)), first and machine.queue != "send")
            found.setdefault(key, Preceding([], [before[n] for n in sorted(before)], key[1])).queues.append(machine.name)
    return list(found.values())


def _edges_of(start: Start) -> list[Edge]:
    return [edge for state in _states_of(start) for edge in state.edges]


def _names(state: MachineState) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e.segment.name for e in state.edges))


# ---------------------------------------------------------------------------------------------------------------------
# Pictures of machines. A box is a segment as it stands in a WQE, an arrow says what may follow.


def _families(machine: Machine) -> list[list[Start]]:
    """Requests that share a state (other than a last one) or an opcode belong together."""
    parent = {start.request.name: start.request.name for start in machine.starts}

    def root(name: str) -> str:
        while parent[name] != name:
            name = parent[name]
        return name

    owner: dict[object, str] = {}
    for start in machine.starts:
        keys: list[object] = [s.index for s in _states_of(start) if s.edges]
        if start.request.opcode:
            keys.append(start.request.opcode.c_name)
        for key in keys:
            if key in owner:
                parent[root(start.request.name)] = root(owner[key])
            owner[key] = start.request.name
    families: dict[str, list[Start]] = {}
    for start in machine.starts:
        families.setdefault(root(start.request.name), []).append(start)
    return list(families.values())


def _states_of(start: Start) -> list[MachineState]:
    seen = {start.to.index: start.to}
    todo = [start.to]
    while todo:
        for edge in todo.pop(0).edges:
            if edge.to.index not in seen:
                seen[edge.to.index] = edge.to
                todo.append(edge.to)
    return list(seen.values())


BoxKey = tuple[int, tuple[int, ...]]  # the state that a box leads to, and those it may be taken in


def _repeats(states: dict[int, MachineState], shared: dict[BoxKey, list[Edge]]) -> dict[BoxKey, list[BoxKey]]:
    """Boxes that repeat one segment and differ only in how often it may still come: the first of them → all of them."""
    chains: dict[BoxKey, list[BoxKey]] = {}
    within: set[BoxKey] = set()
    for key in sorted(shared):
        if key in within or len(shared[key]) != 1:
            continue
        chain = [key]
        while True:
            here, edge = chain[-1][0], shared[key][0]
            again = [k for k, edges in shared.items()
                     if k[1] == (here,) and k not in chain and [e.symbol for e in edges] == [edge.symbol]]
            if len(again) != 1 or not _same_but(states[here], states[again[0][0]], edge):
                break
            chain.append(again[0])
        if len(chain) > 1:
            for inner in chain[1:]:
                chains.pop(inner, None)
            chains[key] = chain
            within.update(chain)
    return chains


def _same_but(a: MachineState, b: MachineState, edge: Edge) -> bool:
    """Two states have the same ways on, apart from one more of the same segment."""
    def others(state: MachineState) -> set:
        return {(e.symbol, e.to.index) for e in state.edges if e.symbol != edge.symbol}

    return a.accepting == b.accepting and others(a) == others(b)


def _machine_graph(starts: list[Start]) -> tuple[list[Box], list[Arrow]]:
    """Boxes for requests and for the segments behind them. Segments that come from the same states and lead to the
    same one share a box, and so do repetitions of one segment."""
    states = {s.index: s for start in starts for s in _states_of(start)}
    boxes: list[Box] = []
    into: dict[int, list[str]] = {}  # state → boxes that lead to it
    said: dict[str, str] = {}  # box → what it shows, for the titles of arrows
    by_start: dict[int, list[Start]] = {}
    for start in starts:
        by_start.setdefault(start.to.index, []).append(start)
    for index, group in by_start.items():
        style = "request_end" if states[index].accepting else "request"
        boxes.append(Box(f"start {index}", style, [(s.request.name, "strong", 12) for s in group], str(index), 12, column=1))
        into.setdefault(index, []).append(f"start {index}")
        said[f"start {index}"] = " | ".join(s.request.name for s in group)
    sources: dict[tuple[int, Symbol], list[int]] = {}
    drawn: dict[tuple[int, Symbol], Edge] = {}
    for index in sorted(states):
        for edge in states[index].edges:
            sources.setdefault((edge.to.index, edge.symbol), []).append(index)
            drawn.setdefault((edge.to.index, edge.symbol), edge)
    shared: dict[BoxKey, list[Edge]] = {}
    for key, edge in drawn.items():
        shared.setdefault((key[0], tuple(sources[key])), []).append(edge)
    chains = _repeats(states, shared)
    names = {key: f"to {key[0]} from {key[1]}" for key in shared}
    for head, chain in chains.items():
        names.update({key: names[head] for key in chain})
    for key, edges in shared.items():
        into.setdefault(key[0], []).append(names[key])
        if any(key in chain[1:] for chain in chains.values()):
            continue
        style = "end" if states[key[0]].accepting else "segment"
        if all(e.symbol.by == "queue" for e in edges):
            style = "by_queue"
        same = [k[0] for k in chains.get(key, [key])]
        lines = [line for edge in edges for line in _box_lines(edge, len(same))]
        boxes.append(Box(names[key], style, lines, " ".join(map(str, same))))
        said[names[key]] = " | ".join(dict.fromkeys(e.segment.name for e in edges))
    arrows = {}
    for key in shared:
        for source in key[1]:
            for before in into.get(source, []):
                title = f"{said[before]} → {said[names[key]]}"
                arrows[before, names[key]] = Arrow(before, names[key], title=title)
    return boxes, list(arrows.values())


def _box_lines(edge: Edge, times: int) -> list[tuple[str, str, int]]:
    shown = edge.segment.name + ("[ ]" if edge.symbol.op == "list" else "") + (f" ≤{times}×" if times > 1 else "")
    lines = [(shown, "label", 12)]
    written = edge.symbol.by == "program" and edge.symbol.op != "terminator"
    if edge.segment.call != edge.segment.name and written:
        lines.append((f"segue_{edge.call}()", "quiet", 9))
    return lines


@dataclass
class Family:
    """Requests of one queue that are drawn together."""

    picture: Picture
    starts: list[Start]


def _machine_pictures(machine: Machine) -> list[Family]:
    groups: list[list[Start]] = []
    rest: list[Start] = []
    for family in _families(machine):
        if len(_machine_graph(family)[0]) >= OWN_PICTURE:
            groups.append(family)
        else:
            rest += family
    if rest:
        groups.append(rest)
    found = []
    for number, starts in enumerate(groups, 1):
        boxes, arrows = _machine_graph(starts)
        path = f"transports/{machine.name}-queue" + (f"-{number}" if len(groups) > 1 else "")
        title = f"What may follow what on {machine.name}: {', '.join(s.request.name for s in starts)}"
        picture = graph(path, title, boxes, arrows)
        picture.items = [s.request for s in starts]
        found.append(Family(picture, starts))
    return found


def _state_picture(transport: Transport) -> Picture:
    boxes, arrows = [], []
    for state in transport.states:
        posts = [(f"send {state.send:>7}", "label", 11), (f"recv {state.recv:>7}", "label", 11)]
        style = state.send if state.send != "none" else state.recv
        boxes.append(Box(state.name, style, [(state.name, "strong", 14), *posts], r=8))
    for number, transition in enumerate(transport.transitions, 1):
        style = "device" if transition.by == "device" else "edge"
        title = f"{number}. {transition.doc}"
        sources = transition.sources
        if len(sources) >= ANY_STATE:
            name = f"from {number}"
            others = [s.name for s in transport.states if s.name not in sources]
            text = "any state" if not others else f"any but {', '.join(others)}"
            boxes.append(Box(name, "from", [(text, "quiet", 10)], r=8))
            sources = [name]
        arrows += [Arrow(source, transition.to, style, str(number), title) for source in sources]
    picture = graph(f"transports/{transport.name}-states", f"States of {transport.name}", boxes, arrows, gap=0.35)
    picture.items = [transport]
    return picture


# ---------------------------------------------------------------------------------------------------------------------
# Layouts of requests.


def grammar(layout: list[Element], queue: str, address: list[Element], link: Any) -> str:
    """A layout as one line: `raddr, (data* | inline_data)`; `link` writes a segment's name."""
    parts = [part for part in (_grammar(e, queue, address, link) for e in layout) if part]
    return ", ".join(parts)


def _grammar(element: Element, queue: str, address: list[Element], link: Any) -> str:
    if element.when is not None and queue not in element.when:
        return ""
    if element.op == "address":
        return grammar(address, queue, address, link)
    if element.op == "fragment":
        return grammar(element.body, queue, address, link)
    if element.op == "choice":
        return "(" + " | ".join(grammar(c, queue, address, link) for c in element.choices) + ")"
    if element.op == "optional":
        return "[" + grammar(element.body, queue, address, link) + "]"
    if element.op == "repeat":
        body = grammar(element.body, queue, address, link)
        body = f"({body})" if "," in body else body
        if element.max is None and element.min <= 1:
            return body + ("+" if element.min else "*")
        return body + (f"{{{element.min},}}" if element.max is None else
                       f"{{{element.min}}}" if element.max == element.min else f"{{{element.min},{element.max}}}")
    if element.op == "terminator":
        return f"[{link(element.segment)}]"
    return link(element.segment) + ("{ }" if element.op == "list" else "")


def used(layout: list[Element], queue: str, address: list[Element]) -> list[Element]:
    """The elements that are segments, in the order in which they appear, each use once."""
    found: list[Element] = []
    for element in layout:
        if element.when is not None and queue not in element.when:
            continue
        if element.op == "address":
            inner = used(address, queue, address)
        elif element.op == "choice":
            inner = [e for c in element.choices for e in used(c, queue, address)]
        elif element.op in ("optional", "repeat", "fragment"):
            inner = used(element.body, queue, address)
        else:
            inner = [element]
        for one in inner:
            if not any(one.segment is e.segment and one.fixed == e.fixed and one.op == e.op for e in found):
                found.append(one)
    return found


@dataclass
class Example:
    """A chain of builder calls for one layout."""

    title: str
    function: str
    begin: Begin
    calls: list[Call]
    parameters: list[Parameter]


@dataclass
class Form:
    """A request on queues where it has the same layout."""

    queues: list[str]
    text: str  # the layout, to be compared
    builders: BuilderSet
    begin: Begin
    address: list[Element]
    one_call: OneCall
    examples: list[Example]
    least: int  # bytes
    most: Optional[int]  # None: as the queue allows

    @property
    def handle(self) -> str:
        return f"struct {self.builders.handle} *"

    @property
    def queue(self) -> str:
        return "sq" if self.builders.send else self.builders.machine.queue

    @property
    def flag(self) -> str:
        flags = self.begin.start.request.flags
        return flags[0].c_name if flags else "0"


class _Chain(_Path):
    """A layout with chosen alternatives, one call after the other."""

    def __init__(self, found: BuilderSet, model: Model, begin: Begin, picks: dict[int, int]):
        super().__init__(found, model, begin)
        self.picks = picks
        self.open: list[tuple[Element, int]] = []  # decisions that this layout took the plain way

    def walk(self, layout: list[Element]) -> None:
        for element in layout:
            if element.when is not None and self.machine not in element.when:
                continue
            if element.op == "terminator" or element.by == "queue":
                continue
            pick = self.picks.get(id(element), 0)
            if element.op == "choice":
                self._leave_open(element, range(1, len(element.choices)))
                self.walk(element.choices[pick])
            elif element.op == "optional":
                self._leave_open(element, (1,))
                self.walk(element.body if pick else [])
            elif element.op == "repeat":
                times = element.min
                if element.max is None and element.min == 0:
                    self._leave_open(element, (1,))
                    times = 1 - pick
                for _ in range(times):
                    self.walk(element.body)
            else:
                super().walk([element])

    def _leave_open(self, element: Element, others: Iterable[int]) -> None:
        if id(element) not in self.picks:
            self.open += [(element, other) for other in others]


def _picked(element: Element, pick: int, queue: str, address: list[Element]) -> list[str]:
    """The segments that an alternative brings, or that a repetition repeats."""
    body = element.choices[pick] if element.op == "choice" else element.body
    return [e.segment.name for e in used(body, queue, address) if e.segment]


def _examples(found: BuilderSet, model: Model, begin: Begin, address: list[Element]) -> list[Example]:
    layout = begin.start.request.layout
    queue = found.machine.name
    plain = _Chain(found, model, begin, {})
    plain.walk(layout)
    stem = f"{queue}_{begin.name}"
    examples = [Example("", stem, begin, plain.calls, plain.members)]
    for element, pick in plain.open:
        other = _Chain(found, model, begin, {id(element): pick})
        other.walk(layout)
        segments = _picked(element, pick, queue, address)
        word = "without" if element.op == "repeat" else "with"
        title = f"{word.capitalize()} {join(segments)}" if segments else f"Alternative {pick + 1}"
        function = "_".join([stem, *(["without"] if element.op == "repeat" else []), *(segments or [str(pick + 1)])])
        if any(e.function == function for e in examples):
            function += f"_{len(examples)}"
        examples.append(Example(title, function, begin, other.calls, other.members))
    return examples


def _least(model: Model, start: Start, control: int) -> int:
    """Bytes of the shortest WQE."""
    best = {start.to.index: 0}
    states = {s.index: s for s in _states_of(start)}
    todo = deque([start.to.index])
    while todo:
        here = todo.popleft()
        for edge in states[here].edges:
            size = edge.segment.size
            if edge.segment.tail:
                size = max(edge.segment.tail.min_size, model.unit)
            if edge.symbol.op == "list":
                head = edge.symbol.head
                size = -(-(edge.symbol.min * size + head) // edge.symbol.pad) * edge.symbol.pad - head
            if best[here] + size < best.get(edge.to.index, 1 << 30):
                best[edge.to.index] = best[here] + size
                todo.append(edge.to.index)
    return control + min(size for index, size in best.items() if states[index].accepting)


def _most(model: Model, start: Start, control: int) -> Optional[int]:
    """Bytes of the longest WQE; None where only the queue limits it."""
    def longest(state: MachineState, path: tuple[int, ...]) -> Optional[int]:
        if state.index in path:
            return None
        best = 0
        for edge in state.edges:
            if edge.segment.tail or (edge.symbol.op == "list" and edge.symbol.max is None):
                return None
            behind = longest(edge.to, (*path, state.index))
            if behind is None:
                return None
            best = max(best, behind + largest(model.device, edge) * model.unit)
        return best

    total = longest(start.to, ())
    return None if total is None else control + total


# ---------------------------------------------------------------------------------------------------------------------
# The reference as a whole.


@dataclass
class Queue:
    """A transport, or a kind of receive queue: what has a page below transports/."""

    name: str
    item: Item
    transport: Optional[Transport]
    machine: Optional[Machine]

    @property
    def items(self) -> list[Item]:
        """Spec items that the page is made from."""
        requests: list[Item] = [s.request for s in self.machine.starts] if self.machine else []
        return requests + ([self.transport] if self.transport else [])


@dataclass
class SegmentCall:
    name: str  # without segue_
    parameters: list[Parameter]
    queues: list[str]


@dataclass
class Reference:
    model: Model
    sets: list[BuilderSet] = field(default_factory=list)
    machines: list[Machine] = field(default_factory=list)
    queues: list[Queue] = field(default_factory=list)
    _forms: dict[str, list[Form]] = field(default_factory=dict)
    _families: dict[str, list[Family]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        model = self.model
        self.sets = builder_sets(model)
        self.machines = [s.machine for s in self.sets]
        by_name = {m.name: m for m in self.machines}
        counts = {t.name: len(by_name[t.name].starts) if t.name in by_name else 0 for t in model.transports}
        for transport in sorted(model.transports, key=lambda t: (-counts[t.name], t.name)):
            self.queues.append(Queue(transport.name, transport, transport, by_name.get(transport.name)))
        for machine in self.machines:
            if machine.queue != "send":
                self.queues.append(Queue(machine.name, machine.starts[0].request, None, machine))

    def queue(self, name: str) -> Queue:
        return next(q for q in self.queues if q.name == name)

    @property
    def requests(self) -> list[WorkRequest]:
        """Those of the send queues first, by opcode."""
        return sorted(self.model.work_requests,
                      key=lambda r: (r.queue != "send", r.opcode.value if r.opcode else 0, r.opmod, r.name))

    @property
    def example(self) -> WorkRequest:
        """The request with the most layouts, for a reader who wants to see one."""
        return max(self.requests, key=lambda r: len(self.forms(r)))

    def takes(self, request: WorkRequest) -> list[str]:
        return [q.name for q in self.queues if q.machine and any(s.request is request for s in q.machine.starts)]

    # Segments.

    def followings(self, segment: Segment) -> list[Following]:
        return followings(self.machines, segment)

    def precedings(self, segment: Segment) -> list[Preceding]:
        return precedings(self.machines, self.model.control, segment)

    def calls(self, segment: Segment) -> list["SegmentCall"]:
        """Builder calls that write a segment, with the queues that have them."""
        found: dict[tuple, SegmentCall] = {}
        for builders in self.sets:
            for step in builders.steps:
                if step.segment is not segment:
                    continue
                key = (step.name, tuple(p.declaration for p in step.parameters))
                call = found.setdefault(key, SegmentCall(step.name, step.parameters, []))
                if builders.name not in call.queues:
                    call.queues.append(builders.name)
        return list(found.values())

    @property
    def segment_groups(self) -> list[tuple[str, list[Segment]]]:
        """Segments by where they stand: the first thing a reader looks for comes first."""
        send, receive, other = [], [], []
        for segment in self.model.segments:
            queues = {m.queue for m in self.machines for s in m.states for e in s.edges if e.segment is segment}
            if segment.control or "send" in queues:
                send.append(segment)
            elif queues:
                receive.append(segment)
            else:
                other.append(segment)
        elsewhere = "Elsewhere: formats that stand inside others, or in no layout yet"
        groups = [("In send queues", send), ("In receive queues only", receive), (elsewhere, other)]
        return [(title, segments) for title, segments in groups if segments]

    @staticmethod
    def shown(f: Field, value: Any) -> str:
        """A value of a field as a reader writes it."""
        if isinstance(value, bytes):
            return value.hex() if len(value) <= 16 else f"{value[:8].hex()}… ({len(value)} bytes)"
        enum = f.enum or f.flags
        if enum:
            names = [m.name for m in enum.members if m.value == value]
            if names:
                return names[0]
            if f.flags and value:
                return " + ".join(m.name for m in enum.members if m.value & value == m.value and not m.mask) or f"{value:#x}"
        return str(value) if value < 10 else f"{value:#x}"

    @staticmethod
    def dump(data: bytes) -> str:
        """Bytes in rows of 16, each with its offset."""
        rows = []
        for at in range(0, len(data), 16):
            words = [data[i:i + 4].hex() for i in range(at, min(at + 16, len(data)), 4)]
            rows.append(f"{at:04x}  {' '.join(words)}")
        return "\n".join(rows)

    def holders(self, segment: Segment) -> list[tuple[Segment, Field]]:
        """Fields whose bytes have the form of this segment."""
        return [(s, f) for s in self.model.segments + self.model.cqes for f in s.fields if f.format is segment]

    def uses(self, enum: Enumeration) -> list[tuple[Segment, Field]]:
        return [(s, f) for s in self.model.segments + self.model.cqes for f in s.fields if enum in (f.enum, f.flags)]

    def requests_of(self, enum: Enumeration, member_name: str) -> list[WorkRequest]:
        """Requests whose opcode is this member."""
        c_name = enum.member(member_name).c_name  # type: ignore[union-attr]
        return [r for r in self.requests if r.opcode and r.opcode.c_name == c_name]

    @property
    def flags(self) -> Enumeration:
        """The enum of what a caller may ask of a request."""
        return self.model.device.roles["flags"]

    @property
    def opcodes(self) -> Optional[Enumeration]:
        return self.model.control.control.opcode.enum if self.model.control.control else None

    # Requests.

    def forms(self, request: WorkRequest) -> list[Form]:
        if request.name not in self._forms:
            self._forms[request.name] = self._make_forms(request)
        return self._forms[request.name]

    def _make_forms(self, request: WorkRequest) -> list[Form]:
        found: dict[str, Form] = {}
        control = self.model.control.size if request.queue == "send" else 0
        order = {queue.name: number for number, queue in enumerate(self.queues)}
        for builders in sorted(self.sets, key=lambda s: order[s.name]):
            begin = next((b for b in builders.begins if b.start.request is request), None)
            if begin is None:
                continue
            name = builders.machine.name
            transport = self.model.find(self.model.transports, name)
            address = transport.address if transport else []
            text = grammar(request.layout, name, address, lambda segment: segment.name)
            if text in found:
                found[text].queues.append(name)
                continue
            one = next(o for o in builders.one_calls if o.begin is begin)
            found[text] = Form([name], text, builders, begin, address, one, _examples(builders, self.model, begin, address),
                               _least(self.model, begin.start, control), _most(self.model, begin.start, control))
        return sorted(found.values(), key=lambda f: len(f.address))

    def form_on(self, request: WorkRequest, queue: str) -> Form:
        return next(form for form in self.forms(request) if queue in form.queues)

    def line(self, layout: list[Element], queue: str, address: Iterable[Element] = ()) -> str:
        """A layout as Markdown, every segment a link."""
        text = grammar(layout, queue, list(address), lambda segment: f"\0{segment.name}\0")
        text = re.sub(r"([*\[\]|])", r"\\\1", text)
        return re.sub("\0(.*?)\0", r"[\1](../segments/\1.md)", text)

    def grammar(self, request: WorkRequest, form: Form) -> str:
        """The whole layout of a request, the control segment included."""
        control = self.model.control.name
        head = f"[{control}](../segments/{control}.md)" if request.queue == "send" else ""
        return ", ".join(part for part in (head, self.line(request.layout, form.queues[0], form.address)) if part)

    def used(self, request: WorkRequest, form: Form) -> list[tuple[Element, list[Step]]]:
        """The segments of a layout, each with the builder steps that write it."""
        found = []
        for element in used(request.layout, form.queues[0], form.address):
            wanted = tuple(sorted(element.fixed.items()))
            steps = {s.name: s for s in form.builders.steps if s.segment is element.segment
                     and s.stage.request is request and s.edge.symbol.fixed == wanted and s.edge.symbol.op == element.op}
            found.append((element, list(steps.values())))
        return found

    # Pictures.

    def families(self, queue: Queue) -> list[Family]:
        if queue.name not in self._families:
            self._families[queue.name] = _machine_pictures(queue.machine) if queue.machine else []
        return self._families[queue.name]

    def pictures(self) -> list[Picture]:
        found = [bit_diagram(s, f"segments/{s.name}") for s in self.model.segments]
        found += [bit_diagram(s, f"cqes/{s.name}") for s in self.model.cqes]
        found += [_state_picture(t) for t in self.model.transports]
        for queue in self.queues:
            found += [family.picture for family in self.families(queue)]
        return found

    def attributes(self, transport: Transport) -> list[Any]:
        """Attributes that any transition of this transport names, in the order in which they come up."""
        found = {}
        for transition in transport.transitions:
            for member in transition.required:
                found.setdefault(member.name, member)
        for transition in transport.transitions:
            for member in transition.optional:
                found.setdefault(member.name, member)
        return list(found.values())


@once
def reference(model: Model) -> Reference:
    return Reference(model)


def page(item: Item) -> str:
    """Where an item is described, as seen from the first page."""
    if isinstance(item, Enumeration):
        return f"enums.md#{item.name}"
    if isinstance(item, Segment):
        return f"{'cqes' if item.is_cqe else 'segments'}/{item.name}.md"
    return f"{'transports' if isinstance(item, Transport) else 'requests'}/{item.name}.md"


def mine(model: Model) -> list[tuple[str, str, Item]]:
    """What the user's own files say, where there are others: kind, link and item."""
    kinds = [("Work request", model.work_requests), ("Segment", model.segments), ("Completion", model.cqes), ("Enum", model.enums),
             ("Transport", model.transports)]
    found = [(kind, f"[{item.name}]({page(item)})", item) for kind, items in kinds for item in items if model.is_own(item)]
    return found if len(found) < sum(len(items) for _, items in kinds) else []


def secondhand(model: Model) -> list[tuple[str, Source]]:
    """What is known from secondary sources only, as links, and where from: whole items, or single parts of others."""
    def parts(item: Item) -> list[tuple[str, str, Any]]:
        if isinstance(item, Enumeration):
            return [(m.name, f"-{m.name}", m) for m in item.members]
        if isinstance(item, Segment):
            return [(f.name, f"#{f.name}", f) for f in item.fields]
        if isinstance(item, Transport):
            return [*((s.name, "", s) for s in item.states), *((f"{', '.join(x.sources)} to {x.to}", "", x) for x in item.transitions)]
        return []

    found: list[tuple[str, Source]] = []
    for item in (item for item in everything(model) if not isinstance(item, Fragment)):
        if item.confidence == "secondary":
            found.append((f"[{item.name}]({page(item)})", item.source))
            continue
        found += [(f"[{item.name}: {md(name)}]({page(item)}{anchor})", part.source or item.source)
                  for name, anchor, part in parts(item) if part.confidence == "secondary"]
    return found


def cited_repositories(model: Model) -> list[Repository]:
    """Those that the sources of items or their parts name."""
    parts = [part for item in everything(model) for key in ("members", "fields", "states", "transitions") for part in getattr(item, key, [])]
    names = {citation.repository for one in [*everything(model), *parts] for citation in one.source.citations}
    return [repository for name, repository in model.repositories.items() if name in names]


def context(model: Model) -> dict[str, Any]:
    """What the templates of the reference use."""
    return {
        "ref": reference(model),
        "num": num,
        "bytes_of": bytes_of,
        "bit_range": bit_range,
        "rows_of": rows_of,
        "lowest": cnames.lowest,
        "highest": cnames.highest,
        "has_min": cnames.has_min,
        "has_max": cnames.has_max,
        "enum_value": cnames.enum_value,
        "reaching": reaching,
        "secondhand": secondhand(model),
        "mine": mine(model),
        "repositories": cited_repositories(model),
    }


def tidy(page: str) -> str:
    """A page without the blank lines that templates leave behind."""
    return re.sub(r"\n{3,}", "\n\n", page).strip() + "\n"


def everything(model: Model) -> list[Item]:
    return [*model.enums, *model.segments, *model.cqes, *model.work_requests, *model.transports, *model.fragments]


def pictures(model: Model) -> list[Picture]:
    return reference(model).pictures()


def queues(model: Model) -> list[Queue]:
    return reference(model).queues


def requests(model: Model) -> list[WorkRequest]:
    return reference(model).requests


def filters() -> dict[str, Any]:
    return {"md": md, "cited": cited, "trim_right": str.rstrip, "first_sentence": first_sentence, "join_names": join}
