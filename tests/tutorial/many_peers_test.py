# SPDX-License-Identifier: BSD-2-Clause
"""docs/many-peers.md, followed: its programs are built, its commands typed, and they print what is said, in both link layers."""

import os
import re
import socket
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.tutorial import tutorial

TEXT = Path("docs/many-peers.md").read_text(encoding="utf-8")
SCRIPT = re.compile(r"^`ranks\.sh`:\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^`(\./ranks\.sh [^`]+)` prints, in some order:\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class ManyPeers(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        here = Path(self.folder.name)
        script = here / "ranks.sh"
        script.write_text(SCRIPT.findall(TEXT)[0], encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        for program in ("alltoall", "greet", "meet", "outlive"):
            (here / program).symlink_to(Path(f"tests/tutorial/many_{program}").resolve())

    def run_on(self, link: str, command: str, port: int) -> list[str]:
        done = subprocess.run(
            [str(Path("tools/softhca/softhca").resolve()), "--link", link, "sh", "-c", command],
            cwd=self.folder.name,
            env=os.environ | {"SOFTHCA_DIR": f"{self.folder.name}/softhca", "PORT": str(port), "HOME": self.folder.name},
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual("", done.stderr.replace("Killed", "").strip(), command)
        return sorted(done.stdout.rstrip("\n").split("\n"))

    def test_commands_print_what_is_said(self) -> None:
        found = COMMANDS.findall(TEXT)
        self.assertEqual(["alltoall", "alltoall", "greet", "meet", "outlive"], [c.split()[2][2:] for c, _ in found])
        for link in ("ib", "roce"):
            for command, said in found:
                port = free_port()
                got = self.run_on(link, command, port)
                self.assertEqual(sorted(said.replace(":7471", f":{port}").rstrip("\n").split("\n")), got, f"{link}: {command}")

    def test_every_program_is_built(self) -> None:
        files = tutorial.steps(TEXT)[tutorial.WHOLE]
        self.assertEqual(["alltoall.c", "greet.c", "meet.c", "outlive.c"], sorted(files))

    def test_the_all_to_all_is_the_demo_in_forty_lines(self) -> None:
        demo = Path("tools/demo/alltoall.c").read_text(encoding="utf-8")
        self.assertEqual(demo, tutorial.steps(TEXT)[tutorial.WHOLE]["alltoall.c"])
        self.assertLessEqual(len(demo.splitlines()), 40)


if __name__ == "__main__":
    unittest.main()
