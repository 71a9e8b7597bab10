# SPDX-License-Identifier: BSD-2-Clause
"""lanes.c with the queue as it is, and with one mistake after the other in a copy of the headers.

    mistakes_test.py DEVICE=FOLDER...

FOLDER holds the generated headers of a device that lanes.h can be (DEVICE.h). As it is, all runs have to end well, those under ThreadSanitizer without a report. Each mistake has to be found: by
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
RIGHT = [  # just before 2^16 and 2^32, and from 0; the last number is the request that fails, less than each lane has
    ["ring", "65000", "2000"],
    ["held", "65000", "200"],
    ["collapsed", "4294965000", "2000"],
    ["ring", "0", "500", "444"],
    ["collapsed", "4294966000", "500", "444"],
]
ROUNDS = 5  # ThreadSanitizer sees a race only if the other access is among the last of its word: nine rounds of ten
FOUND = ["ring", "4294965000", "1000", "300"], ["collapsed", "0", "1500"], ["ring", "0", "1500"], ["collapsed", "65510", "200"]


@dataclass
class Mistake:
    name: str
    file: str
    was: str
    becomes: str
    tsan: bool = False
    device: str = "mlx5"


Q, A, T, S, V = "queue.h", "atomic.h", "turns.h", "slots.h", "bnxt_re_variable"
RECORD = "__atomic_store_n(to, big_endian, __ATOMIC_RELEASE);\n#else\n\tseguei_order_memory_stores"
BELL = "__atomic_store_n(to, big_endian, __ATOMIC_RELEASE);\n#elif"
STORE = "share == SEGUE_GPU_ONE ? __ATOMIC_RELAXED : __ATOMIC_RELEASE"
SWAP = "false, __ATOMIC_ACQ_REL"
WAIT_FAILED = "if (seguei_gpu_has_failed(q))\n\t\t\treturn seguei_gpu_load"
MISTAKES = [
    Mistake("no room is asked for", T, "q->blocks - SEGUEI_GPU_SPARE))\n\t\treturn 0;", "UINT64_MAX))\n\t\treturn 0;"),
    Mistake("room is counted from what was told", T, "*at + n - seguei_gpu_load(&q->done, true)", "*at + n - seguei_gpu_load(&q->told, true)"),
    Mistake("turns are not waited for", T, "while (!seguei_gpu_swap(&q->ready, at, next, share))", "while (at > next)"),
    Mistake("the doorbell comes before the record", Q, "seguei_gpu_record(q->record, segue_be32(low));\n",
            "seguei_gpu_doorbell(q->reg, segue_be64(seguei_control_queue(q->qpn) + seguei_control_first(0, low, 0, 0)));\n"
            "\tfor (volatile int i = 0; i < 5000; i++)\n\t\t;\n\tseguei_gpu_record(q->record, segue_be32(low));\n"),
    Mistake("no doorbell", Q, "\tseguei_gpu_doorbell(", "\tif (index % 64 < 2)\n\t\tseguei_gpu_doorbell("),
    Mistake("the record is not swapped", Q, "segue_be32(low)", "low"),
    Mistake("the doorbell's words are swapped", Q, "segue_be64(seguei_control_queue", "(seguei_control_queue"),
    Mistake("waits do not ring", T, "\t\tsegue_gpu_ring(q, share);\n\t\tif", "\t\tif"),
    Mistake("waits do not see an error", T, WAIT_FAILED, "if (0)\n\t\t\treturn seguei_gpu_load"),
    Mistake("a failure is progress", Q, "if (cqe.opcode != SEGUE_CQE_OPCODE_REQ) {", "if (cqe.opcode > SEGUE_CQE_OPCODE_INVALID) {"),
    Mistake("entries that were never written are read", Q, "cqe.opcode == SEGUE_CQE_OPCODE_INVALID ||", ""),
    Mistake("an old collapsed entry is progress", Q, "if (more >= q->blocks)", "if (more + 1u > UINT16_MAX + 1u)"),
    Mistake("a request has one block", Q, "*done += more + (ctrl.ds + SEGUEI_GPU_UNITS - 1) / SEGUEI_GPU_UNITS;", "*done += more + 1;"),
    Mistake("the consumer's record is not written", Q, "if (q->entry_record)", "if (!q->entry_record && q->entry_count)"),
    Mistake("counters of 32 bits", A, "return SEGUEI_GPU_ATOMIC(load, load_n, from,", "return (uint32_t)SEGUEI_GPU_ATOMIC(load, load_n, from,"),
    Mistake("a request does not wrap", Q, "segue_gpu_block(q, at + i / SEGUEI_GPU_UNITS)", "segue_gpu_block(q, at)"),
    Mistake("more than the ring is reserved", T, "n - UINT64_C(1) >= q->blocks - SEGUEI_GPU_SPARE", "n > q->blocks + 5"),
    Mistake("the lanes' error is not kept for the host", "state.h", "seguei_gpu_store(&q->error_index, index, SEGUE_GPU_ONE);", ""),
    Mistake("the record does not release", A, RECORD, RECORD.replace("RELEASE", "RELAXED"), tsan=True),
    Mistake("counters do not release", A, STORE, "__ATOMIC_RELAXED", tsan=True),
    Mistake("exchanges neither acquire nor release", A, SWAP, "false, __ATOMIC_RELAXED", tsan=True),
    Mistake("packet numbers go up by requests", S, "return (sqe.length - 1) / q->mtu + 1;", "return 1;", device="bnxt_re"),
    Mistake("packet numbers are taken before the turn", T, "turns = tells || seguei_gpu_counts(q)", "turns = tells", tsan=True, device="bnxt_re"),
    Mistake("a group has one packet number", T, "i += seguei_gpu_count(q, i);", "i += n + 0 * seguei_gpu_count(q, i);", device="bnxt_re"),
    Mistake("a group of slots has one message", T, "i += seguei_gpu_count(q, i);", "i += n + 0 * seguei_gpu_count(q, i);", device=V),
    Mistake("a group has a message for each slot", T, "i += seguei_gpu_count(q, i);", "i += 1 + 0 * seguei_gpu_count(q, i);", device=V),
    Mistake("another life finds what completed early", S, "\tmemset(q->finished, 0, (size_t)(q->blocks + 63) / 64 * sizeof(*q->finished));\n", "", device="efa"),
    Mistake("another life reads old completions", T, "\tseguei_gpu_forget(q);\n", "", device="ionic"),
    Mistake("the epoch is cut off before its place", S, "(uint32_t)count, (uint32_t)index,", "(uint32_t)count, (uint32_t)(index & (count - 1)),", device="bnxt_re"),
    Mistake("the device is not told what was polled", S, "if (q->entry_reg)", "if (!q->entries)", device="bnxt_re"),
    Mistake("what stood in the completion queue is read", S, "SEGUEI_COMPLETION_FIRST ? 0 : 0xff", "0xff", device="ionic"),
    Mistake("the color of a request does not flip", S, "return !!(index & q->blocks) ^", "return 0 ^", device="ionic"),
    Mistake("a ring may be full", S, "#define SEGUEI_GPU_SPARE 1", "#define SEGUEI_GPU_SPARE 0", device="ionic"),
    Mistake("a failure names the request behind it", S, "count--; /*", "count += 0; /*", device="ionic"),
    Mistake("a completion counts slots", S, "(walks ? q->passed : done)", "done", device=V),
    Mistake("all requests have three slots", S, "seguei_gpu_header(q, at).wqe_size : 1", "3 : 1", device=V),
    Mistake("a failure names the slots behind it", S, "count--; /*", "count += 0; /*", device=V),
    Mistake("the table counts slots", S, "q->numbered++ & (q->blocks / 2 - 1)", "at & (q->blocks / 2 - 1)", device=V),
    Mistake("the table is as long as the ring", S, "(q->blocks / 2 - 1)", "(q->blocks - 1)", device=V),
    Mistake("a request of slots does not wrap", S, "segue_put_units(segue_gpu_block(q, at), units++, 1);", "segue_put_units(block + count * 16, units + count, 1);", device=V),
    Mistake("requests are counted on after a reset", T, " = q->numbered = q->passed = 0;", " = 0;", device=V),
    Mistake("messages are numbered before the turn", T, "turns = tells || seguei_gpu_counts(q)", "turns = tells", tsan=True, device=V),
    Mistake("a doorbell is for more than the device takes", S, "at < index; at += q->batch", "0; at += q->batch", device="efa"),
    Mistake("a completion stands for those before it", S, "seguei_gpu_finish(q, index, done);", "*done = index + 1;", device="efa"),
    Mistake("a short doorbell does not release", A, "__atomic_store_n(to, raw, __ATOMIC_RELEASE)", "__atomic_store_n(to, raw, __ATOMIC_RELAXED)", tsan=True, device="efa"),
    Mistake("entries are read without acquire", A, "return __atomic_load_n(from, __ATOMIC_ACQUIRE)", "return __atomic_load_n(from, __ATOMIC_RELAXED)", tsan=True),
]


def build(scratch: Path, device: str, generated: str, options: list[str]) -> Path:
    program = scratch / f"lanes{len(options)}"
    options = [*options, f'-DLANES_DEVICE="{HERE}/{device}.h"']
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


def cases(given: "list[list[str]] | tuple[list[str], ...]", device: str) -> list[list[str]]:
    """Only mlx5 has collapsed queues, and requests of two blocks. The others need fewer for as many laps."""
    return [list(one) if device == "mlx5" else ["ring", one[1], *(str(int(n) // 3) for n in one[2:])] for one in given]


def as_it_is(device: str, generated: str, scratch: Path) -> list[str]:
    wrong = []
    for options in (PLAIN, TSAN):
        program = build(scratch, device, generated, options)
        for arguments in cases(RIGHT, device):
            good, text = run(program, arguments)
            print(f"{device + ' as it is':44} {' '.join(options):24} {' '.join(arguments):28} {text}", flush=True)
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
    program = build(scratch, mistake.device, generated, TSAN if mistake.tsan else PLAIN)
    for arguments in cases(FOUND, mistake.device) * (ROUNDS if mistake.tsan else 1):
        good, found = run(program, arguments)
        if not good:
            print(f"{mistake.name:44} {found}", flush=True)
            return []
    return [f"{mistake.name}: not found"]


def main(*given: str) -> int:
    folders = dict(one.split("=") for one in given)
    failures, tried = [], [m for m in MISTAKES if m.device in folders]
    for device, generated in folders.items():
        with tempfile.TemporaryDirectory() as name:
            failures += as_it_is(device, generated, Path(name))
    for mistake in tried:
        with tempfile.TemporaryDirectory() as name:
            failures += find(mistake, folders[mistake.device], Path(name))
    print("\n".join(failures))
    print(f"{len(tried)} mistakes, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
