# SPDX-License-Identifier: BSD-2-Clause
"""Vectors: packed here by a little packer that shares nothing with the templates, and compared."""

from __future__ import annotations

from codegen.check.cover import kind_of
from codegen.check.fields import stranger_text
from codegen.load import Problem
from codegen.model import Field, Model, Segment, Vector


def check_vectors(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for segment in model.segments + model.cqes:
        for vector in segment.vectors:
            problems += [(vector.place, text) for text in vector_texts(segment, vector)]
    return problems


def vector_texts(segment: Segment, vector: Vector) -> list[str]:
    texts = [text for name in vector.values for text in value_texts(segment, vector, name)]
    for field in segment.fields:
        if field.in_struct and field.min > 0 and field.name not in vector.values:
            texts.append(f"the vector leaves out '{field.name}', which is at least {field.min}; expected a value for it")
    if segment.tail is not None and not segment.tail.rest:
        announced = vector.values.get(segment.tail.length.name, 0)
        if announced != len(vector.tail):
            texts.append(f"the vector's tail has {len(vector.tail)} bytes, and '{segment.tail.length.name}' says {announced}")
    if texts:
        return texts
    expected = pack(segment, vector)
    if len(expected) != len(vector.out):
        return [f"'out' of the vector has {len(vector.out)} bytes; expected {len(expected)}, the size of {kind_of(segment)} "
                f"'{segment.name}'"]
    return difference_texts(expected, vector.out)


def value_texts(segment: Segment, vector: Vector, name: str) -> list[str]:
    field = segment.get(name)
    assert field is not None
    value = vector.values[name]
    if field.const is not None:
        return [f"the vector gives '{name}', which is const; expected only what the caller gives"]
    if isinstance(value, bytes):
        return []
    highest = 1 << field.width if field.zero_means is not None else (1 << field.width) - 1 + field.minus
    limit = min(field.max, highest)
    if not field.min <= value <= limit:
        return [f"'{name}' of the vector is {value}; expected {field.min} to {limit}"]
    if value in field.never:
        return [f"'{name}' of the vector is {value}, which 'never' excludes"]
    stranger = stranger_text(field, value)
    return [f"'{name}' of the vector is {stranger}"] if stranger else []


def pack(segment: Segment, vector: Vector) -> bytes:
    """The bytes that the spec demands: the segment as one big number, then the tail."""
    image = 0
    for field in segment.fields:
        image |= field.image(encoded(field, vector), segment.size)
    head = image.to_bytes(segment.size, "big")
    tail = segment.tail
    if tail is None:
        return head
    whole = max(len(head), tail.at + len(vector.tail), tail.min_size)
    whole = -(-whole // tail.pad) * tail.pad
    body = bytearray(whole)
    body[:len(head)] = head
    body[tail.at:tail.at + len(vector.tail)] = vector.tail
    return bytes(body)


def encoded(field: Field, vector: Vector) -> int:
    """The field's bits as a number."""
    value = field.const if field.const is not None else vector.values.get(field.name, 0)
    if isinstance(value, bytes):
        return int.from_bytes(value, "little" if field.little else "big")
    return (value - field.minus) % (1 << field.width)  # only zero_means exceeds the bits, and becomes 0


def difference_texts(expected: bytes, got: bytes) -> list[str]:
    differing = [number for number, (a, b) in enumerate(zip(expected, got)) if a != b]
    if not differing:
        return []
    dword = differing[0] // 4
    return [f"'out' of the vector has {got[4 * dword:4 * dword + 4].hex()} in dword {dword}; expected "
            f"{expected[4 * dword:4 * dword + 4].hex()}"]
