# SPDX-License-Identifier: BSD-2-Clause
"""Single fields: values that fit, limits that can be kept, and keys that agree."""

from __future__ import annotations

from codegen.load.load import Problem
from codegen.model.model import Enumeration, Field, Model, Segment, together


def check_fields(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for segment in model.segments + model.cqes:
        for field in segment.fields:
            texts = byte_string_texts(segment, field) if field.is_bytes else number_texts(field)
            problems += [(field.place, text) for text in texts]
        problems += check_match(segment)
    return problems + check_matches_differ(model)


def number_texts(field: Field) -> list[str]:
    texts: list[str] = []
    if field.format is not None:
        texts.append(f"field '{field.name}' has 'format' and is a number; expected it on a byte string")
    if field.enum is not None and field.flags is not None:
        texts.append(f"field '{field.name}' has both 'enum' and 'flags'; expected one of them")
    for enum in (field.enum, field.flags):
        texts += enum_texts(field, enum) if enum is not None else []
    if field.enum is not None and field.enum.flags:
        texts.append(f"field '{field.name}' has 'enum: {field.enum.name}', which is 'flags: true'; expected 'flags'")
    if field.flags is not None and not field.flags.flags:
        texts.append(f"field '{field.name}' has 'flags: {field.flags.name}', which is not 'flags: true'; expected 'enum'")
    if field.minus and (field.enum or field.flags or field.const is not None or field.zero_means is not None or field.never
                        or field.width == 64):
        texts.append(f"field '{field.name}' has 'minus'; expected a number of less than 64 bits without 'const', 'enum', 'flags', "
                     "'never' or 'zero_means'")
    elif field.min < field.minus and not field.signed:
        texts.append(f"'min' of field '{field.name}' is {field.min}; expected at least {field.minus}"
                     + (", its 'minus'" if field.minus else ", as it is not signed"))
    if field.signed and (field.enum or field.flags or field.const is not None or field.zero_means is not None or field.never
                         or field.minus or field.pieces):
        texts.append(f"field '{field.name}' is signed; expected a number in one place without 'const', 'enum', 'flags', 'minus', "
                     "'never' or 'zero_means'")
    elif field.signed and field.min < field.range[0]:
        texts.append(f"'min' of field '{field.name}' is {field.min}; expected at least {field.range[0]}, since it has "
                     f"{field.width} bits")
    if field.pieces and field.const is not None:
        texts.append(f"field '{field.name}' has 'const' and lies in {len(field.pieces)} places; expected a field for each")
    return texts + limit_texts(field) + const_texts(field)


def enum_texts(field: Field, enum: Enumeration) -> list[str]:
    # A value that is too wide for its own enum is reported there.
    widest = max((m for m in enum.members if not m.value >> enum.bits), key=lambda member: member.value, default=enum.members[0])
    if field.zero_means is None and widest.value >> field.width:
        return [f"field '{field.name}' has {field.width} bits, and '{widest.name}' of enum '{enum.name}' is "
                f"0x{widest.value:x}; expected a field that holds every member"]
    return []


def stranger_text(field: Field, value: int) -> str:
    """The reason why `value` is not one of the field's enum or flags, or an empty string."""
    if field.enum is not None and all(member.value != value for member in field.enum.members):
        return f"0x{value:x}, which is no member of enum '{field.enum.name}'"
    if field.flags is not None:
        strange = value & ~together(field.flags.members)
        if strange:
            return f"0x{value:x}, with the bits 0x{strange:x} that no member of enum '{field.flags.name}' has"
    return ""


def value_text(field: Field, value: int, what: str) -> str:
    """The reason why a field cannot have the value that `what` gives it, or an empty string."""
    least, most = max(field.min, field.range[0]), min(field.max, field.range[1])
    if not least <= value <= most or value in field.never:
        return f"{what} {value}; expected {least} to {most}" + (" without the values of 'never'" if field.never else "")
    stranger = stranger_text(field, value)
    return f"{what} {stranger}" if stranger else ""


def limit_texts(field: Field) -> list[str]:
    texts: list[str] = []
    if field.zero_means is not None and field.zero_means != 1 << field.width:
        texts.append(f"'zero_means' of field '{field.name}' is 0x{field.zero_means:x}; expected 0x{1 << field.width:x}, one "
                     f"more than fits in {field.width} bits")
    elif field.max > field.range[1]:
        texts.append(f"'max' of field '{field.name}' is {field.max}; expected at most {field.range[1]}, since it has "
                     f"{field.width} bits")
    if field.min > field.max:
        texts.append(f"'min' of field '{field.name}' is {field.min}, larger than its 'max' {field.max}")
    for value in field.never:
        if value > field.max:
            texts.append(f"'never' of field '{field.name}' holds 0x{value:x}; expected values that the field can have, at "
                         f"most 0x{field.max:x}")
    return texts or nothing_left_texts(field)


def nothing_left_texts(field: Field) -> list[str]:
    """A field must have a legal value, or it could not be written."""
    left = field.max - field.min + 1 - len({v for v in field.never if v >= field.min})
    members = field.enum.members if field.closed and field.enum is not None else []
    if field.const is None and field.zero_means is None and left <= 0:
        return [f"field '{field.name}' has no value left from {field.min} to {field.max}, since 'never' holds all of them; expected "
                "one that it can have"]
    if field.const is None and members and not any(field.min <= m.value <= field.max and m.value not in field.never for m in members):
        return [f"field '{field.name}' has no member of enum '{field.enum.name}' left from {field.min} to {field.max}; expected one "
                "that it can have"]
    return []


def const_texts(field: Field) -> list[str]:
    if field.const is None:
        return []
    texts: list[str] = []
    if field.const >> field.width:
        texts.append(f"'const' of field '{field.name}' is 0x{field.const:x}; expected at most 0x{(1 << field.width) - 1:x}, "
                     f"since it has {field.width} bits")
    elif stranger_text(field, field.const):
        texts.append(f"'const' of field '{field.name}' is {stranger_text(field, field.const)}")
    if field.min > 0 or field.max < (1 << field.width) - 1 or field.never or field.translated:
        texts.append(f"field '{field.name}' has 'const' together with a limit; expected one or the other")
    return texts


def byte_string_texts(segment: Segment, field: Field) -> list[str]:
    texts: list[str] = []
    given = {"enum": field.enum is not None, "flags": field.flags is not None, "const": field.const is not None,
             "min": field.min != field.range[0], "max": field.max != field.range[1], "minus": field.minus > 0, "signed": field.signed,
             "zero_means": field.zero_means is not None, "never": bool(field.never)}
    for key in (key for key, present in given.items() if present):
        texts.append(f"field '{field.name}' is a byte string and has '{key}'; expected it on a number")
    if field.format is None:
        return texts
    if holds(field.format, segment):
        texts.append(f"field '{field.name}' has the format '{field.format.name}', which holds '{segment.name}' itself")
    elif field.format.size * field.count * 8 != field.width:
        texts.append(f"field '{field.name}' has {field.width // 8} bytes; expected {field.format.size * field.count}, for "
                     f"{field.count} x '{field.format.name}' of {field.format.size} bytes")
    return texts


def holds(outer: Segment, wanted: Segment) -> bool:
    """True if `outer` is `wanted` or has it in a field, at any depth."""
    seen: list[Segment] = []
    todo = [outer]
    while todo:
        segment = todo.pop()
        if segment is wanted:
            return True
        if not any(segment is other for other in seen):
            seen.append(segment)
            todo += [field.format for field in segment.fields if field.format is not None]
    return False


def check_match(segment: Segment) -> list[Problem]:
    problems: list[Problem] = []
    for name, values in segment.match.items():
        field = segment.get(name)
        assert field is not None
        if field.is_bytes or field.pieces or field.signed:
            what = "byte string" if field.is_bytes else "field in several places" if field.pieces else "signed field"
            problems.append((field.place, f"'match' names the {what} '{name}'; expected a number"
                                          f"{' in one place' if field.pieces else ''}"))
            continue
        for value in values:
            if value >> field.width:
                problems.append((field.place, f"'match' gives '{name}' the value 0x{value:x}; expected at most "
                                              f"0x{(1 << field.width) - 1:x}"))
            elif field.const is not None and field.const != value:
                problems.append((field.place, f"'match' gives '{name}' the value 0x{value:x}, and its 'const' is "
                                              f"0x{field.const:x}"))
            elif stranger_text(field, value):
                problems.append((field.place, f"'match' gives '{name}' the value {stranger_text(field, value)}"))
    return problems


def check_matches_differ(model: Model) -> list[Problem]:
    """Two formats of one size must not match the same bytes."""
    problems: list[Problem] = []
    marked = [cqe for cqe in model.cqes if cqe.match]
    for number, cqe in enumerate(marked):
        for other in marked[:number]:
            if cqe.size == other.size and not told_apart(cqe, other):
                later, earlier = sorted((cqe, other), key=lambda c: model.order(c.place), reverse=True)
                problems.append((later.place, f"{later.kind} '{later.name}' is ambiguous: the same {later.size} bytes can "
                                              f"match it and '{earlier.name}'; expected a field under the 'match' of both, "
                                              "with values that differ"))
    return problems


def told_apart(cqe: Segment, other: Segment) -> bool:
    """A field that both match by has no value in common."""
    places = {(f.first_bit, f.width): set(other.match[f.name]) for f in other.fields if f.name in other.match}
    mine = [f for f in cqe.fields if f.name in cqe.match]
    return any(places[f.first_bit, f.width].isdisjoint(cqe.match[f.name])
               for f in mine if (f.first_bit, f.width) in places)
