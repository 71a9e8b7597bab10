# SPDX-License-Identifier: BSD-2-Clause
"""A machine as flat tables with indices, which the validator walks at run time."""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.machine.automaton import Machine, Symbol
from codegen.model.model import Field, Model, Segment


@dataclass
class SymbolRow:
    symbol: Symbol
    segment: Segment
    slot: int
    fixed_at: int  # index of the first of its rows in `fixed`
    entries_slot: int = 0
    sum_slot: int = 0


@dataclass
class StateRow:
    name: str
    accepting: bool
    first_edge: int
    edges: int


@dataclass
class AnnounceRow:
    segment: Segment
    field: Field
    slot: int
    unit: int


@dataclass
class MachineTable:
    machine: Machine
    symbols: list[SymbolRow] = field(default_factory=list)
    fixed: list[tuple[Segment, Field, int]] = field(default_factory=list)
    states: list[StateRow] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)  # index of the symbol, and of the next state
    announces: list[AnnounceRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.machine.name


def machine_table(machine: Machine) -> MachineTable:
    table = MachineTable(machine)
    numbers: dict[Symbol, int] = {}
    for state in machine.states:
        table.states.append(StateRow(state.name, state.accepting, len(table.edges), len(state.edges)))
        for edge in state.edges:
            if edge.symbol not in numbers:
                numbers[edge.symbol] = len(table.symbols)
                table.symbols.append(SymbolRow(edge.symbol, edge.segment, machine.slot(edge.symbol.count), len(table.fixed),
                                               machine.slot(edge.symbol.entries),
                                               machine.slot(edge.symbol.sum[1] if edge.symbol.sum else None)))
                table.fixed += [(edge.segment, edge.segment.get(name), value) for name, value in edge.symbol.fixed]
            table.edges.append((numbers[edge.symbol], edge.to.index))
    segments = {e.segment.name: e.segment for s in machine.states for e in s.edges}
    for slot, (segment_name, field_name) in enumerate(machine.announced):
        segment = segments[segment_name]
        table.announces.append(AnnounceRow(segment, segment.get(field_name), slot, machine.unit_of(slot)))
    return table


def control_name(model: Model, control: Segment) -> str:
    """The name of its description in C. The first is the device's, and a device with one names no other."""
    return "segue_control" if control is model.control else f"{control.name}_control"


def field_index(segment: Segment, wanted: Field) -> int:
    """Index into the generated description's fields (tables.c.j2): in spec order, then the reserved ranges."""
    return next(i for i, f in enumerate(segment.fields + segment.reserved) if f is wanted)
