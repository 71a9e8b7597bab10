# SPDX-License-Identifier: BSD-2-Clause
"""Stores to a completion ring come before the record that gives its entries back, with a store barrier between, on every path.

arm64 does not keep stores in order, and no test that runs can show it: x86-64 does, and so does qemu. clang's intermediate code for arm64 shows
each path of each function instead. A store to the ring is a call of a function of geometry.c that writes; a record is a volatile 32-bit store;
the barrier is "dmb oshst" or a stronger one. A function that others call ends with none of its stores unordered, because its caller, or the next
call of the program, may write the record.

Usage: store_order_test.py HEADERS SOURCE..."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

TARGET = "aarch64-linux-gnu"
RING_STORES = {"seguei_cq_ring_make_old", "seguei_cq_ring_make_new", "seguei_cq_ring_move"}
BARRIER = re.compile(r'asm sideeffect "dmb (oshst|osh|st|sy)"')
RECORD = re.compile(r"^\s*store volatile i32 ")
CALL = re.compile(r"\bcall [^@]*@(\w+)\(")
LABEL = re.compile(r"label %(\w+)")

# What programs call in line, as functions.
CALLERS = """
#include "segue/cq.h"
#include "segue/cq.h"
#include "segue/cq.h"
#include "segue/detail/cq_payload.h"
int next_poll(struct segue_cq *cq, struct segue_wc *wc) { return segue_cq_next_poll(cq, wc); }
int start_poll(struct segue_cq *cq, struct segue_wc *wc) { return segue_cq_start_poll(cq, wc); }
void end_poll(struct segue_cq *cq) { segue_cq_end_poll(cq); }
int poll(struct segue_cq *cq, int max, segue_wc_handler h, void *arg) { return segue_cq_poll_each(cq, max, h, arg); }
int poll_one(struct segue_cq *cq, segue_wc_handler h, void *arg) { return segue_cq_poll_each(cq, 1, h, arg); }
int poll_payload(struct segue_cq *cq, int max, segue_wc_handler h, void *arg) { return segue_cq_poll_payload(cq, max, h, arg); }
int poll_wc(struct segue_cq *cq, int max, struct segue_wc *wc) { return segue_cq_poll(cq, max, wc); }
"""


@dataclass
class Function:
    name: str
    internal: bool
    blocks: dict[str, list[str]] = field(default_factory=dict)  # the entry first

    def successors(self, block: str) -> list[str]:
        return LABEL.findall(self.blocks[block][-1]) if self.blocks[block] else []


def parse(text: str, module: str = "") -> dict[str, Function]:
    """Functions of one file. Those that are its own have its name in theirs."""
    own = set(re.findall(r"^define internal [^@]*@(\w+)\(", text, re.MULTILINE))
    text = re.sub(r"@(\w+)\(", lambda found: f"@{module}{found[1]}(" if found[1] in own else found[0], text)
    functions: dict[str, Function] = {}
    function: Function | None = None
    block = ""
    for line in text.splitlines():
        if begin := re.match(r"define (.*?)@(\w+)\(", line):
            function = Function(begin[2], "internal" in begin[1])
            block = "entry"
            function.blocks[block] = []
        elif line == "}" and function:
            functions[function.name] = function
            function = None
        elif function and (label := re.match(r"(\w+):", line)):
            block = label[1]
            function.blocks[block] = []
        elif function and line.startswith("    ") and function.blocks[block] and "switch" in function.blocks[block][-1]:
            function.blocks[block][-1] += line  # its cases
        elif function and line.strip() and line.strip() != "]":
            function.blocks[block].append(line)
    return functions


@dataclass(frozen=True)
class Effect:
    """Of a function: whether a record may follow a store of the ring's unordered, and what may be unordered at its end; by what is at its start."""
    bad: tuple[bool, bool] = (False, False)
    ends: tuple[frozenset[bool], frozenset[bool]] = (frozenset(), frozenset())


class Order:
    def __init__(self, functions: dict[str, Function]) -> None:
        self.functions = functions
        self.effects = {name: Effect() for name in functions}
        changed = True
        while changed:
            changed = False
            for name in functions:
                effect = Effect(*zip(*(self.through(name, start) for start in (False, True))))
                changed = changed or effect != self.effects[name]
                self.effects[name] = effect

    def step(self, line: str, states: set[bool]) -> tuple[bool, set[bool]]:
        if BARRIER.search(line):
            return False, {False} if states else set()
        if RECORD.match(line):
            return True in states, states
        call = CALL.search(line)
        if not call:
            return False, states
        if call[1] in RING_STORES:
            return False, {True} if states else set()
        effect = self.effects.get(call[1])
        if effect is None:
            return False, states
        return any(effect.bad[state] for state in states), {end for state in states for end in effect.ends[state]}

    def through(self, name: str, start: bool) -> tuple[bool, frozenset[bool]]:
        function = self.functions[name]
        at: dict[str, set[bool]] = {block: set() for block in function.blocks}
        at[next(iter(at))] = {start}
        bad = False
        ends: set[bool] = set()
        todo = [next(iter(at))]
        while todo:
            block = todo.pop()
            states = set(at[block])
            for line in function.blocks[block]:
                wrong, states = self.step(line, states)
                bad = bad or wrong
                if line.strip().startswith("ret "):
                    ends |= states
            for successor in function.successors(block):
                if not states <= at[successor]:
                    at[successor] |= states
                    todo.append(successor)
        return bad, frozenset(ends)

    def offences(self) -> list[str]:
        return [f"{name}: " + ("a record may come before a store to the ring" if effect.bad[False] else "a store to the ring is left unordered at its end")
                for name, effect in self.effects.items()
                if not self.functions[name].internal and name not in RING_STORES and (effect.bad[False] or True in effect.ends[False])]


def compiled(source: str, headers: str, folder: str) -> str:
    command = ["clang", f"--target={TARGET}", "-std=c11", "-D_GNU_SOURCE", "-O0", "-S", "-emit-llvm", "-fdiscard-value-names", "-Iinclude", f"-I{headers}",
               "-I.", "-isystem", folder, "-w", "-o", "-", source]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class StoreOrder(unittest.TestCase):
    headers = ""
    sources: list[str] = []

    def test_each_path_has_its_barrier(self) -> None:
        if not shutil.which("clang") or not Path("/usr", TARGET, "include").exists():
            self.skipTest("clang or libc6-dev-arm64-cross is missing")
        with tempfile.TemporaryDirectory() as folder:
            # rdma-core's headers are the same on every architecture.
            for name in ("infiniband", "rdma"):
                Path(folder, name).symlink_to(f"/usr/include/{name}")
            callers = Path(folder, "callers.c")
            callers.write_text(CALLERS, encoding="utf-8")
            with ThreadPoolExecutor(2) as pool:
                texts = list(pool.map(lambda source: compiled(source, self.headers, folder), [*self.sources, str(callers)]))
        functions: dict[str, Function] = {}
        for source, text in zip([*self.sources, "callers.c"], texts):
            functions.update(parse(text, f"{Path(source).stem}__"))
        order = Order(functions)
        for name in RING_STORES | {"next_poll", "seguei_cq_give_back", "seguei_cq_drop_entries"}:
            self.assertIn(name, functions)
        self.assertIn(True, {end for name in ("slow_path__given", "slow_path__step_over_block") for end in order.effects[name].ends[False]}, "no store to a ring is seen")
        self.assertEqual(order.offences(), [])

    def test_it_tells_right_from_wrong(self) -> None:
        ring = "define void @seguei_cq_ring_make_old() {\n  ret void\n}\n"
        store, barrier = "  call void @seguei_cq_ring_make_old()\n", '  call void asm sideeffect "dmb oshst", "~{memory}"()\n'
        record = "  store volatile i32 0, i32* %x, align 4\n"
        sometimes = f"  br i1 %y, label %yes, label %no\nyes:\n{barrier}  br label %no\nno:\n"
        for body, good in ((store + barrier + record, True), (store + record + barrier, False), (store, False), (record, True),
                           (store + sometimes + record, False), (barrier + store + record, False)):
            offences = Order(parse(f"{ring}define void @f() {{\n{body}  ret void\n}}\n")).offences()
            self.assertEqual(not offences, good, body)


if __name__ == "__main__":
    StoreOrder.headers, StoreOrder.sources = sys.argv[1], [source for source in sys.argv[2:] if "/ring/" in source]
    unittest.main(argv=sys.argv[:1])
