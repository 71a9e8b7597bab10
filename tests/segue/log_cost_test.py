# SPDX-License-Identifier: BSD-2-Clause
"""Instructions that segue explain takes per byte of a text, counted by callgrind. Reading a large log is bounded by them."""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from glob import glob
from pathlib import Path
from typing import Callable

import yaml

from tests.counters.counters import build, inclusive
from tests.seed.seed import segue_test_seed
from tests.segue.paste_samples import LAYOUTS, failed_of

SEED = segue_test_seed()
SIZE = 1 << 17
SOURCES = ["tests/segue/log_cost.c", *sorted(glob("tools/segue/log/*.c")),
           *(f"tools/segue/{name}.c" for name in ("evidence", "failed_completion", "guess", "receive_ring", "report", "ring", "wqe"))]
# As measured with gcc 12, and a quarter more for other compilers.
BOUNDS = {"dumps": 115, "kernel dumps": 115, "zeros": 177, "mixed": 55, "no failure": 21, "flushes": 39, "UCX": 46, "NCCL": 47, "mlx5_core": 57, "mlx5e": 48,
          "DPDK": 56, "perftest": 67, "events": 47, "counters": 73, "all forms": 63}


def texts(chance: random.Random) -> dict[str, Callable[[], str]]:
    def dump() -> str:
        return "\n".join(LAYOUTS["libmlx5"](failed_of(chance).bytes())) + "\n"

    def kernel() -> str:
        return "".join(f"[{chance.random() * 1000:10.6f}] {line}\n" for line in LAYOUTS["kernel"](failed_of(chance).bytes()))

    def other() -> str:
        return f"Jul 29 14:40:27 host kernel: usb 1-{chance.randrange(9)}: new high-speed USB device number {chance.randrange(99)} using xhci_hcd\n"

    def flush() -> str:
        return f"rdma.c:1797: *ERROR*: CQ error on CQ 0x7eecc0000c20, Request {chance.randrange(1 << 47)} (5): Work Request Flushed Error\n"

    def ucx() -> str:
        return f"[n1:7:0:7] ib_mlx5_log.c:177  Local protection on mlx5_0:1/IB (synd 0x4 vend 0x51 hw_synd 0/{chance.randrange(99)})\n"

    def nccl() -> str:
        return f"n1:7:39 [4] NCCL WARN NET/IB : Got completion from peer 192.0.2.{chance.randrange(200)}<54862> with status=12 opcode=0 len=0 vendor err 129 (Recv)\n"

    def command() -> str:
        return (f"[{chance.random() * 1e5:.6f}] mlx5_core 0000:3b:00.0: mlx5_cmd_out_err:803:(pid {chance.randrange(9999)}): CREATE_QP(0x500) op_mod(0x0) "
                f"failed, status limits exceeded(0x8), syndrome (0x{chance.randrange(1 << 22):x}), err(-12)\n")

    def mlx5e() -> str:
        return (f"[{chance.random() * 1e5:.6f}] mlx5_core 0000:3b:00.0 eth2: Error cqe on cqn 0x{chance.randrange(4096):x}, ci 0x3, qn 0x104f, opcode 0xd, "
                "syndrome 0x2, vendor syndrome 0x68\n")

    def dpdk() -> str:
        return f"Unexpected CQE error syndrome 0x04 CQN = 128 SQN = {chance.randrange(4096)} wqe_counter = 1 wq_ci = 2 cq_ci = 0\n"

    def perftest() -> str:
        return f" Failed status 12: wr_id {chance.randrange(9)} syndrom 0x81\n"

    def event() -> str:
        return (f"[n1:27434:0]      ib_device.c:132  UCX  WARN  IB Async event on mlx5_0: local access violation work queue error on QPN "
                f"0x{chance.randrange(1 << 24):x}\n")

    def counter() -> str:
        return f"     {chance.choice(['out_of_buffer', 'rx_prio3_pause', 'local_ack_timeout_err'])}: {chance.randrange(10**7)}\n"

    examples = [form["example"] + "\n" for form in yaml.safe_load(Path("spec/logs/forms.yaml").read_text(encoding="utf-8"))["forms"]]
    return {"mlx5_core": command, "mlx5e": mlx5e, "DPDK": dpdk, "perftest": perftest, "events": event, "counters": counter,
            "all forms": lambda: chance.choice(examples), "flushes": flush, "UCX": ucx, "NCCL": nccl, "dumps": dump, "kernel dumps": kernel, "zeros": lambda: "00000000 " * 3 + "00000000\n", "no failure": other,
            "mixed": lambda: chance.choices([dump, kernel, flush, other], [2, 1, 3, 14])[0]()}


class Cost(unittest.TestCase):
    def test_instructions_per_byte(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = build("gcc", SOURCES, folder, ["-D_GNU_SOURCE"])
            for name, piece in texts(random.Random(SEED)).items():
                text = ""
                while len(text) < SIZE:
                    text += piece()
                found = self.count(program, folder, text) / len(text)
                print(f"{name:16} {found:6.1f} instructions per byte, at most {BOUNDS[name]}")
                with self.subTest(text=name, seed=SEED):
                    self.assertLessEqual(found, BOUNDS[name])

    def count(self, program: str, folder: str, text: str) -> int:
        out = Path(folder, "callgrind.out")
        command = ["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={out}", program]
        result = subprocess.run(command, input=text, check=False, stderr=subprocess.DEVNULL, text=True)
        self.assertEqual(0, result.returncode)
        return inclusive(out.read_text(encoding="utf-8"))["log_find"]


if __name__ == "__main__":
    unittest.main()
