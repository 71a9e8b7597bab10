# SPDX-License-Identifier: BSD-2-Clause
"""Devices with entries of one size: the rest of a longer request continues in another ring, and the
break lies between two segments."""

from __future__ import annotations

from codegen.machine.automaton import Edge, Machine, Start, machines
from codegen.load.load import Problem
from codegen.model.model import Model


def check_spill(model: Model) -> list[Problem]:
    device = model.device
    if not device.entry:
        return [(segment.place, f"'control' of segment '{segment.name}' has 'spill'; expected it "
                                f"only if 'sizes' of device '{device.name}' have 'entry'")
                for segment in model.controls
                if segment.control is not None and segment.control.spill is not None]
    problems: list[Problem] = []
    for machine in machines(model):
        problems += [(start.request.place, text) for start in machine.starts
                     for text in start_texts(model, machine, start)]
    return list(dict.fromkeys(problems))


def start_texts(model: Model, machine: Machine, start: Start) -> list[str]:
    """Checks each segment at each of its possible places, up to the end of the entry."""
    request, entry = start.request, model.device.entry
    if request.control is None:
        return []
    assert request.control.control is not None
    texts: list[str] = []
    first = (start.to.index, request.control.size)
    todo, seen = [first], {first}
    while todo:
        index, at = todo.pop()
        for edge in machine.states[index].edges:
            texts += edge_texts(model, request.name, edge, at)
            if request.control.control.spill is None and at >= entry:
                texts.append(f"work request '{request.name}' may go on behind the {entry} bytes of "
                             f"an entry, and 'control' of segment '{request.control.name}' has no "
                             "'spill'; expected the field that says where")
            after = (edge.to.index, min(at + edge.segment.size, entry))
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return texts


def edge_texts(model: Model, request: str, edge: Edge, at: int) -> list[str]:
    segment, device = edge.segment, model.device
    who = f"segment '{segment.name}' of work request '{request}'"
    size = segment.size if segment.tail is None else segment.tail.at + segment.tail.length.max
    if at < device.entry < at + size:
        return [f"{who} may begin in byte {at} of an entry and end behind its {device.entry} bytes, "
                "in the other ring; expected all of it in one of them"]
    if at >= device.entry and (segment.size > device.unit if segment.tail is None else segment.tail.at > 0):
        return [f"{who} may lie in the other ring, where it may meet the end; expected at most the "
                f"unit of {device.unit} bytes, or a payload alone"]
    return []
