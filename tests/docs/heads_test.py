# SPDX-License-Identifier: BSD-2-Clause
"""Each .c of the library and of the tools begins with a comment that says what the file owns."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

CHECKOUT = Path("docs/style.md").resolve().parent.parent
FOLDERS = ("runtime", "tools")
# A comment right behind the licence's, or in the same line as that.
HEAD = re.compile(
    r"/[/*] SPDX-License-Identifier: BSD-2-Clause(?:: (?P<same>[^*\n]+)\*/\n|(?: \*/)?\n/\*(?P<text>.*?)\*/)", re.DOTALL
)


def fault(path: str, text: str) -> str | None:
    """None, or what is wrong with the beginning of a file."""
    head = HEAD.match(text)
    if not head:
        return f"{path}:2: expected a comment that says what the file owns, behind the licence"
    words = re.findall(r"[a-z]+", (head["same"] or head["text"]).lower())
    if len(set(words) - set(re.findall(r"[a-z]+", path.lower()))) < 3:
        return f"{path}:2: the comment repeats the file's name"
    return None


class Heads(unittest.TestCase):
    def test_all(self) -> None:
        files = [path for folder in FOLDERS for path in sorted((CHECKOUT / folder).rglob("*.c"))]
        self.assertGreater(len(files), 300)
        found = [fault(str(path.relative_to(CHECKOUT)), path.read_text(encoding="utf-8")) for path in files]
        self.assertEqual([], [each for each in found if each])

    def test_what_is_refused(self) -> None:
        licence = "/* SPDX-License-Identifier: BSD-2-Clause */\n"
        self.assertRegex(fault("a.c", licence + "#include <errno.h>\n/* Late words are no head. */\n") or "", "a.c:2: expected")
        self.assertRegex(fault("ring/lock.c", licence + "/* The ring's lock. */\n") or "", "repeats")
        self.assertIsNone(fault("a.c", licence + "/* Deadlines on the monotonic clock. */\n"))
        self.assertIsNone(fault("a.c", licence + "/*\n * Deadlines on the\n * monotonic clock.\n */\n"))
        self.assertIsNone(fault("a.c", licence[:-4] + ": blocks from each to each. */\nint a;\n"))


if __name__ == "__main__":
    unittest.main()
