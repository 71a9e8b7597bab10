# SPDX-License-Identifier: BSD-2-Clause
"""What people paste, made up: error completions in the layouts and after the prefixes that programs, terminals and mails give them."""

from __future__ import annotations

import random
import struct
from typing import Callable, NamedTuple

# Numbers as mlx5dv.h has them: MLX5_CQE_SYNDROME_*, MLX5_OPCODE_*, MLX5_CQE_REQ_ERR and MLX5_CQE_RESP_ERR.
SYNDROMES = [0x01, 0x02, 0x04, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x22]
OPCODES = [0x08, 0x09, 0x0A, 0x0B, 0x0E, 0x10, 0x11, 0x12, 0x25]
REQ_ERR, RESP_ERR = 0xD, 0xE


class Failed(NamedTuple):
    """An error completion's values."""

    syndrome: int
    vendor: int
    hw: int
    opcode: int
    qpn: int
    index: int
    srqn: int
    send: bool
    signature: int = 0x1C

    def bytes(self) -> bytes:
        """As struct mlx5_err_cqe has them."""
        opcode = self.opcode if self.send else 0
        op_own = (REQ_ERR if self.send else RESP_ERR) << 4 | 2
        tail = struct.pack(">IBBBBIHBB", 0, self.hw, 0, self.vendor, self.syndrome, opcode << 24 | self.qpn, self.index, self.signature, op_own)
        return bytes(32) + struct.pack(">I", self.srqn) + bytes(12) + tail


def failed_of(chance: random.Random) -> Failed:
    return Failed(chance.choice(SYNDROMES), chance.randrange(256), chance.randrange(256), chance.choice(OPCODES),
                  chance.randrange(1, 1 << 24), chance.randrange(1 << 16), chance.choice([0, 5, 0xB3]), chance.random() < 0.7, chance.randrange(256))


def groups(data: bytes, size: int, between: str = " ", turned: bool = False, start: str = "") -> str:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return between.join(start + (piece[::-1] if turned else piece).hex() for piece in pieces)


def rows(data: bytes, row: Callable[[int, bytes], str]) -> list[str]:
    return [row(at, data[at : at + 16]) for at in range(0, len(data), 16)]


def characters(data: bytes) -> str:
    return "".join(chr(b) if 0x20 <= b < 0x7F else "." for b in data)


# Name: lines of a dump of any bytes. One address per row, or none.
LAYOUTS: dict[str, Callable[[bytes], list[str]]] = {
    "libmlx5": lambda d: rows(d, lambda _, r: groups(r, 4)),
    "kernel": lambda d: rows(d, lambda at, r: f"{at:08x}: {groups(r, 1)}"),
    "kernel in words": lambda d: rows(d, lambda at, r: f"{at:08x}: {groups(r, 4, turned=True)}"),
    "kernel in long words": lambda d: rows(d, lambda at, r: f"{at:08x}: {groups(r, 8, turned=True)}"),
    "bytes alone": lambda d: rows(d, lambda _, r: " " + groups(r, 1)),
    "rte_hexdump": lambda d: rows(d, lambda at, r: f"{at:08X}: {groups(r, 1).upper()} | {characters(r)}"),
    "copy as hex dump": lambda d: rows(d, lambda at, r: f"{at:04x}   {groups(r, 1)}"),
    "copy with characters": lambda d: rows(d, lambda at, r: f"{at:04x}  {groups(r[:8], 1)}  {groups(r[8:], 1)}   {characters(r)}"),
    "tcpdump": lambda d: rows(d, lambda at, r: f"\t0x{at:04x}:  {groups(r, 2)}"),
    "xxd": lambda d: rows(d, lambda at, r: f"{at:08x}: {groups(r, 2)}  {characters(r)}"),
    "xxd -e": lambda d: rows(d, lambda at, r: f"{at:08x}: {groups(r, 4, turned=True)}  {characters(r)}"),
    "hexdump -C": lambda d: rows(d, lambda at, r: f"{at:08x}  {groups(r[:8], 1)}  {groups(r[8:], 1)}  |{characters(r)}|"),
    "crash rd": lambda d: rows(d, lambda at, r: f"ffff88810a0f4{at:03x}:  {groups(r, 8, turned=True)}   {characters(r)}"),
    "gdb words": lambda d: rows(d, lambda at, r: f"0x7f00dead{at:04x}:\t{groups(r, 4, chr(9), True, '0x')}"),
    "gdb bytes": lambda d: [f"0x7f00dead{at:04x} <cqe+{at}>:\t{groups(d[at : at + 8], 1, chr(9), False, '0x')}" for at in range(0, len(d), 8)],
    "0x words": lambda d: rows(d, lambda _, r: groups(r, 4, start="0x")),
    "17 columns": lambda d: rows(d, lambda at, r: f"{at:08x}: {groups(r, 1)} 00"),
    "digits": lambda d: [d.hex()],
    "xxd -p": lambda d: [d.hex()[at : at + 60] for at in range(0, 2 * len(d), 60)],
    "wide": lambda d: [f"{at:08x}: {groups(d[at : at + 32], 4)}" for at in range(0, len(d), 32)],
}
# Layouts whose rows are not whole lines of 16 bytes: nothing else may come between.
SHORT_ROWS = ("gdb bytes", "digits", "xxd -p", "wide")

# What stands before each line; {n} is the number of the line.
PREFIXES: dict[str, str] = {
    "nothing": "",
    "quoted": "> ",
    "quoted four times": "> > > > ",
    "indented": "    ",
    "dmesg": "[  408.38{n:04d}] ",
    "journalctl": "Jul 29 14:40:{n:02d} host kernel: ",
    "syslog": "2026-07-29T14:40:{n:02d}.123456+00:00 host kernel: ",
    "cqe_dump": "cqe_dump: ",
    "mpirun": "[1,0]<stderr>:",
    "compose": "worker-1  | ",
    "kubectl": "[pod/job-0/main] ",
    "srun": "0: ",
    "pdsh": "node12: ",
    "colour": "\033[31m",
    "byte order mark": "\ufeff",
}


def pasted(lines: list[str], prefix: str) -> str:
    return "".join(PREFIXES[prefix].format(n=n) + line + "\n" for n, line in enumerate(lines, 1))
