# SPDX-License-Identifier: BSD-2-Clause
"""Builds transports: address layout, options, states and transitions."""

from __future__ import annotations

from typing import Optional

from codegen.model.layout import build_layout, build_settings
from codegen.model.segment import item_keys, origin
from codegen.load.load import Node
from codegen.model.model import Enumeration, Member, State, Transition, Transport
from codegen.model.resolve import Context, own_sizes
from codegen.load.schema import expected_name


STATES = ("initial", "states", "transitions")


def build_transport(context: Context, root: Node) -> Transport:
    owner = f"transport '{root.text('name')}'"
    control = context.control(root, owner)
    given = [key for key in STATES if root.get(key) is not None]
    whole = len(given) == len(STATES)
    states_enum = context.enum_for("states", root.key_place("states"), owner) if whole else None
    attributes = context.enum_for("attributes", root.key_place("transitions"), owner) if whole else None
    for key in STATES if given else []:
        if key not in given:
            context.error(root.key_place(given[0]), f"{owner} has '{given[0]}' and lacks '{key}'; expected all of {', '.join(STATES)}, or none "
                                                    "of them where queues have no states")
    states = [build_state(context, node, states_enum, attributes) for node in root.parts("states")]
    known = [state.name for state in states]
    for key in ("initial", "number_at"):
        node = root.get(key)
        if node is not None and whole:
            check_state(context, node, known, f"'{key}' of {owner}")
    return Transport(
        **item_keys(context, root),
        initial=root.text("initial"),
        number_at=root.text("number_at"),
        address=build_layout(context, root.parts("address")),
        options=build_settings(context, root.get("options"), control, "option", owner),
        states=states,
        transitions=[build_transition(context, node, known, attributes)
                     for node in root.parts("transitions")],
        control=control,
        sizes=own_sizes(context, root, owner),
    )


def build_state(context: Context, node: Node, states: Optional[Enumeration],
                attributes: Optional[Enumeration]) -> State:
    name = node.child("name")
    found = context.member(states, name, "the state")
    return State(
        name=str(name.value),
        member=found,
        value=found.value if found else 0,
        send=node.text("send"),
        recv=node.text("recv"),
        doc=node.text("doc"),
        needs=build_attributes(context, node, "needs", attributes, f"state '{name.value}'"),
        place=node.place,
        **origin(context, node, f"state '{name.value}'"),
    )


def build_attributes(context: Context, node: Node, key: str, attributes: Optional[Enumeration],
                     owner: str) -> list[Member]:
    found: list[Member] = []
    for item in node.parts(key):
        member = context.member(attributes, item, f"'{key}' of {owner}")
        if member is not None and member in found:
            context.error(item.place, f"'{key}' of {owner} names {member.name} twice")
        if member is not None:
            found.append(member)
    return found


def check_state(context: Context, node: Node, known: list[str], owner: str) -> None:
    name = str(node.value)
    if name not in known:
        hint = expected_name(name, known)
        context.error(node.place, f"{owner} is {name}, which is not a state of this transport{hint}")


def build_transition(context: Context, node: Node, known: list[str], attributes: Optional[Enumeration]) -> Transition:
    sources = node.child("from").items() or [node.child("from")]
    target = node.child("to")
    owner = f"the transition to {target.value}"
    for source in sources:
        check_state(context, source, known, f"'from' of {owner}")
    check_state(context, target, known, "'to' of the transition")
    return Transition(
        sources=[str(source.value) for source in sources],
        to=str(target.value),
        required=build_attributes(context, node, "required", attributes, owner),
        optional=build_attributes(context, node, "optional", attributes, owner),
        doc=node.text("doc"),
        place=node.place,
        by=node.text("by", "program"),
        **origin(context, node, owner),
    )
