# SPDX-License-Identifier: BSD-2-Clause
"""Patterns: the fields of a request that can be written again while the rest of it stays in the ring.

A field can be set if it is alone in its word, except for constants. If several ways lead to the stage at which a request ends, a pattern has
the segments of the way with the most fields at known places. A request that has them elsewhere is not kept. A segment after one of variable
length on each of the ways moves: its place is found once, when a request is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Optional

from codegen.c import cnames
from codegen.c.builders import builder_sets
from codegen.c.steps import Begin, BuilderSet
from codegen.c.stores import Chunk, chunks
from codegen.model.model import Field, Model, Segment, once
from codegen.machine.stages import Stage

MOST_WAYS = 256  # ways through a request that has patterns. With 20 optional segments there are a million


@dataclass(frozen=True)
class Stop:
    """A segment on a way."""

    segment: Segment
    byte: int  # its place in the request if all segments before it have their smallest size
    moves: bool  # segments before it may be longer
    listed: bool  # further entries may follow


Way = list[Stop]


@dataclass(frozen=True)
class Setter:
    """The code that writes one field of a segment."""

    name: str  # after segue_set_
    segment: Segment
    field: Field
    chunk: Chunk

    @property
    def plain(self) -> str:
        """Its word, if it is stored as it is given: "be32". Such setters share a function."""
        f, chunk = self.field, self.chunk
        judged = cnames.has_min(f) or cnames.has_max(f) or cnames.gaps(f)
        moved = chunk.const or chunk.parts[0].shift or chunk.byte % chunk.size or cnames.parameter_type(f) != f"uint{chunk.bits}_t"
        return "" if judged or moved else f"{'le' if chunk.little else 'be'}{chunk.bits}"


@dataclass(frozen=True)
class Place:
    """A field of one kind of request."""

    setter: Setter
    stop: Optional[Stop]  # None: the control segment

    @property
    def byte(self) -> int:
        """Byte of its word in the request."""
        return (self.stop.byte if self.stop else 0) + self.setter.chunk.byte

    @property
    def moves(self) -> bool:
        return self.stop is not None and self.stop.moves


SetOf = tuple[tuple[Setter, bool], ...]  # fields that are set of one segment. True: of each entry of its list


@dataclass
class Pattern:
    builders: BuilderSet
    begin: Begin
    stage: Stage
    places: list[Place]
    way: Way

    @property
    def list(self) -> Optional[Stop]:
        """The list whose entries can be set one by one."""
        return next((stop for stop in self.way if stop.listed), None)

    @property
    def stops(self) -> Way:
        """The segments that a request must have."""
        return [stop for stop in self.way if any(place.stop == stop for place in self.places)]

    @property
    def sets(self) -> list[tuple[str, int, bool]]:
        """(macro, byte, whether it moves) of the fields that a repetition sets, segment by segment."""
        return [(set_name(setters), stop.byte if stop else 0, stop is not None and stop.moves) for stop, setters in self.by_segment()]

    def by_segment(self) -> list[tuple[Optional[Stop], SetOf]]:
        found: dict[int, tuple[Optional[Stop], list[tuple[Setter, bool]]]] = {}
        for place in self.places:
            listed = place.stop is not None and place.stop == self.list
            _, setters = found.setdefault(id(place.stop), (place.stop, []))
            setters += [(place.setter, False), *([(place.setter, True)] if listed else [])]
        return [(stop, tuple(setters)) for stop, setters in found.values()]


def set_name(setters: SetOf) -> str:
    """Name of a macro: the segment, and its fields if they are not all."""
    segment = setters[0][0].segment
    fields = [setter.field.name for setter, of in setters if not of]
    every = [field.name for field, _ in _words(segment)]
    words = ["SEGUEI_SETS", segment.name, *(fields if fields != every else []), *(["of"] if any(of for _, of in setters) else [])]
    return "_".join(words)


def _words(segment: Segment) -> Iterator[tuple[Field, Chunk]]:
    for chunk in chunks(segment):
        if chunk.kind == "word" and len(chunk.parts) == 1 and chunk.parts[0].whole and not chunk.payload and \
                not chunk.parts[0].field.translated:
            yield chunk.parts[0].field, chunk


def _ways(begin: Begin, first: int) -> Iterator[tuple[Stage, Way]]:
    """Every way through a request's stages, with the place of each segment. A segment that may repeat comes once, or not at all."""
    left: list[tuple[Stage, Way, int, bool, list[Stage]]] = [(begin.to, [], first, False, [begin.to])]
    while left:
        stage, way, byte, moves, seen = left.pop()
        if stage.accepting:
            yield stage, way
        loops = any(to in seen for _, to in stage.steps)
        for edge, to in stage.steps:
            segment, again, plain = edge.segment, to in seen, edge.symbol.op == "segment"
            repeats = any(e.symbol == edge.symbol and t is to for e, t in to.steps)
            stop = Stop(segment, byte, moves or loops and not again, repeats)
            taken = [*way, stop] if plain else way
            if again and to.accepting and all(segment is not other.segment for other in way):
                yield to, taken
            if not again:
                left.append((to, taken, byte + segment.size, stop.moves or not plain or bool(segment.tail), [*seen, to]))


def _places(begin: Begin, way: Way, setters: dict[tuple[str, str], Setter]) -> dict[tuple[str, str], Place]:
    found: dict[tuple[str, str], Place] = {}
    given = set(_given(begin))
    for stop in way:
        for field, _ in _words(stop.segment):
            key = stop.segment.name, field.name
            if key not in given:
                found.setdefault(key, Place(setters[key], stop))
    control = begin.start.request.control
    for arg in begin.start.request.args:
        if control and arg.field is control.control.imm and (control.name, arg.field.name) in setters:
            found[control.name, arg.field.name] = Place(setters[control.name, arg.field.name], None)
    return found


def _given(begin: Begin) -> Iterator[tuple[str, str]]:
    """Fields that a repetition cannot set: lengths, fields fixed by the layout, and parts of a prepared whole."""
    stages = [begin.to]
    for stage in stages:
        for edge, _ in stage.steps:
            segment = edge.segment
            yield from (pair for pair, _ in edge.symbol.announced)
            yield from ((segment.name, name) for name, _ in edge.symbol.fixed)
            yield from ((segment.name, f.name) for f in segment.fields if segment.prepared or segment.tail and segment.tail.length is f)
        stages += [to for _, to in stage.steps if to not in stages]


@once
def _setters(model: Model) -> dict[tuple[str, str], Setter]:
    """Setters by segment and field. Segments that share a call add their own name if both have such a field."""
    words = [(segment, field, chunk) for segment in model.segments for field, chunk in _words(segment)]
    found = {}
    for segment, field, chunk in words:
        shared = [s for s, f, _ in words if s.call == segment.call and f.name == field.name]
        name = field.name if segment.control else f"{segment.call if len(shared) == 1 else segment.name}_{field.name}"
        found[segment.name, field.name] = Setter(name, segment, field, chunk)
    return found


def _pattern(model: Model, builders: BuilderSet, begin: Begin, stage: Stage, ends: list[Way]) -> Pattern:
    def worth(way: Way) -> tuple[int, int, int, int]:
        places = _places(begin, way, _setters(model)).values()
        return sum(not place.moves for place in places), len(places), -len(way), sum(stop.segment.size for stop in way)

    best = max(ends, key=worth)
    return Pattern(builders, begin, stage, list(_places(begin, best, _setters(model)).values()), best)


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
    listed = {place.setter.name for pattern in found for place in pattern.places if place.stop and place.stop == pattern.list}
    sets = {set_name(setters): setters for pattern in found for _, setters in pattern.by_segment()}
    return {"patterns": found, "sets": sorted(sets.items(), key=lambda one: one[0]), "setters": [used[name] for name in sorted(used)], "listed": listed,
            "queues": sorted({pattern.builders.name for pattern in found}), "parameter": cnames.parameter_type}
