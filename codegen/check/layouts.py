# SPDX-License-Identifier: BSD-2-Clause
"""Layouts: single elements and their positions. Ambiguity and length are checks of the automaton."""

from __future__ import annotations

from typing import Optional

from codegen.machine.automaton import choices_on, elements, is_on, layout_on
from codegen.check.fields import stranger_text, value_text
from codegen.load.load import Problem
from codegen.model.model import Element, Field, Model, Segment, WorkRequest
from codegen.load.schema import dedupe


MOST_VALUES = 5  # values that a segment may take from its caller one by one without `pass` in the spec


def check_layouts(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    unit = model.unit if not model.devices or model.device.ring else 1  # segments in a block may have any size
    for element in all_elements(model):
        problems += [(element.place, text) for text in element_texts(element, unit)]
    problems += check_address_in_address(model) + check_units(model) + check_left_out(model) + check_control_left_out(model)
    if problems:
        return problems  # the other checks walk the layouts, and their elements must be sound
    problems += check_held(model)
    if problems:
        return problems
    problems += check_passing(model) + check_next(model)
    for request in model.work_requests:
        problems += check_request(model, request)
        problems += check_order(model, request)
    return problems + Liveness(model).problems()


def all_elements(model: Model) -> list[Element]:
    """Each element once, although fragments are shared."""
    return list({id(e): e for _, layout in model.layouts for e in elements(layout)}.values())


# Single elements


def element_texts(element: Element, unit: int) -> list[str]:
    texts: list[str] = []
    if element.segment is not None:
        texts += segment_texts(element, element.segment, unit)
        texts += fixed_texts(element, element.segment)
    elif element.wrap is not None:
        texts.append(f"'wrap' is on the {element.op}; expected it on a segment, which alone has a size")
    if element.op in ("repeat", "list") and element.max is not None and element.min > element.max:
        texts.append(f"'min' of the {element.op} is {element.min}, larger than its 'max' {element.max}")
    if element.op == "list":
        texts += list_texts(element, unit)
    if element.op == "choice" and not all(element.choices):
        texts.append(f"alternative {element.choices.index([]) + 1} of the choice is empty; expected elements in it, or the choice "
                     "under 'optional'")
    if element.op in ("optional", "repeat") and can_be_empty(element.body):
        texts.append(f"what the {element.op} holds can be nothing at all; expected at least one segment in it")
    return texts


def segment_texts(element: Element, segment: Segment, unit: int) -> list[str]:
    texts: list[str] = []
    if segment.control is not None:
        texts.append(f"the layout names the control segment '{segment.name}', which comes first by itself; expected only "
                     "what follows it")
    if segment.tail is not None:
        if element.op != "segment":
            texts.append(f"the {element.op} has segment '{segment.name}', which has a tail; expected a fixed size")
        if segment.tail.pad % unit:
            texts.append(f"segment '{segment.name}' is padded to {segment.tail.pad} bytes; expected a multiple of {unit} in "
                         "a layout")
    elif segment.size % unit and element.op != "list":
        texts.append(f"segment '{segment.name}' has {segment.size} bytes; expected a multiple of {unit} in a layout")
    return texts


def fixed_texts(element: Element, segment: Segment) -> list[str]:
    texts: list[str] = []
    for name, value in element.fixed.items():
        field = segment.get(name)
        assert field is not None
        if field.const is not None:
            texts.append(f"'with' fixes '{name}' of segment '{segment.name}', which is const already")
        elif field.is_bytes:
            texts.append(f"'with' fixes the byte string '{name}' of segment '{segment.name}'; expected a number")
        elif text := value_text(field, value, f"'with' fixes '{name}' of segment '{segment.name}' to"):
            texts.append(text)
    return texts


def list_texts(element: Element, unit: int) -> list[str]:
    assert element.count is not None
    texts = [f"'{key}' names '{segment.name}.{field.name}', which is not a number the builder can write"
             for key, ((segment, field), _) in zip(("count", "entries" if element.entries else "sum", "sum"), told_by(element))
             if field.is_bytes or field.const is not None or field.translated]
    segment, field = element.count
    if element.head % unit:
        texts.append(f"'head' of the list is {element.head}; expected a multiple of {unit}")
    if element.pad % unit:
        texts.append(f"'pad' of the list is {element.pad}; expected a multiple of {unit}")
    if element.pad % element.unit:
        texts.append(f"'pad' of the list is {element.pad}; expected a multiple of its 'unit' {element.unit}")
    assert element.segment is not None
    if element.max is not None and not texts:
        size = -(-(element.max * element.segment.size + element.head) // element.pad) * element.pad // element.unit
        if size > field.max:
            texts.append(f"the list's 'max' of {element.max} makes {size} units, and '{segment.name}.{field.name}' holds at "
                         f"most {field.max}")
    return texts


def told_by(element: Element) -> list[tuple[tuple[Segment, Field], int]]:
    """The fields that announce a list, each with the unit in which it counts."""
    told = [(element.count, element.unit), (element.entries, 1), (element.sum[1] if element.sum else None, 1)]
    return [(pair, unit) for pair, unit in told if pair is not None]


def check_units(model: Model) -> list[Problem]:
    """A field that announces lists counts in one unit, in all lists."""
    problems: list[Problem] = []
    first: dict[tuple[str, str], tuple[int, Element]] = {}
    for element in sorted((e for e in all_elements(model) if e.op == "list"), key=lambda e: model.order(e.place)):
        whole = element.sum[1] if element.sum else None
        if whole is not None and element.entries is not None and whole[1] is element.entries[1]:
            problems.append((element.place, f"'{whole[0].name}.{whole[1].name}' is the number of entries of this list and their sum; "
                                            "expected a field for each"))
        for pair, unit in told_by(element):
            known, other = first.setdefault((pair[0].name, pair[1].name), (unit, element))
            if known != unit:
                where = "the same list" if other is element else f"the list at {other.place}"
                problems.append((element.place, f"'{pair[0].name}.{pair[1].name}' counts in units of {unit} for this list, and of {known} "
                                                f"for {where}; expected one unit"))
    return problems


def takes_zero(field: Field) -> bool:
    """A builder takes 0 as a value of the field. With 'zero_means' or 'minus' it does not, because another number
    means the bits 0."""
    return field.takes(0) and not (field.closed and stranger_text(field, 0))


def check_left_out(model: Model) -> list[Problem]:
    """Fields left out of `args` are not written. Only sizes of lists are, by the builder."""
    problems: list[Problem] = []
    counted = {(segment.name, field.name) for element in all_elements(model) for (segment, field), _ in told_by(element)}
    for element in all_elements(model):
        segment = element.segment
        if segment is None or segment.args is None or segment.control:
            continue
        for field in segment.fields:
            written = not field.in_struct or field.is_bytes or field in segment.args or field.name in element.fixed
            if written or (segment.tail and field is segment.tail.length) or (segment.name, field.name) in counted or takes_zero(field):
                continue
            problems.append((element.place, f"field '{field.name}' of segment '{segment.name}' is not among its 'args', so it is 0 here, which "
                                            "it does not take; expected it among them, or under 'with'"))
    return problems


def check_control_left_out(model: Model) -> list[Problem]:
    """Fields of the control segment that a request neither gives nor counts are 0."""
    problems: list[Problem] = []
    for request in (r for r in model.work_requests if r.control and r.control.control):
        assert request.control is not None and request.control.control is not None
        laps = [ring.lap[0] for device in model.devices for ring in device.rings if ring.lap and set(ring.of) & set(request.queues)]
        written = {*request.fixed, *(f.name for _, f in request.control.control.parts), *(a.field.name for a in request.args),
                   *(one.field.name for one in request.sums), *laps, *(request.ends or ())[:1]}
        problems += [(request.place, f"work request '{request.name}' leaves '{field.name}' of '{request.control.name}' 0, which it does not "
                                     "take; expected it under 'args' or 'with'")
                     for field in request.control.fields if field.in_struct and not field.is_bytes and field.name not in written and not takes_zero(field)]
    return problems


def can_be_empty(layout: list[Element]) -> bool:
    return all(element_can_be_empty(element) for element in layout)


def element_can_be_empty(element: Element) -> bool:
    if element.op == "choice":
        return any(can_be_empty(branch) for branch in element.choices)
    if element.op == "fragment":
        return can_be_empty(element.body)
    if element.op == "repeat":
        return element.min == 0
    return element.op in ("optional", "address")


# Whole requests


def check_held(model: Model) -> list[Problem]:
    """Optional and repeated parts have elements on each of their queues."""
    problems: list[Problem] = []
    for request in model.work_requests:
        for queue in request.queues:
            for element in elements(layout_on(request.layout, queue, model.address(queue))):
                if element.op in ("optional", "repeat") and can_be_empty(element.body):
                    problems.append((element.place, f"what the {element.op} holds can be nothing at all on {queue}; expected `when` on the "
                                                    f"{element.op} itself"))
    return dedupe(problems)


def check_address_in_address(model: Model) -> list[Problem]:
    return [(element.place, f"the address of transport '{transport.name}' names 'address' itself; expected segments")
            for transport in model.transports for element in elements(transport.address)
            if element.op == "address"]


def check_request(model: Model, request: WorkRequest) -> list[Problem]:
    owner = f"work request '{request.name}'"
    problems: list[Problem] = []
    for element in elements(request.layout):
        text = misplaced_text(model, request, element, owner)
        if text:
            problems.append((element.place, text))
    if request.queue != "send":
        return problems + check_control_values(model, request, owner)
    for transport in model.transports:
        queues = {state.send for state in transport.states}
        if transport.name in request.transports and queues == {"none"}:
            problems.append((request.place, f"{owner} is for transport '{transport.name}', which has no send queue"))
    return problems + check_address(model, request, owner) + check_control_values(model, request, owner)


def check_address(model: Model, request: WorkRequest, owner: str) -> list[Problem]:
    """A request of a transport with addresses has one, or is marked as reaching no peer."""
    if request.no_address:
        return [(element.place, f"{owner} has 'address: none', and its layout has an address")
                for element in elements(request.layout) if element.op == "address"]
    lacking = [transport.name for transport in model.transports if transport.name in request.transports and transport.address
               and not has_address(request.layout, transport.name)]
    if not lacking:
        return []
    return [(request.transport_places[lacking[0]],
             f"{owner} is on {quoted(lacking)}, whose requests name their peer, and its layout does not; expected the element "
             "'address', or the key 'address: none' if it reaches no peer")]


def has_address(layout: list[Element], transport: str) -> bool:
    """The layout has an address on this transport, whichever way it is taken."""
    for element in (e for e in layout if is_on(e, transport)):
        if element.op == "address" or (element.op == "fragment" and has_address(element.body, transport)):
            return True
        if element.op == "choice" and all(has_address(branch, transport) for branch in choices_on(element, transport)):
            return True
    return False


def check_passing(model: Model) -> list[Problem]:
    """Many values in a row are easily mixed up, and one more would change callers' code, so the spec must choose how they are passed."""
    problems: list[Problem] = []
    for element in all_elements(model):
        segment = element.segment
        if segment is None or element.op != "segment" or segment.prepared or segment.control or segment.says_pass:
            continue
        named = segment.fields if segment.args is None else segment.args
        given = [f for f in named if f.in_struct and f.name not in element.fixed and not (segment.tail and f is segment.tail.length)]
        if len(given) > MOST_VALUES:
            problems.append((segment.place, f"segment '{segment.name}' takes {len(given)} fields from its caller and does not say "
                                            "how; expected 'pass: struct' (more fields change no caller), 'pass: values', or fewer "
                                            "of them under 'args'"))
    return dedupe(problems)


def misplaced_text(model: Model, request: WorkRequest, element: Element, owner: str) -> str:
    if request.queue == "send" and element.op == "terminator":
        return f"the terminator is in {owner} of the send queue; expected it on receive queues only"
    if request.queue == "send" and element.by == "queue" and model.device.ring:
        return f"'by: queue' is in {owner} of the send queue; expected it on receive queues only"
    if request.queue != "send" and element.op == "address":
        return f"'address' is in {owner} of a receive queue; expected it on the send queue only"
    if request.queue != "send" and element.op == "list":
        return f"a list is in {owner} of a receive queue; expected it on the send queue only"
    if request.queue != "send" and element.segment is not None and element.segment.tail is not None:
        return f"segment '{element.segment.name}', which has a tail, is in {owner} of a receive queue; expected segments of fixed size"
    if element.by == "queue" and not (request.layout and element is request.layout[0]):
        return f"'by: queue' is in the middle of {owner}; expected the queue's own segment to be the first"
    return ""


def check_control_values(model: Model, request: WorkRequest, owner: str) -> list[Problem]:
    if request.control is None or request.control.control is None:
        return []
    control = request.control.control
    problems: list[Problem] = []
    if control.opmod is None and request.opmod:
        problems.append((request.place, f"{owner} has an 'opmod', and the control segment has no field for it"))
    elif control.opmod is not None and request.opmod > control.opmod.max:
        problems.append((request.place, f"'opmod' of {owner} is {request.opmod}; expected at most {control.opmod.max}"))
    if request.opcode is not None and control.opcode is not None and request.opcode.value > control.opcode.max:
        problems.append((request.place, f"the opcode of {owner} is 0x{request.opcode.value:x}; expected at most "
                                        f"0x{control.opcode.max:x}"))
    mask = 0
    for field in control.flags:
        mask |= ((1 << field.width) - 1) << field.lsb
    for flag in request.flags:
        if flag.value & ~mask:
            problems.append((flag.place, f"flag '{flag.name}' of {owner} is 0x{flag.value:x}, outside the fields that "
                                         "'control' has as flags"))
    return problems


def check_next(model: Model) -> list[Problem]:
    """A queue remembers only that a flag is due, not which one."""
    problems: list[Problem] = []
    asking = [request for request in model.work_requests if request.next_flag is not None]
    for request in asking:
        owner, flag, first = f"work request '{request.name}'", request.next_flag, asking[0]
        if request.queue != "send" or not model.device.ring:
            problems.append((request.place, f"{owner} has 'next', and no request follows it on a send queue that is a ring"))
        elif flag is not first.next_flag:
            problems.append((request.place, f"{owner} has 'next: {flag.name}', and '{first.name}' has 'next: {first.next_flag.name}'; "
                                            "expected one flag for all"))
    return problems


# Order: the segment that announces a list's size comes before the list, whichever way the layout is taken.


def check_order(model: Model, request: WorkRequest) -> list[Problem]:
    order = Order()
    for queue in request.queues:
        order.walk(layout_on(request.layout, queue, model.address(queue)), frozenset())
    return order.problems


class Order:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def walk(self, layout: list[Element], seen: frozenset[str]) -> frozenset[str]:
        """The segments that have certainly been passed after `layout`, given those before it."""
        for element in layout:
            seen = self.step(element, seen)
        return seen

    def step(self, element: Element, seen: frozenset[str]) -> frozenset[str]:
        if element.op == "list":
            self.check_list(element, seen)
        if element.segment is not None:
            return seen | {element.segment.name}
        if element.op == "choice":
            return frozenset.intersection(*(self.walk(branch, seen) for branch in element.choices))
        after = self.walk(element.body, seen)
        return after if element.op == "repeat" and element.min > 0 else seen

    def check_list(self, element: Element, seen: frozenset[str]) -> None:
        assert element.count is not None and element.segment is not None
        told = [("size", element.count), ("number of entries", element.entries), ("sum", element.sum[1] if element.sum else None)]
        for what, where in told:
            if where is not None and where[0].name not in seen:
                self.problems.append((element.place, f"the list of '{element.segment.name}' has its {what} in "
                                                     f"'{where[0].name}.{where[1].name}', which does not always come before it"))


# Conditions: a `when` that no request can meet is a mistake.


class Liveness:
    """Collects, for each element with a `when`, the transports on which it can stand."""

    def __init__(self, model: Model):
        self.model = model
        self.live: dict[int, set[str]] = {}
        self.guarded: dict[int, Element] = {}

    def problems(self) -> list[Problem]:
        for request in self.model.work_requests:
            self.visit(request.layout, set(request.transports))
        for transport in self.model.transports:
            self.visit(transport.address, {transport.name})
        return [(element.place, f"'when' names {quoted(element.when)}, and no request that has this element is for "
                                f"{'it' if len(element.when or []) == 1 else 'any of them'}")
                for key, element in self.guarded.items() if not self.live[key]]

    def visit(self, layout: list[Element], scope: set[str]) -> None:
        for element in layout:
            inside = scope
            if element.when is not None:
                inside = scope & set(element.when)
                self.guarded[id(element)] = element
                self.live.setdefault(id(element), set()).update(inside)
            if not inside and element.when is not None:
                continue
            self.visit(element.body, inside)
            for branch in element.choices:
                self.visit(branch, inside)


def quoted(names: Optional[list[str]]) -> str:
    return ", ".join(f"'{name}'" for name in names or [])
