# SPDX-License-Identifier: BSD-2-Clause
"""docs/tutorial.md and docs/adopting.md: their programs print what is said, in both link layers.

The files of the tutorial are the demo's.
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.tutorial import tutorial

TEXT = Path("docs/tutorial.md").read_text(encoding="utf-8")
ADOPTING = Path("docs/adopting.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"0x[0-9a-f]+|-?\d+(\.\d+)?")
LINK = {"ib": "InfiniBand", "roce": "RoCE"}


def shape(line: str) -> str:
    """A line with its numbers and the widths of its columns left out."""
    return " ".join(NUMBER.sub("N", line).split())


class Tutorial(unittest.TestCase):
    def test_files_are_the_demo(self) -> None:
        folder = Path("tools/demo/pingpong")
        written = tutorial.steps(TEXT)[tutorial.WHOLE]
        self.assertEqual(sorted(written), sorted(p.name for p in folder.iterdir()))
        for name, content in written.items():
            self.assertEqual(
                content,
                (folder / name).read_text(encoding="utf-8"),
                f"{name}: docs/tutorial.md differs from the demo; run "
                "python3 tests/tutorial/tutorial.py update docs/tutorial.md tools/demo/pingpong/*",
            )

    def run_on(self, link: str, command: str) -> list[str]:
        program, *arguments = command.split()
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["tools/softhca/softhca", "--link", link, f"tests/tutorial/{program}", *arguments],
                env=os.environ | {"SOFTHCA_DIR": folder},
                capture_output=True,
                text=True,
                timeout=200,
            )
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout.rstrip("\n").split("\n")

    def test_steps_print_what_is_said(self) -> None:
        said = tutorial.prints(TEXT)
        self.assertEqual([c.split()[0] for c in said], list(tutorial.steps(TEXT)))
        self.check(said)

    def test_adopting_prints_what_is_said(self) -> None:
        said = tutorial.prints(ADOPTING)
        self.assertEqual([f"{p}.c" for p in said], list(tutorial.steps(ADOPTING)[tutorial.WHOLE]))
        self.check(said)

    def check(self, said: dict[str, str]) -> None:
        for link, name in LINK.items():
            for command, text in said.items():
                got = self.run_on(link, command)
                expected = text.replace("InfiniBand", name).rstrip("\n").split("\n")
                self.assertEqual(len(got), len(expected), f"{command}: {got}")
                for a, b in zip(got, expected):
                    if b.strip() != "…":
                        self.assertEqual(shape(a), shape(b), command)

    def test_update_finds_its_blocks(self) -> None:
        files = tutorial.steps(TEXT)[tutorial.WHOLE]
        self.assertEqual(tutorial.update(TEXT, files), TEXT)
        changed = files | {"play.c": files["play.c"].replace("BATCH", "BUNCH")}
        self.assertEqual(tutorial.steps(tutorial.update(TEXT, changed))[tutorial.WHOLE], changed)


if __name__ == "__main__":
    unittest.main()
