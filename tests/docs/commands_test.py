# SPDX-License-Identifier: BSD-2-Clause
"""Each fenced block of commands that no other test types is typed here, as it stands, and must succeed.

Where: in network and mount namespaces of its own, with an empty /usr/local; in a folder that looks like a checkout, with the
programs that pages call theirs. What a block prints is compared with the block behind it that shows an output.

Stand-ins: `bazel` finds what is built already (all_commands.sh has the real one, in a copy of the tree: BY_HAND); "./my_test" and its like are the tutorial's
fifth step, "app.c" is tools/demo/wqe.c, and a "second host" is a second process, which on softhca is a host of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from tests.docs import pages

RUNFILES = Path(".").resolve()
CHECKOUT = Path("README.md").resolve().parent
BY_HAND = os.environ.get("BY_HAND", "")
ELSEWHERE = ("docs/adding-a-nic.md", "docs/adding-a-request.md", "docs/adding-a-segment.md")  # typed by tests of their own
BELOW = {"docs/many-peers.md": [str(RUNFILES / "tools/softhca/softhca")]}  # as its reader without a card does
OUTPUTS = ("README.md", "docs/gpu.md")  # which show what their commands print
OTHERS = {"docs/many-peers.md": "`ranks.sh`:"}  # a file, not commands

BAZEL = """\
#!/bin/bash
# Stands for Bazel: what is to be run or built is there.
verb=$1
while shift; do
	case $1 in
	--) shift; break ;;
	-c) shift ;;
	-*) ;;
	*//*) labels+=("$1") ;;
	"") break ;;
	esac
done
for label in "${labels[@]}"; do
	label=${label#*//}
	program=$RUNFILES/${label/:/\\/}
	[[ $label == *:* ]] || program=$program/${label##*/}
	[ -x "$program" ] || { echo "bazel (a stand-in): //$label is not among the test's data" >&2; exit 1; }
done
[ "$verb" != run ] || BUILD_WORKING_DIRECTORY=$PWD exec "$program" "$@"
"""
TESTPMD = """\
#!/bin/bash
# Stands for an installed dpdk-testpmd, which finds its drivers by itself.
. "$RUNFILES/tests/tools/unpacked_packages.sh"
use_unpacked
exec "$UNPACKED/usr/bin/dpdk-testpmd" -d "$(unpacked_drivers)" "$@"
"""
MY_SPEC = """\
# SPDX-License-Identifier: BSD-2-Clause
kind: segment
name: my_segment
doc: Mine.
source: "own:an example"
size: 16
fields:
  - {name: mine, at: {dword: 0, bits: "31:0"}, doc: Mine.}
reserved:
  - {at: {dword: 1, bits: "31:0"}}
  - {at: {dword: 2, bits: "63:0"}}
"""


def typed_here(block: pages.Block) -> bool:
    if block.language not in pages.SHELL or block.page in ELSEWHERE:
        return False
    return OTHERS.get(block.page, "no caption") != block.caption


def is_plan(block: pages.Block) -> bool:
    """The language of fault plans, by example."""
    return block.page == "docs/softhca/faults.md" and block.text.startswith("seed ")


def outputs(page: str) -> dict[int, pages.Block]:
    """Line of a block of commands → the block that shows its output: the next one, with no language and no name."""
    found: dict[int, pages.Block] = {}
    last = None
    for block in pages.read(page):
        if typed_here(block) and "not run" not in block.notes:
            last = block
        elif last and block.language in ("", "text") and "`" not in block.caption and page in OUTPUTS:
            found[last.line] = block
            last = None
    return found


def enter_namespaces() -> None:
    """Once more, as root of namespaces of its own: no network but lo, an own /usr/local, the checkout read-only."""
    if os.environ.get("IN_NAMESPACES") == "1":
        return
    if subprocess.run(["unshare", "-rmn", "true"], capture_output=True, check=False).returncode:
        print("SKIPPED: no namespaces can be made here")
        sys.exit(0)
    script = ('ip link set lo up && mount -t tmpfs none /usr/local && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && '
              'shift && exec "$@"')
    os.environ["IN_NAMESPACES"] = "1"
    os.execvp("unshare", ["unshare", "-rmn", "sh", "-c", script, "sh", str(CHECKOUT), sys.executable, *sys.argv])


class Commands(unittest.TestCase):
    maxDiff = None
    spent: list[tuple[float, str]] = []

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="segue-docs-", dir="/tmp")  # mpirun's sockets want a short name
        cls.addClassCleanup(folder.cleanup)
        cls.scratch = Path(folder.name)
        cls.tree = Path(BY_HAND or cls.scratch / "segue")
        (cls.scratch / "bin").mkdir()
        cls.fill(cls.tree)
        if not shutil.which("dpdk-testpmd"):
            cls.executable(cls.scratch / "bin" / "dpdk-testpmd", TESTPMD)
        if BY_HAND:
            return
        cls.executable(cls.scratch / "bin" / "bazel", BAZEL)
        for entry in CHECKOUT.iterdir():
            if not entry.name.startswith(("bazel-", ".git")):
                (cls.tree / entry.name).symlink_to(entry)
        built = cls.tree / "bazel-bin"
        (built / "tools").mkdir(parents=True)
        for folder in ("demo", "softhca"):
            (built / "tools" / folder).symlink_to(RUNFILES / "tools" / folder)
        (built / "tests").mkdir()
        (built / "tests/examples").symlink_to(RUNFILES / "tests/examples")

    @classmethod
    def tearDownClass(cls) -> None:
        if BY_HAND:
            subprocess.run(["bazel", "shutdown"], cwd=cls.tree, check=True)

    @classmethod
    def fill(cls, tree: Path) -> None:
        """What is "yours" in the pages."""
        tree.mkdir(exist_ok=True)
        for name in ("my_test", "my_rdma_test", "my_roce_test"):
            (tree / name).symlink_to(RUNFILES / "tests/tutorial/step5")
        cls.executable(tree / "my_mpi_test", f'#!/bin/sh\nexec "{RUNFILES}/tools/demo/shuffle" --rounds 1\n')
        shutil.copy(RUNFILES / "tools/demo/wqe.c", tree / "app.c")
        for name in ("alltoall", "scatter"):
            (tree / name).symlink_to(RUNFILES / "tests/tutorial/many_alltoall")
        (tree / "plan.txt").write_text("seed 42\ndrop 1%\n", encoding="utf-8")
        (tree / "my/spec").mkdir(parents=True)
        (tree / "my/spec/my_segment.yaml").write_text(MY_SPEC, encoding="utf-8")

    @staticmethod
    def executable(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def type(self, block: pages.Block) -> str:
        """What it prints. A shell reads it as from a terminal, so that a shell within takes what follows."""
        tables = self.tree / "bazel-bin/accel_tables.so"
        if tables.parent.exists() and not tables.exists():
            shutil.copy(RUNFILES / "tests/softhca/tables/accel_tables.so", tables)
        begin = time.time()
        done = subprocess.run(
            [*BELOW.get(block.page, []), "bash", "-e"],
            input=block.text.encode(),
            cwd=self.tree,
            env={
                **os.environ,
                "PATH": f"{self.scratch}/bin:/usr/local/bin:{os.environ['PATH']}",
                "RUNFILES": str(RUNFILES),
                "HOME": os.environ.get("HOME", "/") if BY_HAND else str(self.scratch),
                "TMPDIR": str(self.scratch),
                "SOFTHCA_DIR": f"{self.scratch}/softhca",
                "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1",
            },
            capture_output=True,
            timeout=1800 if BY_HAND else 200,
        )
        self.spent.append((time.time() - begin, str(block)))
        output = done.stdout.decode("utf-8", "replace")
        self.assertEqual(0, done.returncode, f"{block}:\n{block.text}{output}{done.stderr.decode('utf-8', 'replace')}")
        return output

    def test_plan(self) -> None:
        """softhca takes each line of the plan that the page shows, and no other."""
        plan, = filter(is_plan, pages.read("docs/softhca/faults.md"))
        wrong = plan.text.replace("contrary wait-word", "contrary weight-word")
        self.assertNotEqual(plan.text, wrong)
        for text, status, said in ((plan.text, 0, ""), (wrong, 2, "line 14")):
            (self.tree / "shown.txt").write_text(text, encoding="utf-8")
            done = subprocess.run([RUNFILES / "tools/softhca/softhca", "--faults", self.tree / "shown.txt", "true"],
                                  env={**os.environ, "SOFTHCA_DIR": f"{self.scratch}/softhca"}, capture_output=True, text=True, check=False)
            self.assertEqual(status, done.returncode, done.stderr)
            self.assertIn(said, done.stderr)

    def test_all(self) -> None:
        counted = {"run": 0, "by hand": 0, "not run": 0}
        # The first page of softhca installs what other pages use.
        names = sorted(pages.all_pages(), key=lambda name: (name != "README.md", name != "docs/softhca.md"))
        for page in names:
            shown = outputs(page)
            blocks = [block for block in pages.read(page) if typed_here(block)]
            if page == "docs/softhca.md":
                blocks.sort(key=lambda block: "softhca:install" not in block.text)
            for block in blocks:
                kind = next((kind for kind in ("not run", "by hand") if kind in block.notes), "run")
                counted[kind] += len(pages.commands(block.text))
                if kind == "not run" or (kind == "by hand" and not BY_HAND):
                    print(f"{block}: {kind}: {block.notes[kind]}")
                    continue
                with self.subTest(str(block)):
                    output = self.type(block)
                    if block.line in shown:
                        self.assertEqual("", pages.Shown(shown[block.line]).difference(output))
        for seconds, name in sorted(self.spent, reverse=True)[:5]:
            print(f"{seconds:6.1f} s {name}")
        print(f"{sum(counted.values())} lines of commands:", ", ".join(f"{n} {kind}" for kind, n in counted.items()))
        self.assertLessEqual(10 * counted["not run"], sum(counted.values()), "at most 10 of 100 are not run")


if __name__ == "__main__":
    enter_namespaces()
    unittest.main()
