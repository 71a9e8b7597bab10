# SPDX-License-Identifier: BSD-2-Clause
"""Whole segments: tail, control parts, builder arguments, prepared structs."""

from __future__ import annotations

from typing import Union

from codegen.check.size_fields import is_plain
from codegen.load.load import Problem
from codegen.model.model import Field, Model, Segment

Bit = tuple[str, Union[str, int], int]


def check_segments(model: Model) -> list[Problem]:
    checks = (check_tail, check_control, check_args, check_empty, check_table)
    return [problem for segment in model.segments for check in checks for problem in check(segment)] + check_prepared(model)


def check_tail(segment: Segment) -> list[Problem]:
    tail = segment.tail
    if tail is None:
        return []
    texts: list[str] = []
    if tail.length.is_bytes or tail.length.const is not None or tail.length.minus or tail.length.signed:
        texts.append(f"'tail' takes its length from '{tail.length.name}', which is not a number the caller gives")
    if tail.at > segment.size:
        texts.append(f"the tail starts at byte {tail.at}; expected at most {segment.size}, the segment's size")
    for field in (span for f in segment.fields for span in f.spans):
        if field.first_bit + field.width > tail.at * 8:
            texts.append(f"the tail starts at byte {tail.at}, inside or before field '{field.name}'; expected it after all "
                         "fields")
    if tail.min_size % tail.pad:
        texts.append(f"'min_size' of the tail is {tail.min_size}; expected a multiple of its 'pad' {tail.pad}")
    return [(segment.place, text) for text in texts]


def check_control(segment: Segment) -> list[Problem]:
    control = segment.control
    if control is None:
        return []
    parts: list[tuple[str, Field]] = control.parts + ([("imm", control.imm)] if control.imm else [])
    parts += [("flags", field) for field in control.flags]
    texts: list[str] = []
    used: dict[int, str] = {}
    for part, field in parts:
        if field.is_bytes or field.const is not None or field.signed:
            texts.append(f"'control' uses '{field.name}' as {part}, which is not a number the builder can write")
        if id(field) in used:
            texts.append(f"'control' uses field '{field.name}' both as {used[id(field)]} and as {part}")
        used.setdefault(id(field), part)
    if len({field.byte for field in control.flags}) > 1 or any(field.word == 64 for field in control.flags):
        texts.append("the 'flags' of 'control' lie in different dwords; expected one")
    if segment.tail is not None:
        texts.append(f"the control segment '{segment.name}' has a tail; expected a fixed size")
    return [(segment.place, text) for text in texts]


def check_args(segment: Segment) -> list[Problem]:
    problems: list[Problem] = []
    lists = [("'args'", segment.args or [])]
    if segment.prepared is not None:
        lists.append(("'args' of 'prepared'", segment.prepared.args))
    for owner, fields in lists:
        for number, field in enumerate(fields):
            if field.const is not None:
                problems.append((segment.place, f"{owner} of segment '{segment.name}' names '{field.name}', which is const; "
                                                "expected fields that the caller gives"))
            if field in fields[:number]:
                problems.append((segment.place, f"{owner} of segment '{segment.name}' names '{field.name}' twice"))
    return problems


def check_empty(segment: Segment) -> list[Problem]:
    field = segment.empty
    if field is None or not (field.is_bytes or field.const is not None):
        return []
    return [(segment.place, f"'empty' of segment '{segment.name}' names '{field.name}', which is not a number that the "
                            "caller gives")]


def check_table(segment: Segment) -> list[Problem]:
    """Each form has places for the field, one after the other, and more than the form before."""
    if segment.table is None:
        return []
    texts, most, (_, first) = [], 0, segment.table.forms[0]
    if segment.table.field.word != 32 or segment.table.field.width != 32 or not is_plain(segment.table.field):
        texts.append(f"'table' of segment '{segment.name}' repeats '{segment.table.field.name}'; expected a plain number that is a whole dword")
    for _, form in segment.table.forms:
        bits = form.size * 8 // (len(form.fields) or 1)
        places = [(f.first_bit, f.width, f.word == 32 and f.little == segment.table.field.little and is_plain(f)) for f in form.fields]
        if bits not in (8, 16, 32) or places != [(i * bits, bits, True) for i in range(form.size * 8 // bits)]:
            texts.append(f"segment '{form.name}' is a form of 'table' of segment '{segment.name}'; expected plain numbers of 8, 16 or 32 bits in "
                         f"the byte order of '{segment.table.field.name}', one after the other, from its first byte to its last")
        elif form.size != first.size or len(form.fields) <= most:
            texts.append(f"'table' of segment '{segment.name}' has forms of different sizes, or '{form.name}' has no more fields than the one before it")
        most = len(form.fields)
    return [(segment.place, text) for text in texts]


# Prepared structs: several segments may share one, which holds the bytes of each.


def check_prepared(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    first: dict[str, Segment] = {}
    for segment in model.segments:
        if segment.prepared is None:
            continue
        other = first.setdefault(segment.prepared.name, segment)
        if other is not segment:
            text = difference(other, segment)
            problems += [(segment.place, text)] if text else []
    return problems


def difference(first: Segment, second: Segment) -> str:
    """The reason why the two cannot share their prepared struct, or an empty string."""
    assert second.prepared is not None
    name = second.prepared.name
    if first.size != second.size:
        return (f"segment '{second.name}' has {second.size} bytes and shares 'prepared: {name}' with '{first.name}' of "
                f"{first.size} bytes")
    lefts, rights = bit_map(first), bit_map(second)
    for number, (left, right) in enumerate(zip(lefts, rights)):
        if left != right and not is_harmless(lefts, rights, number):
            return (f"segments '{first.name}' and '{second.name}' share 'prepared: {name}', and byte {number // 8} is "
                    f"{spell(left)} in the one and {spell(right)} in the other; expected equal bytes but for 'args'")
    return ""


def is_harmless(lefts: list[Bit], rights: list[Bit], number: int) -> bool:
    """True if the packers of both segments make the differing bit their own: arguments are zero in the prepared struct,
    and a dword with an argument is written again, with its reserved bits as zero."""
    left, right = lefts[number], rights[number]
    if {left[0], right[0]} <= {"argument", "zero"}:
        return True
    if {left[0], right[0]} != {"field", "zero"}:
        return False
    dword = slice(number // 32 * 32, number // 32 * 32 + 32)
    return any(bit[0] == "argument" for bit in (lefts if left[0] == "zero" else rights)[dword])


def bit_map(segment: Segment) -> list[Bit]:
    """The origin of each bit of the prepared struct: an argument, given with the struct, constant or zero."""
    assert segment.prepared is not None
    bits: list[Bit] = [("zero", "", 0)] * (segment.size * 8)
    for field in segment.fields:
        for span in field.spans:
            for offset in range(span.width):
                bits[span.first_bit + offset] = bit_of(segment, field, field.width - span.low - span.width + offset)
    return bits


def bit_of(segment: Segment, field: Field, offset: int) -> Bit:
    assert segment.prepared is not None
    if any(field is arg for arg in segment.prepared.args):
        return ("argument", "", 0)
    if field.const is not None:
        value = field.const >> (field.width - 1 - offset) & 1
        return ("const", 1, 0) if value else ("zero", "", 0)
    return ("field", field.name, offset)


def spell(bit: Bit) -> str:
    if bit[0] == "field":
        return f"field '{bit[1]}'"
    return {"argument": "an argument", "const": "constant", "zero": "zero"}[bit[0]]
