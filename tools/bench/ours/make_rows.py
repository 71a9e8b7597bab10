# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the bench: every request of every send queue, in each shape that its layout has, as C.

A shape is a path through the stages of the request: one list entry or four, 28 bytes inline or 200, each of several addresses. Values come
from values.h if it has the name (VALUE_rkey), otherwise from the first vector of the segment. The floors and the calls of verbs are read
from floors.h and ../theirs/verbs.h: a row has those contenders that have a function for its every step.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import jinja2

from codegen.model.build import model_of
from codegen.c import cnames
from codegen.c.builders import builder_sets
from codegen.c.patterns import Pattern, Place, patterns
from codegen.c.steps import Begin, BuilderSet, Call, OneCall, Parameter, Step, Variant, state_type
from codegen.model.model import Field, Model, Segment
from codegen.machine.stages import Stage
from codegen.load.cache import restore

OURS = Path(__file__).parent
THEIRS = OURS.parent / "theirs"
ENTRIES = (1, 4)
INLINE = (28, 200)
MOST = 12  # shapes of one request
LAPS = (1, 2, 4)  # blocks that a pattern can have
BATCH = (16,)  # requests with one doorbell
BATCHES = (2, 4, 8, 16, 32, 64)  # of the rows of all_sizes()
BETWEEN = (4, 8, 32)  # sizes that the gate does without


@dataclass
class Taken:
    """A step of a shape."""

    step: Step
    times: int = 1
    length: int = 0  # of the payload

    @property
    def label(self) -> str:
        if self.length:
            return f"{'inline' if is_payload(self.step) else self.step.name}{self.length}"
        return self.step.name + (str(self.times) if self.times > 1 else "")


@dataclass
class Shape:
    taken: list[Taken]
    label: str
    last: Stage

    @property
    def short(self) -> bool:
        """The shortest of its kind: one entry, the least bytes."""
        return all(t.times == 1 and t.length <= min(INLINE) for t in self.taken)


def is_payload(step: Step) -> bool:
    """Bytes that the caller gives, and nothing else."""
    return step.segment.tail is not None and len(step.parameters) == 2


def ways(steps: list[Step], stage: Stage, taken: list[Taken], label: list[str]) -> Iterator[Shape]:
    """All shapes from a stage on."""
    here = [s for s in steps if s.stage is stage and not s.repeats]
    arrays = {s.edge.symbol for s in steps if s.stage is stage and s.repeats}
    payload = [s for s in here if is_payload(s) or s.edge.symbol in arrays]
    held = any(is_payload(t.step) or t.step.edge.symbol in arrays for t in taken)
    if stage.accepting and (held or not payload or not (taken or any(is_payload(s) for s in payload))):
        yield Shape(taken, "-".join(label) or "plain", stage)
        if held or not payload:
            return
    for step in payload or here:
        several = len(here) > 1
        if step.segment.tail:
            more = [Taken(step, 1, length) for length in (INLINE if is_payload(step) else INLINE[:1])]
        else:
            more = [Taken(step, times) for times in (ENTRIES if step.edge.symbol in arrays else (1,))]
        for one in more:
            to = step.to
            for _ in range(one.times - 1):
                to = next(s for s in steps if s.stage is to and s.edge.symbol == step.edge.symbol and not s.repeats).to
            if len(taken) < 8:
                yield from ways(steps, to, [*taken, one], [*label, one.label] if several or payload else label)


class Values:
    """Arguments of steps."""

    def __init__(self, known: set[str]):
        self.known = known
        self.structs: dict[str, Segment] = {}

    def scalar(self, name: str, f: Optional[Field], segment: Optional[Segment]) -> str:
        if name in self.known:
            return f"VALUE_{name}"
        if f is not None and f.is_bytes and segment is not None:
            return f"{self.struct(segment)}[0].{name}"
        value = segment.vectors[0].values.get(name, 1) if segment and segment.vectors else 1
        if f is not None and isinstance(value, int):
            value = min(max(value, f.min), f.max)
        assert isinstance(value, int)
        return f"opaque({cnames.literal(value, 64)})"

    def struct(self, segment: Segment) -> str:
        self.structs[segment.name] = segment
        return f"bench_{segment.name}"

    def of(self, taken: Taken, p: Parameter, announced: dict[tuple[str, str], int]) -> str:
        """An argument of a step."""
        step, segment = taken.step, taken.step.segment
        if (segment.name, p.name) in announced:
            return f"opaque({announced[segment.name, p.name]})"
        if p.counted:
            return "bench_payload" if segment.tail else self.struct(segment)
        if taken.length and p.name == (segment.tail.length.name if segment.tail else ""):
            return f"{taken.length}u"
        if step.prepared and p.name == step.prepared.name:
            return f"&bench_{p.name}"
        if p.c_type == f"const struct {cnames.seg(segment)} *":
            return self.struct(segment)
        if step.edge.symbol.op == "list" and p.name == "count":
            return str(max(ENTRIES))
        return self.scalar(p.name, segment.get(p.name), segment)


def one_call(one: OneCall, shape: Shape, values: Values) -> Optional[dict[str, str]]:
    """Members of the struct of a one-call post for a shape, if one-call posts have it."""
    for way in one.variants:
        pairs = _paired(way, shape)
        if pairs is not None:
            return _members(one.begin, way, pairs, values)
    return None


def _paired(way: Variant, shape: Shape) -> Optional[list[tuple[Call, Taken]]]:
    """The steps of a shape, each with what does it in a one-call post: one that takes an array may have none."""
    left, pairs = list(shape.taken), []
    for call in way.calls:
        if left and left[0].step.edge.symbol == call.step.edge.symbol:
            pairs.append((call, left.pop(0)))
        elif not call.step.repeats:
            return None
    return None if left else pairs


def _members(begin: Begin, way: Variant, pairs: list[tuple[Call, Taken]], values: Values) -> dict[str, str]:
    members = begins(begin, values, "SEGUE_SIGNALED")
    members.update({name: "true" for name in way.present})
    announced = announcements([taken for _, taken in pairs])
    for call, taken in pairs:
        if any("->" in a for a in call.arguments):
            members[call.names[0]] = values.struct(call.step.segment)
            continue
        for name, p in zip(call.names, call.step.parameters):
            if call.step.repeats:
                entries = values.struct(call.step.segment) if _has_bytes(call.step.segment) else f"{call.step.segment.name}_entries"
                members[name] = entries if p.counted else f"{taken.times}u"
            else:
                members[name] = values.of(taken, p, announced)
    return members


def announcements(taken: list[Taken]) -> dict[tuple[str, str], int]:
    """Values that earlier segments hold about the lists of a shape, by (segment, field)."""
    found = {}
    for one in taken:
        symbol, segment = one.step.edge.symbol, one.step.segment
        if symbol.op != "list":
            continue
        length = symbol.head + max(ENTRIES) * segment.size
        if symbol.count:
            found[symbol.count] = -(-length // symbol.pad) * symbol.pad // symbol.unit
        if symbol.entries:
            found[symbol.entries] = max(ENTRIES)
        if symbol.sum:
            found[symbol.sum[1]] = max(ENTRIES) * int(segment.vectors[0].values.get(symbol.sum[0], 0))
    return found


def _has_bytes(segment: Segment) -> bool:
    return any(f.is_bytes for f in segment.fields)


def begins(begin: Begin, values: Values, flags: str) -> dict[str, str]:
    fields = {a.name: a.field for a in begin.start.request.args}
    found = {"wr_id": "i"}
    for p in begin.parameters:
        if p.name not in found:
            taken = f"{flags} & {cnames.may(begin.start.request)}"
            found[p.name] = taken if p.name == "flags" else values.scalar(p.name, fields.get(p.name), None)
    return found


@dataclass
class Repeats:
    """A pattern of a shape, and the calls that set its fields. `whole` if these are all that contenders get."""

    state: str
    sets: list[str]
    whole: bool


def repeats(found: Optional[Pattern], begin: Begin, shape: Shape, values: Values, block: int) -> Optional[Repeats]:
    """None where nothing can be set, a payload lies in the ring, or blocks do not come to lie in the same place in each lap."""
    names = [stop.segment.name for stop in found.way] if found else []
    control = begin.start.request.control
    if found is None or not control or names != [t.step.segment.name for t in shape.taken] or any(t.length for t in shape.taken):
        return None
    size = control.size + sum(begin.gaps) + sum(t.step.segment.size * t.times for t in shape.taken)
    if -(-size // block) not in LAPS:
        return None
    places = {(place.setter.segment.name, place.setter.field.name): place for place in found.places}
    given = [(control.name, p.name, 1) for p in begin.parameters]
    given += [(t.step.segment.name, p.name, t.times) for t in shape.taken for p in t.step.parameters]
    given = [(segment, name, times) for segment, name, times in given if name in values.known]
    sets = [call for segment, name, times in given if (segment, name) in places
            for call in _setting(places[segment, name], f"VALUE_{name}", times)]
    return None if not sets else Repeats(state_type(found.builders.machine, found.stage), sets, all((segment, name) in places for segment, name, _ in given))


def _setting(place: Place, value: str, times: int) -> list[str]:
    name = f"segue_set_{place.setter.name}"
    return [f"{name}_of(r, {i}, {value})" for i in range(times)] if times > 1 else [f"{name}(r, {value})"]


@dataclass
class Row:
    builders: BuilderSet
    begin: Begin
    shape: Shape
    values: Values
    members: Optional[dict[str, str]]
    floor: list[str]
    verbs: list[str]
    list_of_verbs: list[str]  # of ibv_post_send()
    repeats: Optional[Repeats]
    sizes: tuple[int, ...] = BATCH

    @property
    def name(self) -> str:
        return f"{self.builders.name}/{self.begin.name}/{self.shape.label}"

    @property
    def c_name(self) -> str:
        return re.sub(r"\W", "_", self.name)

    @property
    def first(self) -> list[str]:
        return list(begins(self.begin, self.values, "flags").values())

    def calls(self) -> Iterator[tuple[Step, list[str], str]]:
        announced = announcements(self.shape.taken)
        for taken in self.shape.taken:
            steps, step = [taken.step], taken.step
            for _ in range(taken.times - 1):
                step = next(s for s in self.builders.steps
                            if s.stage is steps[-1].to and s.edge.symbol == taken.step.edge.symbol and not s.repeats)
                steps.append(step)
            for step in steps:
                yield step, [self.values.of(taken, p, announced) for p in step.parameters], state_type(self.builders.machine, step.to)

    @property
    def entries(self) -> list[tuple[str, str, int, list[tuple[str, str]]]]:
        """Arrays that a one-call post takes, and are filled each time: segment, entries, values by field."""
        found = []
        for taken in self.shape.taken:
            segment = taken.step.segment
            if self.members and f"{segment.name}_entries" in self.members.values():
                values = [(f.name, self.values.scalar(f.name, f, segment)) for f in taken.step.scalars]
                found.append((cnames.seg(segment), segment.name, taken.times, values))
        return found


def functions(header: Path, prefix: str) -> set[str]:
    return set(re.findall(rf"\b{prefix}_(\w+)\(", header.read_text(encoding="utf-8")))


def composed(begin: Begin, shape: Shape, queue: str, there: set[str]) -> list[str]:
    """The functions that make a shape, or none if one of them is not there."""
    found = []
    for names in [[f"{queue}_{begin.name}", begin.name]] + [[f"{queue}_{t.label}", t.label] for t in shape.taken]:
        known = [n for n in names if n in there]
        if not known:
            return []
        found.append(known[0])
    return found


def rows(model: Model) -> tuple[list[Row], Values]:
    values = Values(set(re.findall(r"VALUE_(\w+)", (OURS / "values.h").read_text("utf-8"))))
    floors, calls = functions(OURS / "floors.h", "floor"), functions(THEIRS / "verbs.h", "wr")
    old = functions(THEIRS / "verbs.h", "fill")
    block = model.device.unit * model.device.units_per_block
    kept = {(p.builders.name, p.begin.name, p.stage.name): p for p in patterns(model)}
    found = []
    for builders in builder_sets(model):
        for one in builders.one_calls if builders.send else []:
            shapes = list(ways(builders.steps, one.begin.to, [], []))[:MOST]
            for shape in shapes:
                found.append(Row(builders, one.begin, shape, values, one_call(one, shape, values),
                                 composed(one.begin, shape, builders.name, floors),
                                 composed(one.begin, shape, builders.name, calls),
                                 composed(one.begin, shape, builders.name, old),
                                 repeats(kept.get((builders.name, one.begin.name, shape.last.name)), one.begin, shape, values, block)))
    return found, values


def all_sizes(found: list[Row]) -> list[Row]:
    """Those of which batches of all sizes are counted: the first of each queue, of each request, and of each shape, where rc comes first."""
    seen: set[tuple[str, str]] = set()
    chosen = []
    for row in sorted((r for r in found if r.verbs), key=lambda r: r.builders.name != "rc"):
        is_of = {("queue", row.builders.name), ("request", row.begin.name), ("shape", row.shape.label)}
        if is_of - seen:
            chosen.append(row)
        seen |= is_of
    return chosen


def literal(value: object) -> str:
    if isinstance(value, bytes):
        return "{" + ", ".join(f"{b:#x}" for b in value) + "}"
    assert isinstance(value, int)
    return cnames.literal(value, 64)


def main(argv: list[str]) -> None:
    model_file, outputs = Path(argv[1]), [Path(a) for a in argv[2:]]
    documents, _ = restore(str(model_file), model_file.read_bytes())
    found, values = rows(model_of(documents))
    for row in all_sizes(found):
        row.sizes = BATCHES
    env = jinja2.Environment(loader=jinja2.FileSystemLoader([str(OURS), str(THEIRS)]), undefined=jinja2.StrictUndefined, trim_blocks=True,
                             lstrip_blocks=True, keep_trailing_newline=True)
    env.globals.update(state_type=state_type, literal=literal, c=cnames)
    for out in outputs:
        out.write_text(env.get_template(out.name + ".j2").render(rows=found, values=values, entries=max(ENTRIES), between=BETWEEN), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv)
