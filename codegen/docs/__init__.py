# SPDX-License-Identifier: BSD-2-Clause
"""Content of the reference's pages. The templates in templates/docs hold its form.

A template calls these methods with an item of the model. Everything on a page is derived from the model and the machines, so that a page
has exactly the content of the generated C.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Optional

from codegen.machine.automaton import Machine, layout_on, least, most, reaching
from codegen.c.builders import builder_sets
from codegen.c.steps import BuilderSet, Parameter, Step
from codegen.docs import request_forms
from codegen.docs.neighbours import Following, Preceding, followings, precedings
from codegen.docs.pictures import Family, machine_pictures, state_picture
from codegen.docs.prose import cited, first_sentence, join, md
from codegen.docs.drawing import Picture, bit_diagram, num
from codegen.model.model import Element, Enumeration, Field, Fragment, Item, Model, Repository, Segment, Source, Transport, WorkRequest, once


def bytes_of(f: Field) -> str:
    """Bytes that hold part of a field: "11", "4–6"."""
    if f.pieces:
        return ", ".join(map(bytes_of, f.pieces))
    first, last = f.first_bit // 8, (f.first_bit + f.width - 1) // 8
    return str(first) if first == last else f"{first}–{last}"


def rows_of(segment: Segment) -> list[Field]:
    """Fields and reserved ranges in the order of their bits."""
    return sorted(segment.fields + segment.reserved, key=lambda f: f.first_bit)


@dataclass
class Queue:
    """A transport, or a kind of receive queue. Each has a page below transports/."""

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
    _forms: dict[str, list[request_forms.Form]] = field(default_factory=dict)
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
        """The requests by opcode. Those of the send queues come first."""
        return sorted(self.model.work_requests,
                      key=lambda r: (r.queue != "send", r.opcode.value if r.opcode else 0, r.opmod, r.name))

    @property
    def example(self) -> WorkRequest:
        """The request with the most layouts, as an example for readers."""
        return max(self.requests, key=lambda r: len(self.forms(r)))

    def takes(self, request: WorkRequest) -> list[str]:
        return [q.name for q in self.queues if q.machine and any(s.request is request for s in q.machine.starts)]

    # Segments.

    def followings(self, segment: Segment) -> list[Following]:
        return followings(self.machines, segment)

    def precedings(self, segment: Segment) -> list[Preceding]:
        return precedings(self.machines, segment)

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
        """Segments by their position. The one that a reader looks for first comes first."""
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
        """Fields that hold bytes in the form of this segment."""
        return [(s, f) for s in self.model.segments + self.model.cqes for f in s.fields if f.format is segment]

    def uses(self, enum: Enumeration) -> list[tuple[Segment, Field]]:
        return [(s, f) for s in self.model.segments + self.model.cqes for f in s.fields if enum in (f.enum, f.flags)]

    def requests_of(self, enum: Enumeration, member_name: str) -> list[WorkRequest]:
        """Requests with this member as their opcode."""
        member = enum.member(member_name)
        return [r for r in self.requests if r.opcode is member]

    @property
    def flags(self) -> Optional[Enumeration]:
        """The enum of a request's flags."""
        return self.model.device.roles.get("flags")

    def opcodes_of(self, request: WorkRequest) -> Enumeration:
        control = request.control.control if request.control else None
        own = control.opcode.enum if control and control.opcode else None
        return own or self.model.device.roles["opcode"]

    @property
    def opcodes(self) -> list[Enumeration]:
        return [self.opcodes_of(request) for request in self.requests if request.opcode]

    # Requests.

    def forms(self, request: WorkRequest) -> list[request_forms.Form]:
        if request.name not in self._forms:
            self._forms[request.name] = self._make_forms(request)
        return self._forms[request.name]

    def _make_forms(self, request: WorkRequest) -> list[request_forms.Form]:
        found: dict[str, request_forms.Form] = {}
        control = request.control.size if request.control else 0
        order = {queue.name: number for number, queue in enumerate(self.queues)}
        for builders in sorted(self.sets, key=lambda s: order[s.name]):
            begin = next((b for b in builders.begins if b.start.request is request), None)
            if begin is None:
                continue
            text = request_forms.grammar(begin.start.layout, lambda segment: segment.name)
            if text in found:
                found[text].queues.append(builders.name)
                continue
            one = next(o for o in builders.one_calls if o.begin is begin)
            found[text] = request_forms.Form([builders.name], text, builders, begin, one, request_forms.examples(builders, self.model, begin),
                               least(self.model.device, begin.start, control), most(self.model.device, begin.start, control))
        return sorted(found.values(), key=lambda f: len(self.model.address(f.queues[0])))

    def form_on(self, request: WorkRequest, queue: str) -> request_forms.Form:
        return next(form for form in self.forms(request) if queue in form.queues)

    def line(self, layout: list[Element], queue: str) -> str:
        """A layout as Markdown, every segment a link."""
        text = request_forms.grammar(layout_on(layout, queue, []), lambda segment: f"\0{segment.name}\0")
        text = re.sub(r"([*\[\]|])", r"\\\1", text)
        return re.sub("\0(.*?)\0", r"[\1](../segments/\1.md)", text)

    def grammar(self, request: WorkRequest, form: request_forms.Form) -> str:
        """The whole layout of a request, the control segment included."""
        name = request.control.name if request.control else ""
        head = f"[{name}](../segments/{name}.md)" if name else ""
        return ", ".join(part for part in (head, self.line(form.begin.start.layout, form.queues[0])) if part)

    def used(self, request: WorkRequest, form: request_forms.Form) -> list[tuple[Element, list[Step]]]:
        """The segments of a layout, each with the builder steps that write it."""
        found = []
        for element in request_forms.used(form.begin.start.layout):
            wanted = tuple(sorted(element.fixed.items()))
            steps = {s.name: s for s in form.builders.steps if s.segment is element.segment
                     and s.stage.request is request and s.edge.symbol.fixed == wanted and s.edge.symbol.op == element.op}
            found.append((element, list(steps.values())))
        return found

    # Pictures.

    def families(self, queue: Queue) -> list[Family]:
        if queue.name not in self._families:
            self._families[queue.name] = machine_pictures(queue.machine) if queue.machine else []
        return self._families[queue.name]

    def pictures(self) -> list[Picture]:
        found = [bit_diagram(s, f"segments/{s.name}") for s in self.model.segments]
        found += [bit_diagram(s, f"cqes/{s.name}") for s in self.model.cqes]
        found += [state_picture(t) for t in self.model.transports if t.states]
        for queue in self.queues:
            found += [family.picture for family in self.families(queue)]
        return found

    def attributes(self, transport: Transport) -> list[Any]:
        """Attributes that any transition of this transport names, in the order in which they come up."""
        named = [member for transition in transport.transitions for member in transition.required]
        named += [member for transition in transport.transitions for member in transition.optional]
        return list({member.name: member for member in named}.values())


@once
def reference(model: Model) -> Reference:
    return Reference(model)


def page(item: Item) -> str:
    """The page that describes an item, as seen from the first page."""
    if isinstance(item, Enumeration):
        return f"enums.md#{item.name}"
    if isinstance(item, Segment):
        return f"{'cqes' if item.is_cqe else 'segments'}/{item.name}.md"
    return f"{'transports' if isinstance(item, Transport) else 'requests'}/{item.name}.md"


@once
def mine(model: Model) -> list[tuple[str, str, Item]]:
    """Kind, link and item of everything in the user's own files, if there are other files."""
    kinds = [("Work request", model.work_requests), ("Segment", model.segments), ("Completion", model.cqes), ("Enum", model.enums),
             ("Transport", model.transports)]
    found = [(kind, f"[{item.name}]({page(item)})", item) for kind, items in kinds for item in items if model.is_own(item)]
    return found if len(found) < sum(len(items) for _, items in kinds) else []


@once
def secondhand(model: Model) -> list[tuple[str, Source]]:
    """Facts from secondary sources only, as links with their sources: whole items, or single parts of others."""
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


@once
def cited_repositories(model: Model) -> list[Repository]:
    """Repositories that the sources of items or their parts name."""
    parts = [part for item in everything(model) for key in ("members", "fields", "states", "transitions") for part in getattr(item, key, [])]
    names = {citation.repository for one in [*everything(model), *parts] for citation in one.source.citations}
    return [repository for name, repository in model.repositories.items() if name in names]


def context(model: Model) -> dict[str, Any]:
    """Variables of the reference's templates."""
    return {
        "ref": reference(model),
        "num": num,
        "bytes_of": bytes_of,
        "rows_of": rows_of,
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


def filters() -> dict[str, Any]:
    return {"md": md, "cited": cited, "trim_right": str.rstrip, "first_sentence": first_sentence, "join_names": join}
