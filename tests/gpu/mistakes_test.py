# SPDX-License-Identifier: BSD-2-Clause
"""lanes.c with the queue as it is, and with one mistake after the other in a copy of the header.

    mistakes_test.py FOLDER

FOLDER holds the generated headers. As it is, all runs have to end well, those under ThreadSanitizer without a report. Each mistake has to be found: by
a run that ends badly, or by ThreadSanitizer where it is an order that this host keeps by itself.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = "tests/gpu"
COMPILER = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-pthread"]  # a mistake may leave one unused
PLAIN, TSAN = ["-O2"], ["-O1", "-g", "-fsanitize=thread"]
RIGHT = [  # just before 2^16 and 2^32, and from 0; the last number is the request that fails
    ["ring", "65000", "2000"],
    ["collapsed", "4294965000", "2000"],
    ["ring", "0", "500", "777"],
    ["collapsed", "4294966000", "500", "777"],
]
FOUND = ["ring", "4294965000", "1000", "300"], ["collapsed", "0", "1500"], ["ring", "0", "1500"], ["collapsed", "65510", "200"]


@dataclass
class Mistake:
    name: str
    file: str
    was: str
    becomes: str
    tsan: bool = False


Q, A = "queue.h", "atomic.h"
RECORD = "__atomic_store_n(to, big_endian, __ATOMIC_RELEASE);\n#else\n\tseguei_order_memory_stores"
BELL = "__atomic_store_n(to, big_endian, __ATOMIC_RELEASE);\n#elif"
STORE = "share == SEGUE_GPU_ONE ? __ATOMIC_RELAXED : __ATOMIC_RELEASE"
SWAP = "false, __ATOMIC_ACQ_REL"
WAIT_FAILED = "if (seguei_gpu_has_failed(q))\n\t\t\treturn seguei_gpu_load"
MISTAKES = [
    Mistake("no room is asked for", Q, "<= q->blocks))", "<= UINT64_MAX))"),
    Mistake("room is counted from what was told", Q, "*at + n - seguei_gpu_load(&q->done, true)", "*at + n - seguei_gpu_load(&q->told, true)"),
    Mistake("turns are not waited for", Q, "while (!seguei_gpu_swap(&q->ready, at, next, share))", "while (at > next)"),
    Mistake("the doorbell comes before the record", Q, "seguei_gpu_record(q->record, segue_be32(low));\n",
            "seguei_gpu_doorbell(q->reg, segue_be64(seguei_control_queue(q->qpn) + seguei_control_first(0, low, 0, 0)));\n"
            "\tfor (volatile int i = 0; i < 5000; i++)\n\t\t;\n\tseguei_gpu_record(q->record, segue_be32(low));\n"),
    Mistake("no doorbell", Q, "\tseguei_gpu_doorbell(", "\tif (index % 64 < 2)\n\t\tseguei_gpu_doorbell("),
    Mistake("the record is not swapped", Q, "segue_be32(low)", "low"),
    Mistake("the doorbell's words are swapped", Q, "segue_be64(seguei_control_queue", "(seguei_control_queue"),
    Mistake("waits do not ring", Q, "\t\tsegue_gpu_ring(q, share);\n\t\tif", "\t\tif"),
    Mistake("waits do not see an error", Q, WAIT_FAILED, "if (0)\n\t\t\treturn seguei_gpu_load"),
    Mistake("a failure is progress", Q, "if (cqe.opcode != SEGUE_CQE_OPCODE_REQ) {", "if (cqe.opcode > SEGUE_CQE_OPCODE_INVALID) {"),
    Mistake("entries that were never written are read", Q, "cqe.opcode == SEGUE_CQE_OPCODE_INVALID ||", ""),
    Mistake("an old collapsed entry is progress", Q, "if (more >= q->blocks)", "if (more + 1u > UINT16_MAX + 1u)"),
    Mistake("a request has one block", Q, "*done += more + (ctrl.ds + SEGUEI_GPU_UNITS - 1) / SEGUEI_GPU_UNITS;", "*done += more + 1;"),
    Mistake("the consumer's record is not written", Q, "if (q->entry_record)", "if (!q->entry_record && q->entry_count)"),
    Mistake("counters of 32 bits", A, "return SEGUEI_GPU_ATOMIC(load, load_n, from,", "return (uint32_t)SEGUEI_GPU_ATOMIC(load, load_n, from,"),
    Mistake("a request does not wrap", Q, "segue_gpu_block(q, at + i / SEGUEI_GPU_UNITS)", "segue_gpu_block(q, at)"),
    Mistake("more than the ring is reserved", Q, "n - UINT64_C(1) >= q->blocks", "n > q->blocks + 5"),
    Mistake("the lanes' error is not kept for the host", Q, "seguei_gpu_store(&q->error_index, *done, SEGUE_GPU_ONE);", ""),
    Mistake("the record does not release", A, RECORD, RECORD.replace("RELEASE", "RELAXED"), tsan=True),
    Mistake("counters do not release", A, STORE, "__ATOMIC_RELAXED", tsan=True),
    Mistake("exchanges neither acquire nor release", A, SWAP, "false, __ATOMIC_RELAXED", tsan=True),
    Mistake("entries are read without acquire", A, "return __atomic_load_n(from, __ATOMIC_ACQUIRE)", "return __atomic_load_n(from, __ATOMIC_RELAXED)", tsan=True),
]


def build(scratch: Path, generated: str, options: list[str]) -> Path:
    program = scratch / f"lanes{len(options)}"
    include = [f"-I{scratch}", f"-I{generated}", "-Iinclude", "-I."]
    subprocess.run(["nice", *COMPILER, *options, *include, f"{HERE}/lanes.c", "-o", program], check=True)
    return program


def run(program: Path, arguments: list[str]) -> tuple[bool, str]:
    environment = os.environ | {"TSAN_OPTIONS": "exitcode=66 halt_on_error=1"}
    for _ in range(20):  # ThreadSanitizer does not start at some addresses
        result = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        if "unexpected memory mapping" not in result.stdout:
            break
    lines = [line for line in result.stdout.splitlines() if line.startswith(("WARNING", "SUMMARY")) or ": " in line]
    return result.returncode == 0, lines[0] if lines else f"exit status {result.returncode}"


def as_it_is(generated: str, scratch: Path) -> list[str]:
    wrong = []
    for options in (PLAIN, TSAN):
        program = build(scratch, generated, options)
        for arguments in RIGHT:
            good, text = run(program, arguments)
            print(f"{'as it is':44} {' '.join(options):24} {' '.join(arguments):28} {text}", flush=True)
            wrong += [] if good else [f"{' '.join(arguments)}: {text}"]
    return wrong


def find(mistake: Mistake, generated: str, scratch: Path) -> list[str]:
    folder = scratch / "segue/gpu"
    shutil.copytree("include/segue/gpu", folder)
    text = (folder / mistake.file).read_text()
    if text.count(mistake.was) != 1:
        return [f"{mistake.name}: {mistake.file} has {text.count(mistake.was)} times what it changes, expected once"]
    (folder / mistake.file).chmod(0o644)
    (folder / mistake.file).write_text(text.replace(mistake.was, mistake.becomes))
    program = build(scratch, generated, TSAN if mistake.tsan else PLAIN)
    for arguments in FOUND:
        good, found = run(program, arguments)
        if not good:
            print(f"{mistake.name:44} {found}", flush=True)
            return []
    return [f"{mistake.name}: not found"]


def main(generated: str) -> int:
    with tempfile.TemporaryDirectory() as name:
        failures = as_it_is(generated, Path(name))
    for mistake in MISTAKES:
        with tempfile.TemporaryDirectory() as name:
            failures += find(mistake, generated, Path(name))
    print("\n".join(failures))
    print(f"{len(MISTAKES)} mistakes, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
