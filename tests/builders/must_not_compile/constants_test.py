# SPDX-License-Identifier: BSD-2-Clause
"""Constants that no field or request takes are refused where the program gives them, when it is compiled with optimization.

    constants_test.py --include DIR [--include DIR …]
"""

from __future__ import annotations

import concurrent.futures
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPILERS = [("gcc", "-std=c11"), ("clang", "-std=c11"), ("g++", "-std=c++17"), ("clang++", "-std=c++17")]
OUTSIDE, FLAGS = "outside of the range of its field", "does not take these flags"
INCLUDES: list[str] = []

HEAD = """#include "segue/gen/builders.h"
int post(struct segue_rc_sq *sq, uint64_t addr, uint32_t key, const void *data, uint32_t length)
{
	(void)addr, (void)key, (void)data, (void)length;
	return %s;
}
"""
WRITE = "segue_raddr(segue_rdma_write(sq, 1, {flags}), addr, key)"

# What is right, what is wrong, and what the compilers say of it.
CASES = {
    "length of a piece": ("segue_post(segue_sge(" + WRITE + ", addr, {value}, key))",
                          {"value": "100", "flags": "0"}, {"value": "0xffffffffu"}, OUTSIDE),
    "length of a payload": ("segue_post(segue_inline_data(" + WRITE + ", data, {value}))",
                            {"value": "16", "flags": "0"}, {"value": "-1"}, OUTSIDE),
    "flags": ("segue_post(segue_sge(" + WRITE + ", addr, length, key))",
              {"flags": "SEGUE_SIGNALED"}, {"flags": "SEGUE_SOLICITED"}, FLAGS),
}

# Nobody knows these when they are compiled, though a compiler may know of what comes behind a comparison that they are wrong.
UNKNOWN = {
    "flags of a request that takes none": "segue_post(segue_tm(segue_tm_noop(sq, 1, length), 0, 0, 0, 0, 0))",
    "a length behind its refusal": "length <= 100 ? 0 : length < 0xfffffff0u ? 1 : segue_post(segue_sge("
                                   + WRITE.format(flags="0") + ", addr, length, key))",
    "the length of a payload behind its refusal": "length < 5000 ? 0 : segue_post(segue_inline_data("
                                                  + WRITE.format(flags="0") + ", data, length))",
    "flags behind their refusal": "length < 1u << 30 ? 0 : segue_post(segue_sge("
                                  + WRITE.format(flags="length") + ", addr, 1, key))",
}


def errors(compiler: tuple[str, str], text: str, *more: str) -> str:
    name, standard = compiler
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "case.cc" if "++" in name else "case.c")
        source.write_text(text, encoding="utf-8")
        arguments = [name, standard, "-O2", "-D_GNU_SOURCE", *more, *(f"-I{path}" for path in INCLUDES), "-c", str(source)]
        arguments += ["-o", "/dev/null"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return done.stderr or ("failed" if done.returncode else "")


class Constants(unittest.TestCase):
    def judge(self, name: str, compiler: tuple[str, str]) -> list[str]:
        """What is not as it should be."""
        form, right, wrong, said = CASES[name]
        bad = HEAD % form.format(**{**right, **wrong})
        found = [errors(compiler, HEAD % form.format(**right)), errors(compiler, bad, "-DSEGUE_CONSTANTS=0")]
        stopped = errors(compiler, bad)
        if said not in stopped:
            found.append(f"it does not say {said!r}: {stopped}")
        return [f"{name} with {compiler[0]}: {text}" for text in found if text]

    def test_each_with_each_compiler(self) -> None:
        pairs = [(name, compiler) for name in CASES for compiler in COMPILERS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for problems in pool.map(lambda pair: self.judge(*pair), pairs):
                self.assertEqual(problems, [])

    def test_what_is_known_only_when_it_runs_is_for_the_post_to_refuse(self) -> None:
        pairs = [(name, compiler) for name in UNKNOWN for compiler in COMPILERS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for pair, said in zip(pairs, pool.map(lambda pair: errors(pair[1], HEAD % UNKNOWN[pair[0]]), pairs)):
                self.assertEqual("", said, pair)


if __name__ == "__main__":
    INCLUDES += sys.argv[2::2]
    unittest.main(argv=sys.argv[:1])
