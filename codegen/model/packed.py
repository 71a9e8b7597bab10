# SPDX-License-Identifier: BSD-2-Clause
"""Segments of the exported model as bytes: packs, unpacks and checks values. It needs nothing but the standard library,
so that modules of a back end can include it (codegen/python)."""

from __future__ import annotations

import functools
from typing import Any, Optional, Union

Data = dict[str, Any]
Value = Union[int, str, bytes]
Values = dict[str, Any]


class Refused(ValueError):
    """A sentence with the found value, its place, and the expected value."""


def number(value: Union[int, str]) -> int:
    """Numbers that some readers of JSON do not keep are strings in the model."""
    return value if isinstance(value, int) else int(value, 16)


def whole(size: int, unit: int) -> int:
    return -(-size // unit) * unit


class Place:
    """Bits of a word, or of several, from the lowest on, or plain bytes."""

    def __init__(self, at: Data):
        self.name, self.byte, self.stale = at.get("name", ""), at["byte"], at.get("stale", False)
        self.size = at.get("bytes") or at["word"] // 8
        self.order, self.low, self.bits = at.get("order", ""), at.get("low", 0), at.get("bits", self.size * 8)
        self.pieces = [Place(piece) for piece in at.get("pieces", [])]
        self.bits = sum(piece.bits for piece in self.pieces) or self.bits
        self.mask = (1 << self.bits) - 1
        self.first = self.byte + (self.low // 8 if self.order == "little" else (self.size * 8 - self.low - self.bits) // 8)
        self.end = self.byte + (self.size if not self.order or self.order == "little" else (self.size * 8 - self.low + 7) // 8)

    def get(self, data: bytes) -> Any:
        if self.pieces:
            return functools.reduce(lambda value, piece: value << piece.bits | piece.get(data), reversed(self.pieces), 0)
        found = bytes(data[self.byte:self.byte + self.size])
        return int.from_bytes(found, self.order) >> self.low & self.mask if self.order else found

    def in_dword(self, byte: int) -> int:
        """Its bits in the dword at a byte."""
        if self.pieces:
            return functools.reduce(int.__or__, (piece.in_dword(byte) for piece in self.pieces))
        behind = byte - self.byte
        low = 8 * behind if self.order == "little" else 8 * (self.size - behind) - 32
        return (self.mask << self.low) >> low & 0xffffffff if self.order and 0 <= behind < self.size else 0

    def first_set(self, data: bytes) -> int:
        """The first byte that has one of its bits set."""
        bits = (self.mask << self.low).to_bytes(self.size, self.order) if self.order else b"\xff" * self.size
        return next((self.byte + i for i, (mask, byte) in enumerate(zip(bits, data[self.byte:])) if mask & byte), self.first)

    def put(self, data: bytearray, value: Any) -> None:
        for piece in self.pieces:
            piece.put(data, value & piece.mask)
            value >>= piece.bits
        if self.pieces:
            return
        here = slice(self.byte, self.byte + self.size)
        if self.order:
            value = int.from_bytes(data[here], self.order) & ~(self.mask << self.low) | value << self.low
        data[here] = value.to_bytes(self.size, self.order) if self.order else value


class Field(Place):
    def __init__(self, data: Data, enums: dict[str, dict[str, int]]):
        super().__init__(data)
        self.doc, self.unit = data["doc"], data.get("unit", "")
        self.const = number(data["const"]) if "const" in data else None
        self.zero_means = number(data["zero_means"]) if "zero_means" in data else None
        self.minus, self.signed = data.get("minus", 0), data.get("signed", False)
        self.min, self.max = number(data.get("min", 0)), number(data.get("max", 0))
        self.never = {number(v) for v in data.get("never", [])}
        self.members = enums.get(data.get("enum") or data.get("flags", ""), {})
        self.closed, self.flags = data.get("closed", False), "flags" in data
        self.all = functools.reduce(int.__or__, self.members.values(), 0)

    def legal(self, value: int) -> bool:
        if self.const is not None:
            return value == self.const
        known = not self.closed or (value & self.all == value if self.flags else value in self.members.values())
        return self.min <= value <= self.max and value not in self.never and known

    @property
    def expected(self) -> str:
        if self.const is not None:
            return f"{self.const:#x}"
        but = "".join(f", but not {v:#x}" for v in sorted(self.never))
        return ("members of its enum, " if self.closed else "") + f"{self.min:#x} to {self.max:#x}{but}"

    def given(self, value: Value, what: str) -> Any:
        """A caller's value, converted for packing."""
        if not self.order:
            if not isinstance(value, (bytes, bytearray)) or len(value) != self.size:
                raise Refused(f"{what}.{self.name}: expected {self.size} bytes")
            return bytes(value)
        if isinstance(value, str):
            if value not in self.members:
                raise Refused(f"{what}.{self.name}: '{value}' is none of its members; expected {' or '.join(self.members) or 'a number'}")
            value = self.members[value]
        if not isinstance(value, int) or not self.legal(value):
            raise Refused(f"{what}.{self.name}: found {value:#x}, expected {self.expected}" if isinstance(value, int)
                          else f"{what}.{self.name}: expected a number")
        return 0 if value == self.zero_means else value - self.minus & self.mask

    def get(self, data: bytes) -> Any:
        value = super().get(data)
        if not self.order or value == 0 and self.zero_means is not None:
            return self.zero_means if self.order else value
        return value + self.minus - (self.mask + 1 if self.signed and value >> self.bits - 1 else 0)

    def shown(self, value: Any) -> str:
        if not self.order:
            return value.hex()
        name = next((n for n, v in self.members.items() if v == value), "")
        return f"{value:#x}" + (f" {name}" if name else "") + (f" ({self.unit})" if self.unit else "")


class Segment:
    """A segment or a completion."""

    def __init__(self, data: Data, enums: dict[str, dict[str, int]]):
        self.name, self.doc, self.size = data["name"], data["doc"], data["size"]
        self.fields = {f["name"]: Field(f, enums) for f in data["fields"]}
        self.tail: Optional[Data] = data.get("tail")
        self.args = [name for name in data["args"] if name != (self.tail or {}).get("length")]
        self.empty = data.get("empty")
        self.control: Data = data.get("control", {})
        self.match = {name: [number(v) for v in values] for name, values in data.get("match", {}).items()}
        end = self.tail["at"] if self.tail else self.size
        self.reserved = [place for place in map(Place, data["reserved"]) if not place.stale and place.end <= end]

    def pack(self, values: Optional[Values] = None, /, payload: bytes = b"", **more: Any) -> bytes:
        """The bytes, followed by the payload and its padding. Fields that are not given are 0."""
        values = {**(values or {}), **more}
        for name in values:
            if name not in self.fields:
                raise Refused(f"{self.name} has no field '{name}'; it has {', '.join(self.fields)}")
        out = bytearray(self.size)
        values |= {self.tail["length"]: len(payload)} if self.tail and "length" in self.tail else {}
        for name, field in self.fields.items():
            nothing: Value = bytes(field.size) if not field.order else field.const or field.minus
            field.put(out, field.given(values.get(name, nothing), self.name))
        if (tail := self.tail) is None:
            return bytes(out)
        if "max" in tail and not 1 <= len(payload) <= tail["max"]:
            raise Refused(f"{self.name}: {len(payload)} bytes of payload, expected 1 to {tail['max']}")
        data = bytes(out[:tail["at"]]) + payload
        return data.ljust(max(whole(len(data), tail["pad"]), tail["least"]), b"\0")

    def unpack(self, data: bytes) -> Values:
        """The values of the fields that are not constant. The bytes after them may be anything."""
        if len(data) < self.size:
            raise Refused(f"{self.name}: found {len(data)} bytes, expected {self.size}")
        return {name: field.get(data) for name, field in self.fields.items() if field.const is None}

    def wrong(self, data: bytes, fixed: Optional[Values] = None, reserved: bool = True) -> Optional[tuple[int, str]]:
        """(byte, sentence) of the first bits that the segment cannot have. `reserved`: also reserved ones."""
        found = []
        for place in self.reserved if reserved else ():
            if any(place.get(data)) if not place.order else place.get(data):
                found.append((place.first_set(data), f"{self.name}, {place.name}: found a bit that is set, expected zero, the bits are reserved"))
        for name, field in self.fields.items():
            value, wanted = field.get(data), (fixed or {}).get(name)
            if field.order and not (field.legal(value) and wanted in (None, value)):
                expected = field.expected if wanted is None else f"{wanted:#x} in this request"
                found.append((field.first, f"{self.name}.{name}: found {value:#x}, expected {expected}"))
        return min(found, default=None)

    def shown(self, values: Values) -> list[str]:
        return [f"  {name}: {self.fields[name].shown(value)}" for name, value in values.items() if name in self.fields]
