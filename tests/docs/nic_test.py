# SPDX-License-Identifier: BSD-2-Clause
"""docs/adding-a-nic.md, followed letter for letter in an empty folder: its files, its commands, and what the program prints."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

from tests.docs import page_files

ROOT = page_files.ROOT
RULE = re.compile(r"^With Bazel[^\n]* the same library is\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Followed(page_files.Followed):
    PAGE = "adding-a-nic.md"
    COMMANDS = 2

    def test_rule(self) -> None:
        """It takes the files of the page, and Segue's that the page copies."""
        taken = {}
        glob = {"glob": lambda patterns: [str(p.relative_to(self.here)) for pattern in patterns for p in self.here.glob(pattern)]}
        exec(RULE.search(self.text).group(1), glob | {"segue_spec_library": lambda **arguments: taken.update(arguments)})
        self.assertLessEqual({name for name, _ in page_files.FILE.findall(self.text) if name.endswith(".yaml")}, set(taken["specs"]))
        self.assertFalse(taken["runtime"])

    def test_reference(self) -> None:
        self.assertTrue(Path(self.folder.name, "gen/reference/requests/letter.md").is_file())

    def compiled(self, expression: str) -> str:
        """What gcc says of a program with this expression; nothing if it compiles."""
        program = ('#include "segue/gen/builders.h"\nint f(struct segue_post_sq *sq);\nint f(struct segue_post_sq *sq)\n{\n\treturn '
                   f"{expression};\n}}\n")
        command = ["gcc", "-std=c11", "-fsyntax-only", "-Igen/include", f"-I{ROOT}/include", "-xc", "-"]
        return subprocess.run(command, cwd=self.folder.name, input=program, capture_output=True, text=True, check=False).stderr

    def test_what_does_not_compile(self) -> None:
        piece = "segue_sge({}, 1, 2, 3)"
        letter = "segue_letter(sq, 0, 1, 0, 2)"
        three = piece.format(piece.format(piece.format(letter)))
        self.assertEqual(self.compiled(f"segue_commit({three})"), "")
        self.assertIn("error", self.compiled(f"segue_commit({letter})"))
        self.assertIn("error", self.compiled(f"segue_commit({piece.format(three)})"))

    def test_the_device_that_is_missing_is_what_is_told(self) -> None:
        file = Path(self.folder.name, "nic", "courier.yaml")
        good = file.read_text(encoding="utf-8")
        self.addCleanup(file.write_text, good, encoding="utf-8")
        file.unlink()
        result = self.shell('"$SEGUE"/codegen/segue-generate check nic/*.yaml')
        self.assertEqual(result.returncode, 1)
        line, = result.stderr.splitlines()
        self.assertIn("nic/head.yaml:7: error: segment 'head' is a control segment, and none of the files is a device", line)

    def test_reference_has_the_order_of_bytes(self) -> None:
        self.assertIn("little-endian dwords", Path(self.folder.name, "gen/reference/README.md").read_text(encoding="utf-8"))

    def test_mistake_is_answered_at_its_line(self) -> None:
        """As chapter 6 says: ticket onto a bit of lap."""
        file = Path(self.folder.name, "nic", "head.yaml")
        good = file.read_text(encoding="utf-8")
        self.addCleanup(file.write_text, good, encoding="utf-8")
        bad = good.replace('ticket, at: {dword: 1, bits: "31:0"}', 'ticket, at: {dword: 0, bits: "31:31"}')
        self.assertNotEqual(bad, good)
        file.write_text(bad, encoding="utf-8")
        line = next(number for number, text in enumerate(bad.splitlines(), 1) if "name: ticket" in text)
        result = self.shell('"$SEGUE"/codegen/segue-generate check nic/*.yaml')
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"nic/head.yaml:{line}: error: field 'ticket' uses bits 31:31 of dword 0, already used by field 'lap'", result.stderr)



if __name__ == "__main__":
    unittest.main()
