# SPDX-License-Identifier: BSD-2-Clause
"""docs/tutorial.md and docs/adopting.md: their programs print what is said, in both link layers.

The files of the tutorial are the demo's; the last one, which makes no new call, is linked to.
"""

import os
import re
import subprocess
import tempfile
import unittest
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from tests.docs import pages
from tests.tutorial import tutorial

TEXT = Path("docs/tutorial.md").read_text(encoding="utf-8")
ADOPTING = Path("docs/adopting.md").read_text(encoding="utf-8")
MAIN = "pingpong.c"
PRINTS = re.compile(r"`([\w. -]+)` prints:")
LINK = {"ib": "InfiniBand", "roce": "RoCE"}


def prints(page: str) -> dict[str, pages.Block]:
    """Command line → what the page shows of its output."""
    captions = ((PRINTS.fullmatch(block.caption), block) for block in pages.read(page))
    return {caption[1]: block for caption, block in captions if caption}


def matches(files: set[str], patterns: list[str]) -> set[str]:
    return {file for file in files for pattern in patterns if fnmatchcase(file, pattern)}


class Tutorial(unittest.TestCase):
    def test_files_are_the_demo(self) -> None:
        folder = Path("tools/demo/pingpong")
        written = tutorial.steps(TEXT)[tutorial.WHOLE]
        self.assertIn(f"({os.path.relpath(folder / MAIN, 'docs')})", TEXT)
        self.assertEqual(sorted([*written, MAIN]), sorted(p.name for p in folder.iterdir()))
        for name, content in written.items():
            self.assertEqual(
                content,
                (folder / name).read_text(encoding="utf-8"),
                f"{name}: docs/tutorial.md differs from the demo; run "
                "python3 tests/tutorial/tutorial.py update docs/tutorial.md tools/demo/pingpong/*",
            )

    def test_build_file(self) -> None:
        """After each step, each program has one main(), and all parts that there are."""
        rule = next(block for block in pages.read("docs/tutorial.md") if block.caption == "`BUILD`:")
        here: set[str] = set()
        for step, files in tutorial.steps(TEXT).items():
            here |= set(files) | ({MAIN} if step == tutorial.WHOLE else set())
            built: dict[str, set[str]] = {}
            names = {
                "glob": lambda patterns, exclude=(), **_: sorted(matches(here, patterns) - matches(here, exclude)),
                "cc_binary": lambda name, srcs, deps: built.update({name: set(srcs)}),
            }
            exec(rule.text, names)  # the part of Python that BUILD files are
            mains = {file for file in here if file.startswith("step") or file == "pingpong.c"}
            self.assertEqual({main[:-2] for main in mains}, set(built))
            self.assertIn(step, built)
            for name, sources in built.items():
                self.assertEqual(here - mains | {f"{name}.c"}, sources, f"{name} after {step}")

    def run_on(self, link: str, command: str) -> str:
        program, *arguments = command.split()
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["tools/softhca/softhca", "--link", link, f"tests/tutorial/{program}", *arguments],
                env=os.environ | {"SOFTHCA_DIR": folder, "SEGUE_TOKEN": "of this test"},
                capture_output=True,
                text=True,
                timeout=200,
            )
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_steps_print_what_is_said(self) -> None:
        said = prints("docs/tutorial.md")
        self.assertEqual([c.split()[0] for c in said], list(tutorial.steps(TEXT)))
        self.check(said)

    def test_adopting_prints_what_is_said(self) -> None:
        said = prints("docs/adopting.md")
        self.assertEqual([f"{p}.c" for p in said], list(tutorial.steps(ADOPTING)[tutorial.WHOLE]))
        self.check(said)

    def check(self, said: dict[str, pages.Block]) -> None:
        for link, name in LINK.items():
            for command, block in said.items():
                text = block.text.replace(LINK["ib"], name)
                shown = pages.Shown(replace(block, text=text))
                self.assertEqual("", shown.difference(self.run_on(link, command)), f"{link}: {command}")

    def test_update_finds_its_blocks(self) -> None:
        files = tutorial.steps(TEXT)[tutorial.WHOLE]
        self.assertEqual(tutorial.update(TEXT, files), TEXT)
        changed = files | {"games.c": files["games.c"].replace("BATCH", "BUNCH")}
        self.assertEqual(tutorial.steps(tutorial.update(TEXT, changed))[tutorial.WHOLE], changed)


if __name__ == "__main__":
    unittest.main()
