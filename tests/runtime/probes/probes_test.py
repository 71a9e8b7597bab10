# SPDX-License-Identifier: BSD-2-Clause
"""Static probes: none in a program that did not ask for them; else where they are passed, and with what arguments, as gdb reads them, for little more
than a nop each. The scripts of tools/probes, where bpftrace is, and may run.

Needs SystemTap's <sys/sdt.h> (systemtap-sdt-dev)."""

from __future__ import annotations

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.counters.counters import FLAGS, build, inclusive, profile

# The library's own probe of the rings is in a source that is compiled with the program.
SOURCES = ["tests/runtime/probes/program.c", "runtime/ring/cq/slow_path.c"]
POSTS = [f"tests/builders/instructions/{name}.c" for name in ("main", "generated", "by_hand")]
ASKED = ["-DSEGUE_PROBES=1"]
ROUNDS = 64  # of POSTS
STATES = "runtime/object/qp/state.c"
QPN = 0x1234
# What program.c does: (queue pair, index behind the request, opcode, units), and so on.
PASSED = {
    "post": [(QPN, 1, 0x0A, 2), (QPN, 2, 0x00, 1), (QPN, 3, 0x00, 1)],
    "ring": [(QPN, 1), (QPN, 2), (QPN, 3)],
    "complete": [(QPN, 1), (QPN, 2), (QPN, 3)],
    "post_receive": [(QPN, 1), (QPN, 2)],
    "ring_receive": [(QPN, 1), (QPN, 2)],
    "complete_receive": [(QPN, 1)],
    "error": [(QPN, 0x13, 0x88, 8)],
}


def has_sdt() -> bool:
    return subprocess.run(["gcc", "-E", "-"], input="#include <sys/sdt.h>\n", text=True, capture_output=True, check=False).returncode == 0


def may_trace() -> bool:
    try:
        return subprocess.run(["bpftrace", "-e", "BEGIN { exit(); }"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def traced(script: str, program: str) -> str:
    """What a script says of a program, blanks as one."""
    command = ["bpftrace", f"tools/probes/{script}.bt", program, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return " ".join(result.stdout.split()) if result.returncode == 0 else result.stderr


def notes(program: str) -> set[str]:
    """Names of the probes of provider `segue`."""
    text = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"Provider: segue\s+Name: (\w+)", text))


def passed(program: str) -> dict[str, list[tuple[int, ...]]]:
    """The arguments of each probe, each time that it is passed."""
    script = "set confirm off\nset breakpoint pending off\nset style enabled off\nset disable-randomization off\n"
    for name, times in PASSED.items():
        values = "".join(f", (unsigned) $_probe_arg{i}" for i in range(len(times[0])))
        script += f'break -probe-stap segue:{name}\ncommands\nsilent\nprintf "at {name}{" %u" * len(times[0])}\\n"{values}\ncontinue\nend\n'
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        file.write(script + "run\n")
        file.flush()
        text = subprocess.run(["gdb", "-nx", "-batch", "-x", file.name, program], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL).stdout
    found: dict[str, list[tuple[int, ...]]] = {name: [] for name in PASSED}
    for name, values in re.findall(r"^at (\w+)((?: \d+)+)$", text, re.M):
        found[name].append(tuple(int(value) for value in values.split()))
    return found


class Probes(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, sources: list[str], more: list[str], name: str) -> str:
        folder = Path(self.folder.name, name)
        folder.mkdir()
        return build("gcc", sources, str(folder), more)

    def test_none_if_not_asked_for(self) -> None:
        self.assertEqual(set(), notes(self.program(SOURCES, [], "plain")))

    @unittest.skipUnless(has_sdt(), "there is no <sys/sdt.h>")
    def test_passed(self) -> None:
        program = self.program(SOURCES, ASKED, "probed")
        self.assertEqual(set(PASSED), notes(program))
        self.assertEqual(PASSED, passed(program))

    @unittest.skipUnless(has_sdt(), "there is no <sys/sdt.h>")
    def test_states(self) -> None:
        states = str(Path(self.folder.name, "states.o"))
        subprocess.run(["gcc", *FLAGS, *ASKED, "-O2", "-c", STATES, "-o", states], check=True)
        self.assertIn("state", notes(states))

    @unittest.skipUnless(has_sdt(), "there is no <sys/sdt.h>")
    @unittest.skipUnless(may_trace(), "there is no bpftrace, or it may not run")
    def test_scripts(self) -> None:
        program = self.program(SOURCES, ASKED, "traced")
        requests = traced("requests", program)
        for line in (f"@posted[{QPN}]: 3", f"@rung[{QPN}]: 3", "@requests_per_doorbell: [1] 3", "@doorbell_to_completion_ns:"):
            self.assertIn(line, requests)
        failures = traced("failures", program)
        self.assertIn("QP 0x1234: wr_id 8 failed, syndrome 0x13, vendor 0x88", failures)
        self.assertIn(f"@failures[{0x13}]: 1", failures)

    @unittest.skipUnless(has_sdt(), "there is no <sys/sdt.h>")
    def test_cost(self) -> None:
        cost = {}
        for name, more in (("off", []), ("on", ASKED)):
            cost[name] = inclusive(profile(self.program(POSTS, more, name), self.folder.name))
        for shape, off in cost["off"].items():
            if shape.startswith("generated_"):
                with self.subTest(shape=shape):
                    self.assertLessEqual((cost["on"][shape] - off) / ROUNDS, 3, "a nop where it is posted, one where it is rung, and a register")


if __name__ == "__main__":
    unittest.main()
