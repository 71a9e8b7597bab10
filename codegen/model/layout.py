# SPDX-License-Identifier: BSD-2-Clause
"""Builds layouts: fragments, work requests and the address layouts of transports."""

from __future__ import annotations

from typing import Optional

from codegen.model.segment import item_keys
from codegen.load.load import Node
from codegen.model.model import (Argument, Element, Field, Fragment, Member, Scale, Segment, Sum, Unseen,
                           WorkRequest,
                           Wrap)
from codegen.model.resolve import Context
from codegen.load.schema import expected_name

OPERATORS = ("segment", "fragment", "choice", "optional", "repeat", "list", "terminator")


def build_layout(context: Context, layout: list[Node]) -> list[Element]:
    return [build_element(context, node) for node in layout]


def build_element(context: Context, node: Node) -> Element:
    if node.value == "address":
        return Element(op="address", place=node.place)
    op = next(key for key in OPERATORS if node.get(key) is not None)
    element = Element(op=op, place=node.place)
    wrap = node.text("wrap")
    element.wrap = Wrap(wrap) if wrap else None
    element.when = build_when(node)
    element.by = node.text("by", "program")
    if op in ("segment", "list", "terminator"):
        element.segment = context.segment(node.child(op), "the layout")
        fill_fixed(context, node, element)
    if op == "list":
        fill_list(context, node, element)
    elif op == "fragment":
        element.name = node.text(op)
    elif op == "choice":
        element.choices = [build_layout(context, branch.items()) for branch in node.child(op).items()]
    elif op in ("optional", "repeat"):
        element.body = build_layout(context, node.child(op).items())
    if op in ("repeat", "list"):
        fill_bounds(node, element)
    return element


def build_when(node: Node) -> Optional[list[str]]:
    when = node.get("when")
    return [str(name.value) for name in when.child("transport").items()] if when else None


def fill_fixed(context: Context, node: Node, element: Element) -> None:
    for name, given in node.members("with"):
        field = context.field(element.segment, name, node.child("with").key_place(name), "'with'")
        value = context.value(given, field, f"'{name}' of 'with'") if field else None
        if value is not None:
            element.fixed[name] = value


def fill_list(context: Context, node: Node, element: Element) -> None:
    element.count = named_field(context, node.child("count"), "'count'")
    element.unit = node.number("unit", context.unit)
    element.pad = node.number("pad", context.unit)
    element.head = node.number("head")
    if node.get("entries"):
        element.entries = named_field(context, node.child("entries"), "'entries'")
    if node.get("sum"):
        of = node.child("sum").child("of")
        field = context.field(element.segment, str(of.value), of.place, "'of'")
        whole = named_field(context, node.child("sum").child("is"), "'is'")
        element.sum = (field, whole) if field is not None and whole is not None else None


def named_field(context: Context, node: Node, owner: str) -> Optional[tuple[Segment, Field]]:
    """SEGMENT.FIELD."""
    segment_name, field_name = str(node.value).split(".")
    segment = context.segment(Node(segment_name, node.place), owner)
    field = context.field(segment, field_name, node.place, owner)
    return (segment, field) if segment is not None and field is not None else None


def fill_bounds(node: Node, element: Element) -> None:
    element.min = node.number("min")
    limit = node.child("max").value
    element.max = limit if isinstance(limit, int) else None


def build_fragment(context: Context, root: Node) -> Fragment:
    return Fragment(**item_keys(context, root), layout=build_layout(context, root.child("layout").items()))


MOST_NESTED = 16  # fragments inside each other
MOST_ELEMENTS = 1024  # of one layout, as often as each may come: the automaton has about as many states


class Expander:
    """Puts each fragment's layout under the elements that name it, and refuses fragments that hold themselves."""

    def __init__(self, context: Context, nodes: dict[str, Node]):
        self.context = context
        self.nodes = nodes  # of fragments, by name
        self.done: set[str] = set()

    def expand_all(self) -> None:
        for fragment in self.context.model.fragments:
            self.expand_fragment(fragment, [])

    def expand_fragment(self, fragment: Fragment, outer: list[str]) -> None:
        if fragment.name in self.done:
            return
        self.expand(fragment.layout, self.nodes[fragment.name].child("layout").items(), outer + [fragment.name])
        self.done.add(fragment.name)

    def expand(self, layout: list[Element], nodes: list[Node], outer: list[str]) -> None:
        for element, node in zip(layout, nodes):
            if element.op == "fragment":
                self.expand_use(element, node.child("fragment"), outer)
            elif element.op in ("optional", "repeat"):
                self.expand(element.body, node.child(element.op).items(), outer)
            for branch, branch_node in zip(element.choices, node.child("choice").items() if element.choices else []):
                self.expand(branch, branch_node.items(), outer)

    def expand_use(self, element: Element, node: Node, outer: list[str]) -> None:
        fragment = self.context.lookup("fragment", self.context.model.fragments, node, "the layout")
        if fragment is None:
            return
        if fragment.name in outer:
            chain = " -> ".join(outer[outer.index(fragment.name):] + [fragment.name])
            self.context.error(element.place, f"the fragment '{fragment.name}' holds itself ({chain})")
            return
        if len(outer) >= MOST_NESTED:
            self.context.error(element.place, f"the fragment '{fragment.name}' is the {len(outer) + 1}th in one another, from "
                                              f"'{outer[0]}' on; expected at most {MOST_NESTED}")
            return
        self.expand_fragment(fragment, outer)
        element.body = fragment.layout


class Counter:
    """Counts the possible elements of a layout. An element that is written once and used often is counted once."""

    def __init__(self, addresses: list[list[Element]]):
        self.known: dict[int, int] = {}
        self.address = 0
        self.address = max((self.layout(address) for address in addresses), default=0)

    def layout(self, layout: list[Element]) -> int:
        if id(layout) not in self.known:
            self.known[id(layout)] = sum(self.element(element) for element in layout)
        return self.known[id(layout)]

    def element(self, element: Element) -> int:
        if element.op == "address":
            return self.address
        if element.op == "choice":
            return sum(self.layout(branch) for branch in element.choices)
        if element.op == "repeat":
            return self.layout(element.body) * max(element.max or 0, element.min + 1)
        return self.layout(element.body) if element.op in ("fragment", "optional") else 1


def check_elements(context: Context) -> None:
    """A layout that is far too long for any entry is not walked at all."""
    model = context.model
    counter = Counter([transport.address for transport in model.transports])
    for owner, layout in model.layouts:
        number = counter.layout(layout)
        if number > MOST_ELEMENTS:
            largest = max(layout, key=counter.element)
            context.error(largest.place, f"{owner} has {number} elements, with what is repeated as often as it may be; expected "
                                         f"at most {MOST_ELEMENTS}, with a smaller 'max', or 'max: wqe' for as many as fit")


def build_work_request(context: Context, root: Node) -> WorkRequest:
    owner = f"work request '{root.text('name')}'"
    check_queue(context, root, owner)
    control = find_control(context, root, owner)
    refuse_keys(context, root, control, owner)
    length, sums = build_counts(context, root, control, owner)
    return WorkRequest(
        **item_keys(context, root),
        call=root.text("call") or root.text("name"),
        queue=root.text("queue"),
        control=control,
        opcode=build_opcode(context, root, control, owner),
        opmod=build_opmod(context, root, owner),
        transports=build_transports(context, root.parts("transports"), owner),
        flags=build_flags(context, root, owner),
        args=build_settings(context, root.get("args"), control, "argument", owner),
        layout=build_layout(context, root.child("layout").items()),
        fixed=build_fixed(context, root, control, owner),
        counts=length.what if length else "",
        size=length.field if length else None,
        scale=length.scale if length else Scale(),
        sums=sums,
        ends=next(((name, int(node.value)) for name, node in root.members("ends")), None),
        least=max(root.number("least"), context.entry if control else 0),
        creatable=build_excuses(context, root, "creatable", owner),
        shared=root.text("shared"),
        unseen=build_excuses(context, root, "unseen", owner),
        no_address=root.text("address") == "none",
        next_flag=build_next(context, root, owner),
        opcode_place=root.key_place("opcode"),
        transport_places={str(item.value): item.place for item in root.parts("transports")},
    )


def build_excuses(context: Context, root: Node, key: str, owner: str) -> list[Unseen]:
    transports = {str(item.value) for item in root.parts("transports")}
    excuses = []
    for item in root.parts(key):
        transport, segment = item.text("transport"), item.get("segment")
        if transport and transport not in transports:
            context.error(item.child("transport").place, f"'{key}' of {owner} names the transport '{transport}', which the request does not have")
        if segment is not None:
            context.segment(segment, f"'{key}' of {owner}")
        excuses.append(Unseen(item.text("why"), transport, item.text("segment")))
    return excuses


def build_fixed(context: Context, root: Node, control: Optional[Segment], owner: str) -> dict[str, int]:
    """Fields of the control segment that are equal in every such request."""
    fixed: dict[str, int] = {}
    for name, node in root.members("with"):
        user = f"'with' of {owner}"
        field = context.field(control, name, root.child("with").key_place(name), user)
        if not (field is not None and control and control.control and field is control.control.size and context.block):
            refuse_owned(context, control, field, node, user)
        value = context.value(node, field, f"'{name}' of 'with'") if field else None
        if value is not None:
            fixed[name] = value
    return fixed


def check_queue(context: Context, root: Node, owner: str) -> None:
    """The names of receive queues come from the device."""
    known = ["send"] + [queue.name for device in context.model.devices for queue in device.queues]
    queue = root.child("queue")
    if context.model.devices and queue.value not in known:
        context.error(queue.place, f"{owner} is for the unknown queue '{queue.value}'{expected_name(str(queue.value), known)}")


def find_control(context: Context, root: Node, owner: str) -> Optional[Segment]:
    """The control segment of a request: its own, or that of its transports or of its queue."""
    only = len(context.controls) == 1 and root.text("queue") == "send"
    if root.get("control") is not None or only:
        return context.control(root, owner)
    if root.text("queue") != "send":
        return next((queue.control for device in context.model.devices for queue in device.queues
                     if queue.name == root.text("queue")), None)
    wanted = [str(item.value) for item in root.parts("transports")]
    found = [t.control for t in context.model.transports if t.name in wanted]
    same = bool(found) and found[0] is not None and all(other is found[0] for other in found)
    if context.controls and found and not same:
        context.error(root.place, f"{owner} could begin with any of {len(context.controls)} "
                                  "control segments; expected 'control', here or on "
                                  "its transports, the same on all of them")
        return None
    return found[0] if found else None


def build_counts(context: Context, root: Node, control: Optional[Segment],
                 owner: str) -> tuple[Optional[Sum], list[Sum]]:
    """The size of an entry, with the field that holds it, and the other numbers that the control
    segment counts."""
    node = root.get("counts")
    size = control.control.size if control and control.control else None
    if node is None or control is None:
        return None, []
    if isinstance(node.value, str):
        return Sum(size, node.value), []
    order = ("units", "entries", "bytes") if root.get("ends") is None else ()
    found = []
    for name, what in node.pairs():
        field = context.field(control, name, node.key_place(name), f"'counts' of {owner}")
        if field is not None:
            found.append(build_sum(context, field, what, f"'counts' of {owner}"))
    lengths = [one for what in order for one in found if one.what == what]
    return lengths[0] if lengths else None, [one for one in found if one not in lengths[:1]]


def build_sum(context: Context, field: Field, node: Node, owner: str) -> Sum:
    what = node.get("of") or node
    scale = Scale(**{key: value.value for key, value in node.pairs() if key != "of"})
    if "." not in str(what.value):
        return Sum(field, str(what.value), scale=scale)
    segment, of = named_field(context, what, owner) or (None, None)
    return Sum(field, "sum", segment, of, scale)


def refuse_keys(context: Context, root: Node, control: Optional[Segment], owner: str) -> None:
    """A request needs an opcode, and on the send queue transports. A receive without a control segment
    has no place for an opcode."""
    if root.text("queue") == "send":
        if root.get("transports") is None:
            context.error(root.place, f"{owner} is for the send queue and lacks 'transports'; expected a list of transports")
        if root.get("transports") is not None and not root.child("transports").items():
            context.error(root.child("transports").place, f"{owner} has no transport; expected at least one")
        return
    if root.text("queue") not in (queue.name for device in context.model.devices for queue in device.queues):
        return  # its requirements follow from its queue, which is unknown
    if control is None and (root.get("control") is not None or root.text("queue") in context.lost_controls):
        return  # the control segment that it names is missing, which is an error already
    of_control = ("opcode", "opmod", "flags", "with", "counts", "least", "args")
    for key in (of_control if control is None else ()) + ("transports", "address"):
        if root.get(key) is not None:
            context.error(root.key_place(key), f"{owner} is for a receive queue and has '{key}'; "
                                               "expected it on the send queue only")


def build_opcode(context: Context, root: Node, control: Optional[Segment],
                 owner: str) -> Optional[Member]:
    """The opcode of a request. Each control segment may have opcodes of its own, or none."""
    node = root.get("opcode")
    place = control.control.opcode if control and control.control else None
    if place is not None and node is None:
        context.error(root.place, f"{owner} begins with segment '{control.name}' and lacks 'opcode'; expected a member of the enum of opcodes")
    if control is not None and place is None and node is not None:
        context.error(root.key_place("opcode"), f"{owner} has 'opcode', and its control segment '{control.name}' has no field for it; expected "
                                                "'with', or a const of that segment, to tell its requests apart")
        return None
    if node is None:
        return None
    if len(context.controls) > 1 and place is not None and place.enum:
        return context.member(place.enum, node, owner)
    return context.member(context.enum_for("opcode", node.place, owner), node, owner)


def build_opmod(context: Context, root: Node, owner: str) -> int:
    node = root.get("opmod")
    value = context.value(node, None, f"'opmod' of {owner}") if node else 0
    return value if value is not None else 0


def build_transports(context: Context, nodes: list[Node], owner: str) -> list[str]:
    names: list[str] = []
    can_send = [t for t in context.model.transports if not t.states or any(state.send != "none" for state in t.states)]
    known = [t.name for t in context.model.transports]
    for item in nodes:
        # A receive-only transport is known, and refused later. It must not be suggested.
        context.lookup("transport", context.model.transports if str(item.value) in known else can_send, item, owner)
        if str(item.value) in names:
            context.error(item.place, f"{owner} names the transport '{item.value}' twice")
        names.append(str(item.value))
    return names


def build_flags(context: Context, root: Node, owner: str) -> list[Member]:
    node = root.get("flags")
    if node is None:
        return []
    enum = context.enum_for("flags", node.place, owner)
    found = [context.member(enum, item, owner) for item in node.items()]
    return [member for member in found if member is not None]


def build_next(context: Context, root: Node, owner: str) -> Optional[Member]:
    node = root.get("next")
    if node is None:
        return None
    enum = context.enum_for("flags", node.place, owner)
    return context.member(enum, node, owner)


def build_settings(context: Context, node: Optional[Node], control: Optional[Segment], what: str, owner: str) -> list[Argument]:
    """Arguments of a request, or options of a transport: `what`."""
    found: list[Argument] = []
    for item in node.items() if node else []:
        name, user = item.text("name"), f"{what} '{item.text('name')}' of {owner}"
        field = context.field(control, item.text("field"), item.child("field").place, user)
        refuse_owned(context, control, field, item.child("field"), user)
        if name in (one.name for one in found):
            context.error(item.place, f"{owner} has two {what}s '{name}'")
        if field is not None:
            found.append(Argument(name, field, item.text("doc")))
    return found


def refuse_owned(context: Context, control: Optional[Segment], field: Optional[Field], node: Node, user: str) -> None:
    """The builder itself writes opcode, index, queue number and size."""
    if control is None or control.control is None or field is None:
        return
    parts = control.control
    if any(field is part for _, part in parts.parts):
        context.error(node.place, f"{user} is the field '{field.name}', which the builder writes itself")
