# SPDX-License-Identifier: BSD-2-Clause
"""Legal values of fields."""

from __future__ import annotations

from codegen.model.model import Field, together


def members(field: Field) -> list[int]:
    """The only legal values of a field that is closed, in order."""
    if not field.closed or field.enum is None:
        return []
    return sorted({m.value for m in field.enum.members if field.min <= m.value <= field.max and m.value not in field.never})


def strange_bits(field: Field) -> int:
    """The bits of a closed field of flags that no member has."""
    if not field.closed or field.flags is None:
        return 0
    return (1 << field.width) - 1 & ~together(field.flags.members)


def gaps(field: Field) -> list[int]:
    """Illegal values that a range does not exclude: those between members(), or the bits without a flag."""
    if strange_bits(field):
        return [strange_bits(field)]
    found = members(field)
    return found if found and found[-1] - found[0] >= len(found) else []


def lowest(field: Field) -> int:
    """Smallest legal value, as a caller gives it."""
    if field.zero_means is not None:
        return max(1, field.min)
    return min(members(field), default=field.min)


def highest(field: Field) -> int:
    """Largest legal value, as a caller gives it."""
    if field.zero_means is not None:
        return field.zero_means
    return max(members(field), default=field.max)
