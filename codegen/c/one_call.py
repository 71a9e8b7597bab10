# SPDX-License-Identifier: BSD-2-Clause
"""One-call posts: the paths through a layout for which one call with one struct is enough."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import combinations
from typing import Optional

from codegen.machine.automaton import symbol_of, wrap_of
from codegen.c import cnames
from codegen.c.steps import Begin, BuilderSet, Call, OneCall, Parameter, Step, Variant, array_step
from codegen.model.model import Element, Model

MOST_OPTIONAL = 3  # optional parts of a one-call post. Each doubles its variants


class Path:
    """The plainest layout of a request: first alternatives, no optional parts, arrays where entries may repeat."""

    def __init__(self, found: BuilderSet, model: Model, begin: Begin):
        self.found = found
        self.device = model.device
        self.stage = begin.to
        self.members = list(begin.parameters)
        self.calls: list[Call] = []

    def walk(self, layout: list[Element]) -> None:
        for element in layout:
            if element.by == "queue" or element.op == "terminator":
                continue
            if element.op == "optional":
                self._optional(element)
            elif element.op == "choice":
                self.walk(element.choices[0])
            elif element.op == "repeat":
                self._repeat(element)
            else:
                self._take(element, self._step(element, False))

    def _optional(self, element: Element) -> None:
        """Left out."""

    def _repeat(self, element: Element) -> None:
        """An array if the body is one segment of fixed size, and otherwise the least number of repetitions."""
        entry = self._single(element.body)
        for _ in range(element.min if entry is None or element.max is None else 0):
            self.walk(element.body)
        if entry is None:
            return
        known = [s for s in self._steps_of(entry) if s.repeats]
        self._take(entry, known[0] if known and element.max is None else self._array(element, entry))

    def _single(self, layout: list[Element]) -> Optional[Element]:
        if len(layout) != 1:
            return None
        element = layout[0]
        if element.op == "choice":
            return self._single(element.choices[0])
        return element if element.op == "segment" and element.segment and not element.segment.tail else None

    def _array(self, element: Element, entry: Element) -> Step:
        """A step that writes all entries of a repeat. It leads to the stage after the least number of entries, where later steps may follow."""
        least = 0 if element.max is None else element.min
        one, to = self._step(entry, False), self.stage
        for _ in range(least):
            to = next(s for s in self.found.steps if s.stage is to and s.edge.symbol == one.edge.symbol and not s.repeats).to
        for step in self.found.arrays:
            if (step.stage, step.to, step.edge.symbol, step.least, step.most) == (self.stage, to, one.edge.symbol, least, element.max):
                return step
        step = array_step(one, to, least, element.max, len(self.found.arrays))
        self.found.arrays.append(step)
        anywhere = set(range(self.device.units_per_block))
        for other in [s for s in self.found.steps + self.found.arrays if s.stage.request is step.stage.request]:
            other.edge = replace(other.edge, wrap=wrap_of(self.device, other.edge, anywhere))
        return step

    def _steps_of(self, element: Element) -> list[Step]:
        """The steps of an element at this stage: one, or several for arrays."""
        wanted = symbol_of(element)
        return [s for s in self.found.steps if s.stage is self.stage and s.edge.symbol == wanted]

    def _take(self, element: Element, step: Step) -> None:
        names = [self._member(step, parameter) for parameter in step.parameters]
        self.calls.append(Call(step, names, names))
        self.stage = step.to

    def _step(self, element: Element, repeats: bool) -> Step:
        return next(s for s in self._steps_of(element) if s.repeats == repeats)

    def _member(self, step: Step, p: Parameter) -> str:
        """Adds a member to the struct, by an unused name."""
        name = p.name
        if name in ("list", "count") and (step.repeats or step.edge.symbol.op == "list"):
            name = step.segment.call + ("s" if name == "list" else "_count")
        taken = {m.name for m in self.members}
        if name in taken:
            name = f"{step.segment.call}_{name}"
        while name in taken:
            name += "_2"
        self.members.append(Parameter(p.c_type, name, p.doc, p.counted))
        return name


class _Way(Path):
    """A layout with some of its optional parts, for a one-call post. Each part has a pointer, which is NULL if the part is left out."""

    def __init__(self, found: BuilderSet, model: Model, begin: Begin, plain: _Way | None = None, chosen: Collection[int] = ()):
        super().__init__(found, model, begin)
        self.names: dict[tuple[int, int], str] = {}  # (optional part or 0, number in it) → member
        if plain:
            self.members, self.names = plain.members, plain.names
        self.chosen = chosen
        self.met: list[int] = []  # optional parts
        self.within = 0
        self.counts: dict[int, int] = {}
        self.present: list[str] = []
        self.needed: list[tuple[str, str]] = []
        self.left_out: list[tuple[str, str]] = []  # members with a length that are NULL because their part is left out
        self.told = True  # a member shows whether the optional part is present

    def _optional(self, element: Element) -> None:
        self.met.append(id(element))
        if self.within or id(element) not in self.chosen:
            return
        self.within, self.told = id(element), False
        self.walk(element.body)
        if not self.told:
            call = self.calls[-1]
            self._note(self._named(call.step, Parameter("bool", f"with_{call.step.name}", "whether the request has it")))
        self.within, self.told = 0, True

    def _take(self, element: Element, step: Step) -> None:
        # A segment passed by its values is given as a whole if it may be left out, because values have no NULL.
        whole = bool(self.within and step.scalars and not step.repeats and not step.prepared and not step.segment.tail)
        struct = Parameter(f"const struct {cnames.seg(step.segment)} *", step.segment.name, step.segment.doc)
        names = [self._pointer_or_value(step, p) for p in ([struct] if whole else step.parameters)]
        self.calls.append(Call(step, [f"{names[0]}->{p.name}" for p in step.parameters] if whole else names, names))
        self.needed += self._conditions(step, names, [struct] if whole else step.parameters)
        self.stage = step.to

    def _pointer_or_value(self, step: Step, p: Parameter) -> str:
        if self.told or not p.c_type.endswith("*"):
            return self._named(step, p)
        name = self._named(step, replace(p, doc=p.doc.rstrip(".") + "; NULL: left out"))
        self._note(name)
        return name

    def _note(self, name: str) -> None:
        self.present.append(name)
        self.told = True

    def _named(self, step: Step, p: Parameter) -> str:
        number = self.counts.get(self.within, 0)
        self.counts[self.within] = number + 1
        if (self.within, number) not in self.names:
            self.names[self.within, number] = self._member(step, self._told_apart(step, p))
        return self.names[self.within, number]

    def _told_apart(self, step: Step, p: Parameter) -> Parameter:
        """Members of optional parts are named for their segment: inline_data and inline_data_byte_count."""
        if not self.within or p.name in ("list", "count", step.segment.name) or p.c_type == "bool":
            return p
        return replace(p, name=step.segment.call if p.counted else f"{step.segment.call}_{p.name}")

    def _conditions(self, step: Step, names: list[str], parameters: list[Parameter]) -> list[tuple[str, str]]:
        """The pointers that may not be NULL. Those of arrays and payloads only if their length is not 0."""
        found = []
        for number, (name, p) in enumerate(zip(names, parameters)):
            if not p.c_type.endswith("*"):
                continue
            held = f" && args->{names[number + 1]}" if p.counted else ""
            if name in self.present:
                self.left_out += [(name, f"!args->{name}{held}")] if held else []
            else:
                found.append((name, f"!args->{name}{held}"))
        return found


def one_call_of(found: BuilderSet, model: Model, begin: Begin) -> OneCall:
    layout = begin.start.layout
    plain = _Way(found, model, begin)
    plain.walk(layout)
    optional = list(dict.fromkeys(plain.met))[:MOST_OPTIONAL]
    ways = []
    for count in range(len(optional), 0, -1):
        for chosen in combinations(optional, count):
            way = _Way(found, model, begin, plain, chosen)
            way.walk(layout)
            ways.append(way)
    without = list(dict.fromkeys(wrong for way in ways for wrong in way.left_out))
    return OneCall(begin, plain.members, [Variant(way.present, [w for w in without if w[0] not in way.present] + way.needed,
                                                  way.calls, way.stage) for way in [*ways, plain]])
