# SPDX-License-Identifier: BSD-2-Clause
"""What a user's file adds renames nothing and changes no byte of what the base set becomes: it only adds lines. Two runs harm nothing either."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from codegen import emit
from codegen.check import checked_model
from tests.codegen.cases import ROOT, base_files, write_specs

# A request of the base set that has a step which no other queue has.
ALONE = {
    "alone": """\
kind: work_request
name: alone
doc: Writes one or two pieces.
source: "document:a manual"
queue: send
opcode: TABLE
opmod: 2
transports: [rc]
layout:
  - {segment: raddr}
  - {optional: [{segment: inline_data}]}
  - {repeat: [{segment: data}], min: 1, max: 2}
""",
}

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


def headers(files: list[str], own: list[str]) -> dict[str, list[str]]:
    model = checked_model(files + own)
    model.own = set(own)
    rendered = emit.render(model)
    return {path: text.split("\n") for path, text in rendered.items() if path.endswith(".h")}


class Stable(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_a_users_file_only_adds(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            base = base_files() + write_specs(folder, ALONE)
            before, after = headers(base, []), headers(base, write_specs(folder, ADDED))
        self.assertIn("struct segue_rc_aaa_wants_raddr {", after["segue/gen/rc.h"])
        for path, lines in before.items():
            rest = iter(after[path])
            for line in lines:
                if line.startswith(" * "):  # the banner names the files
                    continue
                self.assertTrue(line in rest, f"{path}: changed or gone: {line}")
        for name, path in (("seguei_step_across_raddr", "segue/gen/rc.h"), ("seguei_own_step_across_raddr", "segue/gen/dc.h")):
            self.assertTrue(any(line.startswith(f"SEGUEI_BUILD struct seguei_build {name}(") for line in after[path]), name)

    def test_two_runs_write_one_folder(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            child, done = os.fork(), False
            try:
                for turn in range(1000):
                    emit.write({"one.h": f"{child != 0} {turn}"}, Path(folder))
                done = True
            finally:
                if child == 0:
                    os._exit(not done)
            self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
