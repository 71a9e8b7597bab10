# SPDX-License-Identifier: BSD-2-Clause
"""Every case of this folder. And check.py must be able to fail: each fault that it is there to find, once."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import check

RIGHT = "return segue_post(segue_send(rc, id, 0));"
WRONG = "return segue_post(segue_rdma_write(rc, id, 0));"
EXPECT = "expect-refused: segue_post in struct segue_rc_rdma_write_wants_raddr"
COMPILERS = ("gcc", "clang", "g++", "clang++")
INCLUDE: list = []


def case(wrong: str = WRONG, right: str = RIGHT, expect: str = EXPECT, before: str = "") -> str:
    return f"// {expect}\n{before}int NAME(void)\n{{\n#ifdef MACRO\n\t{wrong}\n#else\n\t{right}\n#endif\n}}\n"


def run(cases: dict, *options: str) -> tuple:
    """Judges some cases, or all of this folder; returns the exit code and what was printed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "queue.c"
        file.write_text("\n".join(text.replace("NAME", name).replace("MACRO", name.upper()) for name, text in cases.items()))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = check.main([*INCLUDE, *options, *([str(file)] if cases else [])])
        return code, out.getvalue()


class CheckCanFail(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Precompiles case.h once for all of them."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        prepared, prepare = [], check.compilers_in

        def once(_, include, pool):
            prepared[:] = prepared or prepare(Path(folder.name), include, pool)
            return prepared

        check.compilers_in = once

    def test_every_case(self):
        code, out = run({}, "--least", "165")
        print(out)
        self.assertEqual(code, 0, out)

    def test_good_case_passes(self):
        self.assertEqual(run({"good": case()}), (0, "1 cases x 4 compilers, 0 failures\n"))

    def test_faults_of_the_wrong_half(self):
        other = "fails for another reason than expected"
        faults = {
            "compiles": (case(wrong=RIGHT), "compiles, but should not"),
            "state": (case(expect=EXPECT.replace("rdma_write", "rdma_read")), other),
            "step": (case(expect=EXPECT.replace("segue_post", "segue_commit")), other),
            "reason": (case(wrong="return segue_post(segue_rdma_wriet(rc, id, 0));"), other),
            "kind": (case(expect="expect-undeclared: segue_post"), other),
        }
        code, out = run({name: text for name, (text, _) in faults.items()})
        self.assertEqual(code, 1)
        for name, (_, fault) in faults.items():
            for compiler in COMPILERS:
                self.assertIn(f"{name}: {compiler}: {fault}\n", out)
        self.assertIn("5 cases x 4 compilers, 20 failures\n", out)

    def test_faults_of_the_right_half(self):
        for right in (WRONG, "int unused;\n\n" + RIGHT):
            code, out = run({"bad_twin": case(right=right), "good": case()})
            self.assertEqual(code, 1)
            for compiler in COMPILERS:
                self.assertIn(f"twins: {compiler}: the right halves do not compile\n", out)
            self.assertIn("2 cases x 4 compilers, 4 failures\n", out)

    def test_failure_outside_of_the_branch(self):
        code, out = run({"outside": case(before="no_such_type x;\n")})
        self.assertEqual(code, 1)
        for compiler in COMPILERS:
            self.assertIn(f"outside: {compiler}: fails outside of its wrong half\n", out)

    def test_expectation_missing_or_malformed(self):
        for expect in ("nothing", "expect-refused: segue_post", "expect-doom: x"):
            with self.assertRaises(SystemExit):
                run({"bad": case(expect=expect)})

    def test_too_few_cases(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(check.main([*INCLUDE, "--least", "100000"]), 1)


if __name__ == "__main__":
    if "--show" in sys.argv:
        sys.exit(check.main(sys.argv[1:]))
    while "--include" in sys.argv:
        at = sys.argv.index("--include")
        INCLUDE += sys.argv[at : at + 2]
        del sys.argv[at : at + 2]
    unittest.main()
