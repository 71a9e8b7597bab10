#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""
Google's rdma-unit-test on softhca, by hand: rdma_unit_test.py PROGRAM [FILTER...].

PROGRAM is one executable with the tests of its folder unit/, which this script does not build: `bazel build -c opt //unit:...` of
https://github.com/google/rdma-unit-test links them, or g++ with GoogleTest and Abseil. Without -O2 two tests that look at each byte of two
million messages take hours. SOFTHCA names the launcher. A FILTER is one of GoogleTest; without any, all suites run, each in a process of its own.

A test passes, leaves itself out, or contradicts what libmlx5 or mlx5_ib do on a card: these stand in CONTRADICTS with the reason, and one of
them that passes is a failure too. The last lines are the table for docs/softhca/running-programs.md.
"""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
import sys

SOFTHCA = os.environ.get("SOFTHCA", "softhca")
LIMIT_S = int(os.environ.get("LIMIT", "900"))

STALE_KEY = "the test goes on with mw->rkey, which only ibv_bind_mw() changes (libmlx5, qp.c: a posted bind leaves it)"
NO_POST = "libmlx5 refuses the post in this state (verbs.c, set_qp_operational_state())"

CONTRADICTS = {
    "DeviceLimitTest.MaxAh": "mlx5_ib's max_ah is INT_MAX (main.c, mlx5_ib_query_device()), to which the test adds 210",
    "LoopbackRcQpTest.SendWithInvalidate": STALE_KEY,
    "LoopbackRcQpTest.SendWithInvalidateEmptySgl": STALE_KEY,
    "LoopbackRcQpTest.Type2MW*": STALE_KEY,
    "MwGeneralTest/MwGeneralTest.BindInvalid*/Type2": STALE_KEY,
    "MwGeneralTest/MwGeneralTest.DeregMrWhenBound/Type2": STALE_KEY,
    "MwGeneralTest/MwGeneralTest.Read*/Type2": STALE_KEY,
    "MwType2AdvancedTest.Invalidate": STALE_KEY,
    "MwType2AdvancedTest.Rebind": STALE_KEY,
    "MwType2Test.DeregMrWhenBound": STALE_KEY,
    "MwType2Test.DistinctRKeys": STALE_KEY,
    "MwType2Test.LocalInvalidate": STALE_KEY,
    "MwType2Test.UnsignaledLocalInvalidate": STALE_KEY,
    "QpStateTest.PostRecvReset": NO_POST,
    "QpStateTest.PostSendInit": NO_POST,
    "QpStateTest.PostSendReset": NO_POST,
    "QpStateTest.PostSendRtr": NO_POST,
    "QpTest.MaxQpWr": "libmlx5 counts requests of 192 bytes and more in units of 64 (verbs.c, mlx5_calc_sq_size())",
}
COLUMNS = ("passed", "left out", "contradicts", "failed")

# Messages between threads that poll all the time, seventeen and thirty-three million: more than an hour on two processors.
LONG = ["SrqMultiThreadTest.MultiThreadedMultiSrq", "ThreadedWorkloadTest.QpLifecycle"]

# A request to nobody ends after six time-outs of a second. These wait for that, and others for nothing to come before it.
LATE = ["AdvancedLoopbackTest.RcSendToUd", "QpStateTest.PostRecvInit", "RemoteRcQpStateTest/RemoteRcQpStateTest.*"]

# A card has limits of a million objects of each kind.
FEW = "max_cq=2000,max_mr=3000,max_mw=3000,max_pd=1000,max_qp=1000,max_srq=1000"

ENDED = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(?:, where .*)? \(\d+ ms\)$")


def suites(program: str) -> list[str]:
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^(\S+)\.(?:  #.*)?$", listed, re.MULTILINE)


def run(program: str, tests: str, waits: int = 2) -> dict[str, str]:
    """What became of each test that began; the tests wait for two seconds, `waits` times."""
    command = [SOFTHCA, "--link", "roce", *(["--caps", FEW] if tests.startswith("DeviceLimitTest") else [])]
    command += [program, f"--gtest_filter={tests}", f"--completion_wait_multiplier={waits}"]
    try:
        text = subprocess.run(command, capture_output=True, timeout=LIMIT_S).stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode(errors="replace")
    became: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("[ RUN      ] "):
            became[line[13:].strip()] = "did not end"
        elif ended := ENDED.match(line):
            became[ended[2]] = ended[1]
    return became


def reason_of(test: str) -> str | None:
    return next((why for pattern, why in CONTRADICTS.items() if fnmatch.fnmatch(test, pattern)), None)


def judge(test: str, what: str) -> tuple[str, str | None]:
    """Its column in the table, and a complaint."""
    expected = reason_of(test)
    if what == "FAILED" and expected:
        return "contradicts", None
    if what == "OK" and not expected:
        return "passed", None
    if what == "SKIPPED":
        return "left out", None
    return "failed", f"FAIL {test}: " + (f"passed, but {expected}" if expected and what == "OK" else what)


def main() -> int:
    program = os.path.abspath(sys.argv[1])
    apart = "-" + ":".join(LONG + LATE)
    table: dict[str, dict[str, int]] = {}
    filters = [(tests, 2) for tests in sys.argv[2:]] or [(f"{s}.*{apart}", 2) for s in suites(program)] + [(":".join(LATE), 8)]
    for tests, waits in filters:
        for test, what in run(program, tests, waits).items():
            column, complaint = judge(test, what)
            row = table.setdefault(test.split(".")[0].split("/")[0], dict.fromkeys(COLUMNS, 0))
            row[column] += 1
            if complaint:
                print(complaint, flush=True)
    total = {column: sum(row[column] for row in table.values()) for column in COLUMNS}
    for suite, row in [*sorted(table.items()), ("all", total)]:
        print(f"| {suite} | " + " | ".join(map(str, row.values())) + " |")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['contradicts']} contradict a card, {total['left out']} left out")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
