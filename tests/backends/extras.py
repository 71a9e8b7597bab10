# SPDX-License-Identifier: BSD-2-Clause
"""Keys of block devices that tests/codegen/layouts does not draw, given to a random spec: bits that tell the last piece or the lap of
the ring, counts with factors, offsets and rounding, payloads with a length or a place of their own, sizes of a queue; and those of
frames.py."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable

from codegen.model.model import SpecError
from tests.backends import frames, names
from tests.backends.frames import parts
from tests.codegen.layouts.grammar import Item, Spec, at, field

END, LAP = "at_end", "of_lap"
TRIES = 12  # changes, each of which may be refused
REFUSALS = 6
LEAST = 6  # requests that are to be left


def draw(spec: Spec, rng: random.Random, more: bool = False) -> Spec:
    """The spec with some of the drawn keys; requests that `check` refuses then are left out. `more`: also with LATER."""
    changes = [*CHANGES, *frames.FRAMES, *frames.FIELDS] if spec["nic.yaml"]["posting"] == "block" else frames.FIELDS
    later = LATER if more and spec["nic.yaml"]["posting"] == "block" else []
    for change in [*rng.sample(changes, min(len(changes), TRIES)), *later]:
        changed = copy.deepcopy(spec)
        change(changed, rng)
        spec = accepted(changed) or spec
    return spec


def accepted(spec: Spec) -> Spec | None:
    """Those of its requests that `check` accepts, if they are enough."""
    for _ in range(REFUSALS):
        try:
            names.check(spec)
            return spec
        except SpecError as error:
            refused = {place.file for place, _ in error.errors}
        if len(parts(spec, "work_request")) - len(refused) < LEAST or any(spec.get(file, spec["nic.yaml"])["kind"] != "work_request" for file in refused):
            return None
        spec = {file: part for file, part in spec.items() if file not in refused}
    return None


def free_bit(part: Item) -> Item | None:
    """The highest bit of a reserved place, which is one less then."""
    for place in part.get("reserved", []):
        if "bits" in place["at"] and place["at"]["bits"].split(":")[0] != place["at"]["bits"].split(":")[1]:
            high, low = map(int, place["at"]["bits"].split(":"))
            if high < 32:
                place["at"]["bits"] = f"{high - 1}:{low}"
                return {**place, "at": at(place["at"]["dword"], high, high)}
    return None


def add_bits(spec: Spec, rng: random.Random, name: str) -> None:
    """In some segments, at some place."""
    for part in parts(spec, "segment"):
        if name in (f["name"] for f in part["fields"]) or "tail" in part or part["name"] == "bell" or rng.random() < (0.1 if "control" in part else 0.4):
            continue
        bit = free_bit(part)
        if bit is None and "control" not in part:
            dword = -(-part["size"] // 4)
            part["size"] = 4 * dword + 4
            part.setdefault("reserved", []).append({"at": at(dword, 30, 0)})
            bit = {"at": at(dword, 31, 31)}
        if bit is not None:
            part["fields"].append({**field(name, {}), **bit})
            if len(part["fields"]) > 5 and not {"args", "prepared", "control"} & part.keys():
                part.setdefault("pass", "struct")


def ends(spec: Spec, rng: random.Random) -> None:
    add_bits(spec, rng, END)
    for request in rng.sample(parts(spec, "work_request"), 2):
        if request["queue"] == "send":
            request.pop("counts", None)
            request["ends"] = {END: rng.randint(0, 1)}


def laps(spec: Spec, rng: random.Random) -> None:
    add_bits(spec, rng, LAP)
    rings = spec["nic.yaml"].setdefault("rings", [])
    if not rings:
        rings.append({"of": [rng.choice(["north", "south"])]})
    ring = rng.choice(rings)
    for request in parts(spec, "work_request"):
        if "args" in request and set(ring["of"]) & set(request.get("transports", [])):
            request["args"] = [arg for arg in request["args"] if arg["field"] != "lap"]
    ring["lap"] = {"field": LAP, "first": rng.randint(0, 1)}


def scales(spec: Spec, rng: random.Random) -> None:
    for request in parts(spec, "work_request"):
        if request.get("counts") in ("entries", "units", "bytes") and rng.random() < 0.5:
            times = rng.choice([1, 1, 2, 4])
            counted = {"times": times, "plus": times * rng.randint(0, 3), "round": times * rng.choice([1, 1, 2, 3]), "less": rng.randint(0, 2)}
            request["counts"] = {"many": {"of": request["counts"], **{key: v for key, v in counted.items() if v > (key != "less" and key != "plus")}}}
            if rng.random() < 0.5:
                request["counts"]["x0"] = "padding"


def sums(spec: Spec, rng: random.Random) -> None:
    for request in parts(spec, "work_request"):
        if isinstance(request.get("counts"), dict):
            request["counts"][rng.choice(["x1", "x2", "peer"])] = rng.choice([{"of": "entries", "plus": rng.randint(1, 9), "times": 3}, "bytes"])


def own_length(spec: Spec, rng: random.Random) -> None:
    """A payload whose segment has its length, wherever in a layout."""
    part = rng.choice([spec["t0.yaml"], spec["t1.yaml"]])
    part.pop("reserved", None)
    part |= {"size": 4, "fields": [field("sort", at(0, 31, 24), const=rng.randint(1, 255)), field("many_bytes", at(0, 7, 0))],
             "reserved": [{"at": at(0, 23, 8)}], "tail": {"at": 4, "length": "many_bytes", "pad": rng.choice([1, 4, 8])}}
    for request in parts(spec, "work_request"):
        if request.get("counts") == "units" and rng.random() < 0.6:
            request["layout"].insert(rng.randint(0, len(request["layout"])), {"segment": part["name"]})


def placed(spec: Spec, rng: random.Random) -> None:
    """A payload with a place of its own, behind which more may follow."""
    part = spec["t1.yaml"]
    part["tail"] = {"at": part["tail"]["at"], "max": 24, "min_size": rng.choice([8, 16, 32])}
    for request in parts(spec, "work_request"):
        if "ends" in request or request.get("counts") == "units":
            request["counts"] = {"peer": "bytes"} | ({"many": "units"} if "ends" not in request else {})
            request["layout"].insert(rng.randint(0, len(request["layout"])), {"segment": "t1"})


def padded(spec: Spec, rng: random.Random) -> None:
    """A payload that is filled up to several units, which are counted beside its bytes."""
    part, unit = spec["t1.yaml"], spec["wqe.yaml"]["values"][0]["value"]
    part["tail"] = {"at": part["tail"]["at"], "max": 24, "pad": unit * rng.choice([2, 3])}
    for request in parts(spec, "work_request"):
        if request.get("counts") == "units" or request.get("counts") == "bytes" and '"t1"' in json.dumps(request["layout"]):
            before = [use for use in request["layout"] if isinstance(use, dict) and "segment" in use and use["segment"] != "t1"]
            request["layout"] = [*before[:1], {"segment": "t1"}]
            request["counts"] = {"peer": "bytes", "many": "units"}
            request["args"] = [arg for arg in request.get("args", []) if arg["field"] != "peer"]


def empty(spec: Spec, rng: random.Random) -> None:
    """Entries that an array leaves out."""
    for request in parts(spec, "work_request"):
        uses = [e["repeat"][0] for e in request["layout"] if isinstance(e, dict) and "repeat" in e]
        for part in (spec[f"{use['segment']}.yaml"] for use in uses if isinstance(use, dict) and "segment" in use):
            numbers = [f["name"] for f in part["fields"] if "byte" not in f["at"] and not {"const", "min", "never", "zero_means"} & f.keys()]
            if numbers:
                part.setdefault("empty", rng.choice(numbers))


def sizes(spec: Spec, rng: random.Random) -> None:
    own = {"unit": rng.choice([4, 8, 16, 32]), "largest": rng.randint(4, 20)}
    for transport in parts(spec, "transport"):
        if rng.random() < 0.7:
            transport["sizes"] = own


CHANGES: list[Callable[[Spec, random.Random], None]] = [ends, ends, laps, scales, scales, sums, own_length, placed, sizes]
LATER: list[Callable[[Spec, random.Random], None]] = [padded, empty]
