# SPDX-License-Identifier: BSD-2-Clause
"""Counts compressed entries in the completion rings that softhca --dump DIR has left: compressed_rings.py DIR. Fails if there are none.

An entry's last byte is op_own, and its bits 3:2 are all set in a title of the classic layout and in an array of the enhanced one
(include/linux/mlx5/device.h: MLX5_COMPRESSED). Opcode 0xf is that of an entry that nobody has written."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def main() -> int:
    total = 0
    for path in sorted(Path(sys.argv[1]).iterdir()):
        found = re.search(r"-cq-0x\w+-size-(\d+)$", path.name)
        if not found:
            continue
        size = int(found[1])
        op_owns = path.read_bytes()[size - 1::size]
        blocks = sum(op_own & 0xc == 0xc and op_own >> 4 != 0xf for op_own in op_owns)
        if blocks:
            print(f"{path.name}: {blocks} compressed entries")
        total += blocks
    if not total:
        print("no completion ring holds a compressed entry")
    return 0 if total else 1


if __name__ == "__main__":
    sys.exit(main())
