# SPDX-License-Identifier: BSD-2-Clause
"""docs/migrating.md leaves out no call that posts, and names nothing that is not there."""

from __future__ import annotations

import os
import re
import unittest
from pathlib import Path

PAGE = Path("docs/migrating.md").read_text(encoding="utf-8")
VERBS = "".join(Path("/usr/include/infiniband", name).read_text(encoding="utf-8") for name in ("verbs.h", "mlx5dv.h"))
HEADERS = "".join(p.read_text(encoding="utf-8") for p in [*Path("include/segue").glob("*.h"), *Path(os.environ["SEGUE_HEADERS"]).rglob("*.h")])
# The name of an enum.
NO_CALL = {"ibv_wr_opcode"}


def names(pattern: str, text: str) -> set[str]:
    return set(re.findall(pattern, text))


class Migrating(unittest.TestCase):
    def test_every_posting_call_is_there(self) -> None:
        calls = names(r"\b(ibv_wr_[a-z_]+|mlx5dv_wr_[a-z_]+)\b", VERBS) | names(r"\b(IBV_WR_[A-Z0-9_]+)\b", VERBS)
        self.assertGreater(len(calls), 40)
        self.assertEqual(NO_CALL, calls - names(r"\b(\w+)\b", PAGE))

    def test_names_of_verbs_exist(self) -> None:
        found = names(r"`((?:ibv|mlx5dv|IBV|MLX5DV)_\w+)", PAGE) - {"ibv_wr_", "mlx5dv_wr_"}
        self.assertEqual(set(), found - names(r"\b(\w+)\b", VERBS))

    def test_names_of_segue_exist(self) -> None:
        found = names(r"`(?:struct )?((?:segue|SEGUE)_\w+)", PAGE)
        self.assertGreater(len(found), 40)
        self.assertEqual(set(), found - names(r"\b(\w+)\b", HEADERS))


if __name__ == "__main__":
    unittest.main()
