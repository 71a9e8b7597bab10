# SPDX-License-Identifier: BSD-2-Clause
"""What the back ends write for random requests is the same, byte for byte, and what they say of damaged entries.

The devices are all that Segue has, and some that are invented (tests/codegen/layouts), whose names are words of many languages
(names.py). The seed is printed; SEGUE_TEST_SEED and SEGUE_COUNT (invented devices) change the run. By hand, with more of them:
    python3 -m tests.backends.equal_test --count 10000 --seed 1 --jobs 2 --keep /tmp/failed
By hand tcc compiles C, where there is one, and one device of SAMPLE is compiled by gcc, as C++ and as Rust.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile
import traceback
import unittest
from pathlib import Path
from typing import Optional

from codegen import emit, rust
from codegen.model.model import Model
from codegen.model.export import neutral
from codegen.python.nic import Nic, Refused
from tests.backends import extras, in_rust, names
from tests.backends.devices import DEVICES, SMALL, checked
from tests.backends.draw import Draw, Drawn
from tests.backends.in_c import Writer
from tests.codegen.layouts.compilers import CFLAGS, ONCE, TCC, WALK, Quick, gcc, rings, run
from tests.codegen.layouts.layouts_test import Batch
from tests.seed.seed import segue_test_seed

INVENTED = int(os.environ.get("SEGUE_COUNT", "3"))
EACH = 4  # requests of each kind
SAMPLE = 16  # of so many devices by hand one is compiled in all languages
CXXFLAGS = [flag for flag in CFLAGS if not flag.startswith("-std")] + ["-DBIND(name, ...)=auto name = __VA_ARGS__", "-D_Alignas=alignas"]


class Device:
    """One device, in Python, in C and, where there is a rustc, in Rust."""

    def __init__(self, model: Model, seed: int, folder: Path):
        self.model, self.data, self.folder = model, neutral(model), folder
        self.nic = Nic(self.data)
        self.drawn = Draw(self.nic, self.data, random.Random(seed)).all(EACH)

    @property
    def size(self) -> int:
        """Of a block."""
        return max([self.nic.largest, *(r["least"] for r in self.data["requests"])])

    def compile(self) -> str:
        files = self.write()
        includes = [f"-I{self.folder}", "-Iinclude", "-I."]
        sources = [str(self.folder / n) for n in files if n.endswith(".c")] + [*ONCE, *WALK, *rings(files)]
        self.objects = []
        for source in [*sources, str(self.folder / "main.c")]:
            self.objects.append(str(self.folder / f"{len(self.objects)}.o"))
            wrong = gcc([*CFLAGS, *includes, "-c", source, "-o", self.objects[-1]])
            if wrong:
                return wrong
        return gcc([*self.objects, "-lpthread", "-o", str(self.folder / "main")])

    def compile_quick(self, compiler: Quick) -> str:
        """In C alone."""
        return compiler(self.write(), self.program(), self.folder)

    def compile_cxx(self) -> str:
        """The same program as C++, with what is C already."""
        made = str(self.folder / "main_cc.o")
        includes = [f"-I{self.folder}", "-Iinclude", "-I."]
        wrong = run("g++", [*CXXFLAGS, *includes, "-x", "c++", "-c", str(self.folder / "main.c"), "-o", made])
        return wrong or run("g++", [*self.objects[:-1], made, "-lpthread", "-o", str(self.folder / "main_cc")])

    def program(self) -> str:
        return Writer(self.data).program(self.drawn, self.size)

    def write(self) -> dict[str, str]:
        files = emit.render(self.model)
        emit.write(files, self.folder)
        (self.folder / "main.c").write_text(self.program(), encoding="utf-8")
        return files

    def in_rust(self) -> list[str]:
        """The entries in hexadecimal, or why there is none."""
        (self.folder / "device.rs").write_text(rust.module(self.data), encoding="utf-8")
        size = self.size if self.nic.block else 4096
        (self.folder / "main.rs").write_text(in_rust.program(self.data, self.drawn, size), encoding="utf-8")
        wrong = in_rust.rustc("--crate-type", "rlib", "device.rs", folder=self.folder)
        wrong = wrong or in_rust.rustc("--extern", "device=libdevice.rlib", "-o", "main_rs", "main.rs", folder=self.folder)
        assert not wrong, wrong[:3000]
        done = subprocess.run([self.folder / "main_rs"], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return [line.split(" ", 1)[1] for line in done.stdout.splitlines()]

    def run(self, program: str = "main") -> tuple[list[str], list[str]]:
        """Lines about what was built, and about what was damaged."""
        names = list(self.nic.queues)
        said = "".join(f"{names.index(d.queue)} {m.hex()}\n" for d in self.drawn for m in d.damaged)
        done = subprocess.run([str(self.folder / program)], input=said, capture_output=True, text=True, timeout=300, check=False)
        lines = done.stdout.splitlines()
        assert done.returncode == 0, done.stderr + done.stdout[-500:]
        return [x for x in lines if x.startswith("walk ")], [x for x in lines if x.startswith("judged ")]


class Equal(unittest.TestCase):
    def compare(self, device: Device) -> tuple[int, int]:
        """In all languages."""
        wrong = device.compile() or device.compile_cxx()
        self.assertFalse(wrong, wrong[:3000])
        found = self.compare_c(device)
        self.assertEqual(device.run(), device.run("main_cc"), "C and C++ differ")
        for d, line in zip(device.drawn, device.in_rust() if in_rust.RUSTC else []):
            used = d.entry[:len(line) // 2] if device.nic.block and not any(d.entry[len(line) // 2:]) else d.entry
            self.assertEqual(used.hex(), line, f"{d.request} on {d.queue}: {' '.join(c.call for c in d.calls)}")
        return found

    def compare_c(self, device: Device) -> tuple[int, int]:
        """What C and Python write and say."""
        built, judged = device.run()
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
                print(name, "%d requests, %d damaged ones" % self.compare(Device(checked(name), seed, Path(folder))))

    def test_devices_invented(self) -> None:
        seed = segue_test_seed()
        for i in range(INVENTED):
            with self.subTest(seed + i), tempfile.TemporaryDirectory() as folder:
                device = invented(seed + i, Path(folder))
                if device is not None:
                    print(seed + i, "%d requests, %d damaged ones" % self.compare(device))


def invented(seed: int, folder: Path) -> Optional[Device]:
    batch = Batch(seed, folder, gcc)
    if batch.accepted() is None:
        return None
    rng = random.Random(seed)
    model, _ = names.draw(extras.draw(batch.spec, rng), rng)
    return Device(model, seed, folder)


# By hand


def one(seed: int, shared: Path) -> tuple[int, int, str]:
    """Requests, damaged ones, and what is wrong with one device."""
    test = Equal()
    with tempfile.TemporaryDirectory() as folder:
        try:
            device = invented(seed, Path(folder))
            if device is None:
                return 0, 0, ""
            if not TCC or seed % SAMPLE == 0:
                return *test.compare(device), ""
            wrong = device.compile_quick(Quick(shared))
            test.assertFalse(wrong, wrong[:3000])
            return *test.compare_c(device), ""
        except Exception:
            return 0, 0, traceback.format_exc(limit=-6)[:6000]


def main() -> int:
    parser = argparse.ArgumentParser(description="Random devices in all languages.")
    parser.add_argument("--count", type=int, default=1000, help="requests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", default="", help="file to which failures are added, and how far it is")
    options = parser.parse_args()
    requests = judged = failures = 0
    seed = options.seed
    with tempfile.TemporaryDirectory() as shared, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        while requests < options.count:
            seeds = range(seed, seed + 4 * options.jobs)
            for number, (built, damaged, wrong) in zip(seeds, pool.map(one, seeds, [Path(shared)] * len(seeds))):
                requests, judged, failures = requests + built, judged + damaged, failures + bool(wrong)
                told = f"seed {number}\n{wrong}\n" if wrong else ""
                if options.keep and told:
                    with open(options.keep, "a", encoding="utf-8") as stream:
                        stream.write(told)
                print(told, end="", flush=True)
            seed = seeds[-1] + 1
            print(f"seeds {options.seed} to {seed - 1}: {requests} requests, {judged} damaged ones, {failures} failures", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main())
    unittest.main()
