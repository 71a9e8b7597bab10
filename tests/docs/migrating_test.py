# SPDX-License-Identifier: BSD-2-Clause
"""docs/migrating.md leaves out nothing that posts or connects, and names nothing that is not there."""

from __future__ import annotations

import os
import re
import unittest
from pathlib import Path

import yaml

PAGE = Path("docs/migrating.md").read_text(encoding="utf-8")
SOURCES = yaml.load(Path("docs/migrating.yaml").read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))["functions"]
VERBS = "".join(Path("/usr/include/infiniband", name).read_text(encoding="utf-8") for name in ("verbs.h", "mlx5dv.h"))
HEADERS = "".join(p.read_text(encoding="utf-8") for p in [*Path("include/segue").rglob("*.h"), *Path(os.environ["SEGUE_HEADERS"]).rglob("*.h")])


def names(pattern: str, text: str) -> set[str]:
    return set(re.findall(pattern, text))


def rows(part: str) -> set[str]:
    """What has a row: all that the first columns of the tables of a part name."""
    return {name for line in part.splitlines() if line.startswith("| `") for name in names(r"\b(\w+)\b", line.split("|")[1])}


def part(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def members(declaration: str) -> str:
    return VERBS.split(f"\n{declaration} {{")[1].split("\n};")[0]


class Migrating(unittest.TestCase):
    def test_every_opcode_has_its_row(self) -> None:
        opcodes = names(r"\b(IBV_WR_[A-Z0-9_]+)\b", members("enum ibv_wr_opcode"))
        self.assertGreater(len(opcodes), 12)
        self.assertEqual(set(), opcodes - rows(part("`ibv_post_send()`")))
        other = names(r"\b(IBV_WR_[A-Z0-9_]+)\b", members("enum ibv_ops_wr_opcode"))
        self.assertEqual(set(), other - rows(part("`ibv_wr_*` and `mlx5dv_wr_*`")))

    def test_every_flag_has_its_row(self) -> None:
        flags = names(r"\b(IBV_SEND_[A-Z0-9_]+)\b", members("enum ibv_send_flags"))
        self.assertGreater(len(flags), 4)
        self.assertEqual(set(), flags - rows(part("`ibv_post_send()`")))

    def test_every_posting_call_has_its_row(self) -> None:
        # Called, or pointed to by a member of struct ibv_qp_ex or mlx5dv_qp_ex.
        calls = names(r"\b(ibv_wr_[a-z_]+|mlx5dv_wr_[a-z_]+)\(", VERBS)
        calls |= {"ibv_" + name for name in names(r"\(\*(wr_[a-z_]+)\)\(struct ibv_qp_ex", VERBS)}
        calls |= {"mlx5dv_" + name for name in names(r"\(\*(wr_[a-z_]+)\)\(struct mlx5dv_qp_ex", VERBS)}
        self.assertGreater(len(calls), 30)
        self.assertEqual(set(), calls - rows(part("`ibv_wr_*` and `mlx5dv_wr_*`")))

    def test_every_attribute_has_its_row(self) -> None:
        attributes = names(r"\b(\w+);", members("struct ibv_qp_attr"))
        self.assertEqual(26, len(attributes))
        self.assertEqual(set(), attributes - rows(part("`ibv_modify_qp()`")))

    def test_names_of_verbs_exist(self) -> None:
        found = names(r"`((?:ibv|mlx5dv|IBV|MLX5DV)_\w+)", PAGE) - {"ibv_wr_", "mlx5dv_wr_"} - names(r"\b(ibv_\w+_pingpong)\b", PAGE)
        self.assertEqual(set(), found - names(r"\b(\w+)\b", VERBS))

    def test_names_of_segue_exist(self) -> None:
        found = names(r"`(?:struct )?((?:segue|SEGUE)_\w+)", PAGE)
        self.assertGreater(len(found), 40)
        self.assertEqual(set(), found - names(r"\b(\w+)\b", HEADERS))

    def test_names_of_ucx_have_a_source(self) -> None:
        """//tools:sources looks the sources up, for which it needs UCX."""
        found = names(r"\b(uct_\w+)`", PAGE)
        self.assertGreater(len(found), 30)
        self.assertEqual(found, {name for each in SOURCES for name in names(r"\b(uct_\w+)", each["source"])})


if __name__ == "__main__":
    unittest.main()
