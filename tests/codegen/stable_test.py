# SPDX-License-Identifier: BSD-2-Clause
"""What a user's file adds renames nothing and changes no byte of what the base set becomes: it only adds lines."""

from __future__ import annotations

import os
import tempfile
import unittest

from codegen import emit
from codegen.check import checked_model
from tests.codegen.cases import ROOT, base_files, write_specs

# Requests that come first in every order, use what others use, and announce a list of their own.
ADDED = {
    "aaa_opcode": """\
kind: enum
name: aaa_opcode
extends: opcode
doc: More.
source: "document:a manual"
values:
  - {name: AAA, value: 0x3f, doc: More.}
""",
    "aaa_ctrl": """\
kind: segment
name: aaa_ctrl
doc: Announces a list.
source: "document:a manual"
size: 16
fields:
  - {name: length, at: {dword: 0, bits: "7:0"}, doc: Length of the list.}
reserved:
  - {at: {dword: 0, bits: "31:8"}}
  - {at: {dword: 1, bits: "63:0"}}
  - {at: {dword: 3, bits: "31:0"}}
""",
    "aaa": """\
kind: work_request
name: aaa
doc: Looks like a write from the second segment on.
source: "document:a manual"
queue: send
opcode: AAA
transports: [rc, dc]
flags: [SIGNALED]
layout:
  - address
  - {segment: aaa_ctrl}
  - {list: entry, count: aaa_ctrl.length, max: 8}
  - {segment: raddr}
  - {fragment: payload}
""",
    "aaa_send": """\
kind: work_request
name: aaa_send
doc: The layout of a send with another opmod.
source: "document:a manual"
queue: send
opcode: AAA
opmod: 1
transports: [rc]
layout:
  - {fragment: payload}
""",
}


def headers(files: list[str]) -> dict[str, list[str]]:
    rendered = emit.render(checked_model(files))
    return {path: text.split("\n") for path, text in rendered.items() if path.endswith(".h")}


class Stable(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_a_users_file_only_adds(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            own = write_specs(folder, ADDED)
            before, after = headers(base_files()), headers(base_files() + own)
        self.assertIn("struct segue_rc_aaa_wants_raddr {", after["segue/gen/rc.h"])
        for path, lines in before.items():
            rest = iter(after[path])
            for line in lines:
                if line.startswith(" * "):  # the banner names the files
                    continue
                self.assertTrue(line in rest, f"{path}: changed or gone: {line}")


if __name__ == "__main__":
    unittest.main()
