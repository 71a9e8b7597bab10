# SPDX-License-Identifier: BSD-2-Clause
"""Keys of a random block device's frame that tests/codegen/layouts does not draw: control segments without opcode, flags or size, a
second control segment, queues without transports and transports without states, and keys of fields."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable

from tests.codegen.layouts.grammar import Item, Spec, at, field, item

SECOND, KIND = "other_ctrl", "deck"


def parts(spec: Spec, kind: str) -> list[Item]:
    return [part for part in spec.values() if part["kind"] == kind]


def requests(spec: Spec) -> list[Item]:
    return parts(spec, "work_request")


def controls(spec: Spec) -> list[Item]:
    return [part for part in parts(spec, "segment") if "control" in part]


def no_opcode(spec: Spec, rng: random.Random) -> None:
    """What was the opcode tells requests apart as any other field does."""
    for part in controls(spec):
        if part["control"].pop("opcode", None) is None:
            return
    spec["nic.yaml"]["roles"].pop("opcode", None)
    for request in (r for r in requests(spec) if "opcode" in r):
        request["with"] = {**request.get("with", {}), "opcode": {"enum": "opcode", "member": request.pop("opcode")}}


def no_flags(spec: Spec, rng: random.Random) -> None:
    for part in controls(spec):
        part["control"].pop("flags", None)
    spec["nic.yaml"]["roles"].pop("flags", None)
    spec.pop("post_flag.yaml", None)
    for request in requests(spec):
        request.pop("flags", None)


def no_size(spec: Spec, rng: random.Random) -> None:
    """Requests then have one length each, or a bit tells their end."""
    for part in controls(spec):
        part["control"].pop("size", None)
    for request in requests(spec):
        request.pop("counts", None)
        if "ends" not in request:
            request["layout"] = [use for use in request["layout"] if isinstance(use, dict) and "segment" in use]


def no_states(spec: Spec, rng: random.Random) -> None:
    for key in ("states", "attributes"):
        spec["nic.yaml"]["roles"].pop(key, None)
    for part in spec.values():
        if part["kind"] == "transport":
            for key in ("initial", "states", "transitions"):
                part.pop(key, None)
    for name in ("qp_state.yaml", "qp_attr.yaml"):
        spec.pop(name, None)


def kind(spec: Spec, rng: random.Random) -> None:
    """A kind of queue, and a few requests of it with control segments, or one request without."""
    alone = rng.random() < 0.3
    chosen = rng.sample(requests(spec), rng.randint(1, 6))
    if alone:
        plain = [part["name"] for part in spec.values() if part["kind"] == "segment" and "control" not in part and "tail" not in part and part["name"] != "bell"]
        kind_alone(spec, rng.choice(plain))
        return
    spec["nic.yaml"]["queues"] = [{"name": KIND, "control": "ctrl", "doc": "Work."}]
    for request in chosen:
        request["queue"] = KIND
        request.pop("transports", None)


def kind_alone(spec: Spec, segment: str) -> None:
    """A kind of queue with one request, which is that segment alone."""
    spec["nic.yaml"]["queues"] = [{"name": KIND, "doc": "Work."}]
    spec[f"{KIND}_it.yaml"] = item("work_request", f"{KIND}_it", queue=KIND, layout=[{"segment": segment}])


def all_kinds(spec: Spec, rng: random.Random) -> None:
    """No send queue at all, as of a DMA engine."""
    spec["nic.yaml"]["queues"] = [{"name": KIND, "control": "ctrl", "doc": "Work."}]
    for request in requests(spec):
        request["queue"] = KIND
        request.pop("transports", None)
        request["layout"] = [element for element in request["layout"] if element != "address" and "when" not in element]
    for name in ("north", "south"):
        spec.pop(f"{name}.yaml", None)
    spec["nic.yaml"].pop("rings", None)
    no_states(spec, rng)


def second_control(spec: Spec, rng: random.Random) -> None:
    """Of another length, or with another const; of some requests, or of a transport's."""
    ctrl = spec["ctrl.yaml"]
    other = copy.deepcopy(ctrl)
    other["name"] = SECOND
    dword = ctrl["size"] // 4
    other["size"] += 8
    other["fields"] += [field("more", at(dword, 63, 0))]
    if rng.random() < 0.3:
        other["control"].pop("flags", None)
    spec[f"{SECOND}.yaml"] = other
    home = rng.choice(["", "north", "south"])
    if home and f"{home}.yaml" in spec:
        spec[f"{home}.yaml"]["control"] = SECOND
    for request in requests(spec):
        own = {SECOND} if home in request.get("transports", []) else set()
        if rng.random() < 0.4:
            own = {rng.choice(["ctrl", SECOND])}
            request["control"] = min(own)
        if SECOND in own:
            request.setdefault("args", []).append({"name": "more", "field": "more", "doc": "Given."})
            if "flags" not in other["control"]:
                request.pop("flags", None)


def least(spec: Spec, rng: random.Random) -> None:
    for request in rng.sample(requests(spec), len(requests(spec)) // 3):
        request["least"] = spec["wqe.yaml"]["values"][0]["value"] * rng.randint(1, 12)


def rest(spec: Spec, rng: random.Random) -> None:
    spec["nic.yaml"]["rest"] = "stale"


# Of any device.


def plain_fields(spec: Spec) -> list[tuple[Item, Item]]:
    """Numbers of at most a dword of which nothing is said."""
    return [(part, f) for part in spec.values() if part["kind"] == "segment" and part["name"] != "bell" for f in part["fields"]
            if set(f) == {"name", "at", "doc"} and "dword" in f["at"] and int(f["at"]["bits"].split(":")[0]) < 32]


def minus(spec: Spec, rng: random.Random) -> None:
    """Not in a control segment, because most requests leave its fields 0. Limits show a reader that takes the bits for the value."""
    found = [f for part, f in plain_fields(spec) if "control" not in part]
    for f in rng.sample(found, min(len(found), 3)):
        f["minus"] = rng.choice([1, 1, 2, 100])
        high, low = map(int, f["at"]["bits"].split(":"))
        if rng.random() < 0.5:
            f["max"] = f["minus"] + rng.randrange(1 << high - low + 1)


def stale(spec: Spec, rng: random.Random) -> None:
    for part in spec.values():
        for place in part.get("reserved", []) if part["kind"] == "segment" else []:
            if rng.random() < 0.2:
                place["stale"] = True


def orders(spec: Spec, rng: random.Random) -> None:
    """Dwords of the other order of bytes."""
    other = "little" if spec["nic.yaml"]["byte_order"] == "big" else "big"
    for part, f in rng.sample(plain_fields(spec), 4):
        if "control" in part:
            continue
        for place in [*part["fields"], *part.get("reserved", [])]:
            if place["at"].get("dword") == f["at"]["dword"]:
                place["order"] = other


FRAMES: list[Callable[[Spec, random.Random], None]] = [no_opcode, no_flags, no_size, no_states, kind, kind, all_kinds, second_control, second_control, least, rest]
FIELDS: list[Callable[[Spec, random.Random], None]] = [minus, stale, orders]
