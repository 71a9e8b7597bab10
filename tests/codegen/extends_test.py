# SPDX-License-Identifier: BSD-2-Clause
"""An enum that is extended from another file is the same as one written in one piece."""

from __future__ import annotations

import os
import tempfile
import unittest

from codegen.c.cnames import enumerator
from codegen.check import checked_model
from codegen.model.model import Enumeration
from tests.codegen.cases import ROOT, base_files

HEAD = '# SPDX-License-Identifier: BSD-2-Clause\nkind: enum\nname: {name}\nextends: {extends}\ndoc: More.\nsource: "document:a manual"\n'


def extended(name: str, *files: str) -> Enumeration:
    """The enum of the base set as the files leave it. A file is its name and its values."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, values in enumerate(files):
            paths.append(os.path.join(folder, f"more_{number}.yaml"))
            with open(paths[-1], "w", encoding="utf-8") as stream:
                stream.write(HEAD.format(name=f"more_{number}", extends=name) + f"values:\n{values}")
        # In whatever order the files come.
        models = [checked_model(paths + base_files()), checked_model(base_files() + paths[::-1])]
    enums = [next(enum for enum in model.enums if enum.name == name) for model in models]
    shown = [[(m.name, m.value, enumerator(m), str(m.source)) for m in enum.members] for enum in enums]
    assert shown[0] == shown[1]
    assert not any(enum.name.startswith("more_") for model in models for enum in model.enums)
    return enums[0]


class Extends(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_members_of_two_files_follow_in_order(self) -> None:
        enum = extended("opcode", "  - {name: CRYPT, value: 0x41, doc: Encrypts.}\n",
                        "  - {name: HASH, value: 0x40, source: \"own:table 3\", doc: Hashes.}\n")
        self.assertEqual([(m.name, m.value, enumerator(m)) for m in enum.members[-3:]],
                         [("TABLE", 0x25, "SEGUE_OPCODE_TABLE"), ("CRYPT", 0x41, "SEGUE_OPCODE_CRYPT"),
                          ("HASH", 0x40, "SEGUE_OPCODE_HASH")])
        self.assertEqual([str(m.source) for m in enum.members[-3:]], ["own:made up for tests", "document:a manual", "own:table 3"])

    def test_prefix_and_images_are_the_extended_enums(self) -> None:
        enum = extended("post_flag", "  - {name: QUIET, sets: {ce: ON_ERROR}, mask: true, doc: Nothing is reported.}\n")
        plain = next(m for m in enum.members if m.name == "SIGNALED")
        self.assertEqual((enumerator(plain), enumerator(enum.members[-1])), ("SEGUE_SIGNALED", "SEGUE_QUIET"))
        self.assertNotEqual(plain.value, enum.members[-1].value)


if __name__ == "__main__":
    unittest.main()
