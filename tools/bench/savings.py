# SPDX-License-Identifier: BSD-2-Clause
"""What a call saves with Segue below it, at least, as a C header: savings.py RECORDED HEADER, from the rows in verbs.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROWS = {
    "POST": ["rc/rdma_write/sge ibv_post_send", "rc/rdma_write/sge ibv_wr"],
    "COMPLETION": [f"poll/{kind}/{n} ibv_poll_cq" for kind in ("send", "receive") for n in (1, 16)],
}


def header(recorded: dict[str, dict[str, float]]) -> str:
    least = {what: int(min(recorded["libmlx5"][row] - recorded["adopted"][row] for row in rows)) for what, rows in ROWS.items()}
    return "".join(f"#define SAVED_BY_{what} {n}u\n" for what, n in least.items())


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(header(json.loads(Path(sys.argv[1]).read_text("utf-8"))), "utf-8")
