# SPDX-License-Identifier: BSD-2-Clause
"""Division of a segment's bytes into stores.

A packer writes each byte once, in as few and as wide stores as the fields allow. Byte strings are copied,
everything else is composed from words of 8, 16, 32 or 64 bits, and runs of reserved bytes are
cleared together. The unpacker, the checks and the prepared copies use the same division.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from codegen.c import cnames
from codegen.model.model import Field, Segment


@dataclass(frozen=True)
class Part:
    """The part of a word that one field fills."""

    field: Field
    shift: int  # left shift of the field's value. Negative: its low bits lie in another word
    mask: int  # its bits of the word
    bits: int  # width of the word
    byte: int  # first byte of the word

    @property
    def value_mask(self) -> int:
        """The bits of the field's own value that lie in this word."""
        return self.mask >> self.shift if self.shift >= 0 else self.mask << -self.shift

    @property
    def down(self) -> int:
        """Right shift that brings the field's bits to the bottom of the word."""
        return max(self.shift, 0)

    @property
    def up(self) -> int:
        """Left shift after that one. The field's low bits lie in the next word."""
        return max(-self.shift, 0)

    @property
    def cut(self) -> int:
        """Mask to apply after that shift, or 0 if the word has no other bits left."""
        mask = self.mask >> self.down
        if self.whole and self.field.width == cnames.bits(self.field):
            return 0  # the C type cuts
        return 0 if mask == (1 << (self.bits - self.down)) - 1 else mask

    @property
    def whole(self) -> bool:
        """The word holds all of the field."""
        return self.value_mask == (1 << self.field.width) - 1

    @property
    def narrow(self) -> int:
        """Mask to apply to the field's value before it goes into the word, or 0."""
        return self.value_mask if self.field.translated or not self.whole else 0  # a negative value has bits set above the field's

    @property
    def widened(self) -> bool:
        """The value must become a word before it is shifted."""
        return self.shift > 0 and self.bits >= 32 and cnames.bits(self.field) < self.bits

    @property
    def narrowed(self) -> bool:
        """The value must become a word: before it is shifted up, or after it was shifted down."""
        return cnames.bits(self.field) > self.bits

    @property
    def converted(self) -> bool:
        """The value from the word does not have the field's type. C computes narrow words as int."""
        return self.shift < 0 or cnames.bits(self.field) != (self.bits if self.bits > 16 else 0)


@dataclass
class Chunk:
    """A run of bytes stored at once."""

    kind: str  # "word", "bytes" (a byte string) or "zero" (reserved)
    byte: int
    size: int
    parts: list[Part] = field(default_factory=list)  # most significant first; constants left out
    const: int = 0  # value of the constant bits
    const_mask: int = 0
    field: Field | None = None  # the byte string
    little: bool = False  # the word is little-endian
    next: Chunk | None = None  # the word behind this one, where one call stores both
    payload: int = 0  # bytes at its end that a tail may cover. The packer clears them, and other code ignores them

    @property
    def bits(self) -> int:
        return 8 * self.size

    def has_places(self, *shifts: int) -> bool:
        """The word is big-endian and has whole fields alone, of which the highest are at these places."""
        plain = all(part.whole and not part.narrow for part in self.parts)
        return self.size == 4 and not self.little and not self.const_mask and plain and [part.shift for part in self.parts][: len(shifts)] == [*shifts]

    @property
    def field_mask(self) -> int:
        mask = 0
        for part in self.parts:
            mask |= part.mask
        return mask

    @property
    def composed(self) -> bool:
        """The stored value is computed, so that C makes an int of it if the word is narrow."""
        if self.const or len(self.parts) != 1:
            return True
        return self.parts[0].shift != 0 or self.parts[0].field.translated

    @property
    def described(self) -> bool:
        """The word is more than one field."""
        return len(self.parts) != 1 or self.const_mask != 0 or self.parts[0].field.width != self.bits

    @property
    def compared(self) -> int:
        """Number of bytes, from the first, that must have their known values."""
        return self.size - self.payload

    @property
    def known_mask(self) -> int:
        """Bits with one legal value: constants and reserved ones, except those that a payload may cover."""
        clear = (1 << self.bits - 8 * self.payload) - 1
        return (clear if self.little else clear << 8 * self.payload) & ~self.field_mask

    def byte_of(self, mask: int, number: int) -> int:
        """The bits of a mask that lie in one byte of the chunk."""
        return mask >> (8 * number if self.little else self.bits - 8 * (number + 1)) & 0xFF


def _crosses(item: Field) -> bool:
    """The field lies in two dwords."""
    return not item.is_bytes and item.first_bit // 32 != (item.first_bit + item.width - 1) // 32


def _spans(segment: Segment) -> list[Field]:
    """The fields of a segment. Fields that lie in several places are divided into their pieces."""
    return [span for item in segment.fields for span in item.spans]


def _word(byte: int, size: int, fields: list[Field]) -> Chunk:
    chunk = Chunk("word", byte, size)
    low, high = byte * 8, (byte + size) * 8
    for item in sorted(fields, key=lambda f: f.first_bit):
        first, last = item.first_bit, item.first_bit + item.width
        if item.is_bytes or last <= low or first >= high:
            continue
        mask = (1 << (min(last, high) - max(first, low))) - 1
        shift = first - low if item.little else high - last
        part = Part(item.whole, shift - item.low, mask << max(shift, 0), 8 * size, byte)
        if item.const is None:
            chunk.parts.append(part)
        else:
            chunk.const_mask |= part.mask
            chunk.const |= (item.const << shift if shift >= 0 else item.const >> -shift) & part.mask
    return chunk


def _pieces(first: int, count: int, fields: list[Field]) -> list[tuple[int, int]]:
    """Cuts `count` bytes (less than 8) from `first` into powers of two, if possible not through a field."""
    if count in (1, 2, 4):
        return [(first, count)]
    cuts = []
    for size in (4, 2, 1):
        for start in (first, first + count - size):
            if size >= count:
                continue
            inside = not any(
                f.first_bit < edge < f.first_bit + f.width
                for f in fields
                if not f.is_bytes
                for edge in (8 * start, 8 * (start + size))
                if 8 * first < edge < 8 * (first + count)
            )
            cuts.append((not inside, -size, start))
    _, size, start = min(cuts)
    pieces = [(start, -size)]
    if start > first:
        pieces = _pieces(first, start - first, fields) + pieces
    if start - size < first + count:
        pieces += _pieces(start - size, first + count - start + size, fields)
    return pieces


def chunks(segment: Segment) -> list[Chunk]:
    """Divides a segment. The chunks cover every byte once, in order."""
    strings = {f.byte: f for f in segment.fields if f.is_bytes and f.const is None}
    owned = {b for f in strings.values() for b in range(f.byte, f.byte + f.width // 8)}
    words = _spans(segment)
    joined: set[int] = set()  # first bytes of 8-byte words
    for item in words:
        first = item.first_bit // 32 * 4
        if _crosses(item) and not joined & {first - 4, first, first + 4} and not owned & {*range(first, first + 8)}:
            joined.add(first)

    result: list[Chunk] = []
    byte = 0
    while byte < segment.size:
        if byte in strings:
            item = strings[byte]
            result.append(Chunk("bytes", byte, item.width // 8, field=item))
            byte += item.width // 8
            continue
        if byte in joined:
            result.append(_word(byte, 8, words))
            byte += 8
            continue
        end = min((byte // 4 + 1) * 4, segment.size)
        stop = next((b for b in range(byte, end) if b in owned), end)
        for start, size in _pieces(byte, stop - byte, words):
            result.append(_word(start, size, words))
        byte = stop

    merged: list[Chunk] = []
    for chunk in result:
        if chunk.kind == "word" and not chunk.parts and not chunk.const_mask:
            if merged and merged[-1].kind == "zero":
                merged[-1].size += chunk.size
                continue
            chunk = Chunk("zero", chunk.byte, chunk.size)
        merged.append(chunk)
    for chunk in merged:
        chunk.little = all(f.little for f in fields_in(segment, chunk) or segment.fields + segment.reserved)
        if segment.tail:
            chunk.payload = min(chunk.size, max(0, chunk.byte + chunk.size - segment.tail.at))
    for chunk, behind in zip(merged, merged[1:]):
        if chunk.has_places(24, 8, 0) and behind.has_places(8, 0):
            chunk.next = behind
    return merged


def parts_of(divided: list[Chunk], item: Field) -> list[Part]:
    """The parts that make up a field, the most significant first."""
    return [part for chunk in divided for part in chunk.parts if part.field is item]


def known_bits(segment: Segment) -> list[tuple[int, int]]:
    """(byte, mask) for each byte with bits that have one legal value, before a payload."""
    end = min(segment.tail.at, segment.size) if segment.tail else segment.size
    result = []
    for chunk in chunks(segment):
        if chunk.kind == "bytes":
            continue
        for i in range(chunk.size):
            mask = chunk.byte_of(chunk.known_mask, i)
            if mask and chunk.byte + i < end:
                result.append((chunk.byte + i, mask))
    return result


def fields_in(segment: Segment, chunk: Chunk) -> list[Field]:
    """The fields that have bits in a word, constants too, in spec order."""
    low, high = 8 * chunk.byte, 8 * (chunk.byte + chunk.size)
    return [f for f in _spans(segment) if not f.is_bytes and f.first_bit < high and f.first_bit + f.width > low]


def checked(segment: Segment) -> list[Chunk]:
    """The chunks that an unpacker compares: runs of reserved bytes, and words that hold bits with one legal value."""
    end = segment.tail.at if segment.tail else segment.size
    return [chunk for chunk in chunks(segment)
            if chunk.byte < end and (chunk.kind == "zero" or chunk.kind == "word" and chunk.known_mask)]


@dataclass
class Refill:
    """A place of a prepared copy that each request writes again."""

    chunk: Chunk
    given: list[Part]  # fields that the request gives
    kept: int  # bits of the word that the prepared copy has, or 0
    merged: bool  # the given bits are zero in the copy, so or-ing them in is enough

    @property
    def const(self) -> int:
        return 0 if self.kept else self.chunk.const

    @property
    def composed(self) -> bool:
        return bool(self.kept) or self.chunk.composed


def refills(segment: Segment, args: Collection[str]) -> list[Refill]:
    found = []
    for chunk in chunks(segment):
        given = [part for part in chunk.parts if part.field.name in args]
        if not given and not (chunk.field and chunk.field.name in args):
            continue
        kept = sum(part.mask for part in chunk.parts if part not in given)
        merged = bool(kept) and chunk.bits >= 32 and not any(cnames.has_min(part.field) for part in given)
        found.append(Refill(chunk, given, kept + chunk.const_mask if kept else 0, merged))
    return found
