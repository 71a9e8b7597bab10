# SPDX-License-Identifier: BSD-2-Clause
"""The stages of one request in its queue's machine, which become types in C.

Requests share the states of a machine, which is as small as possible. They do not share types: names, functions and numbers of a stage
follow from its request alone, so that no other file can change them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from codegen.machine.automaton import Edge, Machine, MachineState, Start, offsets, wrap_of
from codegen.model.model import Field, Segment, WorkRequest


class Stage:
    """A state as one request passes through it."""

    def __init__(self, request: WorkRequest, state: MachineState, after: str):
        self.request = request
        self.state = state
        self.after = after  # call by which it is first reached
        self.name = state.name  # until _name(): rdma_write_wants_raddr
        self.steps: list[tuple[Edge, Stage]] = []  # the edges, as they wrap here, and their next stages

    @property
    def accepting(self) -> bool:
        return self.state.accepting

    @property
    def by_queue(self) -> bool:
        """The queue writes the next segment, so no caller sees this stage."""
        return any(edge.symbol.by == "queue" for edge in self.state.edges)

    def takes_arrays(self, edge: Edge) -> bool:
        """An array of any length, even an empty one, may be written along this edge. It may be taken again and again, and
        its end allows no step that is not allowed here."""
        if edge.symbol.op != "segment" or edge.segment.tail:
            return False
        state = self.state
        here = {(e.symbol, e.to.index) for e in state.edges}
        there = {(e.symbol, e.to.index) for e in edge.to.edges}
        return (edge.symbol, edge.to.index) in there and there <= here and (state.accepting or not edge.to.accepting)


class Passage:
    """All stages of one request on one queue, in the order in which a reader meets them."""

    def __init__(self, machine: Machine, start: Start):
        self.request = start.request
        known = {start.to.index: Stage(start.request, start.to, start.request.call)}
        places = offsets(machine, [start])
        self.stages = list(known.values())
        for stage in self.stages:
            for edge in stage.state.edges:
                if edge.to.index not in known:
                    known[edge.to.index] = Stage(start.request, edge.to, edge.call)
                    self.stages.append(known[edge.to.index])
                here = replace(edge, wrap=wrap_of(machine.device, edge, places[stage.state.index]))
                stage.steps.append((here, known[edge.to.index]))
        self._name()
        self.units = {pair: unit for stage in self.stages for edge, _ in stage.steps for pair, unit in edge.symbol.announced}
        self.announced = list(self.units)  # (segment, field) pairs that announce list sizes, in slot order

    def _name(self) -> None:
        """Names each stage by the steps that it expects. If that is ambiguous, the step before is added, and then a number."""
        taken: dict[str, list[Stage]] = {}
        for stage in self.stages:
            taken.setdefault(stage.name, []).append(stage)
        for clashing in taken.values():
            for stage in clashing if len(clashing) > 1 else []:
                stage.name += f"_after_{stage.after}"
        numbers: dict[str, int] = {}
        for stage in self.stages:
            numbers[stage.name] = numbers.get(stage.name, 0) + 1
            if numbers[stage.name] > 1:
                stage.name += f"_{numbers[stage.name]}"
            stage.name = f"{self.request.call}_{stage.name}"

    def behind_queue(self) -> tuple[Stage, list[int]]:
        """Start of the caller's part, and the sizes of the segments before it, which the queue writes."""
        stage, sizes = self.stages[0], []
        while stage.by_queue:
            sizes.append(stage.steps[0][0].segment.size)
            stage = stage.steps[0][1]
        return stage, sizes

    def slot(self, announcing: Optional[tuple[str, str]]) -> int:
        return self.announced.index(announcing) if announcing else 0

    def slots_of(self, segment: Segment) -> list[tuple[int, Field, int]]:
        """(slot, field, bytes per unit) of the list sizes that a segment announces."""
        return [(slot, segment.get(field_name), self.units[name, field_name])
                for slot, (name, field_name) in enumerate(self.announced) if name == segment.name]
