# SPDX-License-Identifier: BSD-2-Clause
"""Two devices in one program: the `c_prefix` of each gives its library names of its own, in C and in C++.

Each writes, judges and prints its own random requests, as it does alone. The seed is printed; SEGUE_TEST_SEED repeats a run.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from codegen import emit
from codegen.model.model import Model
from codegen.model.export import neutral
from codegen.python.nic import Nic
from tests.backends.devices import checked
from tests.backends.draw import Draw, Drawn
from tests.backends.in_c import Writer
from tests.codegen.layouts.compilers import CFLAGS, ONCE, WALK, gcc, rings, run
from tests.seed.seed import segue_test_seed

CXXFLAGS = [flag for flag in CFLAGS if not flag.startswith("-std")] + ["-DBIND(name, ...)=auto name = __VA_ARGS__", "-D_Alignas=alignas"]
BOTH = "extern \"C\" int first(void);\nextern \"C\" int second(void);\nint main()\n{\n\treturn first() || second();\n}\n"
LINKAGE = "extern \"C\" "  # of what C++ defines for others
ALIKE = {"first": "efa", "second": "nvme"}  # which share names of enums, segments and tables
WITH_RUNTIME = {"first": "mlx5", "second": "dsa"}  # of which the first has no prefix


def named(model: Model, prefix: str) -> Model:
    """The same device with a `c_prefix`."""
    device = replace(model.device, c_prefix=prefix)
    return replace(model, devices=[device])


class Two(unittest.TestCase):
    def begin(self, two: dict[str, str]) -> dict[str, str]:
        """Draws for both; the prefix of each."""
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        self.drawn: list[Drawn] = []
        seed = segue_test_seed()
        self.programs = {}
        for part, name in two.items():
            model = checked(name)
            data = neutral(model)
            nic = Nic(data)
            drawn = Draw(nic, data, random.Random(seed)).all(1)
            for d in drawn:
                d.damaged = []
            self.drawn += drawn
            self.programs[part] = (model, Writer(data).program(drawn, max([nic.largest, *(r["least"] for r in data["requests"])])))
        return {part: "" if name == "mlx5" else name for part, name in two.items()}

    def objects(self, part: str, prefix: str, compiler: str, flags: list[str]) -> list[str]:
        """Of one device: its library and its program, whose main() has another name."""
        model, program = self.programs[part]
        folder = self.folder / f"{part}{prefix}"
        files = emit.render(named(model, prefix))
        declared = f"{LINKAGE if compiler == 'g++' else ''}int {part}(void)"
        main = program.replace("int main(void)", f"int {part}(void)").replace("static void show(", f"{declared};\n\nstatic void show(", 1)
        emit.write({**files, "main.c": main}, folder)
        includes = [f"-I{folder}", "-Iinclude", "-I."]
        made = []
        for source in [str(folder / n) for n in files if n.endswith(".c")] + [*ONCE, *WALK, *rings(files)]:
            made.append(str(folder / f"{len(made)}.o"))
            self.assertEqual("", gcc([*CFLAGS, *includes, "-c", source, "-o", made[-1]]))
        made.append(str(folder / "main.o"))
        self.assertEqual("", run(compiler, [*flags, *includes, "-c", str(folder / "main.c"), "-o", made[-1]]))
        return made

    def linked(self, prefixes: dict[str, str], compiler: str, flags: list[str]) -> str:
        (self.folder / "both.cc").write_text(BOTH, encoding="utf-8")
        objects = [o for part, prefix in prefixes.items() for o in self.objects(part, prefix, compiler, flags)]
        return run("g++", [str(self.folder / "both.cc"), *objects, "-lpthread", "-o", str(self.folder / "both")])

    def look(self, two: dict[str, str], compiler: str, flags: list[str]) -> None:
        self.assertEqual("", self.linked(self.begin(two), compiler, flags)[:3000])
        done = subprocess.run([self.folder / "both"], input="", capture_output=True, text=True, timeout=300, check=True)
        lines = [line.split(" ", 4) for line in done.stdout.splitlines() if line.startswith("walk ")]
        self.assertEqual([(d.request, "0", d.entry.hex(), "") for d in self.drawn],
                         [(d.request, ret, data, sentence) for d, (_, _, ret, data, sentence) in zip(self.drawn, lines)])
        self.assertEqual(len(self.drawn), len(lines))

    def test_in_c(self) -> None:
        for two in (ALIKE, WITH_RUNTIME):
            with self.subTest(**two):
                self.look(two, "gcc", CFLAGS)

    def test_in_cxx(self) -> None:
        for two in (ALIKE, WITH_RUNTIME):
            with self.subTest(**two):
                self.look(two, "g++", [*CXXFLAGS, "-xc++"])

    def test_without_prefixes_they_clash(self) -> None:
        self.begin(ALIKE)
        self.assertIn("multiple definition of `segue_machines'", self.linked({part: "" for part in ALIKE}, "gcc", CFLAGS))


if __name__ == "__main__":
    unittest.main()
