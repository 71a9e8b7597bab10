# SPDX-License-Identifier: BSD-2-Clause
"""The hard parts of a drawn device, by name: a fuzzer that never draws one of them says nothing of it."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.python.nic import Data, number
from tests.backends.names import WORDS

MOST_FLAGS = 12
FLAGS = [f"{n} flag fields" for n in range(MOST_FLAGS + 1)]
PIECES = ["pieces in a control segment", "pieces in the dword of flags", "pieces in another segment", "two orders of bytes"]
CONTROLS = ["no opcode", "no size", "two control segments", "entries without control"]
RINGS = ["ring with a stride", "ring without", "lap of a ring", "lap in each segment", "doorbell", "doorbell with a lap", "doorbell with consts"]
REQUESTS = ["bit that ends", "factor of a count", "sum", "least length", "list", "payload with its length", "payload with a place", "option"]
DEVICES = ["ring of blocks", "words of languages", "sizes of a queue", "no send queue", "no states", "stale"]
FIELDS = ["minus", "minus with a limit"]  # of segments that requests have
REPEATS = ["repeat", "repeat that leaves out entries", "payload with padding"]
ALL = [*FLAGS, *PIECES, *CONTROLS, *RINGS, *REQUESTS, *DEVICES, *FIELDS, *REPEATS]


def parts(model: Data) -> set[str]:
    """Which of them a device has."""
    found = {*of_device(model), *of_repeats(model)}
    for ring in model["devices"][0].get("rings", []):
        found |= {*of_ring(ring)}
    for request in model["requests"]:
        found |= {*of_request(request)}
    used = {use["segment"] for queue in model["queues"] for use in queue["uses"]}
    for segment in model["segments"]:
        found |= {*of_segment(segment)}
        found |= {part for f in segment["fields"] if segment["name"] in used for part in of_field(f)}
    return found & {*ALL}


def of_device(model: Data) -> Iterator[str]:
    names = {part["name"] for kind in ("segments", "requests", "queues") for part in model[kind]}
    names |= {f["name"] for s in model["segments"] for f in s["fields"]}
    yield "words of languages" if names & {*WORDS} else ""
    yield "ring of blocks" if model["devices"][0]["posting"] != "block" else ""
    yield "no send queue" if all(q["kind"] != "send" for q in model["queues"]) else ""
    yield "no states" if not any(t["states"] for t in model["transports"]) else ""
    yield "sizes of a queue" if len({(q["unit"], q["largest"]) for q in model["queues"]}) > 1 else ""
    yield "two control segments" if sum("control" in s for s in model["segments"]) > 1 else ""
    yield "option" if any(t["options"] for t in model["transports"]) else ""
    yield "lap in each segment" if sum(any(r.get("lap", {}).get("field") == f["name"] for r in model["devices"][0].get("rings", [])
                                           for f in s["fields"]) for s in model["segments"]) > 1 else ""
    text = str(model["queues"])
    yield "list" if "'op': 'list'" in text else ""


def of_ring(ring: Data) -> Iterator[str]:
    yield "ring with a stride" if "stride" in ring else "ring without"
    yield "lap of a ring" if "lap" in ring else ""
    if "doorbell" in ring:
        yield "doorbell"
        yield "doorbell with a lap" if "lap" in ring["doorbell"] else ""
        yield "doorbell with consts" if ring["doorbell"].get("with") else ""


def of_request(request: Data) -> Iterator[str]:
    yield "entries without control" if "control" not in request else ""
    yield "bit that ends" if request.get("ends") else ""
    yield "least length" if request.get("least") else ""
    yield "factor of a count" if any(s.get("factor", s.get("times", 1)) > 1 for s in request.get("sums", [])) else ""
    yield "sum" if request.get("sums") else ""


def of_repeats(model: Data) -> Iterator[str]:
    empty = {segment["name"] for segment in model["segments"] if segment.get("empty")}
    for queue in model["queues"]:
        for stages in (request["stages"] for request in queue["requests"]):
            for step in (step for stage in stages for step in stage["steps"]):
                if (step["use"], step["to"]) in ((s["use"], s["to"]) for s in stages[step["to"]]["steps"]):
                    yield "repeat"
                    yield "repeat that leaves out entries" if queue["uses"][step["use"]]["segment"] in empty else ""


def of_field(f: Data) -> Iterator[str]:
    if "minus" in f:
        yield "minus"
        yield "minus with a limit" if number(f["max"]) - f["minus"] < (1 << f["bits"]) - 1 else ""


def of_segment(segment: Data) -> Iterator[str]:
    fields = segment["fields"]
    yield "stale" if any(p.get("stale") for p in segment.get("reserved", [])) else ""
    yield "two orders of bytes" if len({f["order"] for f in fields if f.get("order") and f.get("word", 8) > 8}) > 1 else ""
    pieces = [f for f in fields if "pieces" in f]
    if "tail" in segment:
        yield "payload with its length" if "length" in segment["tail"] else "payload with a place"
        yield "payload with padding" if "max" in segment["tail"] and segment["tail"]["pad"] > 1 else ""
    if "control" not in segment:
        yield "pieces in another segment" if pieces else ""
        return
    flags = segment["control"].get("flags", [])
    yield f"{min(len(flags), MOST_FLAGS)} flag fields"
    yield "no opcode" if "opcode" not in segment["control"] else ""
    yield "no size" if "size" not in segment["control"] else ""
    yield "pieces in a control segment" if pieces else ""
    dwords = {f["byte"] // 4 for f in fields if f["name"] in flags}
    yield "pieces in the dword of flags" if any(p["byte"] // 4 in dwords for f in pieces for p in f["pieces"]) else ""
