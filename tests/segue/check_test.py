# SPDX-License-Identifier: BSD-2-Clause
"""`segue check` below softhca: all green as it is, and what is made wrong on purpose is found and named."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

SEGUE = os.path.abspath(os.environ["SEGUE"])
SOFTHCA = os.path.abspath(os.environ["SOFTHCA"])
ASSUMED = os.environ["ASSUMED"]
SCRATCH = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))


def run(*args: str, softhca: tuple[str, ...] = (), faults: str = "") -> tuple[int, str, str]:
    command = [SOFTHCA, *softhca]
    scratch = tempfile.mkdtemp(dir=SCRATCH)
    if faults:
        plan = Path(scratch) / "plan"
        plan.write_text(faults, encoding="utf-8")
        command += ["--faults", str(plan)]
    command += [SEGUE, "check", *args]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env={**os.environ, "SOFTHCA_DIR": scratch}, cwd=scratch, timeout=60
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def lines(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def otherwise(out: str) -> dict[str, str]:
    return {line["name"]: line["seen"] for line in lines(out) if line.get("verdict") == "otherwise"}


def plant(how: str, what: str, fact: str) -> tuple[int, str, str]:
    args = ("--json", "--only", fact, "--report", "-", "--limit", "20")
    if how == "--caps":
        return run(*args, softhca=(how, what))
    return run(*args, softhca=("--link", "roce" if how == "frames" else "ib"), faults=f"contrary {what}\n")


class Started:
    """Runs that are under way while tests look at others: most of them wait for what a device does not do."""

    pool = ThreadPoolExecutor(6)
    plants: list[Future] = []
    links: dict[str, Future] = {}
    late: Future

    @classmethod
    def all(cls) -> None:
        cls.plants = [cls.pool.submit(plant, *p) for p in PLANTS]
        cls.links = {link: cls.pool.submit(run, "--json", softhca=("--link", link)) for link in ("ib", "roce")}
        cls.late = cls.pool.submit(lambda: (time.monotonic(), run(*LATE, faults="drop every=1\n"), time.monotonic()))


LATE = ("--json", "--only", "requests", "--limit", "2", "--report", "-")


def setUpModule() -> None:
    Started.all()


class Green(unittest.TestCase):
    def test_as_it_is(self) -> None:
        for started in Started.links.values():
            status, out, err = started.result()
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
        seen = {
            link: {line["name"].split(",")[0] for line in lines(started.result()[1]) if line.get("verdict") == "as_assumed"}
            for link, started in Started.links.items()
        }
        for name in ("umr_interleaved_sig_crypto on rc", "masked_atomic_fa32 on dci", "send_inv on xrc_initiator", "wait_cq on ud", "rdma_write on uc"):
            self.assertIn(name, seen["ib"])
        for name in ("tm_append on rc", "tm_remove on rc", "tm_noop on rc"):
            self.assertIn(name, seen["ib"])
        for name in ("recv_mprq on mprq", "recv_rq on rq"):
            self.assertIn(name, seen["roce"])


# What is made wrong, and the fact that must be found to be otherwise. Each is another fact; those that take time come first.
PLANTS = [
    # found by waiting for what does not come
    ("contrary", "silent-failure", "silent failure"),
    ("contrary", "late-arm", "late arm"),
    ("contrary", "wait-count", "wait, count"),
    ("contrary", "wait-word", "wait, word"),
    ("contrary", "wait-cyclic", "wait, cyclic"),
    ("contrary", "wait-error", "wait, error"),
    # seen at once
    ("--caps", "cqe_version=0", "user index"),
    ("--caps", "dct_nameless=1", "DCT number"),
    ("--caps", "inline_scatter=0", "scatter"),
    ("--caps", "sqd=1", "SQD"),
    ("--caps", "mmo_asked=1", "plain copy"),
    ("contrary", "flush", "flush"),
    ("contrary", "retries", "retries"),
    ("contrary", "index", "index"),
    ("contrary", "first-error", "first error"),
    ("contrary", "dc-key", "DC key"),
    ("contrary", "moderation", "moderation"),
    ("contrary", "stamps", "time stamps"),
    ("contrary", "route", "no route"),
    ("contrary", "wait-gone", "wait, queue gone"),
    ("contrary", "wait-bigger", "wait, bigger"),
    ("contrary", "atomic-4", "4-byte atomics"),
    ("contrary", "atomic-8", "8-byte atomics"),
    ("contrary", "boundary", "field boundary"),
    ("contrary", "matrix", "large matrix"),
    ("contrary", "copy", "copy, no memory"),
    ("contrary", "psv-size", "signature values"),
    ("contrary", "crc-order", "CRC32C"),
    ("contrary", "error-offset", "signature offset"),
    ("contrary", "tag-header", "tag, unexpected"),
    ("contrary", "tag-behind", "tag, behind"),
    ("contrary", "tag-long", "tag, too long"),
    ("frames", "stride", "strides"),
    ("frames", "filler", "filler"),
    ("frames", "hash", "packet hash"),
    ("frames", "spread", "spread"),
    ("frames", "tso", "TSO headers"),
]


class Plants(unittest.TestCase):
    def test_each_is_found_and_named(self) -> None:
        self.assertGreaterEqual(len({fact for _, _, fact in PLANTS}), 20)
        for (_, what, fact), started in zip(PLANTS, Started.plants):
            status, out, err = started.result()
            with self.subTest(plant=what, out=out, err=err[-2000:]):
                self.assertEqual((1, [fact]), (status, list(otherwise(out))))
                self.assertTrue(otherwise(out)[fact])

    def test_a_request_that_is_not_carried_out(self) -> None:
        status, out, _ = run("--json", "--only", "requests", "--report", "-", faults="complete every=1 op=0x12 syndrome=0x02 vendor=0x30\n")
        self.assertEqual(1, status)
        found = otherwise(out)
        self.assertEqual({"atomic_fa on rc", "atomic_fa on xrc_initiator", "atomic_fa on dci"}, set(found))
        for seen in found.values():
            self.assertIn("syndrome 0x02 (LOCAL_QP_OP_ERR), vendor syndrome 0x30", seen)


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
    def test_none_unasked(self) -> None:
        with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
            command = [os.path.abspath(SOFTHCA), os.path.abspath(SEGUE), "check", "--only", "requests"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "SOFTHCA_DIR": folder})
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertEqual([], [p.name for p in Path(folder).glob("*.txt")])

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
            (["--only", "fact"], "expected requests, facts, times, or the name of a fact"),
            (["--device", "mlx5_7"], "mlx5_7"),
            (["--report", "/nowhere/file"], "No such file"),
            (["mlx5_0"], "named with --device"),
        ]:
            status, _, err = run(*args)
            self.assertEqual(2, status, args)
            self.assertIn(word, err)

    def test_ends_in_time(self) -> None:
        """A device that completes nothing: every wait has an end, and so has the whole."""
        begun, (status, out, _), ended = Started.late.result()
        self.assertLess(ended - begun, 15)
        self.assertEqual(1, status)
        self.assertTrue(any("no time left" in line["seen"] for line in lines(out) if line.get("verdict") == "not_seen"))


if __name__ == "__main__":
    unittest.main()
