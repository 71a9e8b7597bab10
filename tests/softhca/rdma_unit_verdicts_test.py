# SPDX-License-Identifier: BSD-2-Clause
"""rdma_unit_test.py tells passes, known contradictions and failures apart, on a suite that is made up."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("rdma_unit_test.py")

# A launcher that skips the options of softhca, and a program that prints what became of its tests.
LAUNCHER = '#!/bin/sh\nwhile [ "$1" != "$PROGRAM" ]; do shift; done\nexec "$@"\n'
PROGRAM = '#!/bin/sh\ncase "$1" in\n--gtest_list_tests) printf "QpTest.\\n  MaxQpWr\\n";;\n*QpTest*) cat "$TEXT";;\nesac\n'

CASES = [
    ("[ RUN      ] QpTest.Create\n[       OK ] QpTest.Create (1 ms)\n", 0, "1 passed, 0 failed, 0 contradict"),
    ("[ RUN      ] QpTest.Create\n[  FAILED  ] QpTest.Create (1 ms)\n", 1, "FAIL QpTest.Create: FAILED"),
    ("[ RUN      ] QpTest.Create\n", 1, "FAIL QpTest.Create: did not end"),
    ("[ RUN      ] QpTest.MaxQpWr\n[       OK ] QpTest.MaxQpWr (1 ms)\n", 1, "FAIL QpTest.MaxQpWr: passed, but libmlx5"),
    (
        "[ RUN      ] A/QpTest.B/C\n[       OK ] A/QpTest.B/C, where GetParam() = 2 (1 ms)\n"
        "[ RUN      ] QpTest.MaxQpWr\n[  FAILED  ] QpTest.MaxQpWr (1 ms)\n"
        "[ RUN      ] QpTest.Skip\n[  SKIPPED ] QpTest.Skip (0 ms)\n",
        0,
        "1 passed, 0 failed, 1 contradict a card, 1 left out",
    ),
    ("", 1, "0 passed"),
]


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        launcher, program, text = (pathlib.Path(folder, name) for name in ("softhca", "program", "text"))
        for path, content in ((launcher, LAUNCHER), (program, PROGRAM)):
            path.write_text(content)
            path.chmod(0o755)
        env = {**os.environ, "SOFTHCA": str(launcher), "PROGRAM": str(program), "TEXT": str(text)}
        for printed, status, says in CASES:
            text.write_text(printed)
            ran = subprocess.run([sys.executable, SCRIPT, program], env=env, capture_output=True, text=True)
            if ran.returncode != status or says not in ran.stdout:
                print(f"{printed!r}: status {ran.returncode}, {ran.stdout}{ran.stderr}; expected {status}, {says!r}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
