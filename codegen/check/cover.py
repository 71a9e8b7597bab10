# SPDX-License-Identifier: BSD-2-Clause
"""Coverage: every bit of a segment belongs to one field, or to one reserved range."""

from __future__ import annotations

from typing import Optional

from codegen.load.load import Problem
from codegen.model.model import Field, Model, Segment


def check_cover(model: Model) -> list[Problem]:
    return [problem for segment in model.segments + model.cqes for problem in check_segment(segment)]


def check_segment(segment: Segment) -> list[Problem]:
    problems: list[Problem] = []
    if segment.size % 4:
        problems.append((segment.place, f"{segment.kind} '{segment.name}' has {segment.size} bytes; expected a "
                                        "multiple of 4"))
    owners: list[Optional[Field]] = [None] * (segment.size * 8)
    for field in sorted(segment.fields + segment.reserved, key=lambda f: f.place.line):
        outside = [text for span in field.spans if (text := outside_text(segment, span))]
        problems += [(field.place, text) for text in outside[:1]]
        for span in field.spans if not outside else []:
            problems += claim(owners, span)
    problems += order_problems(segment)
    gaps = runs([bit for bit, owner in enumerate(owners) if owner is None])
    if gaps and not problems:
        shown = ", ".join(spell(first, last, segment.little) for first, last in gaps[:4]) + (", ..." if len(gaps) > 4 else "")
        problems.append((segment.place, f"{segment.kind} '{segment.name}' says nothing about {shown}; expected each bit "
                                        "in a field or under 'reserved'"))
    return problems


def order_problems(segment: Segment) -> list[Problem]:
    """The bits of one dword are counted in one byte order."""
    problems: list[Problem] = []
    first: dict[int, Field] = {}
    words = [span for f in segment.fields + segment.reserved if not f.is_bytes for span in f.spans]
    for field in words if len({f.little for f in words}) > 1 else []:
        for dword in range(field.byte // 4, (field.byte + field.word // 8) // 4):
            low, high = dword * 32, dword * 32 + 32
            if field.first_bit >= high or field.first_bit + field.width <= low:
                continue
            other = first.setdefault(dword, field)
            if other.little != field.little:
                problems.append((field.whole.place, f"{label(field.whole)} has another order of bytes than {label(other.whole)} (line "
                                                    f"{other.whole.place.line}), which lies in dword {dword} as well; expected the same"))
    return problems


def label(field: Field) -> str:
    return "a reserved place" if field.reserved else f"field '{field.name}'"


def outside_text(segment: Segment, field: Field) -> str:
    """The reason why the field does not lie inside the segment, or an empty string."""
    end = field.byte + (field.width // 8 if field.is_bytes else field.word // 8)
    if end <= segment.size:
        return ""
    if field.is_bytes:
        return f"{label(field)} ends at byte {end}; {segment.kind} '{segment.name}' has {segment.size} bytes"
    return (f"{label(field)} lies in the {field.word}-bit word that ends at byte {end}; {segment.kind} "
            f"'{segment.name}' has {segment.size} bytes")


def claim(owners: list[Optional[Field]], field: Field) -> list[Problem]:
    """Marks the field's bits. Returns one problem for each earlier field that it overlaps."""
    shared: dict[int, list[int]] = {}
    others: dict[int, Field] = {}
    for bit in range(field.first_bit, field.first_bit + field.width):
        owner = owners[bit]
        if owner is None:
            owners[bit] = field
        else:
            shared.setdefault(id(owner), []).append(bit)
            others[id(owner)] = owner
    problems: list[Problem] = []
    for key, bits in shared.items():
        first, last = runs(bits)[0]
        problems.append((field.place, f"{label(field)} uses {spell(first, last, field.little)}, already used by {label(others[key])} "
                                      f"(line {others[key].place.line})"))
    return problems


def runs(bits: list[int]) -> list[tuple[int, int]]:
    """Runs of neighbouring bits, cut at dwords unless whole dwords follow each other."""
    found: list[tuple[int, int]] = []
    for bit in bits:
        if found and found[-1][1] == bit - 1 and (bit % 32 or found[-1][0] % 32 == 0):
            found[-1] = (found[-1][0], bit)
        else:
            found.append((bit, bit))
    return found


def spell(first: int, last: int, little: bool) -> str:
    """A run of bits, written as in the spec."""
    if first // 32 == last // 32 and little:
        return f"bits {last % 32}:{first % 32} of dword {first // 32}"
    if little:
        return f"dword {first // 32} from bit {first % 32} to bit {last % 32} of dword {last // 32}"
    if first // 32 == last // 32:
        return f"bits {31 - first % 32}:{31 - last % 32} of dword {first // 32}"
    if last % 32 == 31:
        return f"dwords {first // 32} to {last // 32}"
    return f"dword {first // 32} to bit {31 - last % 32} of dword {last // 32}"
