# SPDX-License-Identifier: BSD-2-Clause
"""docs/adding-a-request.md, followed letter for letter in an empty folder: its files, its commands, what the program prints, and what is
said of each mistake."""

from __future__ import annotations

import re
import unittest

from codegen.main import SPEC
from tests.codegen.cases import call, remember_files
from tests.docs import page_files

WRONG_STEP = re.compile(r"^```\ninclude/segue/detail/step\.h:NNN:NN: error: (.*)\n```$", re.MULTILINE)
MISTAKE = re.compile(r"^\| `([\w./-]+)` \| (?:`(.*?)`|nothing) \| `(.*?)` \| `(.*)` \|$", re.MULTILINE)


class Followed(page_files.Followed):
    PAGE = "adding-a-request.md"
    COMMANDS = 2

    def test_files(self) -> None:
        for name in ("gen/reference/requests/append.md", "segue.schema.json"):
            self.assertTrue((self.here / name).is_file(), name)

    def test_mistakes_are_answered_at_their_line_and_once(self) -> None:
        mistakes = MISTAKE.findall(self.text)
        self.assertGreaterEqual(len(mistakes), 11)
        remember_files(str(SPEC))
        for name, wrong, right, said in mistakes:
            with self.subTest(name, wrong=wrong):
                good = (self.here / name).read_text(encoding="utf-8")
                self.assertEqual(good.count(right), 1, right)
                # A line of which nothing is left goes as a whole.
                bad = good.replace(right, wrong) if wrong else "".join(f"{line}\n" for line in good.splitlines() if line.strip() != right)
                (self.here / name).write_text(bad, encoding="utf-8")
                result = call("check", "spec", BUILD_WORKING_DIRECTORY=str(self.here))
                (self.here / name).write_text(good, encoding="utf-8")
                self.assertEqual(result.returncode, 1)
                self.assertEqual(re.sub(r"\(/\S*/spec/", "(", result.stderr.rstrip("\n")), said)

    def test_a_wrong_step_is_one_error(self) -> None:
        said = WRONG_STEP.search(self.text).group(1)
        good = (self.here / "main.c").read_text(encoding="utf-8")
        chain = "segue_note(segue_record(segue_append(&rc, 1, SEGUE_SIGNALED), SEGUE_RECORD_KIND_CREDIT, 1, 0x5a5, 42), "
        self.assertIn(chain, good)
        (self.here / "main.c").write_text(good.replace(chain, "segue_note(segue_append(&rc, 1, SEGUE_SIGNALED), "), encoding="utf-8")
        command = page_files.COMMANDS.findall(self.text)[1].replace("-O2", "-fsyntax-only -O0").split("main.c")[0]  # the other files are as they were
        result = self.shell(f"export LC_ALL=C\n{command}main.c")
        (self.here / "main.c").write_text(good, encoding="utf-8")
        self.assertEqual(re.findall(r"error: (.*)", result.stderr), [said])

    def test_nothing_of_the_maker_s_folders(self) -> None:
        for page in (self.here / "gen").rglob("*"):
            if page.is_file():
                text = page.read_text(encoding="utf-8")
                self.assertFalse(str(page_files.ROOT) in text or "update_docs" in text, page)

    def test_checked_builds_point_at_the_caller(self) -> None:
        command = page_files.COMMANDS.findall(self.text)[1].replace("-O2", "-O0 -DSEGUE_CHECKED=1")
        result = self.shell(command)
        line = next(number for number, text in enumerate((self.here / "main.c").read_text().splitlines(), 1) if "args.kind = 9" in text)
        self.assertRegex(result.stderr, rf"main\.c:{line + 1}: 'kind' of segment 'record' is 9 \(0x9\), expected DEBIT \(1\), CREDIT \(2\) or AUDIT \(8\)")



if __name__ == "__main__":
    unittest.main()
