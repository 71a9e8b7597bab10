# SPDX-License-Identifier: BSD-2-Clause
"""The Markdown of the site: every page, and each link leads to a page, heading or picture of it."""

import sys
import tempfile
import unittest
from pathlib import Path

from tools.site import links
from tools.site.stage import Stage, portable

README, MAN = (Path(arg) for arg in sys.argv[1:3])


class Site(unittest.TestCase):
    def test_links(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stage = Stage.of_all(README.resolve().parent, MAN, Path(folder))
            count, dead = links.dead(stage.pages, Path(folder))
        print(f"{len(stage.pages)} pages, {count} links", file=sys.stderr)
        self.assertEqual([], dead)
        self.assertGreater(len(stage.pages), 500)

    def test_dead_links_are_found(self) -> None:
        pages = {"a.md": "# One\n[x](b.md) [y](b.md#no) [z](c.md) [w](b.md#two-words)", "b.md": "## Two words\n"}
        count, dead = links.dead(pages, Path("/nowhere"))
        self.assertEqual(4, count)
        self.assertEqual(["a.md: b.md has no heading for #no", "a.md: there is no c.md"], sorted(dead))

    def test_lists(self) -> None:
        self.assertEqual("# T\ntext\n\n- one\n    - two", portable("<!-- c -->\n# T\ntext\n- one\n  - two"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
