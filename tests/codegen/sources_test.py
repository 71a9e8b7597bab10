# SPDX-License-Identifier: BSD-2-Clause
"""tools/sources.py reads what a source names, and finds what a repository does not have."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tools.sources import Cited, Repository, parse

FACTS = {"rdma-core": {"folders": ["infiniband/", "providers/"]}, "UCX": {}, "Linux": {}}


class Sources(unittest.TestCase):
    def test_parse(self) -> None:
        text = ("infiniband/mlx5dv.h, struct mlx5_wqe_data_seg and MLX5_OPCODE_*; providers/mlx5/qp.c, mlx5_post_send (which_is_prose); "
                "Linux include/linux/mlx5/qp.h, fm; UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_AV_SIZE; ib_mlx5.inl, uct_set_av")
        self.assertEqual(parse(text, FACTS), [
            Cited("rdma-core", "infiniband/mlx5dv.h", ["mlx5_wqe_data_seg", "MLX5_OPCODE_*"]),
            Cited("rdma-core", "providers/mlx5/qp.c", ["mlx5_post_send"]),
            Cited("Linux", "include/linux/mlx5/qp.h", []),
            Cited("UCX", "src/uct/ib/mlx5/ib_mlx5.h", ["UCT_AV_SIZE"]),
            Cited("UCX", "src/uct/ib/mlx5/ib_mlx5.inl", ["uct_set_av"]),
        ])

    def test_look_up(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
            Path(folder, "lib").mkdir()
            Path(folder, "lib", "dv.h").write_text("struct dv_seg;\n#define DV_ONE 1\n", encoding="utf-8")
            for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "text"]):
                subprocess.run(["git", "-C", folder, *command], check=True, env=env)
            repository = Repository(folder, {})
            good = Cited("", "infiniband/dv.h", ["dv_seg", "DV_*"])
            self.assertEqual(list(repository.missing(good)), [])
            self.assertEqual(list(repository.missing(Cited("", "lib/dv.h", ["dv_se", "DV_TWO"]))), ["dv_se in lib/dv.h", "DV_TWO in lib/dv.h"])
            self.assertEqual(list(repository.missing(Cited("", "lib/no.h"))), ["lib/no.h"])


if __name__ == "__main__":
    unittest.main()
