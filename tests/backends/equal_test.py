# SPDX-License-Identifier: BSD-2-Clause
"""What the back ends write for random requests is the same, byte for byte, and what they say of damaged entries.

The devices are all that Segue has, and some that are invented (tests/codegen/layouts). The seed is printed; SEGUE_TEST_SEED and
SEGUE_COUNT (invented devices) change the run.
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from codegen import emit, rust
from codegen.model.model import Model
from codegen.model.export import neutral
from codegen.python.nic import Nic, Refused
from tests.backends import in_rust
from tests.backends.devices import DEVICES, checked
from tests.backends.draw import Draw, Drawn
from tests.backends.in_c import Writer
from tests.codegen.layouts.compilers import CFLAGS, ONCE, WALK, gcc, rings
from tests.codegen.layouts.layouts_test import Batch
from tests.seed.seed import segue_test_seed

INVENTED = int(os.environ.get("SEGUE_COUNT", "3"))
EACH = 4  # requests of each kind


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
        program = Writer(self.data).program(self.drawn, self.size)
        files = emit.render(self.model)
        emit.write(files, self.folder)
        (self.folder / "main.c").write_text(program, encoding="utf-8")
        runtime = [*ONCE, *WALK, *rings(files)]
        sources = [str(self.folder / n) for n in files if n.endswith(".c")] + [str(self.folder / "main.c"), *runtime]
        return gcc([*CFLAGS, f"-I{self.folder}", "-Iinclude", "-I.", *sources, "-lpthread", "-o", str(self.folder / "main")])

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

    def run(self) -> tuple[list[str], list[str]]:
        """Lines about what was built, and about what was damaged."""
        names = list(self.nic.queues)
        said = "".join(f"{names.index(d.queue)} {m.hex()}\n" for d in self.drawn for m in d.damaged)
        done = subprocess.run([str(self.folder / "main")], input=said, capture_output=True, text=True, timeout=300, check=False)
        lines = done.stdout.splitlines()
        assert done.returncode == 0, done.stderr + done.stdout[-500:]
        return [x for x in lines if x.startswith("walk ")], [x for x in lines if x.startswith("judged ")]


class Equal(unittest.TestCase):
    def compare(self, device: Device) -> tuple[int, int]:
        wrong = device.compile()
        self.assertFalse(wrong, wrong[:3000])
        built, judged = device.run()
        self.assertEqual(len(device.drawn), len(built))
        for d, line in zip(device.drawn, built):
            self.compare_built(device, d, line)
        for d, line in zip(device.drawn, device.in_rust() if in_rust.RUSTC else []):
            used = d.entry[:len(line) // 2] if device.nic.block and not any(d.entry[len(line) // 2:]) else d.entry
            self.assertEqual(used.hex(), line, f"{d.request} on {d.queue}: {' '.join(c.call for c in d.calls)}")
        damaged = [(d, m) for d in device.drawn for m in d.damaged]
        self.assertEqual(len(damaged), len(judged))
        for (d, mutant), line in zip(damaged, judged):
            sentence = line.removeprefix("judged ").strip()
            try:
                device.nic.queue(d.queue).validate(mutant)
                mine = ""
            except Refused as error:
                mine = str(error)
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
        for name in DEVICES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                print(name, "%d requests, %d damaged ones" % self.compare(Device(checked(name), seed, Path(folder))))

    def test_devices_invented(self) -> None:
        seed = segue_test_seed()
        for i in range(INVENTED):
            with self.subTest(seed + i), tempfile.TemporaryDirectory() as folder:
                model = Batch(seed + i, Path(folder), gcc).accepted()
                if model is not None:
                    print(seed + i, "%d requests, %d damaged ones" % self.compare(Device(model, seed + i, Path(folder))))


if __name__ == "__main__":
    unittest.main()
