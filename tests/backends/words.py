# SPDX-License-Identifier: BSD-2-Clause
"""The values of a drawn request as words of 64 bits in a line, which programs in C and in Rust read.

All requests with the same calls have each value at the same place, so that a program is compiled once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from tests.backends.draw import Call, Drawn

Key = tuple[Union[int, str], ...]
Value = Union[int, bytes]


def values(d: Drawn) -> Iterator[tuple[Key, int, Value]]:
    """What a value is called, the bytes that it may take, and the value."""
    yield ("flags",), 8, d.flags
    for name, value in d.args:
        yield ("arg", name), 8 if isinstance(value, int) else len(value), value
    if d.option:
        yield ("option",), 8, d.option[1]
    for name, value in zip(("lap", "turn"), d.lap or ()):
        yield (name,), 8, value
    if d.table is not None:
        yield ("table",), 8, d.table
    for i, c in enumerate(d.calls):
        yield from values_of_call(i, c)


def values_of_call(i: int, c: Call) -> Iterator[tuple[Key, int, Value]]:
    if c.listed:
        yield (i, "rows"), 8, len(c.rows)
    for n in range(c.most):
        for name in c.names:
            f = c.segment.fields[name]
            yield (i, n, name), 8 if f.order else f.size, c.rows[n][name] if n < len(c.rows) else 0
    if c.segment.tail:
        yield (i, "length"), 8, len(c.payload)
        yield (i, "payload"), c.room, c.payload


def places(d: Drawn) -> dict[Key, int]:
    """The first word of each value."""
    found, at = {}, 0
    for key, room, _ in values(d):
        found[key] = at
        at += -(-room // 8)
    return found


def line(d: Drawn) -> str:
    """All words, in hexadecimal."""
    words: list[int] = []
    for _, room, value in values(d):
        size = -(-room // 8) * 8
        data = value.ljust(size, b"\0") if isinstance(value, bytes) else (value % (1 << 64)).to_bytes(max(size, 8), "little")[:size]
        words += [int.from_bytes(data[at:at + 8], "little") for at in range(0, size, 8)]
    return " ".join(f"{word:x}" for word in words)


def forms(drawn: list[Drawn]) -> list[Drawn]:
    return [d for d in drawn if d.form is None]


def lines(drawn: list[Drawn]) -> str:
    """The number of the form before the words of each."""
    numbers = {id(d): i for i, d in enumerate(forms(drawn))}
    return "".join(f"{numbers[id(d.form or d)]} {line(d)}\n" for d in drawn) + "\n"
