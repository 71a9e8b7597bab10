# SPDX-License-Identifier: BSD-2-Clause
"""A builder that refuses a value names the field that is wrong; or, where bits alone do not tell, some fields, and it among them,
or that one segment looks like another. A validator names the field that is wrong in a request's bytes.

Random requests, each with one value that its field cannot hold. The seed is printed; SEGUE_TEST_SEED repeats a run.
"""

from __future__ import annotations

import random
import re
import tempfile
import unittest
from pathlib import Path
from typing import Optional

from codegen.model.model import Model
from codegen.model.packed import Field, Place
from codegen.python.nic import Refused
from tests.backends.devices import DEVICES, checked
from tests.backends.draw import Call, Draw, Drawn
from tests.backends.programs import Device
from tests.seed.seed import segue_test_seed

EACH, MUTANTS = 3, 4  # requests of each kind, and spoilt ones of each
# Of requests with one opcode that is told from which the bytes differ least: a request of mlx5, and a field that others have set.
NEAREST = ("unbind_mw_type1", "umr_ctrl", "translation_offset_en")


def type_bits(f: Field) -> int:
    return next(b for b in (8, 16, 32, 64) if f.bits + (f.zero_means is not None or f.minus > 0) <= b)


def reaches_limited(f: Field, other: Field) -> bool:
    """Too large a value may make the other one wrong, which is then named: that mistake is the more usual one."""
    whole = other.const is not None or not other.order or (other.min == 0 and other.max == other.mask and not other.closed)
    return not whole and reaches(f, other)


def reaches(f: Field, other: Field) -> bool:
    return bool(other.order) and other.byte == f.byte and f.low < other.low < f.low + type_bits(f)


def wrong_value(rng: random.Random, f: Field) -> Optional[int]:
    """One that the type of the field holds in C, and the field does not. At what is `never` the field's, and at entries of
    lists, checked builds alone look."""
    bits = type_bits(f)
    tried = [f.max + 1, f.min - 1, (1 << bits) - 1, rng.randrange(1 << bits), rng.randrange(1 << bits)]
    found = [value for value in tried if 0 <= value < 1 << bits and not f.legal(value) and value not in f.never]
    return rng.choice(found) if found else None


class Blame(Device):
    """A device, and requests each of which has one wrong value, which is cut where it is packed."""

    unpacks = False

    def __init__(self, model: Model, seed: int, folder: Path):
        super().__init__(model, seed, folder, each=0)
        self.rng = random.Random(seed)
        self.said = {s["name"]: s for s in self.data["segments"]}
        self.wanted: list[tuple[str, int]] = []
        self.drawn = [d for d in Draw(self.nic, self.data, self.rng).all(EACH) if self.spoil(d)]
        for d in self.drawn:
            d.damaged = []

    def spoil(self, d: Drawn) -> bool:
        """Gives one field a value that it cannot hold."""
        places = [(c, row, name) for c in d.calls for row in c.rows for name in self.given(c) if not c.listed]
        self.rng.shuffle(places)
        for c, row, name in places:
            value = wrong_value(self.rng, c.segment.fields[name])
            if value is not None:
                row[name] = value
                self.wanted.append((name, value))
                return True
        return False

    def given(self, c: Call) -> list[str]:
        """Numbers that a caller gives."""
        prepared = self.said[c.segment.name].get("prepared")
        names = prepared["args"] if prepared else c.segment.fields if c.listed or self.said[c.segment.name].get("whole") else c.given
        length, empty = (c.segment.tail or {}).get("length"), c.segment.empty
        return [n for n in names if n not in c.fixed and n not in (length, empty) and c.segment.fields[n].order
                and c.segment.fields[n].const is None and not self.announces(c.segment.name, n)
                and not any(reaches_limited(c.segment.fields[n], other) for other in c.segment.fields.values())
                and not any(reaches(c.segment.fields[n], c.segment.fields[other]) for other in self.fixed(c.segment.name))]

    def fixed(self, name: str) -> set[str]:
        """Fields of a segment that tell requests apart: who reaches them makes another request of it, legal or not."""
        return {f for q in self.nic.queues.values() for use in q._uses if use["segment"] == name for f in q._fixed(use)}

    def announces(self, segment: str, name: str) -> bool:
        return any((a["segment"], a["field"]) == (segment, name) for q in self.data["queues"] for a in q["announced"])


class Spoilt(Device):
    """A device, and requests in the bytes of which one field is wrong that tells neither segments nor requests nor lengths apart."""

    def __init__(self, model: Model, seed: int, folder: Path):
        super().__init__(model, seed, folder, each=0)
        self.rng = random.Random(seed)
        self.drawn = Draw(self.nic, self.data, self.rng).all(EACH)
        uses = [use for q in self.nic.queues.values() for use in q._uses]
        self.telling = {(use["segment"], name) for q in self.nic.queues.values() for use in q._uses for name in q._fixed(use)}
        self.telling |= {(a["segment"], a["field"]) for q in self.data["queues"] for a in q["announced"]}
        self.telling |= {(use["segment"], use["list"]["sum"]["field"]) for use in uses if use.get("list", {}).get("sum")}
        self.telling |= {(s.name, s.tail["length"]) for s in self.nic.segments.values() if s.tail and "length" in s.tail}
        self.telling |= {(s.name, f.name) for s in self.nic.segments.values() for f in s.fields.values() if f.const is not None or f.never}
        self.wanted: list[str] = []
        for d in self.drawn:
            d.damaged = [m for m in (self.spoil(d) for _ in range(MUTANTS)) if m is not None]
            if d.request == NEAREST[0]:
                d.damaged += self.spoil_nearest(d)

    def spoil_nearest(self, d: Drawn) -> list[bytes]:
        _, name, field = NEAREST
        part = next(p for p in self.nic.queue(d.queue).decode(d.entry).parts if p.name == name)
        segment = bytearray(d.entry[part.offset:])
        place = self.nic.segments[name].fields[field]
        place.put(segment, place.mask - place.get(segment))
        spoilt = d.entry[:part.offset] + bytes(segment)
        try:
            self.nic.queue(d.queue).validate(spoilt)
        except Refused:
            self.wanted.append(f"{name}.{field}: ")
            return [spoilt]
        return []  # one of another request

    def spoil(self, d: Drawn) -> Optional[bytes]:
        """The bytes with one field that is wrong."""
        parts = [p for p in self.nic.queue(d.queue).decode(d.entry).parts if not self.nic.segments[p.name].control]
        places = [(p, place) for p in parts for place in self.places(p.name)]
        self.rng.shuffle(places)
        for part, place in places:
            value = self.rng.choice([1 << self.rng.randrange(place.bits), self.rng.randrange(1 << place.bits), place.mask])
            end = part.offset + self.nic.segments[part.name].size
            segment = bytearray(d.entry[part.offset:end])
            place.put(segment, value)
            wrong = not place.legal(place.get(segment)) if isinstance(place, Field) else value != 0
            if wrong and len(segment) == end - part.offset:
                self.wanted.append(f"{part.name}{'.' if isinstance(place, Field) else ', '}{place.name}: ")
                return d.entry[:part.offset] + bytes(segment) + d.entry[end:]
        return None

    def places(self, name: str) -> list[Place]:
        segment = self.nic.segments[name]
        fields = [f for f in segment.fields.values() if f.order and not f.pieces and (name, f.name) not in self.telling]
        return [*fields, *(place for place in segment.reserved if place.order)]


class Blamed(unittest.TestCase):
    def look(self, device: Blame) -> int:
        if not device.drawn:
            return 0  # all of its fields take what their types hold
        wrong = device.compile()
        self.assertFalse(wrong, wrong[:3000])
        built, _ = device.run()
        self.assertEqual(len(device.drawn), len(built))
        innocent = []
        for d, (name, value), line in zip(device.drawn, device.wanted, built):
            _, _, ret, sentence = line.split(" ", 3)
            title = f"{d.request} on {d.queue}: {' '.join(c.call for c in d.calls)}: {name} is {value:#x}\n{sentence}"
            self.assertNotEqual("0", ret, title)
            if not re.search(rf"'{name}'|\.{name}\b|and others|looks like another", sentence) or "one of ," in sentence:
                innocent.append(title)
        self.assertFalse(innocent, f"{len(innocent)} of {len(built)}\n\n" + "\n\n".join(innocent[:8]))
        return len(built)

    def validate(self, device: Spoilt) -> int:
        wrong = device.compile()
        self.assertFalse(wrong, wrong[:3000])
        _, judged = device.run()
        self.assertEqual(len(device.wanted), len(judged))
        requests = [d for d in device.drawn for _ in d.damaged]
        innocent = [f"{d.request} on {d.queue}: {' '.join(c.call for c in d.calls)}: {wanted}\n{line}"
                    for d, wanted, line in zip(requests, device.wanted, judged) if wanted not in line]
        self.assertFalse(innocent, f"{len(innocent)} of {len(judged)}\n\n" + "\n\n".join(innocent[:8]))
        return len(judged)

    def test_devices_of_segue(self) -> None:
        seed = segue_test_seed()
        for name in DEVICES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                print(name, self.look(Blame(checked(name), seed, Path(folder))))

    def test_bytes(self) -> None:
        seed = segue_test_seed()
        for name in DEVICES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                print(name, self.validate(Spoilt(checked(name), seed, Path(folder))))


if __name__ == "__main__":
    unittest.main()
