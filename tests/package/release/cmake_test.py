# SPDX-License-Identifier: BSD-2-Clause
"""What a release gives CMake, make and pkg-config: the tutorial's program is built with each, and run below softhca.

The release's own Makefile installs what Bazel has compiled, so that nothing is compiled twice.
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

from tests.docs import page_files

RELEASE = Path("tools/release")
HERE = Path("tests/package/release")
ARCHIVES = ("libsegue.a", "libsegue_checked.a", "libsegue_peers.a", "libsegue_peers_checked.a")
PROGRAMS = ("libsegue_run.so", "libsegue_verbs.a", "segue", "wqe", "pingpong", "softhca/softhca", "softhca/libsofthca.so")
FILE = re.compile(r"^`([\w./-]+)`:\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)  # of a tutorial: its name, and what is in it


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None, **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}, cwd=cwd, **kwargs)


# A request that is dropped, and a post whose error is: gcc is asked in C, where it needs a flag for both.
DROPPED = """#include <segue/gen/builders.h>
void post(struct segue_rc_sq *sq);
void post(struct segue_rc_sq *sq)
{
	segue_send(sq, 1, 0);
	segue_post(segue_send(sq, 2, 0));
	(void)segue_post(segue_send(sq, 3, 0));
}
"""
DROPPED_LISTS = """cmake_minimum_required(VERSION 3.16)
project(dropped C)
find_package(Segue CONFIG REQUIRED)
add_library(dropped STATIC dropped.c)
target_link_libraries(dropped PRIVATE @TARGET@)
"""


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        done = run("./install", str(cls.scratch / "bazel"))
        assert done.returncode == 0, done.stderr
        cls.version = "0.1.0"
        cls.tree = cls.scratch / "tree"
        cls.lay_out_a_release()
        cls.prefix = cls.scratch / "installed"
        cls.make("install", f"PREFIX={cls.prefix}")
        # Nothing in it says where it was put.
        cls.prefix = cls.prefix.rename(cls.scratch / "moved")
        cls.sources = cls.scratch / "pingpong"
        shutil.copytree("tools/demo/pingpong", cls.sources)
        for name in ("CMakeLists.txt", "Makefile"):
            shutil.copy(HERE / name, cls.sources / name)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.scratch)

    @classmethod
    def lay_out_a_release(cls) -> None:
        """What tools/release/tarball collects, with what Bazel has compiled in the places where the Makefile puts it."""
        tree, bazel, built = cls.tree, cls.scratch / "bazel", cls.tree / "build"
        shutil.copytree(bazel / "include", tree / "include")
        for folder in ("codegen", "spec", "runtime"):
            shutil.copytree(folder, tree / folder)
        shutil.copy("include/segue/rdmacm.h", tree / "include/segue")
        for name in ("segue.map.in", "segue.pc.in", "segue-device.pc.in", "SegueConfig.cmake.in"):
            shutil.copy(RELEASE / name, tree)
        makefile = (RELEASE / "Makefile").read_text(encoding="utf-8")
        (tree / "Makefile").write_text(makefile.replace("VERSION := @VERSION@", f"VERSION := {cls.version}"), encoding="utf-8")
        stand_ins = ("man/man1/segue.1", "man/man3/segue_qp_open.3", "man/man7/segue.7", "tools/segue/completion.bash", "tools/softhca/softhca.lua", "tools/softhca/umad/file.c", "tools/gdb/segue.py", "tools/valgrind/segue.supp")
        for name in (*stand_ins, *(f"build/{p}" for p in PROGRAMS)):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text("stands in", encoding="utf-8")
        for name in ARCHIVES:
            shutil.copy(bazel / "lib" / name, built)
        (built / "segue").unlink()
        shutil.copy("tools/segue/segue", built)
        for name in ("segue", "segue_peers"):
            done = run("ld", "-r", "-o", str(tree / f"{name}.o"), "--whole-archive", str(built / f"lib{name}.a"))
            assert done.returncode == 0, done.stderr

    @classmethod
    def make(cls, goal: str, *arguments: str) -> None:
        old = [word for name in (*ARCHIVES, *PROGRAMS) for word in ("-o", f"build/{name}")]
        done = run("make", "-C", str(cls.tree), *old, "shared=segue.o", "shared_peers=segue_peers.o", goal, *arguments)
        assert done.returncode == 0, done.stderr

    def ok(self, *command: str, **kwargs) -> str:
        done = run(*command, **kwargs)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def play(self, program: Path) -> None:
        env = {"SOFTHCA_DIR": str(self.scratch), "SEGUE_TOKEN": "of this test", "LD_LIBRARY_PATH": f"{self.prefix}/lib"}
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
        for name in ("libsegue.so.0.1", "libsegue_peers.so.0.1"):
            self.assertIn(f"[{name}]", self.ok("readelf", "-d", str(self.scratch / "build/with_cmake")))
        self.assertNotIn("libsegue", self.ok("readelf", "-d", str(self.scratch / "build/checked_with_cmake")))

    def test_hpp(self) -> None:
        """segue/segue.hpp is there, and its demo compiles with it."""
        folders = (f"-I{self.prefix}/share/segue/include", "-Itools/demo/pingpong_cpp")
        self.ok("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *folders, "tools/demo/pingpong_cpp/side.cc")

    def test_what_is_dropped_is_warned_of(self) -> None:
        """With nothing but what the target says."""
        for target in ("Segue::segue", "Segue::peers_checked"):
            source = self.scratch / target.replace("::", "_")
            source.mkdir()
            (source / "dropped.c").write_text(DROPPED, encoding="utf-8")
            (source / "CMakeLists.txt").write_text(DROPPED_LISTS.replace("@TARGET@", target), encoding="utf-8")
            self.ok("cmake", "-S", str(source), "-B", str(source / "build"), f"-DCMAKE_PREFIX_PATH={self.prefix}")
            said = self.ok("cmake", "--build", str(source / "build"), env={"LC_ALL": "C"})
            lines = {int(n) for n in re.findall(r"dropped\.c:(\d+):\d+: [^\n]*(?:warning: |in expansion of macro 'segue_)", said)}
            self.assertEqual({5, 6}, lines & {5, 6, 7}, said)

    def own_specs(self, build: str, *more: str) -> subprocess.CompletedProcess:
        command = ("cmake", "-S", str(self.scratch / "own"), "-B", str(self.scratch / build), f"-DCMAKE_PREFIX_PATH={self.prefix}")
        return run(*command, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *more)

    def test_specs_of_ones_own(self) -> None:
        """segue_spec_library(), as spec.cmake has it, with the tutorial's accelerator."""
        share = self.prefix / "share/segue"
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
        alone = {"tables", "rdmacm"}
        expected = {p.relative_to(share) for p in share.glob("runtime/**/*.c") if str(p.parent.relative_to(share / "runtime")) not in alone}
        found = {Path(c["file"]).relative_to(share) for c in json.loads(commands) if c["file"].startswith(str(share))}
        self.assertEqual(expected, found)
        self.assertGreater(len(found), 80)
        # Compiling it takes a minute, and the program needs no verbs.
        for path in (p for p in found if p.parts[1] in ("peers", "object")):
            (share / path).write_text("typedef int seguei_nothing;\n", encoding="utf-8")
        self.ok("cmake", "--build", str(self.scratch / "own_build"), "--parallel", "2")
        self.ok(str(self.scratch / "own_build/hash_test"))

    def followed(self) -> tuple[Path, str, dict[str, str]]:
        """docs/adding-a-nic.md in an empty folder, with what is installed and nothing of the checkout; and what it prints."""
        page = Path("docs/adding-a-nic.md").read_text(encoding="utf-8")
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        page_files.lay_out(page, folder)
        env = {"PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig", "PATH": f"{self.prefix}/bin:{os.environ['PATH']}"}
        env["SEGUE"] = self.ok("pkg-config", "--define-prefix", "--variable=share", "segue-device", env=env).strip()
        printed = [self.ok("sh", "-euc", command, cwd=folder, env=env) for command in page_files.COMMANDS.findall(page)]
        self.assertEqual(page_files.PRINTED.search(page).group(1), printed[-1])
        return folder, printed[-1], env

    def test_another_nic(self) -> None:
        """The page as it is, and the same library by pkg-config and by the page's file for CMake."""
        folder, printed, env = self.followed()
        flags, sources = (self.ok("pkg-config", "--define-prefix", word, "segue-device", env=env).split() for word in ("--cflags", "--variable=sources"))
        self.ok("segue-generate", "generate", "--out", "made", "--sources", "made", "nic", cwd=folder, env=env)
        made = [str(p) for p in sorted(folder.glob("made/*.c"))]
        self.ok("cc", "-std=c11", "-O2", "-Imade", *flags, "main.c", *made, *sources, "-o", "by_pkg_config", cwd=folder)
        self.assertEqual(printed, self.ok(str(folder / "by_pkg_config")))
        self.ok("cmake", "-S", str(folder), "-B", str(folder / "build"), f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.ok("cmake", "--build", str(folder / "build"), "--parallel", "2")
        self.assertEqual(printed, self.ok(str(folder / "build/courier_program")))

    @unittest.skipUnless(shutil.which("meson"), "SKIPPED: there is no meson; apt install meson")
    def test_another_nic_with_meson(self) -> None:
        """Made again when a spec changes, with the generator's own sentence about it."""
        page = Path("docs/adding-a-nic.md").read_text(encoding="utf-8")
        folder = Path(tempfile.mkdtemp(dir="/tmp"))  # Meson takes no file below /dev for one that changes, and scratch may be in /dev/shm
        self.addCleanup(shutil.rmtree, folder)
        page_files.lay_out(page, folder)
        for copied in ("repositories.yaml", "enums/qp_state.yaml", "enums/qp_attr.yaml"):
            shutil.copy(self.prefix / "share/segue/spec/verbs" / copied, folder / "nic")
        env = {"PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig", "PKG_CONFIG": "pkg-config --define-prefix"}
        self.ok("meson", "setup", "--werror", "made", cwd=folder, env=env)
        self.ok("meson", "compile", "-C", "made", cwd=folder, env=env)
        self.assertEqual(page_files.PRINTED.search(page).group(1), self.ok(str(folder / "made/courier_program")))
        (folder / "nic/head.yaml").write_text("kind: nonsense\n", encoding="utf-8")
        done = run("meson", "compile", "-C", "made", cwd=folder, env=env)
        self.assertNotEqual(0, done.returncode)
        self.assertRegex(done.stdout + done.stderr, r"nic/head\.yaml:1: error: the first line is not a licence")

    def test_entries_of_another_device_are_read(self) -> None:
        """By the one command that reads those of mlx5, too, of a model that the installed generator has made."""
        nothing = {"PATH": f"/usr/bin:/bin:{self.prefix}/bin"}
        model, entry = self.scratch / "dsa.json", self.scratch / "entry.hex"
        model.write_text(self.ok("segue-generate", "model", "tests/devices/dsa", "spec/verbs/repositories.yaml", env=nothing), encoding="utf-8")
        entry.write_text("0000000001000003" + "00" * 8 + "2a" + "00" * 47, encoding="utf-8")
        said = self.ok("segue", "decode", "--model", str(model), str(entry), env=nothing)
        self.assertRegex(said, r"^memmove on wq\n(.*\n)* byte 16, move\n  src_addr: 0x2a\n")
        read = json.loads(self.ok("segue", "decode", f"--model={model}", "--json", "-q", "wq", str(entry), env=nothing))
        self.assertEqual(("memmove", 42), (read["request"], read["parts"][1]["fields"]["src_addr"]))
        entry.write_text("ff" * 64, encoding="utf-8")
        done = run("segue", "decode", "--model", str(model), str(entry), env=nothing)
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertIn("entry.hex:1: error: no queue takes it: wq: expected an entry of wq", done.stderr)
        self.assertIn("nop", self.ok("segue", "decode", "--json", env=nothing, input="0000000000000001" + "00" * 8))

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
        env = {"PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig", "PKG_CONFIG": "pkg-config --define-prefix"}
        self.ok("make", cwd=self.sources, env=env)
        self.play(self.sources / "with_make")
        flags = self.ok("pkg-config", "--define-prefix", "--cflags", "--libs", "segue-peers-checked", env=env).split()
        sources = [str(p) for p in sorted(self.sources.glob("*.c"))]
        self.ok("cc", "-O2", *sources, "-o", str(self.scratch / "checked"), *flags)
        self.play(self.scratch / "checked")

    def test_everything_is_filled_in(self) -> None:
        for pattern in ("lib/pkgconfig/*.pc", "lib/cmake/Segue/*.cmake"):
            for path in self.prefix.glob(pattern):
                self.assertNotRegex(path.read_text(encoding="utf-8"), "@[A-Z_]+@", path)

    def test_the_shared_library_shows_what_its_version_promises(self) -> None:
        """docs/versions.md: what is public, what code in line needs, and nothing else."""
        library = self.prefix / "lib/libsegue.so"
        self.assertIn("[libsegue.so.0.1]", self.ok("readelf", "-d", str(library)))
        names = [line.split()[2] for line in self.ok("nm", "-D", "--defined-only", "--with-symbol-versions", str(library)).splitlines()]
        shown = set(names) - {"SEGUE_0.1", "SEGUE_PRIVATE_0.1"}
        self.assertEqual([], [n for n in shown if not re.fullmatch(r"segue_\w+@@SEGUE_0\.1|seguei_\w+@@SEGUE_PRIVATE_0\.1", n)])
        headers = " ".join(p.read_text(encoding="utf-8") for p in (self.prefix / "include").rglob("*.h"))
        private = {n.partition("@")[0] for n in shown if n.startswith("seguei_")}
        not_in_line = private - set(re.findall(r"\bseguei_\w+", headers))
        above = [str(self.prefix / "lib" / name) for name in ("libsegue_rdmacm.a", "libsegue_peers.a")]
        self.assertLessEqual(not_in_line, set(self.ok("nm", "-u", "-j", *above).split()))
        everything = set(re.findall(r" [TDBR] (seguei_\w+)", self.ok("nm", str(self.prefix / "lib/libsegue.a"))))
        self.assertLess(len(private), len(everything) / 2, "most are nobody's business")

    def link_with_rdmacm(self, prefix: Path) -> subprocess.CompletedProcess:
        source = self.scratch / "cm.c"
        source.write_text("#include <segue/rdmacm.h>\nint main(void)\n{\n\treturn !segue_cm_listen;\n}\n", encoding="utf-8")
        env = {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig"}
        flags = run("pkg-config", "--define-prefix", "--cflags", "--libs", "segue-rdmacm", env=env).stdout.split()
        return run("cc", str(source), "-o", str(self.scratch / "cm"), *flags, f"-I{prefix}/share/segue/include", f"-L{prefix}/lib")

    def test_connections_by_address_are_a_library_of_their_own(self) -> None:
        done = self.link_with_rdmacm(self.prefix)
        self.assertEqual(("", 0), (done.stderr, done.returncode))
        # Without librdmacm-dev there is neither the one nor the other.
        without = self.scratch / "without"
        self.make("install", f"PREFIX={without}", "rdmacm=")
        self.assertEqual([], [p for p in without.rglob("*") if p.name in ("cm.h", "libsegue_rdmacm.a", "segue-rdmacm.pc")])

    def files(self, prefix: Path) -> set[str]:
        return {str(p.relative_to(prefix)) for p in prefix.rglob("*") if p.is_symlink() or not p.is_dir()}

    def test_an_installation_replaces_an_earlier_one_and_can_be_taken_back(self) -> None:
        prefix = self.scratch / "again"
        others = {"lib/libother.a", "share/man/man1/other.1", "include/other.h"}
        stale = {"share/segue/runtime/ring/stale.c", "include/segue/segue/stale.h", "include/segue/stale.h", "lib/libsegue.so.0"}
        for name in others | stale:
            (prefix / name).parent.mkdir(parents=True, exist_ok=True)
            (prefix / name).write_text("", encoding="utf-8")
        (prefix / "share/segue/installed").write_text(f"{prefix}/lib/libsegue.so.0\n", encoding="utf-8")
        self.make("install", f"PREFIX={prefix}")
        listed = (prefix / "share/segue/installed").read_text(encoding="utf-8").split()
        self.assertEqual(self.files(prefix), {str(Path(p).relative_to(prefix)) for p in listed} | others | {"share/segue/installed"})
        self.make("uninstall", f"PREFIX={prefix}")
        self.assertEqual(others, self.files(prefix))

    def test_below_destdir(self) -> None:
        """With files of one kind elsewhere, as distributions have it."""
        where = (f"DESTDIR={self.scratch}/dest", "PREFIX=/opt/segue", "LIBDIR=/opt/segue/lib/some-machine", "BINDIR=/opt/bin")
        self.make("install", *where)
        dest = self.scratch / "dest"
        self.assertTrue((dest / "opt/bin/softhca").is_file())
        self.assertIn("libdir=${prefix}/lib/some-machine\n", (dest / "opt/segue/lib/some-machine/pkgconfig/segue.pc").read_text(encoding="utf-8"))
        self.assertNotIn(str(dest), (dest / "opt/segue/share/segue/installed").read_text(encoding="utf-8"))
        self.make("uninstall", *where)
        self.assertEqual(set(), self.files(dest))


if __name__ == "__main__":
    unittest.main()
