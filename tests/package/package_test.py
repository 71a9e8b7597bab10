# SPDX-License-Identifier: BSD-2-Clause
"""The installed library: what //:install writes, used as a program outside of Bazel uses it.

With gcc and clang, as C and C++ of several years, optimised or not, and with the warnings that careful people turn on.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path("tests/package")
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wundef -Werror"
C = [(c, s) for c in ("gcc", "clang") for s in ("c11", "c2x")]
CXX = [(c, s) for c in ("g++", "clang++") for s in ("c++17", "c++20")]
DROPPED = '#include "segue/gen/builders.h"\nvoid f(struct segue_rc_sq *sq);\nvoid f(struct segue_rc_sq *sq) { segue_send(sq, 1, 0); }\n'


def run(command: list[str], **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)


class Package(unittest.TestCase):
    prefix: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        installed = Path(cls.scratch, "installed")
        done = run(["./install", str(installed)])
        assert done.returncode == 0, done.stderr
        # It may be moved.
        cls.prefix = installed.rename(Path(cls.scratch, "moved"))

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.scratch)

    def pkg_config(self, *options: str, name: str = "segue") -> list[str]:
        path = {"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}
        done = run(["pkg-config", *options, name], env={**os.environ, **path})
        self.assertEqual(0, done.returncode, done.stderr)
        return shlex.split(done.stdout)

    def test_install_fails_where_it_cannot_write(self) -> None:
        in_the_way = Path(self.scratch, "in_the_way")
        in_the_way.mkdir()
        (in_the_way / "lib").write_text("a file where a folder is wanted")
        self.assertNotEqual(0, run(["./install", str(in_the_way)]).returncode)
        done = run(["./install", str(in_the_way / "lib" / "below")])
        self.assertNotEqual(0, done.returncode)
        self.assertIn("give a prefix that you may write to", done.stderr)

    def compile(self, command: list[str]) -> None:
        done = run(command)
        self.assertEqual("", done.stderr, shlex.join(command))
        self.assertEqual(0, done.returncode, shlex.join(command))

    def check_program(self, program: str) -> None:
        done = run([program])
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("built and read back", done.stdout)

    def build(self, compiler: str, options: str, units: int = 2) -> None:
        program = str(Path(self.scratch, "app"))
        sources = [str(HERE / "app.c"), str(HERE / "second_unit.c")] if units == 2 else ["-include", str(HERE / "second_unit.c"), str(HERE / "app.c")]
        language = ["-x", "c++" if "++" in compiler else "c"]
        flags = self.pkg_config("--cflags") + shlex.split(WARNINGS + " " + options)
        libs = self.pkg_config("--libs")
        self.compile([compiler, *flags, *language, *sources, "-x", "none", "-o", program, *libs])
        self.check_program(program)

    def test_c(self) -> None:
        for compiler, standard in C:
            with self.subTest(compiler=compiler, standard=standard):
                self.build(compiler, f"-std={standard} -O2 -Wstrict-prototypes -Wmissing-prototypes")

    def test_cxx(self) -> None:
        for compiler, standard in CXX:
            with self.subTest(compiler=compiler, standard=standard):
                self.build(compiler, f"-std={standard} -O2 -Wold-style-cast")

    def test_hpp(self) -> None:
        """segue/segue.hpp, with the demo that README.md names for it."""
        shown = sorted(str(p) for p in Path("tools/demo/pingpong_cpp").glob("*.cc"))
        self.assertTrue(shown)
        for compiler, standard in CXX:
            with self.subTest(compiler=compiler, standard=standard):
                folders = ["-Itools/demo/pingpong_cpp", "-Itools/demo/pingpong"]
                self.compile([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *self.pkg_config("--cflags"), *folders, *shown])

    def test_optimisation(self) -> None:
        """As one unit: what is defined in two does not depend on the level."""
        for compiler in ("gcc", "clang", "g++", "clang++"):
            for level in ("-O0 -g", "-O3 -march=native"):
                with self.subTest(compiler=compiler, level=level):
                    self.build(compiler, level, units=1)

    def test_under_a_launcher(self) -> None:
        """Linked as any other program: PMIx is found when mpirun has started it."""
        program = str(Path(self.scratch, "world"))
        flags, libs = (self.pkg_config(option, name="segue-peers") for option in ("--cflags", "--libs"))
        self.compile(["gcc", *flags, str(HERE / "world.c"), "-o", program, *libs])
        self.assertRegex(run([program]).stdout, "^alone ")
        allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with tempfile.TemporaryDirectory(dir="/tmp") as short:  # mpirun's sockets want a short name
            environment = {**os.environ, **allowed, "HOME": short, "TMPDIR": short}
            done = run(["mpirun", "--oversubscribe", "-n", "2", program], env=environment)
        self.assertEqual(0, done.returncode, done.stderr)
        ranks = [re.match(r"pmix, rank (\d) of 2 ", line) for line in sorted(done.stdout.splitlines())]
        self.assertEqual(["0", "1"], [rank and rank[1] for rank in ranks])

    def test_link_time_optimisation(self) -> None:
        for compiler in ("gcc", "g++"):
            with self.subTest(compiler=compiler):
                self.build(compiler, "-O2 -flto -DSEGUE_CHECKED=0")

    def test_cmake(self) -> None:
        """find_package(), as README.md says, of an installation that was moved; a dropped request is a warning there, too."""
        source, build = Path(self.scratch, "cmake"), Path(self.scratch, "cmake/build")
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(app C)\nfind_package(Segue 0.1 CONFIG REQUIRED COMPONENTS segue peers OPTIONAL_COMPONENTS rdmacm)\n"
            f"foreach(kind segue checked peers peers_checked)\nadd_executable(with_${{kind}} {HERE.resolve()}/app.c {HERE.resolve()}/second_unit.c)\n"
            "target_link_libraries(with_${kind} Segue::${kind})\nendforeach()\n", encoding="utf-8")
        done = run(["cmake", "-S", str(source), "-B", str(build), f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        done = run(["cmake", "--build", str(build), "--verbose"])
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("-Wunused-value", done.stdout)
        for kind in ("segue", "checked", "peers", "peers_checked"):
            self.assertEqual(0, run([str(build / f"with_{kind}")]).returncode)

    def test_a_component_that_is_not_there_is_named(self) -> None:
        source = Path(self.scratch, "component")
        source.mkdir()
        lists = "cmake_minimum_required(VERSION 3.16)\nproject(app C)\nfind_package(Segue CONFIG REQUIRED COMPONENTS pears)\n"
        (source / "CMakeLists.txt").write_text(lists, encoding="utf-8")
        done = run(["cmake", "-S", str(source), "-B", str(source / "build"), f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        self.assertNotEqual(0, done.returncode)
        self.assertIn("Segue has no component pears", done.stderr)

    def test_by_hand(self) -> None:
        """Without pkg-config, as README.md says."""
        program = str(Path(self.scratch, "by_hand"))
        sources = [str(HERE / "app.c"), str(HERE / "second_unit.c")]
        library = [str(self.prefix / "lib/libsegue.a"), "-lmlx5", "-libverbs", "-ldl"]
        self.compile(["cc", "-O2", "-Wunused-value", f"-I{self.prefix}/share/segue/include", *sources, "-o", program, *library])
        self.check_program(program)

    def test_within_a_shared_library(self) -> None:
        library = str(Path(self.scratch, "libother.so"))
        program = str(Path(self.scratch, "with_shared"))
        flags, libs = self.pkg_config("--cflags"), self.pkg_config("--libs")
        self.compile(["cc", "-shared", "-fPIC", *flags, str(HERE / "second_unit.c"), "-o", library, *libs, "-Wl,-z,defs"])
        self.compile(["cc", *flags, str(HERE / "app.c"), "-o", program, library, *libs, f"-Wl,-rpath,{self.scratch}"])
        self.check_program(program)

    def test_a_dropped_builder_is_warned_of(self) -> None:
        """With nothing but what pkg-config says, and as an error where warnings are errors."""
        flags = self.pkg_config("--cflags")
        for compiler in ("gcc", "clang"):
            for more, says in ([], "warning: "), (["-Werror"], "error: "):
                done = run([compiler, *flags, *more, "-c", "-o", os.devnull, "-xc", "-"], input=DROPPED)
                self.assertRegex(done.stderr, rf"{says}.*\[-W(error=)?(error,-W)?unused-(value|result)\]", compiler)

    def test_what_is_dropped_is_warned_of_below_usr_local(self) -> None:
        """gcc says nothing of macros in system headers, and takes what it finds below its own folders for such."""
        include = str(self.prefix / "include")
        as_of_usr_local = {**os.environ, "C_INCLUDE_PATH": include, "CPLUS_INCLUDE_PATH": include}
        for compiler, language in ("gcc", "c"), ("clang", "c"), ("g++", "c++"), ("clang++", "c++"):
            with self.subTest(compiler=compiler):
                command = [compiler, *self.pkg_config("--cflags"), "-fsyntax-only", "-x", language, str(HERE / "dropped_results.c")]
                done = run(command, env=as_of_usr_local)
                self.assertEqual(0, done.returncode, done.stderr)
                # Where the macro begins, if the warning is in its text.
                lines = {int(n) for n in re.findall(r"dropped_results\.c:(\d+):\d+: (?:warning: |note: (?:in expansion of|expanded from) macro .segue_)", done.stderr)}
                self.assertEqual({9, 10, 11}, lines & set(range(9, 12)), done.stderr)

    def test_no_flag_is_needed_to_compile(self) -> None:
        """Installed flat, so that a compiler that looks below the prefix finds the headers."""
        self.compile(["cc", "-isystem", str(self.prefix / "include"), "-fsyntax-only", str(HERE / "app.c")])

    def test_examples(self) -> None:
        """Those of the documentation, in a folder of their own."""
        folder = Path(self.scratch, "examples")
        shutil.copytree("docs/examples", folder)
        sources = sorted(str(p) for p in folder.glob("*.c"))
        self.assertGreater(len(sources), 15)
        self.compile(["cc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *self.pkg_config("--cflags"), *sources])

    def test_what_needs_another_library_is_not_there(self) -> None:
        """segue/rdmacm.h is installed with libsegue_rdmacm.a."""
        self.assertFalse((self.prefix / "include/segue/rdmacm.h").exists())

    def test_an_installation_replaces_an_earlier_one(self) -> None:
        prefix = Path(self.scratch, "again")
        stale = prefix / "include/segue/stale.h"
        stale.parent.mkdir(parents=True)
        stale.write_text("", encoding="utf-8")
        self.assertEqual(0, run(["./install", str(prefix)]).returncode)
        self.assertFalse(stale.exists())

    def symbols(self, archive: str, option: str) -> set[str]:
        done = run(["nm", "-g", option, "-j", str(self.prefix / "lib" / archive)])
        return {n for n in done.stdout.split() if n.startswith(("segue_", "seguei_"))}

    def test_the_core_needs_nothing_of_peers(self) -> None:
        for kind in ("", "_checked"):
            defined, needed = (self.symbols(f"libsegue{kind}.a", option) for option in ("--defined-only", "--undefined-only"))
            self.assertGreater(len(needed), 100)
            self.assertEqual(set(), needed - defined)
            self.assertEqual(set(), needed & self.symbols(f"libsegue_peers{kind}.a", "--defined-only") - defined)

    def test_peers_need_of_the_core_what_its_seam_has(self) -> None:
        shared = [Path("runtime/object/seam/seam.h"), Path("runtime/object/tree/object.h"), *Path("runtime/base").glob("*.h"), *(self.prefix / "include/segue").rglob("*.h")]
        declared = set(re.findall(r"\bseguei?_\w+", "".join(h.read_text(encoding="utf-8") for h in shared)))
        needed = self.symbols("libsegue_peers.a", "--undefined-only") - self.symbols("libsegue_peers.a", "--defined-only")
        self.assertGreater(len(needed), 50)
        self.assertEqual(set(), needed - declared - {"seguei_cq_is_polled"})

    def names(self, kinds: str = "T") -> list[str]:
        done = run(["nm", "-g", "--defined-only", *(str(self.prefix / "lib" / name) for name in ("libsegue.a", "libsegue_peers.a"))])
        lines = [line.split() for line in done.stdout.splitlines()]
        found = [line[2] for line in lines if len(line) == 3 and line[1] in kinds]
        self.assertGreater(len(found), 150)
        return found

    def test_nothing_but_our_own_names(self) -> None:
        """What a program could define itself, too."""
        self.assertEqual([], [n for n in self.names("TRDBVW") if not n.startswith(("segue_", "seguei_"))])

    def test_every_function_is_documented(self) -> None:
        """By the symbols that there are, whatever a declaration looks like: each is named by a doc comment."""
        headers = (self.prefix / "include/segue").rglob("*.h")
        comments = " ".join(c for h in headers for c in re.findall(r"/\*\*.*?\*/", h.read_text(encoding="utf-8"), re.DOTALL))
        self.assertEqual([], [n for n in self.names() if n.startswith("segue_") and f"{n}()" not in comments])

    def demo(self, name: str) -> list[str]:
        """The objects of the main job, compiled by hand."""
        sources = sorted(str(p.absolute()) for p in Path("tools/demo/pingpong").glob("*.c"))
        folder = Path(self.scratch, f"pingpong-{name}")
        folder.mkdir()
        done = run(["cc", *self.pkg_config("--cflags", name=name), "-Wall", "-Wextra", "-O2", "-c", *sources], cwd=folder)
        self.assertEqual("", done.stderr)
        return sorted(str(p) for p in folder.glob("*.o"))

    def link(self, objects: list[str], library: str) -> subprocess.CompletedProcess:
        return run(["cc", *objects, "-o", str(Path(self.scratch, "pingpong")), *self.pkg_config("--libs", name=library)])

    def test_the_demo(self) -> None:
        """On the emulated device; and as a checked build, which wants the checked library: the checks in the headers and those in the library go
        together, and half of them would find what is not there."""
        for name in ("segue-peers", "segue-peers-checked"):
            objects = self.demo(name)
            done = self.link(objects, name)
            self.assertEqual(("", 0), (done.stderr, done.returncode))
            done = run(["tools/softhca/softhca", str(Path(self.scratch, "pingpong")), "--rounds", "20"], env={**os.environ, "SOFTHCA_DIR": self.scratch, "SEGUE_TOKEN": "of this test"})
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
            self.assertIn("all right", done.stdout)
        done = self.link(objects, "segue-peers")
        self.assertNotEqual(0, done.returncode)
        self.assertRegex(done.stderr, "undefined reference to .seguei_cq_check_begin")

    def test_install_wants_a_prefix(self) -> None:
        done = run(["./install"])
        self.assertNotEqual(0, done.returncode)
        self.assertEqual("usage: bazel run //:install -- [--remove] PREFIX\n", done.stderr)
        done = run(["./install", "--help"])
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn("PREFIX", done.stdout)

    def test_pages_and_command(self) -> None:
        """Each public name has a man page, README.md says, and the command is there."""
        for page in ("man1/segue.1", "man1/softhca.1", "man3/segue_post.3", "man3/segue_qp_open.3", "man7/segue.7"):
            self.assertTrue((self.prefix / "share/man" / page).is_file(), page)
        self.assertIn("0.1.0", run([str(self.prefix / "bin/segue"), "--version"]).stdout)
        for device in ("bnxt_re", "efa", "hns", "ionic", "nvme"):
            self.assertIn("Usage: segue decode --device", run([str(self.prefix / "bin/segue"), "decode", "--device", device, "--help"]).stdout)

    def test_it_can_be_removed(self) -> None:
        """What is the user's stays."""
        prefix = Path(self.scratch, "removed")
        own = prefix / "lib/libown.a"
        own.parent.mkdir(parents=True)
        own.write_text("", encoding="utf-8")
        self.assertEqual(0, run(["./install", str(prefix)]).returncode)
        self.assertGreater(len([p for p in prefix.rglob("*") if p.is_file()]), 1000)
        done = run(["./install", "--remove", str(prefix)])
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertEqual([own], [p for p in prefix.rglob("*") if p.is_file()])
        done = run(["./install", "--remove", str(prefix)])
        self.assertEqual(1, done.returncode)
        self.assertIn("is that the prefix?", done.stderr)


if __name__ == "__main__":
    unittest.main()
