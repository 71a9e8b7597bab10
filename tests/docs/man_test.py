# SPDX-License-Identifier: BSD-2-Clause
"""Every public function has a man page, and mandoc and groff have nothing to say about any."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from pathlib import Path

from tools.man.headers import functions

PAGES = Path(os.environ["MAN_PAGES"])


def whole_pages() -> list[Path]:
    return [p for p in sorted(PAGES.glob("man?/*.?")) if not p.read_text(encoding="utf-8").startswith(".so ")]


class Man(unittest.TestCase):
    def test_mandoc_finds_nothing(self) -> None:
        self.assertGreater(len(whole_pages()), 20)
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "style", *whole_pages()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        # Our own pages are not installed where mandoc looks for them; test_references() follows these.
        said = [line for line in lint.stdout.decode().splitlines() if not re.search(r"referenced manual not found: Xr (segue|softhca)", line)]
        self.assertEqual([], said)

    def test_groff_finds_nothing(self) -> None:
        groff = subprocess.run(["groff", "-ww", "-mdoc", "-Tutf8", *whole_pages()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        self.assertEqual((0, ""), (groff.returncode, groff.stderr.decode()))

    def test_every_function_has_one(self) -> None:
        names = {f.name for h in Path("include/segue").glob("*.h") for f in functions(h.name, h.read_text(encoding="utf-8"))}
        self.assertGreater(len(names), 150)
        self.assertEqual(set(), {n for n in names if not (PAGES / "man3" / f"{n}.3").is_file()})

    def test_references(self) -> None:
        """What a page names, is there; what a name leads to, is a page that has the name."""
        for page in sorted(PAGES.glob("man?/*.?")):
            text = page.read_text(encoding="utf-8")
            for name, section in re.findall(r"^\\.(?:It )?Xr (segue\w*|softhca) (\d)", text, re.MULTILINE):
                self.assertTrue((PAGES / f"man{section}" / f"{name}.{section}").is_file(), (page, name))
            if text.startswith(".so "):
                target = (PAGES / text.split()[1]).read_text(encoding="utf-8")
                self.assertIn(f".Nm {page.stem}", target)

    def test_nothing_of_a_comment_is_lost(self) -> None:
        page = subprocess.run(["mandoc", "-T", "ascii", PAGES / "man3" / "segue_validate.3"], stdout=subprocess.PIPE, check=True).stdout.decode()
        page = " ".join(re.sub(".\b", "", page).split())
        for words in ("of a send WQE more than it takes are ignored", "the one that fits furthest is reported", "negative errno and the offence"):
            self.assertIn(words, page)


if __name__ == "__main__":
    unittest.main()
