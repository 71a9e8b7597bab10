# SPDX-License-Identifier: BSD-2-Clause
"""`segue check` below softhca: all green as it is, and what is made wrong on purpose is found and named."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SEGUE = os.path.abspath(os.environ["SEGUE"])
SOFTHCA = os.path.abspath(os.environ["SOFTHCA"])
ASSUMED = os.environ["ASSUMED"]
SCRATCH = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))


def run(*args: str, softhca: tuple[str, ...] = (), faults: str = "") -> tuple[int, str, str]:
    command = [SOFTHCA, *softhca]
    if faults:
        plan = Path(SCRATCH) / "plan"
        plan.write_text(faults, encoding="utf-8")
        command += ["--faults", str(plan)]
    command += [SEGUE, "check", *args]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env={**os.environ, "SOFTHCA_DIR": SCRATCH}, cwd=SCRATCH, timeout=60
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def lines(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def otherwise(out: str) -> dict[str, str]:
    return {line["name"]: line["seen"] for line in lines(out) if line.get("verdict") == "otherwise"}


class Green(unittest.TestCase):
    def test_as_it_is(self) -> None:
        for link in ("ib", "roce"):
            status, out, err = run("--json", softhca=("--link", link))
            self.assertEqual(({}, 0), (otherwise(out), status), err[-2000:])
            requests = [line for line in lines(out) if line["kind"] == "request"]
            self.assertGreater(sum(line["verdict"] == "as_assumed" for line in requests), 100)
            for line in lines(out):
                if line.get("verdict") == "not_seen":
                    self.assertTrue(line["seen"], line)
                    self.assertNotIn("the kit has no recipe", line["seen"], line)
            self.assertIn("ends within 65 seconds", err)

    def test_every_request_has_a_recipe_or_a_reason(self) -> None:
        """What //tests/requests carries out, the kit does, too."""
        _, out, _ = run("--json", "--only", "requests", "--report", "-")
        seen = {line["name"].split(",")[0] for line in lines(out) if line.get("verdict") == "as_assumed"}
        for name in ("umr_interleaved_sig_crypto on rc", "masked_atomic_fa32 on dci", "send_inv on xrc_initiator", "wait_cq on ud", "rdma_write on uc"):
            self.assertIn(name, seen)


class Facts(unittest.TestCase):
    def test_all_that_is_assumed_is_in_the_list(self) -> None:
        """docs/softhca/assumed.md, sentence by sentence."""
        done = subprocess.run([SEGUE, "check", "--list", "--json"], stdout=subprocess.PIPE, check=True)
        sources = " ".join(line["source"] or "" for line in lines(done.stdout.decode()))
        page = Path(ASSUMED).read_text(encoding="utf-8")
        bullets = [line[2:] for line in page.splitlines() if line.startswith("- ")]
        self.assertGreater(len(bullets), 20)
        for bullet in bullets:
            self.assertIn(" ".join(bullet.split()[:4]), sources)

    def test_times(self) -> None:
        _, out, _ = run("--json", "--only", "times", "--report", "-")
        self.assertEqual(9, sum(line.get("verdict") == "measured" for line in lines(out)))


class Report(unittest.TestCase):
    def test_file(self) -> None:
        path = Path(SCRATCH) / "kept.txt"
        status, out, _ = run("--only", "requests", "--report", str(path))
        self.assertEqual(0, status)
        kept = path.read_text(encoding="utf-8")
        for word in ("segue: 0.", "firmware", "system: Linux", "rdma_write on rc", " as assumed, 0 otherwise"):
            self.assertIn(word, kept)
        self.assertEqual(out.count("request "), kept.count("request "))

    def test_usage(self) -> None:
        for args, word in [
            (["--port", "0"], "expected 1 to 255"),
            (["--limit", "0"], "expected 1 to 3600 seconds"),
            (["--only", "fact"], "expected requests, facts or times"),
            (["--device", "mlx5_7"], "mlx5_7"),
            (["--report", "/nowhere/file"], "No such file"),
            (["mlx5_0"], "named with --device"),
        ]:
            status, _, err = run(*args)
            self.assertEqual(2, status, args)
            self.assertIn(word, err)

    def test_ends_in_time(self) -> None:
        """A device that completes nothing: every wait has an end, and so has the whole."""
        begun = time.monotonic()
        status, out, _ = run("--json", "--only", "requests", "--limit", "2", "--report", "-", faults="drop every=1\n")
        self.assertLess(time.monotonic() - begun, 15)
        self.assertEqual(1, status)
        self.assertTrue(any("no time left" in line["seen"] for line in lines(out) if line.get("verdict") == "not_seen"))


if __name__ == "__main__":
    unittest.main()
