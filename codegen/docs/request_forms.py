# SPDX-License-Identifier: BSD-2-Clause
"""Layouts of requests: as a line, as chains of builder calls, and how many bytes they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional

from codegen.machine.automaton import elements
from codegen.c import cnames
from codegen.c.one_call import Path
from codegen.c.steps import Begin, BuilderSet, Call, OneCall, Parameter
from codegen.docs.prose import join
from codegen.model.model import Element, Model


def grammar(layout: list[Element], link: Any) -> str:
    """A layout of a queue as one line: `raddr, (data* | inline_data)`. `link` writes a segment's name."""
    return ", ".join(part for part in (_grammar(e, link) for e in layout) if part)


def _grammar(element: Element, link: Any) -> str:
    if element.op == "choice":
        return "(" + " | ".join(grammar(branch, link) for branch in element.choices) + ")"
    if element.op == "optional":
        return "[" + grammar(element.body, link) + "]"
    if element.op == "repeat":
        body = grammar(element.body, link)
        body = f"({body})" if "," in body else body
        if element.max is None and element.min <= 1:
            return body + ("+" if element.min else "*")
        return body + (f"{{{element.min},}}" if element.max is None else
                       f"{{{element.min}}}" if element.max == element.min else f"{{{element.min},{element.max}}}")
    if element.op == "terminator":
        return f"[{link(element.segment)}]"
    return link(element.segment) + ("{ }" if element.op == "list" else "")


def used(layout: list[Element]) -> list[Element]:
    """The elements that are segments, in the order in which they appear, each use once."""
    found: list[Element] = []
    for one in elements(layout):
        if one.segment and not any(one.segment is e.segment and one.fixed == e.fixed and one.op == e.op for e in found):
            found.append(one)
    return found


@dataclass
class Example:
    """A chain of builder calls for one layout."""

    title: str
    function: str
    begin: Begin
    calls: list[Call]
    parameters: list[Parameter]


@dataclass
class Form:
    """A request on queues where it has the same layout."""

    queues: list[str]
    text: str  # the layout, to be compared
    builders: BuilderSet
    begin: Begin
    one_call: OneCall
    examples: list[Example]
    least: int  # bytes
    most: Optional[int]  # None: as the queue allows

    @property
    def handle(self) -> str:
        return f"struct {self.builders.handle} *"

    @property
    def queue(self) -> str:
        return "sq" if self.builders.send else self.builders.machine.queue

    @property
    def flag(self) -> str:
        flags = self.begin.start.request.flags
        return cnames.enumerator(flags[0]) if flags else "0"


class _Chain(Path):
    """A layout with chosen alternatives, one call after the other."""

    def __init__(self, found: BuilderSet, model: Model, begin: Begin, picks: dict[int, int]):
        super().__init__(found, model, begin)
        self.picks = picks
        self.open: list[tuple[Element, int]] = []  # decisions that this layout took the plain way

    def walk(self, layout: list[Element]) -> None:
        for element in layout:
            if element.op == "terminator" or element.by == "queue":
                continue
            pick = self.picks.get(id(element), 0)
            if element.op == "choice":
                self._leave_open(element, range(1, len(element.choices)))
                self.walk(element.choices[pick])
            elif element.op == "optional":
                self._leave_open(element, (1,))
                self.walk(element.body if pick else [])
            elif element.op == "repeat":
                times = element.min
                if element.max is None and element.min == 0:
                    self._leave_open(element, (1,))
                    times = 1 - pick
                for _ in range(times):
                    self.walk(element.body)
            else:
                super().walk([element])

    def _leave_open(self, element: Element, others: Iterable[int]) -> None:
        if id(element) not in self.picks:
            self.open += [(element, other) for other in others]


def _picked(element: Element, pick: int) -> list[str]:
    """The segments that an alternative brings, or that a repetition repeats."""
    body = element.choices[pick] if element.op == "choice" else element.body
    return [e.segment.name for e in used(body)]


def examples(found: BuilderSet, model: Model, begin: Begin) -> list[Example]:
    layout = begin.start.layout
    plain = _Chain(found, model, begin, {})
    plain.walk(layout)
    stem = f"{found.name}_{begin.name}"
    examples = [Example("", stem, begin, plain.calls, plain.members)]
    for element, pick in plain.open:
        other = _Chain(found, model, begin, {id(element): pick})
        other.walk(layout)
        segments = _picked(element, pick)
        word = "without" if element.op == "repeat" else "with"
        title = f"{word.capitalize()} {join(segments)}" if segments else f"Alternative {pick + 1}"
        function = "_".join([stem, *(["without"] if element.op == "repeat" else []), *(segments or [str(pick + 1)])])
        if any(e.function == function for e in examples):
            function += f"_{len(examples)}"
        examples.append(Example(title, function, begin, other.calls, other.members))
    return examples
