# SPDX-License-Identifier: BSD-2-Clause
"""Division of segments into stores: every bit lands where the spec says, for any layout."""

import random
import unittest

from codegen.c import cnames, stores
from codegen.model.model import Field, Place, Segment

HERE = Place("stores_test.py", 1)


def field(name: str, byte: int, width: int, lsb: int, word: int, const: int | None = None) -> Field:
    return Field(name, "Doc.", HERE, byte, width, lsb, word, const=const, max=2**width - 1)


def segment(size: int, fields: list[Field]) -> Segment:
    return Segment("odd", "Doc.", "test", "primary", HERE, size, fields, [])


def random_segment(rng: random.Random) -> Segment:
    """Fields of random widths, byte strings and gaps, as the checker would let them pass."""
    size = 4 * rng.randint(1, 12)
    fields = []
    bit = 0
    while bit < 8 * size:
        kind = rng.random()
        name = f"f{len(fields)}"
        if kind < 0.2 and bit % 8 == 0:
            width = 8 * rng.randint(1, min(9, size - bit // 8))
            fields.append(field(name, bit // 8, width, 0, 0))
            bit += width
            continue
        width = rng.randint(1, min(64, 8 * size - bit))
        dword = bit // 32
        last = bit + width
        if last <= 32 * (dword + 1):
            place = (4 * dword, 32, 32 * (dword + 1) - last)
        elif last <= 32 * (dword + 2):
            place = (4 * dword, 64, 32 * (dword + 2) - last)
        else:
            width = 32 * (dword + 2) - bit
            place = (4 * dword, 64, 0)
        if kind < 0.85:
            byte, word, lsb = place
            const = rng.getrandbits(width) if kind > 0.8 else None
            fields.append(field(name, byte, width, lsb, word, const))
        bit += width
    return segment(size, fields)


def pack(item: Segment, values: dict[str, int]) -> bytes:
    """What the generated packer does, by the division."""
    out = bytearray(b"\xaa" * item.size)
    for chunk in stores.chunks(item):
        word = chunk.const
        if chunk.kind == "bytes":
            word = values[chunk.field.name]
        for part in chunk.parts:
            value = values[part.field.name] & part.value_mask
            word |= value << part.shift if part.shift >= 0 else value >> -part.shift
        out[chunk.byte : chunk.byte + chunk.size] = word.to_bytes(chunk.size, "big")
    return bytes(out)


def unpack(item: Segment, raw: bytes) -> dict[str, int]:
    """What the generated unpacker does, by the division."""
    values: dict[str, int] = {}
    divided = stores.chunks(item)
    for chunk in divided:
        if chunk.kind == "bytes":
            values[chunk.field.name] = int.from_bytes(raw[chunk.byte : chunk.byte + chunk.size], "big")
    for one in item.fields:
        if one.is_bytes or one.const is not None:
            continue
        value = 0
        for part in stores.parts_of(divided, one):
            word = int.from_bytes(raw[part.byte : part.byte + part.bits // 8], "big") >> part.down
            word &= part.cut or -1
            value |= word << max(-part.shift, 0)
        values[one.name] = value & ((1 << cnames.bits(one)) - 1)
    return values


def expected(item: Segment, values: dict[str, int]) -> bytes:
    """The same straight from the fields' places in the whole segment."""
    whole = 0
    for one in item.fields:
        value = one.const if one.const is not None else values[one.name]
        whole |= value << (8 * item.size - one.first_bit - one.width)
    return whole.to_bytes(item.size, "big")


class Words(unittest.TestCase):
    def test_random_layouts(self) -> None:
        rng = random.Random(1)
        for _ in range(2000):
            item = random_segment(rng)
            covered = [b for c in stores.chunks(item) for b in range(c.byte, c.byte + c.size)]
            self.assertEqual(covered, list(range(item.size)))
            for _ in range(3):
                values = {f.name: rng.getrandbits(f.width) for f in item.fields if f.const is None}
                raw = pack(item, values)
                self.assertEqual(raw.hex(), expected(item, values).hex(), item.fields)
                self.assertEqual(unpack(item, raw), values)

    def test_whole_words(self) -> None:
        item = segment(16, [field("a", 0, 64, 0, 64), field("b", 8, 24, 8, 32), field("c", 8, 8, 0, 32)])
        self.assertEqual(
            [(c.kind, c.byte, c.size) for c in stores.chunks(item)],
            [("word", 0, 8), ("word", 8, 4), ("zero", 12, 4)],
        )

    def test_bytes_cut_a_dword(self) -> None:
        item = segment(8, [field("mac", 0, 48, 0, 0), field("a", 4, 8, 8, 32), field("b", 4, 8, 0, 32)])
        self.assertEqual(
            [(c.kind, c.byte, c.size) for c in stores.chunks(item)], [("bytes", 0, 6), ("word", 6, 2)]
        )

    def test_known_bits(self) -> None:
        item = segment(4, [field("a", 0, 4, 28, 32), field("c", 0, 1, 27, 32, const=1), field("b", 0, 8, 0, 32)])
        self.assertEqual(stores.known_bits(item), [(0, 0x0F), (1, 0xFF), (2, 0xFF)])


if __name__ == "__main__":
    unittest.main()
