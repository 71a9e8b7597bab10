# SPDX-License-Identifier: BSD-2-Clause
"""Devices, and programs that write, judge and print what was drawn of them: one device, or several, each with a `c_prefix` of its own."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from codegen import emit, rust
from codegen.model.export import neutral
from codegen.model.model import Model
from codegen.python.nic import Nic
from tests.backends import in_rust, words
from tests.backends.draw import Draw
from tests.backends.in_c import Writer
from tests.codegen.layouts.compilers import CFLAGS, ONCE, WALK, Quick, gcc, rings, run

EACH, TIMES = 2, 4  # forms of each request, and requests of each form
CXXFLAGS = [flag for flag in CFLAGS if not flag.startswith("-std")] + ["-DBIND(name, ...)=auto name = __VA_ARGS__", "-D_Alignas=alignas"]
MAIN = "int main(void)"


def named(model: Model, prefix: str) -> Model:
    """The same device with a `c_prefix`."""
    return replace(model, devices=[replace(model.device, c_prefix=prefix)])


class Device:
    """One device, in Python, in C and, where there is a rustc, in Rust. `each`, `times`: forms of each request, and requests of each form. `arrays`:
    also requests with arrays of segments that may repeat, for which Rust has no call."""

    unpacks = True  # and compares what it has packed

    def __init__(self, model: Model, seed: int, folder: Path, each: int = EACH, times: int = TIMES, arrays: bool = False):
        self.model, self.data, self.folder = model, neutral(model), folder
        self.nic = Nic(self.data)
        draw = Draw(self.nic, self.data, random.Random(seed))
        self.drawn, self.size = draw.all(each, times), draw.room  # size: of a block
        self.singly = list(self.drawn)  # without arrays
        self.drawn += draw.arrays(times) if arrays else []
        self.entry = "main"  # what its program is called

    @property
    def includes(self) -> list[str]:
        return [f"-I{self.folder}", "-Iinclude", "-I."]

    def among(self, entry: str, prefix: str) -> Device:
        """One of several in a program, which calls it by that name."""
        self.entry, self.model, self.folder = entry, named(self.model, prefix), self.folder / entry
        return self

    def program(self) -> str:
        text = Writer(self.data, self.unpacks).program(self.drawn, self.size)
        if self.entry == "main":
            return text
        declared = f"#ifdef __cplusplus\nextern \"C\"\n#endif\nint {self.entry}(void);\n\n"
        return text.replace(MAIN, f"int {self.entry}(void)").replace("static void show(", declared + "static void show(", 1)

    def write(self) -> dict[str, str]:
        files = emit.render(self.model)
        emit.write({**files, "main.c": self.program()}, self.folder)
        return files

    def objects(self) -> str:
        """Compiles the library and the program, apart, into `made`; what is wrong."""
        files = self.write()
        sources = [str(self.folder / n) for n in files if n.endswith(".c")] + [*ONCE, *WALK, *rings(files)]
        self.made: list[str] = []
        for source in [*sources, str(self.folder / "main.c")]:
            self.made.append(str(self.folder / f"{len(self.made)}.o"))
            wrong = gcc([*CFLAGS, *self.includes, "-c", source, "-o", self.made[-1]])
            if wrong:
                return wrong
        return ""

    def object_cxx(self) -> str:
        """Compiles the same program as C++, in its place."""
        return run("g++", [*CXXFLAGS, *self.includes, "-x", "c++", "-c", str(self.folder / "main.c"), "-o", self.made[-1]])

    def compile(self) -> str:
        return self.objects() or gcc([*self.made, "-lpthread", "-o", str(self.folder / "main")])

    def in_rust(self) -> list[str]:
        """The entries in hexadecimal, or why there is none."""
        (self.folder / "device.rs").write_text(rust.module(self.data), encoding="utf-8")
        size = self.size if self.nic.block else 4096
        (self.folder / "main.rs").write_text(in_rust.program(self.data, self.singly, size), encoding="utf-8")
        wrong = in_rust.rustc("--crate-type", "rlib", "device.rs", folder=self.folder)
        wrong = wrong or in_rust.rustc("--extern", "device=libdevice.rlib", "-o", "main_rs", "main.rs", folder=self.folder)
        assert not wrong, wrong[:3000]
        return [line.split(" ", 1)[1] for line in said_by(self.folder / "main_rs", words.lines(self.singly))]

    def input(self) -> str:
        """What its program reads: the values of requests, and then damaged ones."""
        names = list(self.nic.queues)
        return words.lines(self.drawn) + "".join(f"{names.index(d.queue)} {m.hex()}\n" for d in self.drawn for m in d.damaged) + "\n"

    def run(self) -> tuple[list[str], list[str]]:
        """Lines about what was built, and about what was damaged."""
        return parted(said_by(self.folder / "main", self.input()))


def said_by(program: Path, given: str) -> list[str]:
    done = subprocess.run([str(program)], input=given, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr + done.stdout[-500:]
    return done.stdout.splitlines()


def parted(lines: list[str]) -> tuple[list[str], list[str]]:
    return [x for x in lines if x.startswith("walk ")], [x for x in lines if x.startswith("judged ")]


class Together:
    """Devices in one program, which runs each in turn. `prefixes`: of each; none for one alone."""

    def __init__(self, devices: list[Device], folder: Path, prefixes: tuple[str, ...] = ("p0", "p1")):
        self.folder = folder
        self.devices = [device.among(f"device_{i}", prefix if len(devices) > 1 else "") for i, (device, prefix) in enumerate(zip(devices, prefixes))]
        calls = " || ".join(f"{device.entry}()" for device in devices)
        declared = "".join(f"int {device.entry}(void);\n" for device in devices)
        (folder / "all.c").write_text(f"{declared}{MAIN}\n{{\n\treturn {calls};\n}}\n", encoding="utf-8")

    def compile(self) -> str:
        return self.compiled(Device.objects) or self.linked("gcc")

    def compile_cxx(self) -> str:
        """The programs as C++, with what is C already."""
        return self.compiled(Device.object_cxx) or self.linked("g++")

    def compiled(self, compile_one: Callable[[Device], str]) -> str:
        """What is wrong with the first device that does not compile."""
        return next(filter(None, map(compile_one, self.devices)), "")

    def linked(self, linker: str) -> str:
        made = [one for device in self.devices for one in device.made]
        wrong = gcc(["-c", str(self.folder / "all.c"), "-o", str(self.folder / "all.o")])
        return wrong or run(linker, [str(self.folder / "all.o"), *made, "-lpthread", "-o", str(self.folder / "main")])

    def compile_quick(self, compiler: Quick) -> str:
        """In C alone, by tcc."""
        made = []
        for device in self.devices:
            objects, wrong = compiler.objects(emit.render(device.model), device.program(), device.folder)
            if wrong:
                return wrong
            made += objects
        return run("gcc", [str(self.folder / "all.c"), *made, "-no-pie", "-o", str(self.folder / "main")])  # tcc takes two of a name

    def run(self) -> list[tuple[list[str], list[str]]]:
        """Of each device: lines about what was built, and about what was damaged."""
        lines = said_by(self.folder / "main", "".join(device.input() for device in self.devices))
        built, judged = parted(lines)
        found = []
        for device in self.devices:
            count, damaged = len(device.drawn), sum(len(d.damaged) for d in device.drawn)
            found.append((built[:count], judged[:damaged]))
            built, judged = built[count:], judged[damaged:]
        assert not built and not judged, "the program says more than it was given"
        return found
