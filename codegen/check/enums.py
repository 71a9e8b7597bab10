# SPDX-License-Identifier: BSD-2-Clause
"""Enums: values that fit, each with one meaning."""

from __future__ import annotations

from codegen.load.load import Problem
from codegen.model.model import Enumeration, Member, Model


def check_enums(model: Model) -> list[Problem]:
    return [problem for enum in model.enums
            for problem in check_widths(enum) + check_twice(enum) + (check_shared_bits(enum) if enum.flags else check_masks(enum))]


def check_widths(enum: Enumeration) -> list[Problem]:
    return [(member.place, f"member '{member.name}' is 0x{member.value:x}; expected at most 0x{(1 << enum.bits) - 1:x}, "
                           f"since enum '{enum.name}' has {enum.bits} bits")
            for member in enum.members if member.value >> enum.bits]


def where(member: Member, other: Member) -> str:
    """The place of `other`, as an error at `member` words it. Other files may extend an enum."""
    return f"line {other.place.line}" if other.place.file == member.place.file else str(other.place)


def check_twice(enum: Enumeration) -> list[Problem]:
    problems: list[Problem] = []
    names: dict[str, Member] = {}
    values: dict[int, Member] = {}
    for member in enum.members:
        if member.name in names:
            problems.append((member.place, f"enum '{enum.name}' has two members '{member.name}', first in "
                                           f"{where(member, names[member.name])}"))
        elif member.value in values and not (enum.flags and member.mask):
            other = values[member.value]
            problems.append((member.place, f"member '{member.name}' is 0x{member.value:x}, already the value of "
                                           f"'{other.name}' ({where(member, other)})"))
        names.setdefault(member.name, member)
        values.setdefault(member.value, member)
    return problems


def check_shared_bits(enum: Enumeration) -> list[Problem]:
    problems: list[Problem] = []
    plain = [member for member in enum.members if not member.mask]
    for number, member in enumerate(plain):
        for earlier in plain[:number]:
            shared = member.value & earlier.value
            if shared and member.value != earlier.value:
                problems.append((member.place, f"member '{member.name}' shares the bits 0x{shared:x} with '{earlier.name}' "
                                               f"({where(member, earlier)}); expected bits of its own, or 'mask: true'"))
                break
    return problems


def check_masks(enum: Enumeration) -> list[Problem]:
    return [(member.place, f"member '{member.name}' has 'mask', and enum '{enum.name}' is not 'flags: true'")
            for member in enum.members if member.mask]
