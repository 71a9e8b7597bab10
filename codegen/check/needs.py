# SPDX-License-Identifier: BSD-2-Clause
"""The runtime's needs of its device's specs. They are one list, runtime/needs.yaml, which a test compares with the runtime's sources."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Sequence

from codegen.load.load import Problem, read_plain
from codegen.model.model import Enumeration, Field, Model, Place, Segment

NEEDS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "runtime", "needs.yaml")
LISTS = ("enums", "segments", "cqes", "work_requests", "transports")


@lru_cache(maxsize=None)
def read_needs() -> dict[str, Any]:
    return read_plain(NEEDS)


def check_needs(model: Model) -> list[Problem]:
    if not any(device.runtime for device in model.devices):
        return []
    needs = read_needs()
    problems = [problem for kind in LISTS for problem in missing(model.device.place, kind, getattr(model, kind), needs[kind])]
    problems += [problem for enum in model.enums for problem in member_problems(enum, needs)]
    return problems + [problem for segment in model.segments + model.cqes for problem in segment_problems(segment, needs)]


def missing(place: Place, kind: str, items: Sequence[Any], wanted: Sequence[str]) -> list[Problem]:
    known = {item.name for item in items}
    what = kind[:-1].replace("_", " ")
    return [(place, f"the runtime needs {what} '{name}', which no file holds; expected all that runtime/needs.yaml lists")
            for name in wanted if name not in known]


def member_problems(enum: Enumeration, needs: dict[str, Any]) -> list[Problem]:
    problems: list[Problem] = []
    for name in needs["enums"].get(enum.name, []):
        if enum.member(name) is None:
            problems.append((enum.place, f"enum '{enum.name}' lacks the member '{name}', which the runtime needs"))
    for name, value in needs["values"].get(enum.name, {}).items():
        member = enum.member(name)
        if member is not None and member.value != value:
            problems.append((member.place, f"member '{name}' of enum '{enum.name}' is {member.value}; expected {value}, which the "
                                           "runtime counts on"))
    return problems


def segment_problems(segment: Segment, needs: dict[str, Any]) -> list[Problem]:
    problems: list[Problem] = []
    for name in needs["cqes" if segment.is_cqe else "segments"].get(segment.name, []):
        if segment.get(name) is None:
            problems.append((segment.place, f"{segment.kind} '{segment.name}' lacks the field '{name}', which the runtime needs"))
    size = needs["sizes"].get(segment.name)
    if size is not None and segment.size != size:
        problems.append((segment.place, f"{segment.kind} '{segment.name}' has {segment.size} bytes; expected {size}, which the runtime counts "
                                        "on"))
    for name, at in needs["places"].get(segment.name, {}).items():
        field = segment.get(name)
        if field is not None and spelt(field) != (at["dword"], at["bits"]):
            problems.append((field.place, f"field '{name}' of {segment.kind} '{segment.name}' is bits {spelt(field)[1]} of dword "
                                          f"{spelt(field)[0]}; expected bits {at['bits']} of dword {at['dword']}, where the runtime "
                                          "reads it"))
    return problems


def spelt(field: Field) -> tuple[int, str]:
    return field.byte // 4, f"{field.lsb + field.width - 1}:{field.lsb}"
