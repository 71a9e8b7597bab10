# SPDX-License-Identifier: BSD-2-Clause
"""A builder that refuses a value names the field that is wrong; or, where bits alone do not tell, some fields, and it among them.

Random requests, each with one value that its field cannot hold, of the devices that post to blocks: on rings such a value may make
one segment look like another and shift what is read behind it. The seed is printed; SEGUE_TEST_SEED repeats a run.
"""

from __future__ import annotations

import random
import re
import tempfile
import unittest
from pathlib import Path
from typing import Optional

from codegen.model import Model
from codegen.python.nic import Field
from tests.backends.devices import DEVICES, checked
from tests.backends.draw import Call, Draw, Drawn
from tests.backends.equal_test import Device
from tests.seed.seed import segue_test_seed

EACH = 3  # requests of each kind


def type_bits(f: Field) -> int:
    return next(b for b in (8, 16, 32, 64) if f.bits + (f.zero_means is not None or f.minus > 0) <= b)


def reaches_limited(f: Field, other: Field) -> bool:
    """Too large a value may make the other one wrong, which is then named: that mistake is the more usual one."""
    whole = other.const is not None or not other.order or (other.min == 0 and other.max == other.mask and not other.closed)
    return not whole and other.byte == f.byte and f.low < other.low < f.low + type_bits(f)


def wrong_value(rng: random.Random, f: Field) -> Optional[int]:
    """One that the type of the field holds in C, and the field does not. At what is `never` the field's, and at entries of
    lists, checked builds alone look."""
    bits = type_bits(f)
    tried = [f.max + 1, f.min - 1, (1 << bits) - 1, rng.randrange(1 << bits), rng.randrange(1 << bits)]
    found = [value for value in tried if 0 <= value < 1 << bits and not f.legal(value) and value not in f.never]
    return rng.choice(found) if found else None


class Blame(Device):
    """A device, and requests each of which has one wrong value."""

    def __init__(self, model: Model, seed: int, folder: Path):
        super().__init__(model, seed, folder)
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
                and not any(reaches_limited(c.segment.fields[n], other) for other in c.segment.fields.values())]

    def announces(self, segment: str, name: str) -> bool:
        return any((a["segment"], a["field"]) == (segment, name) for q in self.data["queues"] for a in q["announced"])


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

    def test_devices_of_segue(self) -> None:
        seed = segue_test_seed()
        for name in DEVICES:
            model = checked(name)
            if not model.device.ring:
                with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                    print(name, self.look(Blame(model, seed, Path(folder))))


if __name__ == "__main__":
    unittest.main()
