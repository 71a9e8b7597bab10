# SPDX-License-Identifier: BSD-2-Clause
"""Patterns: which fields of a request can be written anew, where the rest of it stays in the ring.

A field can be set where it is alone in its word (but for constants). Where several ways lead to the stage at which a request ends, a pattern has
the segments of that with most fields, and of the longest of these; what tells it from the others is looked at once, when a request is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Optional

from codegen.c import cnames
from codegen.c.builders import builder_sets, field_id
from codegen.c.steps import Begin, BuilderSet, state_type
from codegen.c.words import Chunk, chunks
from codegen.model import Field, Model, Segment, once
from codegen.passage import Stage

MOST_WAYS = 256  # through a request that has patterns: with 20 optional segments there are a million


@dataclass(frozen=True)
class Stop:
    """A segment on a way."""

    segment: Segment
    byte: int  # in the request
    kept: frozenset[str]  # fields that are not to be set
    listed: bool  # further entries may follow


Way = list[Stop]


@dataclass(frozen=True)
class Setter:
    """How one field of a segment is written."""

    name: str  # behind segue_set_
    segment: Segment
    field: Field
    chunk: Chunk


@dataclass(frozen=True)
class Place:
    """A field of one kind of request."""

    setter: Setter
    byte: int  # of the word, in the request
    listed: bool  # further entries of its segment may follow


@dataclass
class Pattern:
    builders: BuilderSet
    begin: Begin
    stage: Stage
    places: list[Place]
    way: Way
    tests: Way  # segments that tell the way from others

    @property
    def state(self) -> str:
        return state_type(self.builders.machine, self.stage)


def _words(segment: Segment) -> Iterator[tuple[Field, Chunk]]:
    for chunk in chunks(segment):
        if chunk.kind == "word" and len(chunk.parts) == 1 and chunk.parts[0].whole and not chunk.payload and \
                not chunk.parts[0].field.translated:
            yield chunk.parts[0].field, chunk


def _ways(begin: Begin, first: int) -> Iterator[tuple[Stage, Way]]:
    """Every way through a request's stages, and where each segment of it lies."""
    left: list[tuple[Stage, Way, Optional[int], list[Stage]]] = [(begin.to, [], first, [begin.to])]
    while left:
        stage, way, byte, seen = left.pop()
        if stage.accepting:
            yield stage, way
        loops = any(to in seen for _, to in stage.steps)
        for edge, to in stage.steps:
            if to in seen:
                continue
            segment, here = edge.segment, None if loops else byte
            plain = here is not None and edge.symbol.op == "segment"
            kept = {name for name, _ in edge.symbol.fixed} | {f.name for f in segment.fields if segment.prepared}
            repeats = any(e.symbol == edge.symbol and t is to for e, t in to.steps)
            taken = [*way, Stop(segment, here, frozenset(kept), repeats)] if here is not None and plain else way
            behind = here + segment.size if here is not None and plain and not segment.tail else None
            left.append((to, taken, behind, [*seen, to]))


def _places(begin: Begin, way: Way, setters: dict[tuple[str, str], Setter]) -> dict[tuple[str, str], Place]:
    found: dict[tuple[str, str], Place] = {}
    announced = set(_announced(begin))
    for stop in way:
        segment = stop.segment
        for field, chunk in _words(segment):
            key = segment.name, field.name
            length = segment.tail and segment.tail.length is field
            if key not in found and field.name not in stop.kept and key not in announced and not length:
                found[key] = Place(setters[key], stop.byte + chunk.byte, stop.listed)
    control = begin.start.request.control
    for arg in begin.start.request.args:
        if control and arg.field is control.control.imm:
            found[control.name, arg.field.name] = Place(setters[control.name, arg.field.name], arg.field.byte, False)
    return found


def _announced(begin: Begin) -> Iterator[tuple[str, str]]:
    """Fields that say how long something behind them is."""
    stages = [begin.to]
    for stage in stages:
        yield from (pair for edge, _ in stage.steps for pair, _ in edge.symbol.announced)
        stages += [to for _, to in stage.steps if to not in stages]


@once
def _setters(model: Model) -> dict[tuple[str, str], Setter]:
    """By segment and field. Segments that share a call give their own name where both have such a field."""
    words = [(segment, field, chunk) for segment in model.segments for field, chunk in _words(segment)]
    found = {}
    for segment, field, chunk in words:
        shared = [s for s, f, _ in words if s.call == segment.call and f.name == field.name]
        name = field.name if segment.control else f"{segment.call if len(shared) == 1 else segment.name}_{field.name}"
        found[segment.name, field.name] = Setter(name, segment, field, chunk)
    return found


def _constants(segment: Segment) -> dict[int, int]:
    """The bits that are always the same, by their distance from its start."""
    consts = [f for f in segment.fields if f.const is not None and not f.is_bytes and not f.pieces]
    return {f.first_bit + i: f.const >> (f.width - 1 - i) & 1 for f in consts if f.const is not None for i in range(f.width)}


def _told_apart(one: Stop, other: Stop, block: int) -> bool:
    """Two segments in one place differ in a bit; and the one lies in one piece wherever the ring ends."""
    mine, its = _constants(one.segment), _constants(other.segment)
    piece = one.byte % block + one.segment.size <= block
    return piece and one.byte == other.byte and any(mine[bit] != its[bit] for bit in mine if bit in its)


def _pattern(model: Model, builders: BuilderSet, begin: Begin, stage: Stage, ends: list[Way]) -> Pattern:
    setters, block = _setters(model), model.device.unit * model.device.units_per_block
    best = max(ends, key=lambda way: (len(_places(begin, way, setters)), sum(stop.segment.size for stop in way)))
    places = _places(begin, best, setters)
    tests: Way = []
    for other in (way for way in ends if way is not best):
        stop, its = next(((mine, its) for mine, its in zip(best, other) if mine != its), (None, None))
        if stop is None or its is None or not _told_apart(stop, its, block):  # nobody can tell: what both have
            there = _places(begin, other, setters)
            places = {key: place for key, place in places.items() if there.get(key) == place}
        elif stop not in tests:
            tests.append(stop)
    return Pattern(builders, begin, stage, list(places.values()), best, tests)


@once
def patterns(model: Model) -> list[Pattern]:
    found = []
    for builders in builder_sets(model):
        for begin in builders.begins if builders.ring and builders.send else []:
            control = begin.start.request.control
            ways: dict[int, tuple[Stage, list[Way]]] = {}
            known = list(islice(_ways(begin, (control.size if control else 0) + sum(begin.gaps)), MOST_WAYS + 1))
            for stage, way in known if len(known) <= MOST_WAYS else []:
                ways.setdefault(id(stage), (stage, []))[1].append(way)
            for stage, ends in ways.values():
                if builders.keeps(stage):
                    found.append(_pattern(model, builders, begin, stage, ends))
    return found


def context(model: Model) -> dict[str, Any]:
    found = patterns(model)
    used = {place.setter.name: place.setter for pattern in found for place in pattern.places}
    listed = {place.setter.name for pattern in found for place in pattern.places if place.listed}
    return {"patterns": found, "setters": [used[name] for name in sorted(used)], "listed": listed, "field_id": field_id,
            "queues": sorted({pattern.builders.name for pattern in found}), "parameter": cnames.parameter_type}
