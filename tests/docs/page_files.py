# SPDX-License-Identifier: BSD-2-Clause
"""A page of docs/ followed letter for letter in an empty folder: a file is a line with its name in backquotes and a block below it.

    page_files.py PAGE      lays out the page's files here, its commands as commands.sh, and what the last one prints as printed
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(".").resolve()
FILE = re.compile(r"^`([\w./-]+)`:\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^It prints:\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def lay_out(page: str, folder: Path) -> None:
    """Writes the files of a page."""
    for name, text in FILE.findall(page):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


class Followed(unittest.TestCase):
    """The last command runs a program, whose output the page shows; those before it print nothing."""

    maxDiff = None
    PAGE = ""
    COMMANDS = 0

    @classmethod
    def setUpClass(cls) -> None:
        cls.text = (ROOT / "docs" / cls.PAGE).read_text(encoding="utf-8")
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = Path(cls.folder.name)
        lay_out(cls.text, cls.here)
        commands = COMMANDS.findall(cls.text)
        assert len(commands) == cls.COMMANDS, "the commands of the page"
        cls.ran = [cls.shell(command) for command in commands]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    @classmethod
    def shell(cls, script: str) -> subprocess.CompletedProcess:
        return subprocess.run(["sh", "-euc", script], cwd=cls.folder.name, env={**os.environ, "SEGUE": str(ROOT)},
                              capture_output=True, text=True, check=False)

    def test_commands(self) -> None:
        for result in self.ran:
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for result in self.ran[:-1]:
            self.assertEqual(result.stdout + result.stderr, "", "all is well")

    def test_output(self) -> None:
        self.assertEqual(self.ran[-1].stdout, PRINTED.search(self.text).group(1))


if __name__ == "__main__":
    shown = Path(sys.argv[1]).read_text(encoding="utf-8")
    lay_out(shown, Path("."))
    Path("commands.sh").write_text("".join(COMMANDS.findall(shown)), encoding="utf-8")
    Path("printed").write_text(PRINTED.search(shown).group(1), encoding="utf-8")
