# SPDX-License-Identifier: BSD-2-Clause
"""Text in C comments must not end or open one."""

from __future__ import annotations

from typing import Iterator

from codegen.load.load import Problem
from codegen.model.model import Item, Model, Place

MARKS = ("*/", "/*")


def texts(model: Model) -> Iterator[tuple[Place, str, str]]:
    """(place, owner, text) of all text that is copied into a comment."""
    items: list[Item] = [*model.enums, *model.segments, *model.cqes, *model.fragments, *model.work_requests,
                         *model.transports]
    for item in items:
        yield item.place, f"'doc' of '{item.name}'", item.doc
        yield item.place, f"'source' of '{item.name}'", str(item.source)
    for enum in model.enums:
        for member in enum.members:
            yield member.place, f"'doc' of '{member.name}'", member.doc
            yield member.place, f"'source' of '{member.name}'", str(member.source)
    for segment in model.segments + model.cqes:
        for field in segment.fields + segment.reserved:
            yield field.place, f"'doc' of '{field.name}'", field.doc
            yield field.place, f"'unit' of '{field.name}'", field.unit
            yield field.place, f"'source' of '{field.name}'", str(field.source)
        for vector in segment.vectors:
            yield vector.place, "'doc' of the vector", vector.doc
    yield from layout_texts(model)


def layout_texts(model: Model) -> Iterator[tuple[Place, str, str]]:
    for request in model.work_requests:
        for arg in request.args:
            yield request.place, f"'doc' of argument '{arg.name}'", arg.doc
    for transport in model.transports:
        for option in transport.options:
            yield transport.place, f"'doc' of option '{option.name}'", option.doc
        for state in transport.states:
            yield state.place, f"'doc' of state {state.name}", state.doc
        for transition in transport.transitions:
            yield transition.place, "'doc' of the transition", transition.doc


def check_texts(model: Model) -> list[Problem]:
    return [(place, f"{whose} holds '{mark}', which C reads as the edge of a comment; expected text without it")
            for place, whose, text in texts(model) for mark in MARKS if mark in text]
