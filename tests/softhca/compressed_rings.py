# SPDX-License-Identifier: BSD-2-Clause
"""Counts compressed entries in the completion rings that softhca --dump DIR has left: compressed_rings.py DIR. Fails if there are none.

An entry's last byte is op_own, and its bits 3:2 are all set in a title of the classic layout and in an array of the enhanced one
(include/linux/mlx5/device.h: MLX5_COMPRESSED). Opcode 0xf is that of an entry that nobody has written; DPDK gives it to the entries of a block
that it has read (MLX5_CQE_INVALIDATE), and to no others, so such an entry with something in it counts, too."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def compressed(entry: bytes) -> bool:
    if entry[63] >> 4 == 0xf:
        return len(set(entry[:56])) > 1
    return entry[63] & 0xc == 0xc


def main() -> int:
    total = 0
    for path in sorted(Path(sys.argv[1]).iterdir()):
        found = re.search(r"-cq-0x\w+-size-(\d+)$", path.name)
        if not found:
            continue
        size = int(found[1])
        ring = path.read_bytes()
        blocks = sum(compressed(ring[at + size - 64:at + size]) for at in range(0, len(ring), size))
        if blocks:
            print(f"{path.name}: {blocks} compressed entries")
        total += blocks
    if not total:
        print("no completion ring holds a compressed entry")
    return 0 if total else 1


if __name__ == "__main__":
    sys.exit(main())
