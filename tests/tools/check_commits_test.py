# SPDX-License-Identifier: BSD-2-Clause
"""The script that checks messages of commits, on a repository of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = "tools/check_commits.py"
GOOD = "tools: Check messages of commits\n\nNothing held their form. A script does.\n"
WRONG = {
    "the subject is not of the form": "Check messages of commits\n\nA body.\n",
    "'chores' is not an area": "chores: Check messages\n\nA body.\n",
    "'check' is not a verb with a capital letter": "tools: check messages\n\nA body.\n",
    "'Checks' is not an imperative": "tools: Checks messages\n\nA body.\n",
    "'Checked' is not an imperative": "tools: Checked messages\n\nA body.\n",
    "'Checking' is not an imperative": "tools: Checking messages\n\nA body.\n",
    "'The' is not an imperative": "tools: The messages are checked\n\nA body.\n",
    "no object after 'Check'": "tools: Check\n\nA body.\n",
    "ends with a full stop": "tools: Check messages.\n\nA body.\n",
    "the subject has 73 columns": "tools: Check " + "m" * 60 + "\n\nA body.\n",
    "an empty line is missing": "tools: Check messages of commits\nA body.\n",
    "the body is missing": "tools: Check messages of commits\n\nSigned-off-by: A <a@example.org>\nChange-Id: I1234\n",
}
FINE = (
    "tools: Check " + "m" * 59 + "\n\nA body.\n",  # 72 columns
    "tools: Check messages\n\nProblem: Nothing held them.\nChange: A script does.\n",
    "tests, tools: Process messages\n\nA body.\n",
    "runtime: Bring `struct segue_sq` down to a cache line\n\nA body.\n\nFixes: 1234\n",
)


class Commits(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        names = {f"GIT_{role}_{part}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        self.environment = os.environ | names | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        self.folder = folder.name
        self.git("init", "--quiet")
        self.commit("A beginning that is not checked")
        self.git("tag", "base")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.folder, env=self.environment, check=True)

    def commit(self, message: str) -> None:
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", f"--message={message}")

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, os.path.abspath(SCRIPT), *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)

    def test_good(self) -> None:
        for message in (GOOD, *FINE):
            self.commit(message)
        result = self.check("base..HEAD")
        self.assertEqual((0, "5 commits, all in order\n", ""), (result.returncode, result.stdout, result.stderr))

    def test_wrong(self) -> None:
        for message in (GOOD, *WRONG.values()):
            self.commit(message)
        result = self.check("base..HEAD")
        lines = result.stdout.splitlines()
        self.assertEqual(1, result.returncode)
        self.assertEqual(f"{len(WRONG) + 1} commits, {len(WRONG)} of them to reword", lines.pop())
        self.assertEqual(len(WRONG), len(lines))  # one fault each, in the order of the commits
        for expected, line in zip(WRONG, lines):
            self.assertIn(expected, line)

    def test_merges_are_passed_over(self) -> None:
        self.git("checkout", "--quiet", "-b", "side")
        self.commit(GOOD)
        self.git("checkout", "--quiet", "-b", "trunk", "base")
        self.commit(FINE[1])
        self.git("merge", "--quiet", "--no-ff", "--message=Merge side", "side")
        result = self.check("base..HEAD")
        self.assertEqual((0, "2 commits, all in order\n"), (result.returncode, result.stdout))

    def test_what_is_no_range(self) -> None:
        self.assertEqual(2, self.check().returncode)
        self.assertIn("usage: ", self.check("HEAD").stderr)
        result = self.check("nowhere..HEAD")
        self.assertEqual(2, result.returncode)
        self.assertRegex(result.stderr, r"git cannot list nowhere\.\.HEAD: .+")


if __name__ == "__main__":
    unittest.main()
