# SPDX-License-Identifier: BSD-2-Clause
"""A request with a million ways through its layout is generated as soon as one with a few."""

from __future__ import annotations

import os
import tempfile
import unittest

from codegen import emit
from codegen.check import checked_model
from tests.codegen.cases import ROOT, base_files, write_specs

OPTIONS = 20

OPCODE = """\
kind: enum
name: ways_opcode
extends: opcode
doc: More.
source: "document:a manual"
values:
  - {name: WAYS, value: 0x3f, doc: More.}
"""
SEGMENT = """\
kind: segment
name: NAME
doc: One that may be there.
source: "document:a manual"
size: 16
fields:
  - {name: kind, at: {dword: 0, bits: "31:24"}, const: NUMBER, doc: Tells it from the others.}
  - {name: value, at: {dword: 1, bits: "31:0"}, doc: Any.}
reserved:
  - {at: {dword: 0, bits: "23:0"}}
  - {at: {dword: 2, bits: "63:0"}}
"""
REQUEST = """\
kind: work_request
name: ways
doc: Each segment may be there.
source: "document:a manual"
queue: send
opcode: WAYS
transports: [rc]
flags: [SIGNALED]
layout:
"""


def specs(options: int) -> dict[str, str]:
    names = [f"option_{number}" for number in range(options)]
    texts = {name: SEGMENT.replace("NAME", name).replace("NUMBER", str(number)) for number, name in enumerate(names)}
    texts["ways_opcode"] = OPCODE
    texts["ways"] = REQUEST + "".join(f"  - {{optional: [{{segment: {name}}}]}}\n" for name in names)
    return texts


class Ways(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def rendered(self, options: int) -> dict[str, str]:
        with tempfile.TemporaryDirectory() as folder:
            return emit.render(checked_model(base_files() + write_specs(folder, specs(options))))

    def test_few_have_patterns(self) -> None:
        self.assertIn("option_1_value", self.rendered(2)["segue/gen/patterns.h"])

    def test_a_million_are_left_out(self) -> None:
        rendered = self.rendered(OPTIONS)
        self.assertNotIn("option_1_value", rendered["segue/gen/patterns.h"])
        self.assertIn("segue_option_19(", rendered["segue/gen/rc.h"] + rendered["segue/gen/builders.h"])


if __name__ == "__main__":
    unittest.main()
