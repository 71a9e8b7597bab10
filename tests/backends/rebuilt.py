# SPDX-License-Identifier: BSD-2-Clause
"""An entry that was read, built again from what was read."""

from __future__ import annotations

from typing import Any, Iterator

from codegen.python.nic import Building, Data, Entry, Nic, Part, Queue, Request, number


def begun(queue: Queue, request: Request, parts: list[Part]) -> tuple[Building, dict[str, int]]:
    """What its control segment says, and what finish() is to be told."""
    if request.control is None:
        return queue.begin(request.name), {}
    said, control = parts.pop(0).values, request.control
    args: dict[str, Any] = {arg: said[name] for arg, name in request.args.items()}
    args |= {arg: said[name] for arg, name in queue._options.items() if name not in request.args.values() and said[name]}
    flags = 0
    for name in control.control["flags"]:
        flags |= said[name] << control.fields[name].low
    ends = {part: said[control.control[part]] for part in ("index", "queue") if part in control.control}
    if request.lap:
        args["lap"] = said[request.lap]
    if parts and any(parts[0].name == form.name for _, form in request.forms):
        args["table"] = len(parts.pop(0).values)
    return queue.begin(request.name, flags=flags, **args), ends


def steps(w: Building) -> Iterator[tuple[str, Data]]:
    for step in w._request.stages[w._stage]["steps"]:
        yield step["call"], w._queue._uses[step["use"]]


def empty_list(w: Building) -> str:
    return next(call for call, use in steps(w) if use["op"] == "list")


def rebuilt(nic: Nic, entry: Entry, size: int) -> bytes:
    queue = nic.queue(entry.queue)
    parts = list(entry.parts)
    w, ends = begun(queue, queue._requests[entry.request], parts)
    while parts:
        part = parts[0]
        op = "list" if part.listed else "segment"
        call = next((call for call, use in steps(w) if use["op"] == op and use["segment"] == part.name
                     and all(part.values.get(name) == number(v) for name, v in use["fixed"].items())), None)
        if call is None and any(use["op"] == "terminator" and use["segment"] == part.name for _, use in steps(w)):
            break
        if call is None:
            w = w.add(empty_list(w), [])
        elif part.listed:
            rows = []
            while parts and parts[0].listed and parts[0].name == part.name:
                rows.append(parts.pop(0).values)
            w = w.add(call, rows)
        else:
            w = w.add(call, payload=part.payload, **part.values)
            parts.pop(0)
    while not w._request.stages[w._stage]["accepting"]:
        w = w.add(empty_list(w), [])
    return w.finish(size=size, **ends)
