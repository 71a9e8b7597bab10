# SPDX-License-Identifier: BSD-2-Clause
"""What the back ends write for random requests is the same, byte for byte, and what they say of damaged entries.

The devices are all that Segue has, and some that are invented (tests/codegen/layouts, extras.py), whose names are words of many
languages (names.py), two in each program. The seed is printed; SEGUE_TEST_SEED and SEGUE_COUNT (pairs of KNOWN) change the run. By hand, with
more of them:
    python3 -m tests.backends.equal_test --count 10000 --seed 1 --jobs 2 --keep /tmp/failed
By hand tcc compiles C, where there is one, and one pair of SAMPLE is compiled by gcc, as C++ and as Rust. It fails too where a hard
part (hard.py) was never drawn.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import copy
import os
import random
import re
import sys
import tempfile
import traceback
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Optional

from codegen.model.export import neutral
from codegen.model.model import Model
from codegen.python.nic import Refused
from tests.backends import extras, frames, hard, in_rust, names
from tests.backends.devices import DEVICES, SMALL, checked
from tests.backends.draw import Drawn
from tests.backends.programs import EACH, TIMES, Device, Together
from tests.codegen.layouts import grammar
from tests.codegen.layouts.compilers import TCC, Quick, gcc
from tests.codegen.layouts.layouts_test import Batch
from tests.seed.seed import segue_test_seed

INVENTED = int(os.environ.get("SEGUE_COUNT", "2"))
KNOWN = 32  # pairs that the tests take from. All have passed, so a failure comes from the change at hand; new ones are sought by hand
MORE = (33, 35)  # pairs with arrays that leave out entries, and with padded payloads
SAMPLE = 16  # of so many pairs by hand one is compiled in all languages
BY_HAND = 40  # requests of each form by hand, since most of the time goes into drawing and compiling devices


class Equal(unittest.TestCase):
    def compare(self, devices: list[Device], folder: Path) -> tuple[int, int]:
        """In all languages."""
        together = Together(devices, folder)
        wrong = together.compile()
        self.assertFalse(wrong, wrong[:3000])
        found = self.compare_c(together)
        said = together.run()
        wrong = together.compile_cxx()
        self.assertFalse(wrong, wrong[:3000])
        self.assertEqual(said, together.run(), "C and C++ differ")
        for device in devices if in_rust.RUSTC else []:
            for d, line in zip(device.singly, device.in_rust()):
                used = d.entry[:len(line) // 2] if device.nic.block and not any(d.entry[len(line) // 2:]) else d.entry
                self.assertEqual(used.hex(), line, f"{d.request} on {d.queue}: {' '.join(c.call for c in d.calls)}")
        return found

    def compare_c(self, together: Together) -> tuple[int, int]:
        """What C and Python write and say."""
        found = [self.compare_lines(device, *lines) for device, lines in zip(together.devices, together.run())]
        return sum(built for built, _ in found), sum(judged for _, judged in found)

    def compare_lines(self, device: Device, built: list[str], judged: list[str]) -> tuple[int, int]:
        self.assertEqual(len(device.drawn), len(built))
        for d, line in zip(device.drawn, built):
            self.compare_built(device, d, line)
        damaged = [(d, m) for d in device.drawn for m in d.damaged]
        self.assertEqual(len(damaged), len(judged))
        for (d, mutant), line in zip(damaged, judged):
            sentence = line.removeprefix("judged ").strip()
            try:
                device.nic.queue(d.queue).validate(mutant)
                mine = ""
            except Refused as error:
                mine = str(error)
            told = [re.match(r"byte (\d+)[:,].*reserved", said) for said in (sentence, mine)]
            self.assertFalse(all(told) and told[0][1] != told[1][1], f"{sentence}\n{mine}")
            self.assertEqual(bool(sentence), bool(mine), f"{d.request} on {d.queue}\nC: {sentence}\nPython: {mine}\n{d.entry.hex(' ', 4)}\n{mutant.hex(' ', 4)}")
        return len(built), len(judged)

    def compare_built(self, device: Device, d: Drawn, line: str) -> None:
        title = f"{d.request} on {d.queue}: {' '.join(c.call for c in d.calls)}"
        _, _, ret, data, sentence = line.split(" ", 4)
        self.assertEqual("0", ret, f"{title}: C refuses it: {line}\n{d.entry.hex(' ', 4)}")
        self.assertEqual(d.entry.hex(), data, title)
        self.assertEqual("", sentence, title)
        entry = device.nic.queue(d.queue).decode(d.entry)
        self.assertEqual(d.request, entry.request, title)
        whole = b"".join(p.payload for p in entry.parts)
        self.assertEqual(b"".join(c.payload for c in d.calls), whole, title)

    def test_devices_of_segue(self) -> None:
        seed = segue_test_seed()
        for name in [*DEVICES, *SMALL]:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                print(name, "%d requests, %d damaged ones" % self.compare([Device(checked(name), seed, Path(folder))], Path(folder)))

    def test_devices_invented(self) -> None:
        for seed in random.Random(segue_test_seed()).sample(range(KNOWN), INVENTED):
            with self.subTest(seed), tempfile.TemporaryDirectory() as folder:
                print(seed, "%d requests, %d damaged ones" % self.compare(invented_pair(seed, Path(folder)), Path(folder)))

    def test_arrays_and_padding(self) -> None:
        """Arrays of a repeat, some entries of which are left out, and payloads that are filled up to several units."""
        seed = random.Random(segue_test_seed()).choice(MORE)
        with tempfile.TemporaryDirectory() as folder:
            devices = invented_pair(seed, Path(folder), more=True)
            drawn = [call for device in devices for d in device.drawn for call in d.calls]
            self.assertTrue(any(len(call.written) < len(call.rows) for call in drawn))
            self.assertTrue(any("payload with padding" in hard.parts(device.data) for device in devices))
            print(seed, "%d requests, %d damaged ones" % self.compare(devices, Path(folder)))

    def test_minus_is_drawn(self) -> None:
        """Most specs take the key where it is drawn, and it is among the hard parts then."""
        found = Counter(part for seed in range(8) for part in self.parts_with(frames.minus, seed))
        self.assertGreater(found["minus"], 5)
        self.assertGreater(found["minus with a limit"], 3)

    def parts_with(self, change: Callable[[grammar.Spec, random.Random], None], seed: int) -> set[str]:
        """The hard parts of a block device to which a key is added, as far as `check` accepts it."""
        batch = Batch(seed, Path(), gcc, block=True)
        if batch.accepted() is None:
            return set()
        change(batch.spec, random.Random(seed))
        spec = extras.accepted(batch.spec)
        return hard.parts(neutral(names.check(spec))) if spec else set()

    def test_what_is_seldom_drawn(self) -> None:
        """Entries smaller than a unit on a queue without a control segment, and a second control segment that no request has."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(1, self.compare([Device(entry_of(12, 16), 1, Path(folder), 1, 1)], Path(folder))[0])

    def test_a_control_segment_without_flags(self) -> None:
        """Its const field does not make that of another one, with flags, legal."""
        with tempfile.TemporaryDirectory() as folder:
            device = Device(two_controls("x3"), 1, Path(folder), 1, 1)
            for d in device.drawn:
                entry = bytearray(d.entry)
                device.nic.segments["ctrl"].fields["x3"].put(entry, 1)
                d.damaged = [bytes(entry)] if d.request == "r0" else []
            self.assertEqual((2, 1), self.compare([device], Path(folder)))

    def test_a_payload_that_is_filled_up(self) -> None:
        """To several units, and the control segment has its bytes, so that what follows them is no payload."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(4, self.compare([Device(filled_up(), 1, Path(folder), 1, 4)], Path(folder))[0])

    def test_tables_in_front_of_pieces(self) -> None:
        """In forms of 32, 16 and 8 bits, and words of both orders."""
        for order in ("big", "little"):
            with self.subTest(order), tempfile.TemporaryDirectory() as folder:
                device = Device(tabled(order), 1, Path(folder), 24, 2)
                self.compare([device], Path(folder))
                told = Counter(device.nic.queue(d.queue).decode(d.entry).parts[0].values["after"] for d in device.drawn if d.request == "r0")
                self.assertEqual({0, 1, 2, 3}, {*told})


def entry_of(size: int, unit: int) -> Model:
    """A block device. Its only request is a segment of `size` bytes."""
    spec = grammar.Draw(1, 1, block=True).draw()
    spec = {file: part for file, part in spec.items() if part["kind"] not in ("work_request", "transport")}
    spec["nic.yaml"].pop("rings", None)
    spec["wqe.yaml"] = grammar.enums((unit, 4 * unit, 4))[0]
    spec["unused.yaml"] = {**spec["ctrl.yaml"], "name": "unused"}
    frames.kind_alone(spec, "small")
    spec["small.yaml"] = grammar.item("segment", "small", size=size, fields=[grammar.field(f"f{i}", grammar.at(i, 31, 0)) for i in range(size // 4)])
    return names.check(spec)


def two_controls(const: str) -> Model:
    """A block device with a request for each of two control segments. The other has a const field and no flags."""
    spec = grammar.Draw(1, 1, block=True).draw()
    spec["nic.yaml"].pop("rings", None)
    spec["other.yaml"] = other = {**copy.deepcopy(spec["ctrl.yaml"]), "name": "other"}
    other["control"].pop("flags")
    next(part for part in other["fields"] if part["name"] == const)["const"] = 1
    spec["r0.yaml"] |= {"control": "ctrl", "layout": [{"segment": "t0"}]}
    spec["r1.yaml"] = {**spec["r0.yaml"], "name": "r1", "control": "other", "opcode": "OP1", "flags": []}
    return names.check(spec)


def filled_up() -> Model:
    """A block device with a payload at the end of its request, in bytes and in units."""
    spec = grammar.Draw(1, 1, block=True).draw()
    spec["nic.yaml"].pop("rings", None)
    spec["t0.yaml"]["tail"] = {"at": spec["t0.yaml"]["tail"]["at"], "max": 24, "pad": 2 * spec["wqe.yaml"]["values"][0]["value"]}
    spec["r0.yaml"] |= {"args": [], "layout": [{"segment": "t0"}], "counts": {"peer": "bytes", "many": "units"}}
    return names.check(spec)


def tabled(order: str) -> Model:
    """A block device with pieces behind a table of their first words."""
    spec = grammar.Draw(1, 1, block=True).draw()
    spec["nic.yaml"].pop("rings", None)
    spec["nic.yaml"]["byte_order"] = order
    spec["wqe.yaml"] = grammar.enums((16, 64, 15))[0]
    next(f for f in spec["ctrl.yaml"]["fields"] if f["name"] == "many").pop("max", None)
    for bits in (32, 16, 8):
        places = [grammar.at(i * bits // 32, low + bits - 1, low) for i in range(128 // bits) for low in [i * bits % 32]]
        fields = [grammar.field(f"f{i}", place) for i, place in enumerate(places if order == "little" else turned(places, bits))]
        spec[f"of{bits}.yaml"] = grammar.item("segment", f"of{bits}", size=16, fields=fields) | {"pass": "struct"}
    forms = [{"value": i + 1, "segment": f"of{bits}"} for i, bits in enumerate((32, 16, 8))]
    fields = [grammar.field("amount", grammar.at(1, 31, 0), max=255), grammar.field("key", grammar.at(0, 31, 0))]
    spec["piece.yaml"] = grammar.item("segment", "piece", size=8, fields=fields, table={"repeats": "amount", "told": "after", "above": 1, "forms": forms})
    spec["r0.yaml"] |= {"args": [], "layout": [{"repeat": [{"segment": "piece"}], "min": 0, "max": "wqe"}], "counts": "entries"}
    return names.check(spec)


def turned(places: list[grammar.Item], bits: int) -> list[grammar.Item]:
    """The places of each dword from its highest bit down."""
    each = 32 // bits
    return [place for first in range(0, len(places), each) for place in reversed(places[first:first + each])]


def invented_pair(seed: int, folder: Path, times: int = TIMES, more: bool = False) -> list[Device]:
    """Two devices, or what `check` leaves of them. `more`: with what the known pairs were drawn without."""
    found = [invented(2 * seed, folder, times, more), invented(2 * seed + 1, folder, times, more)]
    return [device for device in found if device is not None]


def invented(seed: int, folder: Path, times: int, more: bool) -> Optional[Device]:
    """Of four devices three post to blocks: those have most of the keys."""
    batch = Batch(seed, folder, gcc, block=seed % 4 != 0)
    if batch.accepted() is None:
        return None
    rng = random.Random(seed)
    model, _ = names.draw(extras.draw(batch.spec, rng, more), rng)
    return Device(model, seed, folder, EACH, times, more)


# By hand


def one(seed: int, shared: Path, times: int) -> tuple[int, int, list[str], str]:
    """Requests, damaged ones, the hard parts, and what is wrong with one pair of devices."""
    test = Equal()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            devices = invented_pair(seed, folder, times, True)
            parts = [part for device in devices for part in hard.parts(device.data)]
            if not devices:
                return 0, 0, [], ""
            if not TCC or seed % SAMPLE == 0:
                return *test.compare(devices, folder), parts, ""
            together = Together(devices, folder)
            wrong = together.compile_quick(Quick(shared))
            test.assertFalse(wrong, wrong[:3000])
            return *test.compare_c(together), parts, ""
        except Exception:
            return 0, 0, [], traceback.format_exc(limit=-6)[:6000]


def main() -> int:
    parser = argparse.ArgumentParser(description="Random devices in all languages.")
    parser.add_argument("--count", type=int, default=1000, help="requests")
    parser.add_argument("--times", type=int, default=BY_HAND, help="requests of each form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", default="", help="file to which failures are added, and how far it is")
    options = parser.parse_args()
    requests = judged = failures = 0
    drawn: Counter[str] = Counter()
    seed = options.seed
    with tempfile.TemporaryDirectory() as shared, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        while requests < options.count:
            seeds = range(seed, seed + 2 * options.jobs)
            for number, (built, damaged, parts, wrong) in zip(seeds, pool.map(one, seeds, [Path(shared)] * len(seeds), [options.times] * len(seeds))):
                requests, judged, failures = requests + built, judged + damaged, failures + bool(wrong)
                drawn.update(parts)
                told = f"seed {number}\n{wrong}\n" if wrong else ""
                if options.keep and told:
                    with open(options.keep, "a", encoding="utf-8") as stream:
                        stream.write(told)
                print(told, end="", flush=True)
            seed = seeds[-1] + 1
            print(f"seeds {options.seed} to {seed - 1}: {requests} requests, {judged} damaged ones, {failures} failures", flush=True)
    print("devices with " + ", ".join(f"{part}: {drawn[part]}" for part in hard.ALL))
    return 1 if failures or not all(drawn[part] for part in hard.ALL) else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main())
    unittest.main()
