# SPDX-License-Identifier: BSD-2-Clause
"""Vectors: packed by a small packer that shares nothing with the templates, and compared."""

from __future__ import annotations

from codegen.check.fields import value_text
from codegen.load.load import Problem
from codegen.model.model import Field, Model, Segment, Vector


def check_vectors(model: Model) -> list[Problem]:
    return [(vector.place, text) for segment in model.segments + model.cqes for vector in segment.vectors
            for text in vector_texts(segment, vector)]


def vector_texts(segment: Segment, vector: Vector) -> list[str]:
    texts = [text for name in vector.values for text in value_texts(segment, vector, name)]
    for field in segment.fields:
        if field.in_struct and not field.min <= 0 <= field.max and field.name not in vector.values:
            limit = f"least {field.min}" if field.min > 0 else f"most {field.max}"
            texts.append(f"the vector leaves out '{field.name}', which is at {limit}; expected a value for it")
    if segment.tail is not None and not segment.tail.rest:
        announced = vector.values.get(segment.tail.length.name, 0)
        if announced != len(vector.tail):
            texts.append(f"the vector's tail has {len(vector.tail)} bytes, and '{segment.tail.length.name}' says {announced}")
    if texts:
        return texts
    size = size_of(segment, vector)
    if size != len(vector.out):
        return [f"'out' of the vector has {len(vector.out)} bytes; expected {size}, the size of {segment.kind} '{segment.name}'"]
    return difference_texts(pack(segment, vector, size), vector.out)


def value_texts(segment: Segment, vector: Vector, name: str) -> list[str]:
    field = segment.get(name)
    assert field is not None
    value = vector.values[name]
    if field.const is not None:
        return [f"the vector gives '{name}', which is const; expected only what the caller gives"]
    if isinstance(value, bytes):
        return []
    text = value_text(field, value, f"'{name}' of the vector is")
    return [text] if text else []


def size_of(segment: Segment, vector: Vector) -> int:
    tail = segment.tail
    return segment.size if tail is None else -(-max(segment.size, tail.at + len(vector.tail), tail.min_size) // tail.pad) * tail.pad


def pack(segment: Segment, vector: Vector, size: int) -> bytes:
    """The bytes that the spec demands: the segment as one big number, then the tail."""
    image = 0
    for field in segment.fields:
        image |= field.image(encoded(field, vector), segment.size)
    body = bytearray(image.to_bytes(segment.size, "big").ljust(size, b"\0"))
    if segment.tail is not None:
        body[segment.tail.at:segment.tail.at + len(vector.tail)] = vector.tail
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
