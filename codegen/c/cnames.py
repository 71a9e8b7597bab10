# SPDX-License-Identifier: BSD-2-Clause
"""Names and types that a model item has in C. Every name of the spec appears letter for letter."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.model.model import Enumeration, Field, Member, Model, Segment, Transport, WorkRequest
from codegen.load.values import gaps, highest, lowest, members, strange_bits

INT_MAX = (1 << 31) - 1


def seg(segment: Segment) -> str:
    """`segue_seg_raddr`, `segue_err_cqe`: the struct, and the stem of its functions."""
    return f"segue_{segment.name}" if segment.is_cqe else f"segue_seg_{segment.name}"


def seg_macro(segment: Segment) -> str:
    """Stem of its macros: `SEGUE_SEG_RADDR`."""
    return seg(segment).upper()


def field_macro(segment: Segment, field: Field) -> str:
    """`SEGUE_SEG_CTRL_UNITS`, to be followed by _MAX or _MIN."""
    return f"{seg_macro(segment)}_{field.name.upper()}"


def enum_stem(enum: Enumeration) -> str:
    return f"segue_{enum.name}"


def enumerator(member: Member) -> str:
    """`SEGUE_OPCODE_RDMA_WRITE`, or with the prefix that the spec gives."""
    return f"{member.prefix or 'SEGUE_' + member.enum.upper()}_{member.name}"


def may(request: WorkRequest) -> str:
    """`SEGUEI_MAY_SEND`: the flags that a request may have."""
    return f"SEGUEI_MAY_{request.name.upper()}"


def state_names(transport: Transport) -> dict[str, str]:
    return {state.name: enumerator(state.member) for state in transport.states if state.member}


def enum_is_macro(enum: Enumeration) -> bool:
    """C11 enumerators are ints, so enums with larger values become macros."""
    return any(m.value > INT_MAX for m in enum.members)


def enum_bits(enum: Enumeration) -> int:
    """Width of the C type that holds any value of the enum: 32 or 64."""
    return 64 if enum.bits > 32 else 32


def value_type(bits: int) -> str:
    return f"uint{bits}_t"


def bits(field: Field) -> int:
    """Width of the type that holds it: 8, 16, 32 or 64 (0 for a byte string)."""
    if field.is_bytes:
        return 0
    widest = field.width + (1 if field.translated and not field.signed else 0)
    return next(size for size in (8, 16, 32, 64) if widest <= size)


def narrow(field: Field) -> bool:
    """C would cut an int to its type without a warning, so arguments for it are wider, and checked first."""
    return 0 < bits(field) < 32


def field_type(field: Field, least: int = 8) -> str:
    """Its type, of at least that many bits."""
    return ("" if field.signed else "u") + f"int{max(bits(field), least)}_t"


def parameter_type(field: Field) -> str:
    return field_type(field, 32)


def type_range(field: Field) -> tuple[int, int]:
    """The range of its type."""
    least = -(1 << bits(field) - 1) if field.signed else 0
    return least, least + (1 << bits(field)) - 1


def sign_bit(field: Field) -> str:
    return literal(1 << field.width - 1, field.width)


def literal(value: int, bits: int = 32, digits: int = 0) -> str:
    """An unsigned hexadecimal constant, as wide as needed. A negative value has 64 bits."""
    if value < 0:
        value, bits = value + (1 << 64), 64
    text = f"0x{value:0{digits}x}"
    return f"UINT64_C({text})" if bits > 32 else text + "u"


def number(value: int, bits: int = 32) -> str:
    """An unsigned constant: small ones in decimal, masks in hexadecimal."""
    if value < 10:
        return f"UINT64_C({value})" if bits > 32 else f"{value}u"
    return literal(value, bits)


def enum_value(enum: Enumeration, value: int) -> str:
    """A member's value in the form of its enumerator."""
    digits = (enum.bits + 3) // 4 if enum.bits <= 16 else 0
    if enum_is_macro(enum):
        return literal(value, 64 if enum.bits > 32 else 32)
    if enum.flags or enum.bits >= 8:
        return f"0x{value:0{digits}x}"
    return str(value)


def limit(field: Field, value: int) -> str:
    """A constant for comparisons with a field."""
    if not field.signed:
        return number(value, bits(field))
    return f"INT64_C({value})" if bits(field) == 64 else f"({value})" if value < 0 else str(value)


def value(field: Field, given: int) -> str:
    """A constant for assignments to a field."""
    return limit(field, given) if field.signed else literal(given, bits(field))


def field_value(field: Field, value: int) -> str:
    """A value of a field, as the enum member's name if it has one."""
    enum = field.enum or field.flags
    member = next((m for m in enum.members if m.value == value), None) if enum else None
    return enumerator(member) if member else literal(value, field.width)


def member_test(field: Field, value: str) -> str:
    """C expression for fields with gaps: `value`, which is in range, is a member, or a combination of members."""
    if strange_bits(field):
        return f"(({value} & {literal(strange_bits(field), bits(field))}) == 0)"
    known = members(field)
    if known[-1] < 64:
        mask = sum(1 << member for member in known)
        return f"(UINT64_C(0x{mask:x}) >> ({value} & 63) & 1)"
    return "(" + " || ".join(f"{value} == {literal(member, bits(field))}" for member in known) + ")"


def has_max(field: Field) -> bool:
    """The C type can hold values above the largest legal one."""
    return field.in_struct and not field.is_bytes and highest(field) < type_range(field)[1]


def has_min(field: Field) -> bool:
    """The C type can hold values below the smallest legal one."""
    return field.in_struct and not field.is_bytes and lowest(field) > type_range(field)[0]


@dataclass(frozen=True)
class PreparedStruct:
    """A struct of prepared bytes. Several segments of one size may share it."""

    name: str
    size: int
    doc: str


def prepared(model: Model) -> list[PreparedStruct]:
    users: dict[str, list[Segment]] = {}
    for segment in model.segments:
        if segment.prepared:
            users.setdefault(segment.prepared.name, []).append(segment)
    structs = []
    for name, segments in sorted(users.items()):
        makers = " or ".join(f"{seg(s)}_prepare()" for s in segments)
        doc = f"A segment packed once and copied into each request; made by {makers}."
        structs.append(PreparedStruct(name, segments[0].size, doc))
    return structs


def test_suite(segment: Segment) -> str:
    """`SegRaddr`, `CqeErrCqe`: the name of its GoogleTest suite."""
    kind = "cqe" if segment.is_cqe else "seg"
    return "".join(word.capitalize() for word in [kind, *segment.name.split("_")])


def least_values(segment: Segment) -> list[tuple[Field, int]]:
    """The integer fields that may not be zero, with their smallest legal value."""
    result = []
    for field in segment.fields:
        if field.in_struct and not field.is_bytes and (not lowest(field) <= 0 <= highest(field) or 0 in field.never):
            value = lowest(field)
            while value in field.never:
                value += 1
            result.append((field, value))
    return result
