# SPDX-License-Identifier: BSD-2-Clause
"""Every legal layout of every work request, for the test that walks them all.

The layouts come from the spec's layout elements directly, not from the automaton, and the expected bytes from a second
reading of the YAML that shares no code with the packers: what the builders write must agree with both.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Iterable, Optional, Union

from codegen.machine.automaton import MachineState, Symbol, choices_on
from codegen.c.builders import builder_sets
from codegen.c.steps import Begin, BuilderSet, Step, Variant, state_type
from codegen.load.load import read_plain
from codegen.model.model import Argument, Element, Field, Item, Member, Model, Segment, once

MOST_SGES = 4
LENGTHS = (0, 1, 12, 13, 28, 200)
ENTRIES = (0, 1, 2, 3, 4, 5, 8)
TABLE = 62  # entries of the tables that lists and arrays are taken from
SPARSE = 0x100  # a count with this bit takes the table in which every third entry is empty
QUEUE = 0x123456


@lru_cache(maxsize=None)
def payload(length: int) -> bytes:
    """As walk_payload[] in tests/builders/walk.h."""
    return bytes((i * 7 + 3) % 256 for i in range(length))


@dataclass
class Announced:
    """The value of a field that announces a list: filled in when the list's length is known."""

    dim: int
    entry: int
    head: int
    pad: int
    unit: int

    def value(self, count: int) -> int:
        return -(-(self.head + count * self.entry) // self.pad) * self.pad // self.unit


@dataclass
class Summed:
    """The value of a field that holds the sum of a field of a list's entries: of the first so many rows of its table."""

    dim: int
    sums: list[int]  # by number of entries

    def value(self, count: int) -> int:
        return self.sums[count]


Value = Union[int, bytes, Announced, Summed]


@dataclass
class Use:
    """One step of a layout."""

    kind: str  # "segment", "array", "list", "terminator"
    element: Element
    dim: Optional[int] = None  # which run-time number it takes: payload length or entries
    values: dict[str, Value] = field(default_factory=dict)
    step: Optional[Step] = None
    whole: bool = False  # the one-call's argument is the struct, though the step takes its values
    names: list[str] = field(default_factory=list)  # members of the one-call's arguments
    number: int = 0

    @property
    def segment(self) -> Segment:
        assert self.element.segment is not None
        return self.element.segment

    @property
    def pointed(self) -> bool:
        """Its struct is filled first."""
        return bool(self.step and (self.step.prepared or self.step.by_struct or self.whole))

    @property
    def by_queue(self) -> bool:
        return self.element.by == "queue"

    @property
    def filled(self) -> list[tuple[Field, Value]]:
        """What a caller writes into the segment's struct."""
        length = self.segment.tail.length if self.segment.tail else None
        return [(f, self.values[f.name]) for f in self.segment.fields
                if f.in_struct and f is not length and f.name not in self.element.fixed]


@dataclass
class Case:
    numbers: list[int]
    flags: int
    stride: int
    data: bytes
    segments: list[str]

    @property
    def hex(self) -> str:
        return self.data.hex()


@dataclass
class Shape:
    """A chain of calls; its run-time numbers make it several layouts."""

    number: int
    begin: Begin
    imm: list[int]  # values of the request's own arguments
    uses: list[Use]
    option: Optional[tuple[Argument, int]]
    one_call: bool = False
    cases: list[Case] = field(default_factory=list)

    @property
    def steps(self) -> list[Use]:
        return [u for u in self.uses if u.step]

    @property
    def states(self) -> list[MachineState]:
        return [self.begin.to] + [u.step.to for u in self.steps]

    @property
    def title(self) -> str:
        parts = [self.begin.name + (" in one call" if self.one_call else "")]
        if self.option:
            parts.append(self.option[0].name)
        return " ".join(parts + [u.segment.name + {"array": "[]", "list": "{}"}.get(u.kind, "") for u in self.uses])


@dataclass
class WalkSet:
    builders: BuilderSet
    shapes: list[Shape]
    tables: list[tuple[Segment, list[dict[str, Value]]]]
    items: list[Item]

    @property
    def name(self) -> str:
        return self.builders.name


class _Raw:
    """Segments as their YAML says, and bytes made from that alone."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.read: dict[str, tuple[dict, list[tuple]]] = {}

    def pack(self, segment: Segment, values: dict[str, int | bytes], data: bytes = b"") -> bytes:
        if segment.name not in self.read:
            spec = read_plain(segment.place.file)
            self.read[segment.name] = spec, [(f["name"], segment.get(f["name"]).const, *self._place(f["at"])) for f in spec["fields"]]
        spec, places = self.read[segment.name]
        out = bytearray(spec["size"])
        for name, constant, start, size, low, mask in places:
            value = values.get(name, 0) if constant is None else constant
            if mask:
                assert isinstance(value, int)
                old = int.from_bytes(out[start:start + size], "big")
                assert old & mask == 0
                out[start:start + size] = (old | value << low & mask).to_bytes(size, "big")
            else:
                assert isinstance(value, bytes) and len(value) == size
                out[start:start + size] = value
        if "tail" not in spec:
            return bytes(out)
        tail = spec["tail"]
        whole = bytes(out[:tail["at"]]) + data
        pad = tail.get("pad", self.unit)
        size = max(-(-len(whole) // pad) * pad, tail.get("min_size", 0))
        return whole + bytes(size - len(whole))

    @staticmethod
    def _place(at: dict) -> tuple[int, int, int, int]:
        """First byte, number of bytes, lowest bit, and mask of an `at`; no mask for bytes as they are."""
        if "byte" in at:
            return at["byte"], at["bytes"], 0, 0
        high, low = (int(n) for n in at["bits"].split(":"))
        return at["dword"] * 4, 8 if high > 31 else 4, low, ((1 << (high - low + 1)) - 1) << low


def _alternatives(element: Element, queue: str, address: list[Element]) -> list[list[Use]]:
    if element.op in ("segment", "list", "terminator"):
        return [[Use(element.op, element)]]
    if element.op == "address":
        return _expand(address, queue, [])
    if element.op == "fragment":
        return _expand(element.body, queue, address)
    if element.op == "choice":
        return [layout for choice in choices_on(element, queue) for layout in _expand(choice, queue, address)]
    once = _expand(element.body, queue, address)
    if element.op == "optional":
        return [[]] + once
    assert element.op == "repeat"
    found = []
    most = MOST_SGES if element.max is None else min(element.max, MOST_SGES)
    for count in range(element.min, most + 1):
        found += [list(itertools.chain(*times)) for times in itertools.product(once, repeat=count)]
    if element.max is None and len(element.body) == 1 and element.body[0].op == "segment":
        found.append([Use("segment", element.body[0])] * element.min + [Use("array", element.body[0])])
    return found


def _expand(layout: list[Element], queue: str, address: list[Element]) -> list[list[Use]]:
    """Every sequence of segments that a layout allows."""
    found: list[list[Use]] = [[]]
    for element in layout:
        if element.when is None or queue in element.when:
            found = [before + after for before in found for after in _alternatives(element, queue, address)]
    return found


class _Walks:
    def __init__(self, model: Model, builders: BuilderSet):
        self.model = model
        self.builders = builders
        self.machine = builders.machine
        transport = model.find(model.transports, self.machine.name)
        self.address = transport.address if transport else []
        self.unit = model.unit
        self.control = model.control
        self.raw = _Raw(model.unit)
        self.packed: dict[str, list[bytes]] = {}  # rows of the tables
        self.random = random.Random(self.machine.name)
        self.tables: dict[str, tuple[Segment, list[dict[str, Value]]]] = {}
        self.steps = {(s.stage.name, s.segment.name, s.edge.symbol.fixed, s.repeats, s.edge.symbol.op): s
                      for s in builders.steps}
        self.shapes: list[Shape] = []
        self.case_count = 0
        ends = [e.segment for s in self.machine.states for e in s.edges if e.symbol.op == "terminator"]
        self.terminator: Optional[Segment] = ends[0] if ends else None

    def walk(self) -> WalkSet:
        for begin in self.builders.begins:
            for layout in _expand(begin.start.request.layout, self.machine.name, self.address):
                self._shape(begin, layout, None)
            for option in self.builders.options:
                layout = _expand(begin.start.request.layout, self.machine.name, self.address)[0]
                self._shape(begin, layout, (option, self._value(option.field)))
            self._one_call(begin)
        return WalkSet(self.builders, self.shapes, [self.tables[n] for n in sorted(self.tables)], self.builders.items)

    # ---- shapes ----

    def _shape(self, begin: Begin, layout: list[Use], option: Optional[tuple[Argument, int]]) -> None:
        uses = [Use(u.kind, u.element, number=i) for i, u in enumerate(layout)]
        stage = begin.to
        for use in uses:
            if use.kind == "terminator" or use.by_queue:
                continue
            key = (stage.name, use.segment.name, tuple(sorted(use.element.fixed.items())), use.kind == "array",
                   "list" if use.kind == "list" else "segment")
            if key not in self.steps and use.kind == "array":
                return  # no array here; the same segments one by one are a shape of their own
            if key not in self.steps:
                raise AssertionError(f"{self.machine.name}: no builder for {use.segment.name} of {begin.name} in {stage.name}")
            use.step = self.steps[key]
            stage = use.step.to
        if not stage.accepting:
            raise AssertionError(f"{self.machine.name}: {begin.name} cannot end in {stage.name}")
        self._finish(Shape(len(self.shapes), begin, self._arguments(begin), uses, option))

    def _one_call(self, begin: Begin) -> None:
        """The request as segue_post_NAME() writes it, with and without its optional parts, its layout taken from the calls themselves."""
        one = next(o for o in self.builders.one_calls if o.begin is begin)
        for way in one.variants:
            self._way(begin, way)

    def _way(self, begin: Begin, way: Variant) -> None:
        uses = []
        first = begin.start.to
        while first is not begin.to.state:  # segments that the queue writes
            uses.append(Use("segment", self._element(first.edges[0].symbol, first.edges[0].segment)))
            first = first.edges[0].to
        for call in way.calls:
            kind = "array" if call.step.repeats else call.step.edge.symbol.op
            uses.append(Use(kind, self._element(call.step.edge.symbol, call.step.segment), step=call.step,
                            whole=call.names != call.arguments, names=call.names))
        if self.terminator:
            uses.append(Use("terminator", Element("terminator", begin.start.request.place, self.terminator)))
        for i, use in enumerate(uses):
            use.number = i
        self._finish(Shape(len(self.shapes), begin, self._arguments(begin), uses, None, True))

    def _element(self, symbol: Symbol, segment: Segment) -> Element:
        return Element(symbol.op, segment.place, segment, dict(symbol.fixed), count=self._named(symbol.count), unit=symbol.unit, pad=symbol.pad,
                       min=symbol.min, max=symbol.max, by=symbol.by, head=symbol.head, entries=self._named(symbol.entries),
                       sum=(segment.get(symbol.sum[0]), self._named(symbol.sum[1])) if symbol.sum else None)

    def _named(self, pair: Optional[tuple[str, str]]) -> Optional[tuple[Segment, Field]]:
        if pair is None:
            return None
        segment = self.model.find(self.model.segments, pair[0])
        return segment, segment.get(pair[1])

    def _arguments(self, begin: Begin) -> list[int]:
        return [self._value(a.field) for a in begin.start.request.args]

    def _finish(self, shape: Shape) -> None:
        dims: list[list[int | str]] = []
        for i, use in enumerate(shape.uses):
            if use.kind in ("array", "list") or (use.segment.tail and use.kind == "segment"):
                use.dim = len(dims)
                dims.append(self._choices(use))
            self._fill(use)
            if use.kind == "list":
                self._announce(shape.uses[:i], use)
        self.shapes.append(shape)
        for numbers in itertools.product(*dims):
            if list(numbers).count("max") > 1:
                continue
            resolved = self._resolve(shape, list(numbers))
            if resolved is not None:
                self._case(shape, resolved)

    def _announce(self, before: list[Use], use: Use) -> None:
        """Fills in what the segments before a list say of it."""
        element = use.element
        said: list[tuple[Optional[tuple[Segment, Field]], Value]] = [
            (element.count, Announced(use.dim, use.segment.size, element.head, element.pad, element.unit)),
            (element.entries, Announced(use.dim, 1, 0, 1, 1))]
        if element.sum:
            rows = [row[element.sum[0].name] for row in self.tables[use.segment.name][1]]
            said.append((element.sum[1], Summed(use.dim, [sum(rows[:n]) for n in range(TABLE + 1)])))
        for where, value in said:
            if where is not None:
                next(u for u in reversed(before) if u.segment is where[0]).values[where[1].name] = value

    def _choices(self, use: Use) -> list[int | str]:
        send = self.machine.queue == "send"
        if use.kind == "array":
            counts: list[int | str] = list(range(MOST_SGES + 1))
            if use.segment.empty:
                counts += [SPARSE + 1, SPARSE + 2, SPARSE + MOST_SGES]
            return counts + (["max"] if send else [])
        if use.kind == "list":
            most = use.element.max
            return [n for n in ENTRIES if n >= use.element.min and (most is None or n <= most)] + ["max"]
        length = use.segment.tail.length
        return [n for n in LENGTHS if length.min <= n <= length.max] + ["max"]

    def _resolve(self, shape: Shape, numbers: list[int | str]) -> Optional[list[int]]:
        """Numbers for which the WQE is not too long; "max" becomes the largest."""
        if "max" in numbers:
            at = numbers.index("max")
            use = next(u for u in shape.uses if u.dim == at)
            most = use.segment.tail.length.max if use.segment.tail else min(TABLE, use.element.max or TABLE)
            least = -1
            while least < most:  # more never takes less room
                numbers[at] = (least + most + 1) // 2
                if self._units(shape, numbers) <= self.model.device.largest:
                    least = numbers[at]
                else:
                    most = numbers[at] - 1
            numbers[at] = least
            return numbers if least >= 0 else None
        if self.machine.queue == "send" and self._units(shape, numbers) > self.model.device.largest:
            return None
        return numbers

    # ---- values ----

    def _value(self, f: Field) -> int | bytes:
        if f.format:
            rows = [self._values(f.format, {}, f.format.fields) for _ in range(f.count)]
            return b"".join(self.raw.pack(f.format, row) for row in rows)
        if f.is_bytes:
            return self.random.randbytes(f.width // 8)
        if f.enum:
            values = [m.value for m in f.enum.members if f.min <= m.value <= f.max and m.value not in f.never]
            if values:
                return self.random.choice(values)
        if f.flags:
            value = 0
            for m in f.flags.members:
                if m.value <= f.max and self.random.random() < 0.5:
                    value |= m.value
            return value & f.max
        low = max(1, f.min) if f.zero_means is not None else f.min
        high = f.zero_means if f.zero_means is not None else f.max
        while True:
            value = self.random.choice([low, high] + [self.random.randint(low, high)] * 6)
            if value not in f.never:
                return value

    def _values(self, segment: Segment, fixed: dict[str, int], given: Iterable[Field]) -> dict[str, Value]:
        named = {f.name for f in given}
        values: dict[str, Value] = {}
        for f in segment.fields:
            if f.in_struct:
                values[f.name] = fixed[f.name] if f.name in fixed else self._value(f) if f.name in named else \
                    bytes(f.width // 8) if f.is_bytes else 0
        return values

    def _fill(self, use: Use) -> None:
        if use.kind in ("array", "list"):
            if use.segment.name not in self.tables:
                rows = [self._values(use.segment, {}, use.segment.fields) for _ in range(TABLE)]
                self.tables[use.segment.name] = (use.segment, rows)
        elif use.step:
            whole = use.step.by_struct or use.step.prepared
            use.values = self._values(use.segment, use.element.fixed, use.segment.fields if whole else use.step.scalars)
        else:
            use.values = self._values(use.segment, use.element.fixed, [])

    # ---- bytes ----

    def _bytes(self, use: Use, numbers: list) -> bytes:
        if use.kind in ("array", "list"):
            count = numbers[use.dim]
            if use.segment.name not in self.packed:
                segment, rows = self.tables[use.segment.name]
                self.packed[use.segment.name] = [self.raw.pack(segment, row) for row in rows]
            chosen = self.packed[use.segment.name][:count & (SPARSE - 1)]
            if count & SPARSE:
                chosen = [row for i, row in enumerate(chosen) if i % 3 != 1]
            whole = b"".join(chosen)
            if use.kind == "list":
                whole += bytes(-(len(whole) + use.element.head) % use.element.pad)
            return whole
        values = {name: v.value(numbers[v.dim]) if isinstance(v, (Announced, Summed)) else v for name, v in use.values.items()}
        data = b""
        if use.segment.tail:
            data = payload(numbers[use.dim])
            values[use.segment.tail.length.name] = len(data)
        return self.raw.pack(use.segment, values, data)

    def _units(self, shape: Shape, numbers: list) -> int:
        total = self.control.size // self.unit
        for use in shape.uses:
            if use.dim is None:
                total += use.segment.size // self.unit
            elif use.kind == "segment":
                tail = use.segment.tail
                total += max(-(-(tail.at + numbers[use.dim]) // tail.pad) * tail.pad, tail.min_size) // self.unit
            else:
                size = (numbers[use.dim] & (SPARSE - 1)) * use.segment.size
                pad = use.element.pad if use.kind == "list" else self.unit
                head = use.element.head
                total += (-(-(size + head) // pad) * pad - head) // self.unit
        return total

    def _case(self, shape: Shape, numbers: list[int]) -> None:
        body = b""
        names = []
        for use in shape.uses:
            if use.kind == "terminator":
                continue
            piece = self._bytes(use, numbers)
            body += piece
            names += [use.segment.name] * (len(piece) // use.segment.size if use.kind == "array" else 1)
        if self.machine.queue == "send":
            members: list[Optional[Member]] = [None, *shape.begin.start.request.flags]
            self.case_count += 1
            member = members[self.case_count % len(members)]
            flags = member.value if member else 0
            shape.cases.append(Case(numbers, flags, 0, self._control(shape, flags, len(body)) + body, [self.control.name] + names))
            return
        linked = any(use.by_queue for use in shape.uses)  # behind the queue's own segment there is room for one more
        stride = self.unit * (2 if linked else 1)
        while stride < len(body):
            stride *= 2
        for size in (stride, stride * 2, stride * 4):
            end = self.raw.pack(self.terminator, {}) if len(body) < size else b""
            shape.cases.append(Case(numbers, 0, size, body + end, names + ([self.terminator.name] if end else [])))

    def _control(self, shape: Shape, flags: int, body: int) -> bytes:
        """The control segment with index 0."""
        segment = self.control
        control = segment.control
        request = shape.begin.start.request
        values: dict[str, int | bytes] = {
            control.opcode.name: request.opcode.value, control.opmod.name: request.opmod, control.queue.name: QUEUE,
            control.size.name: (segment.size + body) // self.unit,
        }
        for argument, value in zip(request.args, shape.imm):
            values[argument.field.name] = value
        if shape.option:
            values[shape.option[0].field.name] = shape.option[1]
        out = bytearray(self.raw.pack(segment, values))
        at = slice(control.flags[0].byte, control.flags[0].byte + 4)
        out[at] = (int.from_bytes(out[at], "big") | flags).to_bytes(4, "big")
        return bytes(out)


@once
def walk_sets(model: Model) -> list[WalkSet]:
    return [_Walks(model, builders).walk() for builders in builder_sets(model)]


def walk_context(model: Model) -> dict[str, Any]:
    return {"state_type": state_type, "Announced": Announced, "is_announced": lambda v: isinstance(v, Announced),
            "is_summed": lambda v: isinstance(v, Summed),
            "is_bytes": lambda v: isinstance(v, bytes), "sparse": SPARSE}


def sets_context(model: Model) -> dict[str, Any]:
    sets = builder_sets(model)
    used: dict[str, Segment] = {model.control.name: model.control}
    for builders in sets:
        for state in builders.machine.states:
            for edge in state.edges:
                used[edge.segment.name] = edge.segment
    return {"sets": sets, "segments": [used[name] for name in sorted(used)]}
