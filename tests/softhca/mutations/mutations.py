#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""
Which test finds a bug that no other finds? By hand, from the checkout:

    tests/softhca/mutations/mutations.py [--seed N] [--count N] [--only 3,17] [--from 20 --to 40] [--list]

Seeded changes to the engine and the runtime, one at a time: a condition turned round, a bound off by one, a statement left out. Each is built in
a work tree of its own (--tree), where the tests nearest to it run first, the others after them; printed is which test caught it.
A change that does not compile was caught by the compiler. What nobody caught wants a test, or changes nothing that can be seen.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[3]
FOLDERS = ("tools/softhca/engine", "runtime/ring", "runtime/text", "runtime/block", "runtime/base")
SECONDS = "30,30,300,300"  # a test of its size that takes longer hangs

ENGINE = "core cq cross compress error gid hazard offload qp raw referee rules tm wr every_request".split()
WIRE = "transport_test ring_test packet_test fault_test".split()
# Programs that use the device, those that take long behind the others.
PROGRAMS = ["transport_soak corpus hazards place".split(), "front clients offload".split(), "hosts nets".split()]
# Folder or file -> tests that are nearest to it. What follows them is each of ENGINE and WIRE, the commands, and PROGRAMS; of the runtime, RUNTIME and ABOVE.
NEAR = {
    "tools/softhca/engine/transport": ["transport_test", "ring_test", "engine_wr_test", "engine_error_test"],
    "tools/softhca/engine/wire": ["ring_test", "transport_test", "packet_test"],
    "tools/softhca/engine/packet": ["packet_test", "transport_test", "engine_raw_test"],
    "tools/softhca/engine/fault": ["fault_test", "transport_test"],
    "tools/softhca/engine/queue": ["engine_wr_test", "engine_cq_test", "engine_qp_test", "engine_error_test", "engine_tm_test", "engine_cross_test"],
    "tools/softhca/engine/queue/tables.c": ["//tests/softhca/tables:tables_test"],
    "tools/softhca/engine/memory": ["engine_wr_test", "engine_hazard_test", "engine_error_test", "engine_referee_test"],
    "tools/softhca/engine/local": ["engine_wr_test", "engine_error_test", "engine_hazard_test", "engine_every_request_test"],
    "tools/softhca/engine/offload": ["engine_offload_test"],
    "tools/softhca/engine/raw": ["engine_raw_test"],
    "tools/softhca/engine/referee": ["engine_rules_test", "engine_referee_test", "engine_hazard_test"],
    "tools/softhca/engine/proc": ["engine_thread_test"],
    "tools/softhca/engine/thread": ["engine_core_test", "engine_thread_test"],
    "tools/softhca/engine": ["engine_core_test", "engine_gid_test", "command_test"],
}
NEAR_RUNTIME = {
    "runtime/ring": ["//tests/runtime:ring_test", "//tests/runtime:cq_test", "//tests/runtime:wc_test", "//tests/runtime:batch_test"],
    "runtime": ["//tests/builders:mutation_test", "//tests/builders:walk_test", "//tests/runtime:explain_test", "//tests/segue:decode_test", "//tests/segue:check_test"],
}
RUNTIME = ["//tests/runtime:all", "//tests/builders:all", "//tests/segue:all", "//tests/segments:all"]
ABOVE = ["//tests/devices:all", "//tests/nvme:all", "//tests/backends:blame_test"]


class Operator(NamedTuple):
    name: str
    pattern: str
    to: str


OPERATORS = [
    Operator("condition turned round", r"^(\t+)(?:(\} else )?)if \((.+)\)( \{)?$", r"\1\2if (!(\3))\4"),
    Operator("bound off by one", r"(?<=[\w\])]) < (?=[\w(])", " <= "),
    Operator("bound off by one", r"(?<=[\w\])]) <= (?=[\w(])", " < "),
    Operator("bound off by one", r"(?<=[\w\])]) > (?=[\w(])", " >= "),
    Operator("bound off by one", r"(?<=[\w\])]) >= (?=[\w(])", " > "),
    Operator("one too many", r" \+ 1\b", " + 2"),
    Operator("one too few", r" - 1\b", " - 0"),
    Operator("either for both", r" && ", " || "),
    Operator("both for either", r" \|\| ", " && "),
    Operator("equal for different", r" == ", " != "),
    Operator("no for yes", r"\breturn true;", "return false;"),
    Operator("yes for no", r"\breturn false;", "return true;"),
    Operator("statement left out", r"^(\t+)(?!return|break|continue|goto|default|case|const|struct|static|u?int)[\w>.\[\]*()-]+( [+|&^-]?= .*|\(.*\)|\+\+);$", r"\1;"),
]


class Mutation(NamedTuple):
    path: str
    line: int  # from 1
    operator: str
    before: str
    after: str


def candidates(root: Path, path: str) -> list[Mutation]:
    """All that the operators would change in a file: in functions, not in comments, text for people or macros."""
    found, comment = [], False
    for number, line in enumerate((root / path).read_text(encoding="utf-8").split("\n"), 1):
        starts = "/*" in line
        plain = line.startswith("\t") and not (comment or starts or '"' in line or line.endswith("\\"))
        comment = (comment or starts) and "*/" not in line
        if not plain:
            continue
        for operator in OPERATORS:
            after = re.sub(operator.pattern, operator.to, line, count=1)
            if after != line:
                found.append(Mutation(path, number, operator.name, line, after))
    return found


def choose(root: Path, seed: int, count: int) -> list[Mutation]:
    """A file is chosen as often as it is long, and no line twice."""
    chance = random.Random(seed)
    names = subprocess.run(["git", "ls-files", *FOLDERS], cwd=root, check=True, capture_output=True, text=True).stdout.split()
    pool = [mutation for name in sorted(names) if name.endswith(".c") for mutation in candidates(root, name)]
    chance.shuffle(pool)
    chosen: dict[tuple[str, int], Mutation] = {}
    for mutation in pool:
        if len(chosen) < count:
            chosen.setdefault((mutation.path, mutation.line), mutation)
    return list(chosen.values())


def stages(path: str) -> list[list[str]]:
    near = NEAR_RUNTIME if path.startswith("runtime/") else NEAR
    folder = path
    while folder not in near:
        folder = str(Path(folder).parent)
    if near is NEAR_RUNTIME:
        return [near[folder], RUNTIME, ABOVE]
    rest = [name for name in [*WIRE, *(f"engine_{name}_test" for name in ENGINE), "command_test"] if name not in near[folder]]
    return [[name if name.startswith("//") else f"//tests/softhca:{name}" for name in names] for names in (near[folder], rest, *([f"{name}_test" for name in names] for names in PROGRAMS))]


def run(tree: Path, tests: list[str], options: list[str]) -> str | None:
    """Who caught it, if anybody did."""
    command = ["nice", "-n", "15", "bazel", "test", "--keep_going", "--notest_keep_going", f"--test_timeout={SECONDS}", "--noshow_progress", *options, "--", *tests]
    told = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if told.returncode == 0:
        return None
    failed = re.findall(r"^//\S*:(\w+) .*\b(FAILED|TIMEOUT)(?! TO BUILD)\b", told.stdout, re.M)
    if failed:
        cases = list(dict.fromkeys(re.findall(r"^(?:\[  FAILED  \] |FAIL:? )([^,\n(]{1,70})", told.stdout + told.stderr, re.M)))[:2]
        return ", ".join(name + (" (no end)" if how == "TIMEOUT" else "") for name, how in failed) + "".join(f"; {case.strip()}" for case in cases)
    return "the compiler" if "error:" in told.stderr or "FAILED TO BUILD" in told.stdout else f"nobody: bazel ended with {told.returncode}"


def work_tree(tree: Path) -> None:
    """What is committed, whatever an earlier run has left there."""
    if not tree.exists():
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree)], cwd=CHECKOUT, check=True)
    revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["git", "checkout", "--quiet", "--force", "--detach", revision], cwd=tree, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="numbers, with commas")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--to", dest="last", type=int, default=10**9)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--tree", type=Path, default=Path(f"/tmp/segue-mutations-{os.getuid()}"), help="the work tree")
    parser.add_argument("options", nargs="*", help="for bazel, behind --")
    given = parser.parse_args()
    only = {int(word) for word in given.only.split(",") if word}
    caught = alive = 0

    if not given.list:
        work_tree(given.tree)
    print(f"seed {given.seed}")
    for number, mutation in enumerate(choose(CHECKOUT if given.list else given.tree, given.seed, given.count), 1):
        if (only and number not in only) or not given.first <= number <= given.last:
            continue
        print(f"{number}: {mutation.path}:{mutation.line}: {mutation.operator}: {mutation.after.strip()}", flush=True)
        if given.list:
            continue
        source = given.tree / mutation.path
        original = source.read_text(encoding="utf-8")
        lines = original.split("\n")
        lines[mutation.line - 1] = mutation.after
        source.write_text("\n".join(lines), encoding="utf-8")
        try:
            who = next((who for tests in stages(mutation.path) if (who := run(given.tree, tests, given.options))), None)
        finally:
            source.write_text(original, encoding="utf-8")
        print(f"\tcaught by {who}" if who and not who.startswith("nobody") else f"\tNOT CAUGHT{': ' + who if who else ''}", flush=True)
        caught += bool(who) and not who.startswith("nobody")
        alive += not who or who.startswith("nobody")
    if not given.list:
        print(f"{caught} caught, {alive} not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
