# SPDX-License-Identifier: BSD-2-Clause
"""runtime/needs.yaml lists what the runtime's sources name of a spec, all of it and no more."""

from __future__ import annotations

import os
import unittest

from codegen.check import checked_model
from codegen.check.needs import LISTS, read_needs
from tests.codegen.cases import ROOT
from tools.needs import needs, spec_files


class Needs(unittest.TestCase):
    maxDiff = None

    def test_list_is_what_the_sources_name(self) -> None:
        os.chdir(ROOT)
        found = needs(checked_model(spec_files()))
        for kind in LISTS:
            self.assertEqual(read_needs()[kind], found[kind], f"{kind}: bazel run //tools:needs prints what is found")


if __name__ == "__main__":
    unittest.main()
