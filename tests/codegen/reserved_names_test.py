# SPDX-License-Identifier: BSD-2-Clause
"""codegen/check/reserved_names.txt lists the names that the library's sources and the templates have, all of them and no more."""

from __future__ import annotations

import os
import unittest

from codegen.check.names import taken
from tests.codegen.cases import ROOT
from tools.reserved_names import taken as found


class Taken(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_list_is_what_is_found(self) -> None:
        for kind, names in found().items():
            self.assertEqual(sorted(taken()[kind]), sorted(names), f"{kind}: bazel run //tools:reserved_names brings the list up to date")

    def test_some_of_each(self) -> None:
        some = {"functions": {"segue_qp_open", "segue_errmsg", "segue_mr_local_buf", "segue_wqe_print"},
                "headers": {"put", "segments", "enums"},
                "locals": {"memset", "uint32_t", "w", "to", "written", "left"},
                "macros": {"SEGUEI_LIKELY", "SEGUE_CHECKED", "UINT32_MAX"},
                "tags": {"segue_qp", "segue_machine", "segue_block"}}
        for kind, names in some.items():
            self.assertEqual(names - found()[kind], set(), kind)


if __name__ == "__main__":
    unittest.main()
