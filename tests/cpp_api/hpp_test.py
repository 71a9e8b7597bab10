# SPDX-License-Identifier: BSD-2-Clause
"""What segue/segue.hpp refuses to compile, and that posts through it are the instructions of the C interface.

    hpp_test.py FOLDER...    with headers
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.builders.must_not_compile.check import errors_of

FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast", "-Werror"]
STANDARDS = ("c++17", "c++20")
FOLDERS: list[str] = []

BEFORE = """
#include <vector>
#include "segue/segue.hpp"
extern segue::device device; extern segue::pd pd, *other; extern segue::cq cq; extern segue::rc_qp rc; extern segue::ud_qp ud;
extern segue_qp_options options; extern segue_remote_buf there; extern segue_local_buf here; extern segue::srq srq;
extern std::vector<int> memory; extern const std::vector<int> constant; std::vector<int> made();
void use(); void use() {
"""

NO_FIT = "no matching function|(can|could) ?not convert|cannot bind|invalid initialization|no viable conversion|no known conversion"

# What is wrong, the same done right, and what both compilers say.
CASES = {
    "a copy of an owner": ("auto copy = rc; (void)copy;", "auto moved = std::move(rc); (void)moved;", "deleted"),
    "an assignment of an owner": ("pd = *other;", "pd = std::move(*other);", "deleted"),
    "a result that is dropped": ("segue::pd::open(device);", "segue::pd::open(device).value();", "nodiscard"),
    "a close that is dropped": ("pd.close();", "pd.close().value();", "nodiscard"),
    "a post that is dropped": (
        "segue_send(rc.sq(), 1, 0);",
        "if (segue_post(segue_inline_data(segue_send(rc.sq(), 1, 0), \"x\", 1))) return;",
        "ignoring return value|unused",
    ),
    "peers that write to constants": (
        "segue::mr::open(pd, constant, SEGUE_ACCESS_REMOTE_WRITE).value();",
        "segue::mr::open(pd, memory, SEGUE_ACCESS_REMOTE_WRITE).value();",
        NO_FIT,
    ),
    "receives into constants": (
        "segue::mr::open(pd, constant).value();",
        "segue::mr::open_read_only(pd, constant).value();",
        NO_FIT,
    ),
    "memory that is gone at once": (
        "segue::mr::open(pd, made()).value();",
        "auto kept = made(); segue::mr::open(pd, kept).value();",
        NO_FIT,
    ),
    "elements that are no bytes": (
        "std::vector<std::vector<int>> lists; segue::mr::open(pd, lists).value();",
        "std::vector<int> list; segue::mr::open(pd, list).value();",
        NO_FIT,
    ),
    "a READ over UD": (
        "if (segue_post(segue_sge(segue_raddr(segue_rdma_read(ud.sq(), 1, 0), there.addr, there.key.rkey), here.addr, 8, here.key.lkey))) return;",
        "if (segue_post(segue_sge(segue_raddr(segue_rdma_read(rc.sq(), 1, 0), there.addr, there.key.rkey), here.addr, 8, here.key.lkey))) return;",
        "segue_rdma_read",
    ),
    "a shared receive queue of what receives nothing": (
        "segue::dci_qp::open(pd, options, cq, cq, srq).value();",
        "segue::ud_qp::open(pd, options, cq, cq, srq).value();",
        "receives nothing",
    ),
    "a region in place of a domain": ("segue::cq::open(pd, {}).value();", "segue::cq::open(device, {}).value();", NO_FIT),
}

# The same post in both languages, on a queue that lies in a struct.
POST = """
%(before)s
#include "segue/gen/builders.h"
struct side { %(queue)s; struct segue_local_buf { unsigned long addr; unsigned length, key; } from; unsigned long to; unsigned rkey; };
%(linkage)s int post_write(struct side *side, unsigned length) {
	return segue_post(segue_sge(segue_raddr(segue_rdma_write_imm(side->%(sq)s, 7, SEGUE_SIGNALED, 42), side->to, side->rkey),
				    side->from.addr, length, side->from.key));
}
%(linkage)s int post_send(struct side *side, const void *data) {
	return segue_post(segue_inline_data(segue_send(side->%(sq)s, 7, 0), data, 28));
}
"""
C = {"before": "", "queue": "struct segue_rc_sq *sq", "sq": "sq", "linkage": ""}
CXX = C | {"linkage": 'extern "C"'}
HPP = CXX | {"before": '#include "segue/segue.hpp"', "queue": "segue::rc_qp qp", "sq": "qp.sq()"}


class Compiler:
    def __init__(self, scratch: str) -> None:
        self.scratch = Path(scratch)

    def run(self, command: list[str], text: str, *more: str) -> subprocess.CompletedProcess:
        language = "c++" if "++" in command[0] else "c"
        includes = [f"-I{folder}" for folder in FOLDERS]
        return subprocess.run([*command, *includes, "-x", language, "-", *more], input=text, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})

    def functions(self, command: list[str], text: str) -> dict[str, int]:
        """Instructions of each function that is called post_*, cold parts included."""
        out = str(self.scratch / "post.o")
        done = self.run([*command, "-O2", "-fno-pic"], text, "-c", "-o", out)
        if done.returncode:
            raise AssertionError(done.stderr)
        counts: dict[str, int] = {}
        name = ""
        for line in subprocess.run(["objdump", "-d", "--no-show-raw-insn", out], capture_output=True, text=True, check=True).stdout.splitlines():
            if found := re.match(r"[0-9a-f]+ <(\w+?)(\.cold)?>:", line):
                name = found[1]
            elif re.match(r" +[0-9a-f]+:\t(?!nop|data16|cs nop|xchg +%ax,%ax)", line) and name.startswith("post_"):
                counts[name] = counts.get(name, 0) + 1
        return counts


class Hpp(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.compiler = Compiler(folder.name)

    def compile(self, command: list[str], text: str) -> str:
        done = self.compiler.run([*command, *FLAGS], text, "-fsyntax-only")
        return done.stderr if done.returncode else ""

    def test_mistakes_do_not_compile(self) -> None:
        """All at once, each in a file of its own as far as compilers know."""
        for compiler in ("g++", "clang++"):
            right = "\n".join(f"{{ {right} }}" for _, right, _ in CASES.values())
            for standard in STANDARDS:
                self.assertEqual("", self.compile([compiler, f"-std={standard}"], f"{BEFORE}{right}\n}}"), f"{compiler} {standard}")
            wrong = "\n".join(f'#line 1 "case{i}"\n{{ {wrong} }}' for i, (wrong, _, _) in enumerate(CASES.values()))
            said = errors_of(self.compile([compiler, "-std=c++17", "-fdiagnostics-color=never"], f"{BEFORE}{wrong}\n}}"))
            for i, (what, (_, _, says)) in enumerate(CASES.items()):
                with self.subTest(compiler=compiler, what=what):
                    self.assertRegex("\n".join(error for error in said if f"case{i}:1:" in error), says)

    def test_without_exceptions(self) -> None:
        for compiler in ("g++", "clang++"):
            self.assertEqual("", self.compile([compiler, "-std=c++17", "-fno-exceptions"], f"{BEFORE}}}"))

    def test_c_is_told(self) -> None:
        self.assertIn("C++17", self.compile(["gcc", "-std=c11"], '#include "segue/segue.hpp"\n'))

    def test_posts_are_those_of_the_c_interface(self) -> None:
        """By the same compiler: C and C++ evaluate arguments differently, which is a register's move here and there."""
        for c, cxx in (("gcc", "g++"), ("clang", "clang++")):
            in_c = self.compiler.functions([c, "-std=c11"], POST % C)
            plain = self.compiler.functions([cxx, "-std=c++17"], POST % CXX)
            ours = self.compiler.functions([cxx, "-std=c++17"], POST % HPP)
            print(f"{c}: {in_c}, {cxx}: {plain}, with segue.hpp: {ours}")
            self.assertEqual({"post_write", "post_send"}, set(plain))
            self.assertEqual(plain, ours)


if __name__ == "__main__":
    FOLDERS.extend(sys.argv[1:])
    unittest.main(argv=sys.argv[:1])
