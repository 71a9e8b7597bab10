# SPDX-License-Identifier: BSD-2-Clause
"""Looks up names while the model is built, and collects the missing ones."""

from __future__ import annotations

from typing import Optional, Protocol, Sequence, TypeVar

from codegen.load.load import Node, Problem
from codegen.model.model import Enumeration, Field, Member, Model, Place, Segment, together
from codegen.load.schema import expected_name, spoken


class Named(Protocol):
    name: str


T = TypeVar("T", bound=Named)


class Context:
    """The model under construction, the errors so far, and the items that could not be built.

    A reference to a broken item is not reported: the item itself was.
    """

    def __init__(self) -> None:
        self.model = Model()
        self.errors: list[Problem] = []
        self.broken: set[tuple[str, str]] = set()
        self.lost_controls: set[str] = set()  # kinds of receive queue whose control segment could not be built
        self.lost: set[str] = set()  # members of enums that could not be built
        self.little = False  # byte order of the device
        self.roles_given: set[str] = set()
        self.unknown: set[int] = set()  # ids of fields with an unknown enum
        self.unit = 1  # bytes in which the device counts lengths
        self.entry = 0  # bytes of its entries proper
        self.block = False  # it posts to blocks
        self.controls: list[Segment] = []  # first segments of entries

    def error(self, place: Place, text: str) -> None:
        self.errors.append((place, text))

    def is_broken(self, kinds: Sequence[str], name: str) -> bool:
        return any((kind, name) in self.broken for kind in kinds)

    def lookup(self, kind: str, items: Sequence[T], node: Node, user: str) -> Optional[T]:
        """The item that `node` names, or None with an error that names `user`."""
        name = str(node.value)
        found = next((item for item in items if item.name == name), None)
        if found is None and not self.is_broken([kind], name):
            hint = expected_name(name, (item.name for item in items))
            self.error(node.place, f"{user} names the unknown {spoken(kind)} '{name}'{hint}")
        return found

    def enumeration(self, node: Node, user: str) -> Optional[Enumeration]:
        return self.lookup("enum", self.model.enums, node, user)

    def segment(self, node: Node, user: str) -> Optional[Segment]:
        return self.lookup("segment", self.model.segments, node, user)

    def control(self, root: Node, user: str) -> Optional[Segment]:
        """The control segment that an item names, or the only one there is."""
        node = root.get("control")
        if node is None:
            return self.controls[0] if len(self.controls) == 1 else None
        found = self.segment(node, user)
        if found is not None and found.control is None:
            self.error(node.place, f"{user} has the control segment '{found.name}', which has no "
                                   "'control'; expected one that has")
            return None
        return found

    def enum_for(self, role: str, place: Place, user: str) -> Optional[Enumeration]:
        """The enum of a role on this device, such as `opcode`."""
        if not self.model.devices:
            return None  # reported once, as the missing device
        found = self.model.device.roles.get(role)
        if found is None and (role not in self.roles_given):
            self.error(place, f"{user} needs an enum of {role}, and device '{self.model.device.name}' has none; expected "
                              f"'{role}' under its 'roles'")
        return found

    def member(self, enum: Optional[Enumeration], node: Node, user: str) -> Optional[Member]:
        if enum is None:
            return None
        name = str(node.value)
        found = enum.member(name)
        if found is None and name not in self.lost:
            hint = expected_name(name, (m.name for m in enum.members))
            self.error(node.place, f"{user} names '{name}', which enum '{enum.name}' does not have{hint}")
        return found

    def field(self, segment: Optional[Segment], name: str, place: Place, user: str) -> Optional[Field]:
        """A field of `segment`, or None with an error."""
        if segment is None:
            return None
        found = segment.get(name)
        if found is None:
            hint = expected_name(name, (f.name for f in segment.fields))
            self.error(place, f"{user} names the unknown field '{name}' of {segment.kind} '{segment.name}'{hint}")
        return found

    def value(self, node: Node, of: Optional[Field], user: str) -> Optional[int]:
        """A number, written as one, as a member of the field's enum, or as {enum: E, member: M}."""
        if isinstance(node.value, bool):
            return None
        if isinstance(node.value, int):
            return node.value
        if isinstance(node.value, dict):
            enum = self.enumeration(node.child("enum"), user)
            found = self.member(enum, node.child("member"), user)
            return found.value if found else None
        return self.member_value(node, of, user)

    def member_value(self, node: Node, of: Optional[Field], user: str) -> Optional[int]:
        if of is None:
            return None
        enum = of.enum or of.flags
        if enum is None and id(of) in self.unknown:
            return None  # the enum itself was reported
        if enum is None:
            self.error(node.place, f"{user} is not a number, and field '{of.name}' has no enum; expected a number")
            return None
        if isinstance(node.value, str):
            found = self.member(enum, node, user)
            return found.value if found else None
        if of.flags is None:
            self.error(node.place, f"{user} is a list, and field '{of.name}' has no flags; expected one value")
            return None
        members = [self.member(enum, item, user) for item in node.items()]
        return together([found for found in members if found])


def own_sizes(context: Context, root: Node, owner: str) -> dict[str, int]:
    """The sizes of one queue's entries that differ from the device's."""
    found = {key: context.value(node, None, f"'{key}' of {owner}") for key, node in root.members("sizes")}
    return {key: value for key, value in found.items() if value is not None}
