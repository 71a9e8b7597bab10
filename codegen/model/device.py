# SPDX-License-Identifier: BSD-2-Clause
"""Builds the device: byte order, sizes, kinds of receive queue, and the enums for each role."""

from __future__ import annotations

from typing import Any, Optional

from codegen.model.segment import item_keys
from codegen.load.load import Node
from codegen.model.model import Completion, Device, Doorbell, Enumeration, Place, Queue, Ring, SpecError
from codegen.model.resolve import Context, own_sizes
from codegen.load.schema import spoken


def build_devices(context: Context, roots: list[Node]) -> None:
    """Needs the enums. Everything else needs the device."""
    for root in roots[1:]:
        context.error(root.child("name").place, f"device '{root.text('name')}' is a second device, after "
                                                f"'{roots[0].text('name')}'; expected one per library")
    if len(roots) > 1:
        raise SpecError(context.errors)  # facts for one device would be wrong for the other
    context.model.devices = [build_device(context, root) for root in roots[:1]]
    for device in context.model.devices:
        context.little = device.little
        context.unit = device.unit
        context.entry = device.entry
        context.block = not device.ring


def build_device(context: Context, root: Node) -> Device:
    owner = f"device '{root.text('name')}'"
    sizes: dict[str, int] = {}
    places: dict[str, Place] = {}
    for key, node in root.child("sizes").pairs():
        value = context.value(node, None, f"'{key}' of {owner}")
        sizes[key] = value if value is not None else 1
        places[key] = node.place
    return Device(
        **item_keys(context, root),
        little=root.text("byte_order") == "little",
        posting=root.text("posting"),
        unit=sizes["unit"] or 1,
        block=sizes["block"],
        largest=sizes["largest"],
        sizes=sizes,
        roles=build_roles(context, root, owner),
        queues=[Queue(node.text("name"), node.text("doc"), node.place, sizes=own_sizes(context, node, f"queue '{node.text('name')}' of {owner}"))
                for node in root.parts("queues")],
        entry=sizes.get("entry", 0),
        stale_rest=root.get("rest") is not None,
        runtime=root.text("runtime"),
        c_prefix=root.text("c_prefix"),
        size_places=places,
    )


def build_rings(context: Context, roots: list[Node]) -> None:
    """Needs the segments."""
    for device, root in zip(context.model.devices, roots):
        device.rings = [build_ring(context, node, f"a ring of device '{device.name}'") for node in root.parts("rings")]


def build_ring(context: Context, node: Node, owner: str) -> Ring:
    stride, lap = node.get("stride"), node.get("lap")
    return Ring(
        of=[str(name.value) for name in node.child("of").items()],
        stride=context.value(stride, None, f"'stride' of {owner}") or 0 if stride is not None else 0,
        lap=(lap.text("field"), lap.number("first")) if lap is not None else None,
        doorbell=build_doorbell(context, node, owner),
        place=node.place,
        **build_completions(context, node, owner),
    )


def build_completions(context: Context, ring: Node, owner: str) -> dict[str, Any]:
    given = ring.get("completions")
    if given is None:
        return {}
    user = f"'completions' of {owner}"
    lap, found = given.child("lap"), []
    for node in given.child("of").items():
        cqe = context.lookup("cqe", context.model.cqes, node.child("cqe"), user)
        if cqe is None or context.field(cqe, lap.text("field"), lap.place, user) is None:
            continue
        index, failed, status = (context.field(cqe, node.text(key), node.child(key).place, user) if node.get(key) else None
                                 for key in ("index", "failed", "status"))
        found.append(Completion(cqe, node.text("names"), index, failed, status or failed))
    return {"completions": found, "color": (lap.text("field"), lap.number("first"))}


def build_doorbell(context: Context, ring: Node, owner: str) -> Optional[Doorbell]:
    node = ring.get("doorbell")
    user = f"'doorbell' of {owner}"
    segment = context.segment(node.child("segment"), user) if node is not None else None
    if node is None or segment is None:
        return None
    index = context.field(segment, node.text("index"), node.child("index").place, user)
    lap = context.field(segment, node.text("lap"), node.child("lap").place, user) if node.get("lap") else None
    fixed = []
    for name, value in node.members("with"):
        field = context.field(segment, name, value.place, user)
        number = context.value(value, field, f"'{name}' of {user}") if field is not None else None
        if field is not None and number is not None:
            fixed.append((field, number))
    return Doorbell(segment, index, node.text("counts") == "slots", lap, fixed) if index is not None else None


def build_roles(context: Context, root: Node, owner: str) -> dict[str, Enumeration]:
    roles: dict[str, Enumeration] = {}
    for role, node in root.members("roles"):
        context.roles_given.add(role)
        enum = context.enumeration(node, f"'{role}' of {owner}")
        if enum is not None:
            roles[role] = enum
    return roles


def find_device(context: Context, nodes: dict[str, list[Node]]) -> None:
    """A device is needed as soon as anything is posted."""
    users = nodes["work_request"] + nodes["transport"]
    if users and not context.model.devices and not any(kind == "device" for kind, _ in context.broken):
        context.error(users[0].child("name").place, f"{spoken(users[0].text('kind'))} '{users[0].text('name')}' needs a "
                                                    "device, and no file has 'kind: device'")
