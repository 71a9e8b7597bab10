# SPDX-License-Identifier: BSD-2-Clause
"""Rings that libmlx5, UCX and DPDK have written, read by `segue decode` and by what mlx5dv.h says of their bytes.

Usage: dumps.py SEGUE FOLDER LEAST: the folder holds what `softhca --dump FOLDER` wrote, LEAST rings or more. Ends with 1 if one was misread.
"""

from __future__ import annotations

import json
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

BLOCK = 64
INVALID = 0xF  # MLX5_CQE_INVALID
# struct mlx5_wqe_raddr_seg, mlx5_wqe_atomic_seg follow mlx5_wqe_ctrl_seg at once on RC; mlx5_wqe_data_seg ends the request.
RADDR = {0x08, 0x09, 0x10}  # MLX5_OPCODE_RDMA_WRITE, _IMM, RDMA_READ


NEEDED = ("sq", "rq", "srq", "cq")  # DPDK alone makes an mprq, and only where it is asked to


class Misread(Exception):
    pass


def decode(segue: str, path: Path, *options: str, data: bytes | None = None) -> tuple[int, list[dict], str]:
    command = [segue, "decode", "--json", "--form", "raw", *options, str(path) if data is None else "-"]
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def options_of(path: Path) -> tuple[str, list[str]]:
    kind, _, *more = re.fullmatch(r"mlx5_\d+-\d+-(sq|rq|srq|mprq|cq)-(0x[0-9a-f]+)-(.*)", path.name).groups()
    if kind == "sq":
        return kind, ["--ring", "--queue", more[0]]
    value = more[0].split("-")[1]
    return kind, ["--cqe", "--cqe-size", value] if kind == "cq" else ["--ring", "--queue", kind, "--stride", value]


def same(path: Path, at: int, what: str, expected, got) -> None:
    if expected != got:
        raise Misread(f"{path.name}, byte 0x{at:x}: {what} is {expected}, but was read as {got}")


def value(field):
    field = field["value"] if isinstance(field, dict) else field
    if isinstance(field, str) and not re.fullmatch(r"0x[0-9a-f]+|0|[1-9][0-9]{0,19}", field):
        return field  # a byte string, as hex digits
    return int(field, 0) if isinstance(field, str) else field


def check_send(path: Path, ring: bytes, records: list[dict]) -> int:
    """Every request where one begins, each field as the header has it, and no byte left out."""
    seen = 0
    covered = 0
    for record in records:
        at = record["at"]
        if "gap" in record:
            covered += record["blocks"]
            continue
        same(path, at, "the request's being legal", True, record["legal"])
        opmod_idx_opcode, qpn_ds, _, flags, imm = struct.unpack_from(">IIB2xBI", ring, at)
        ctrl = {name: value(field) for name, field in record["wqe"]["segments"][0]["fields"].items()}
        for name, bits in [("opcode", opmod_idx_opcode & 0xFF), ("wqe_index", opmod_idx_opcode >> 8 & 0xFFFF), ("opmod", opmod_idx_opcode >> 24),
                           ("qpn", qpn_ds >> 8), ("ds", qpn_ds & 0x3F), ("ce", flags >> 2 & 3), ("se", flags >> 1 & 1), ("fm", flags >> 5)]:
            same(path, at, name, bits, ctrl[name])
        units = qpn_ds & 0x3F
        blocks = (units * 16 + BLOCK - 1) // BLOCK
        same(path, at, "its place", at // BLOCK, (opmod_idx_opcode >> 8 & 0xFFFF) % (len(ring) // BLOCK))
        covered += blocks
        whole = b"".join(ring[(at + n) % len(ring) : (at + n) % len(ring) + BLOCK] for n in range(0, blocks * BLOCK, BLOCK))
        segments = record["wqe"]["segments"]
        if opmod_idx_opcode & 0xFF in RADDR and path.name.endswith("-rc"):
            addr, rkey = struct.unpack_from(">QI", whole, 16)
            same(path, at, "remote_addr", (addr, rkey), (value(segments[1]["fields"]["remote_addr"]), value(segments[1]["fields"]["rkey"])))
        if segments[-1]["name"] == "data":
            last = segments[-1]["fields"]
            same(path, at, "the last piece", struct.unpack_from(">IIQ", whole, units * 16 - 16), tuple(value(last[n]) for n in ("byte_count", "lkey", "addr")))
        seen += 1
    if covered < len(ring) // BLOCK:
        raise Misread(f"{path.name}: {covered} of {len(ring) // BLOCK} blocks are spoken of")
    return seen


def check_receive(path: Path, ring: bytes, records: list[dict]) -> int:
    same(path, 0, "the verdict", "legal", records.pop()["verdict"])
    size = int(path.name.rsplit("-", 1)[1])
    gaps = {at for r in records if "gap" in r for at in range(r["at"], r["at"] + r["entries"] * size, size)}
    head = 0 if "-rq-" in path.name else 16  # struct mlx5_wqe_srq_next_seg
    for at in range(0, len(ring), size):
        same(path, at, "the entry's being posted", any(ring[at + head : at + size]), at not in gaps)
    records = [r for r in records if "gap" not in r]
    for record in records:
        same(path, record["at"], "the entry's being legal", True, record["legal"])
        at = record["at"]
        for segment in record["wqe"]["segments"]:
            if segment["name"] != "data":
                at += 16
                continue
            fields = segment["fields"]
            same(path, at, "a piece", struct.unpack_from(">IIQ", ring, at), tuple(value(fields[n]) for n in ("byte_count", "lkey", "addr")))
            at += 16
    return len(records)


def check_completions(path: Path, ring: bytes, records: list[dict]) -> int:
    seen = 0
    size = int(path.name.rsplit("-", 1)[1])
    blank = {at for r in records if "gap" in r for at in range(r["at"], r["at"] + r["entries"] * size, size)}
    for at in range(0, len(ring), size):
        unwritten = ring[at + size - 1] >> 4 == INVALID or not any(ring[at : at + size])
        same(path, at, "the entry's being written", not unwritten, at not in blank)
    for record in records:
        if "gap" in record:
            continue
        at = record["at"]
        same(path, at, "the entry's being known", True, isinstance(record["cqe"], dict) and bool(record["cqe"].get("name")))
        fields = {name: value(field) for name, field in record["cqe"]["fields"].items() if not isinstance(field, (dict, list)) or "value" in field}
        entry = ring[at + size - 64 : at + size]
        if "opcode" in fields and record["cqe"]["name"] in ("cqe64", "err_cqe"):
            same(path, at, "opcode", entry[63] >> 4, fields["opcode"])
            same(path, at, "owner", entry[63] & 1, fields["owner"])
            same(path, at, "wqe_counter", struct.unpack_from(">H", entry, 60)[0], fields["wqe_counter"])
            same(path, at, "qpn", struct.unpack_from(">I", entry, 56)[0] & 0xFFFFFF, fields["qpn"])
        seen += 1
    return seen


CHECKS = {"sq": check_send, "rq": check_receive, "srq": check_receive, "mprq": check_receive, "cq": check_completions}


def check(segue: str, path: Path, draw: random.Random) -> int:
    kind, options = options_of(path)
    ring = path.read_bytes()
    status, records, errors = decode(segue, path, *options)
    if status != 0:
        raise Misread(f"{path.name}: exit status {status}: {errors}")
    seen = CHECKS[kind](path, ring, records)
    # One byte less is no ring, and noise is no request: either is said, neither is believed.
    status, _, errors = decode(segue, path, *options, data=ring[:-1])
    if status != 2 or "bytes" not in errors:
        raise Misread(f"{path.name}, cut off: exit status {status}: {errors}")
    noise = bytes(draw.randrange(256) for _ in range(min(len(ring), 4096)))
    status, records, errors = decode(segue, path, *options, data=noise)
    if kind != "cq" and status == 0:
        raise Misread(f"{path.name}: noise was taken for requests")
    return seen


def main(segue: str, folder: str, least: str) -> int:
    seed = random.SystemRandom().randrange(1 << 32)
    draw = random.Random(seed)
    count = dict.fromkeys(CHECKS, 0)
    entries = wrong = 0
    for path in sorted(Path(folder).iterdir()):
        try:
            entries += check(segue, path, draw)
            count[options_of(path)[0]] += 1
        except Misread as misread:
            wrong += 1
            print(f"misread: {misread}")
    print(f"{sum(count.values())} rings ({', '.join(f'{n} {kind}' for kind, n in count.items())}), {entries} entries, {wrong} misread (seed {seed})")
    return 1 if wrong or not all(count[kind] for kind in NEEDED) or sum(count.values()) < int(least) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
