# SPDX-License-Identifier: BSD-2-Clause
"""What a release gives CMake, make and pkg-config: the tutorial's program is built with each, and run below softhca.

The shared library and the filled-in files are made here as the release's Makefile makes them; the sed lines are taken from it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

RELEASE = Path("tools/release")
HERE = Path("tests/package/release")
FILE = re.compile(r"^`([\w./-]+)`:\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)  # of a tutorial: its name, and what is in it


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}, cwd=cwd)


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        cls.prefix = cls.scratch / "installed"
        done = run("./install", str(cls.prefix))
        assert done.returncode == 0, done.stderr
        cls.make_shared_library()
        cls.version = "0.1.0"
        for name in ("SegueConfig.cmake", "SegueConfigVersion.cmake"):
            cls.fill(name + ".in", cls.prefix / "lib/cmake/Segue" / name)
        cls.fill("segue.pc.in", cls.prefix / "lib/pkgconfig/segue.pc", NAME="segue", CHECKED="", REQUIRES="Requires.private", LIBRARY="segue")
        checked = {"NAME": "segue-checked", "CHECKED": " -DSEGUE_CHECKED=1", "REQUIRES": "Requires", "LIBRARY": "segue_checked"}
        cls.fill("segue.pc.in", cls.prefix / "lib/pkgconfig/segue-checked.pc", **checked)
        cls.sources = cls.scratch / "pingpong"
        shutil.copytree("tools/demo/pingpong", cls.sources)
        for name in ("CMakeLists.txt", "Makefile"):
            shutil.copy(HERE / name, cls.sources / name)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.scratch)

    @classmethod
    def make_shared_library(cls) -> None:
        lib = cls.prefix / "lib"
        command = ["cc", "-shared", "-Wl,-soname,libsegue.so.0", f"-Wl,--version-script,{RELEASE}/segue.map", "-Wl,-z,defs"]
        archive = ["-Wl,--whole-archive", f"{lib}/libsegue.a", "-Wl,--no-whole-archive", "-lmlx5", "-libverbs"]
        done = run(*command, "-o", f"{lib}/libsegue.so.0", *archive)
        assert done.returncode == 0, done.stderr
        (lib / "libsegue.so").symlink_to("libsegue.so.0")

    @classmethod
    def fill(cls, template: str, out: Path, **values: str) -> None:
        values = {"INCLUDEDIR": f"{cls.prefix}/include", "LIBDIR": f"{cls.prefix}/lib", "DATADIR": f"{cls.prefix}/share", "VERSION": cls.version, **values}
        text = (RELEASE / template).read_text(encoding="utf-8")
        text = re.sub(r"@([A-Z]+)@", lambda m: values[m[1]], text)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")

    def ok(self, *command: str, **kwargs) -> str:
        done = run(*command, **kwargs)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def play(self, program: Path) -> None:
        env = {"SOFTHCA_DIR": str(self.scratch), "LD_LIBRARY_PATH": f"{self.prefix}/lib"}
        self.assertIn("at the peer, all right.", self.ok("tools/softhca/softhca", str(program), env=env))

    def configure(self, build: str, *more: str) -> subprocess.CompletedProcess:
        return run("cmake", "-S", str(self.sources), "-B", str(self.scratch / build), f"-DCMAKE_PREFIX_PATH={self.prefix}", *more)

    def test_cmake(self) -> None:
        done = self.configure("build", "-DCMAKE_BUILD_TYPE=Release")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.ok("cmake", "--build", str(self.scratch / "build"))
        for program in ("with_cmake", "checked_with_cmake"):
            self.play(self.scratch / "build" / program)
        # The one is linked with the shared library, the other has the checks in it.
        self.assertIn("libsegue.so.0", self.ok("readelf", "-d", str(self.scratch / "build/with_cmake")))
        self.assertNotIn("libsegue.so", self.ok("readelf", "-d", str(self.scratch / "build/checked_with_cmake")))

    def own_specs(self, build: str, *more: str) -> subprocess.CompletedProcess:
        command = ("cmake", "-S", str(self.scratch / "own"), "-B", str(self.scratch / build), f"-DCMAKE_PREFIX_PATH={self.prefix}")
        return run(*command, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *more)

    def test_specs_of_ones_own(self) -> None:
        """segue_spec_library(), as spec.cmake has it, with the tutorial's accelerator."""
        share = self.prefix / "share/segue"
        for folder in ("codegen", "spec", "runtime"):
            shutil.copytree(folder, share / folder)
        own = self.scratch / "own"
        own.mkdir()
        for name, text in FILE.findall(Path("docs/adding-a-segment.md").read_text(encoding="utf-8")):
            if name.startswith("spec/") or name == "hash_test.c":
                (own / Path(name).name).write_text(text, encoding="utf-8")
        shutil.copy(HERE / "spec.cmake", own / "CMakeLists.txt")
        (own / "wrong.yaml").write_text("kind: nonsense\n", encoding="utf-8")
        done = self.own_specs("wrong_build", "-DEXTRA=wrong.yaml")
        self.assertNotEqual(0, done.returncode)
        self.assertRegex(done.stderr, r"wrong\.yaml:1:\s")
        # All of the runtime but what is a library of its own.
        done = self.own_specs("own_build")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        commands = (self.scratch / "own_build/compile_commands.json").read_text(encoding="utf-8")
        alone = {"tables", "meet/pmix", "meet/rdmacm"}
        expected = {p.relative_to(share) for p in share.glob("runtime/**/*.c") if str(p.parent.relative_to(share / "runtime")) not in alone}
        found = {Path(c["file"]).relative_to(share) for c in json.loads(commands) if c["file"].startswith(str(share))}
        self.assertEqual(expected, found)
        self.assertGreater(len(found), 80)
        # Compiling it takes a minute, and the program needs no verbs.
        for path in (p for p in found if p.parts[1] in ("channel", "meet", "object")):
            (share / path).write_text("typedef int seguei_nothing;\n", encoding="utf-8")
        self.ok("cmake", "--build", str(self.scratch / "own_build"), "--parallel", "2")
        self.ok(str(self.scratch / "own_build/hash_test"))

    def test_another_minor_version_is_refused(self) -> None:
        lists = self.sources / "CMakeLists.txt"
        text = lists.read_text(encoding="utf-8")
        lists.write_text(text.replace("Segue 0.1", "Segue 0.2"), encoding="utf-8")
        try:
            done = self.configure("build_0_2")
        finally:
            lists.write_text(text, encoding="utf-8")
        self.assertNotEqual(0, done.returncode)
        self.assertIn("version: 0.1.0", done.stderr)

    def test_make_and_pkg_config(self) -> None:
        env = {"PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig"}
        self.ok("make", cwd=self.sources, env=env)
        self.play(self.sources / "with_make")
        flags = self.ok("pkg-config", "--cflags", "--libs", "segue-checked", env=env).split()
        sources = [str(p) for p in sorted(self.sources.glob("*.c"))]
        self.ok("cc", "-O2", *sources, "-o", str(self.scratch / "checked"), *flags)
        self.play(self.scratch / "checked")

    def test_what_is_filled_in_is_all_that_the_makefile_fills_in(self) -> None:
        """A place that neither knows would stay in the installed file."""
        makefile = (RELEASE / "Makefile").read_text(encoding="utf-8")
        for template in ("segue.pc.in", "SegueConfig.cmake.in", "SegueConfigVersion.cmake.in"):
            for name in set(re.findall(r"@([A-Z]+)@", (RELEASE / template).read_text(encoding="utf-8"))):
                self.assertIn(f"s|@{name}@|", makefile, template)


if __name__ == "__main__":
    unittest.main()
