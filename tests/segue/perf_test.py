# SPDX-License-Identifier: BSD-2-Clause
"""`segue perf` below softhca: what it prints, that data are checked, that refusals and failures are sentences."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

SEGUE = os.path.abspath(os.environ["SEGUE"])
SOFTHCA = os.path.abspath(os.environ["SOFTHCA"])
FOLDER = tempfile.TemporaryDirectory(prefix="segue-perf.", dir="/tmp", ignore_cleanup_errors=True)  # mpirun's sockets want a short name
SCRATCH = FOLDER.name
ALL = ["write", "read", "send", "fetch-add", "cmp-swap"]
PATIENCE = 120


def start(*command: str, faults: str = "", **variables: str) -> subprocess.Popen:
    below = [SOFTHCA]
    if faults:
        plan = Path(SCRATCH) / "plan"
        plan.write_text(faults, encoding="utf-8")
        below += ["--faults", str(plan)]
    environment = {**os.environ, "SOFTHCA_DIR": SCRATCH, "TMPDIR": SCRATCH, **variables}
    return subprocess.Popen([*below, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=SCRATCH, text=True)


def end(process: subprocess.Popen) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def perf(*args: str, **more: str) -> tuple[int, str, str]:
    return end(start(SEGUE, "perf", *args, **more))


def free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


class PerfTest(unittest.TestCase):
    def rows(self, out: str) -> list[dict]:
        rows = [json.loads(line) for line in out.splitlines()]
        for row in rows:
            self.assertEqual(row["bytes_wrong"], 0, row)
            self.assertGreater(row["bytes_checked"], 0, row)
            latency = row.get("latency_ns")
            if latency:
                in_order = [latency[key] for key in ("min", "median", "p99", "p99_9", "max")]
                self.assertEqual(in_order, sorted(in_order))
                self.assertGreater(latency["min"], 0)
                self.assertTrue(latency["min"] <= latency["mean"] <= latency["max"])
                self.assertEqual(sum(count for _, _, count in latency["histogram"]), latency["count"])
                self.assertTrue(all(a[1] <= b[0] for a, b in zip(latency["histogram"], latency["histogram"][1:])))
            if "rate" in row:
                self.assertGreater(row["rate"]["messages_per_second"], 0)
                self.assertAlmostEqual(row["rate"]["bytes_per_second"], row["rate"]["messages_per_second"] * row["bytes"], delta=row["bytes"])
        return rows

    def test_every_operation_over_every_transport(self) -> None:
        for transport, operations in (("rc", ALL), ("dc", ALL), ("ud", ["send"])):
            with self.subTest(transport):
                status, out, err = perf("-t", transport, "-n", "50", "-s", "1,2K", "--json")
                self.assertEqual((status, err), (0, ""))
                rows = self.rows(out)
                sizes = [(o, b) for o in operations for b in ([8] if "-" in o else [1, 2048])]
                self.assertEqual([(r["operation"], r["bytes"]) for r in rows], sizes)
                for row in rows:
                    self.assertEqual((row["transport"], row["ranks"], row["lost"]), (transport, 2, 0))
                    self.assertEqual((row["latency_ns"]["count"], row["rate"]["messages"]), (50, 50))

    def test_table_and_histogram(self) -> None:
        status, out, err = perf("-n", "100", "-s", "8,64", "-o", "write,read")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"^rc over mlx5_0 port 1, InfiniBand, MTU 4096; 2 ranks, 1 pair: ")
        figures = r"( +[0-9]+\.[0-9]{2}){5} +[0-9]+ +[0-9]+\.[0-9]$"
        self.assertEqual(len(re.findall(r"(?m)^(write|read) +(8|64)" + figures, out)), 4, out)
        self.assertEqual(len(re.findall(r"(?m)^write, 8 bytes: latency of 100 messages, us$", out)), 1)
        bars = re.findall(r"(?m)^ +[0-9.]+ (?:to +[0-9.]+|and more) +(#*) +([0-9]+)$", out)
        self.assertEqual(sum(int(count) for _, count in bars), 100, out)
        self.assertEqual(max(len(bar) for bar, _ in bars), 50, out)
        self.assertTrue(all(bool(bar) == (count != "0") for bar, count in bars), out)
        self.assertRegex(out, r"\nData: [0-9]+ bytes checked, all right\.\n$")
        _, out, _ = perf("-n", "20", "-s", "8,64", "-o", "write", "--histogram")
        self.assertEqual(len(re.findall(r"latency of 20 messages", out)), 2)
        _, out, _ = perf("-n", "20", "-s", "8", "-o", "write", "-m", "rate")
        self.assertNotIn("latency of", out)

    def test_roce(self) -> None:
        below = [SOFTHCA, "--link", "roce", SEGUE, "perf", "-n", "20", "-s", "64", "-o", "write,send", "--json"]
        done = subprocess.run(below, capture_output=True, text=True, timeout=PATIENCE, check=False, env={**os.environ, "SOFTHCA_DIR": SCRATCH + "/roce"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row["link"] for row in self.rows(done.stdout)}, {"RoCE"})

    def test_two_processes_by_address(self) -> None:
        port = free_port()
        server = start(SEGUE, "perf", "--server", "--port", port)
        status, out, err = end(start(SEGUE, "perf", "127.0.0.1", "--port", port, "-t", "dc", "-o", "read,send", "-s", "256", "-n", "30"))
        self.assertEqual((status, err), (0, ""))
        served, shown, said = end(server)
        self.assertEqual((served, said), (0, f"segue: waiting for a client at TCP port {port}\n"))
        # The client's options count, and both print what was measured.
        self.assertRegex(out, r"^dc over .* rank 1 of 2 at ")
        self.assertEqual(out.split("\n", 1)[1], shown.split("\n", 1)[1])
        self.assertEqual(len(re.findall(r"(?m)^(read|send) +256 ", out)), 2)

    def test_by_mpirun(self) -> None:
        many = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", SEGUE, "perf", "-n", "20", "-s", "64", "--json"]
        status, out, err = end(start(*many))
        self.assertEqual(status, 0, err)
        rows = self.rows(out)
        self.assertEqual([row["operation"] for row in rows], ALL)
        for row in rows:
            self.assertEqual(row["ranks"], 4)
            self.assertEqual((row["latency_ns"]["count"], row["rate"]["messages"]), (40, 40))  # of two pairs

    def test_wrong_data_are_found(self) -> None:
        for transport, op in (("rc", "write"), ("rc", "read"), ("rc", "send"), ("dc", "send"), ("ud", "send")):
            for measure in ("latency", "rate"):
                with self.subTest(f"{transport} {op} {measure}"):
                    status, out, err = perf("-t", transport, "-o", op, "-s", "64", "-n", "10", "-m", measure, "--corrupt")
                    self.assertEqual(status, 1)
                    self.assertRegex(out, r"WRONG\n")
                    self.assertRegex(err, r"segue: error: the data are wrong: [1-9][0-9]* of [0-9]+ bytes that were checked\n")

    def test_lost_datagrams_are_counted(self) -> None:
        status, out, err = perf("-t", "ud", "-s", "64", "-n", "300", "--progress", "0", "--json", faults="seed 7\ndrop 2%\n")
        self.assertEqual((status, err), (0, ""))
        row = self.rows(out)[0]
        self.assertGreater(row["lost"], 0)
        self.assertEqual((row["latency_ns"]["count"], row["rate"]["messages"]), (300, 300))

    def test_long_runs_say_how_far_they_are(self) -> None:
        status, out, err = perf("-s", "8", "-o", "write", "-m", "latency", "-T", "2", "--progress", "1", "--json")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"segue: write, 8 bytes, latency: 1 s, [0-9]+ messages, 50 %\n")
        self.assertGreater(self.rows(out)[0]["latency_ns"]["count"], 1)

    def test_svg(self) -> None:
        status, _, err = perf("-s", "8,64", "-o", "write,read", "-n", "50", "--svg", "perf.svg")
        self.assertEqual((status, err), (0, ""))
        root = ET.parse(Path(SCRATCH) / "perf.svg").getroot()
        text = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
        for title in ("write, 8 bytes", "write, 64 bytes", "read, 8 bytes", "read, 64 bytes"):
            self.assertEqual(len([line for line in text if line.startswith(title + ": median ")]), 1, text)
        self.assertGreater(len(list(root.iter("{http://www.w3.org/2000/svg}rect"))), 4)
        width, height = map(float, (root.get("width"), root.get("height")))
        for node in root.iter():
            if node.get("x"):
                self.assertTrue(0 <= float(node.get("x")) <= width and 0 <= float(node.get("y")) <= height)

    def test_wrong_usage(self) -> None:
        for args, sentence in (
            (["-t", "xrc"], "--transport xrc: expected rc, dc or ud"),
            (["-o", "write,erase"], "--op erase: expected write, read, send, fetch-add or cmp-swap, with commas between them"),
            (["-s", "8,0"], "--size 0: expected bytes from 1 to 256M, as in 8,4K,1M"),
            (["-s", "257M"], "--size 257M: expected bytes from 1 to 256M, as in 8,4K,1M"),
            (["-s", "8,"], "--size : expected bytes from 1 to 256M, as in 8,4K,1M"),
            (["-s", ",".join("1" * 17)], "--size: expected at most 16 sizes"),
            (["-m", "speed"], "--measure speed: expected latency or rate"),
            (["-n", "0"], "--count 0: expected a number from 1 to 1000000000"),
            (["-q", "many"], "--depth many: expected a number from 1 to 8192"),
            (["-r", "3"], "--ranks 3: expected an even number, as each rank measures with one other"),
            (["--port", "70000"], "--port 70000: expected a TCP port, 1 to 65535"),
            (["-t", "ud", "-o", "write"], "--transport ud has send alone; the other operations are for rc and dc"),
            (["--server", "host"], "--server waits for a client, and takes no host; 'host' is one"),
            (["host", "other"], "'other' is not expected behind the host 'host'"),
            (["host", "-r", "2"], "--ranks starts processes of this host; two hosts have one each"),
        ):
            with self.subTest(args):
                self.assertEqual(perf(*args), (2, "", f"segue: error: {sentence}\n"))
        self.assertEqual(perf("--speed")[0], 2)
        status, out, err = perf("--help")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith("Usage: segue perf "))

    def test_failures_are_sentences(self) -> None:
        status, _, err = perf("127.0.0.1", "--port", free_port(), "--timeout", "1")
        self.assertEqual(status, 1)
        self.assertRegex(err, r"^segue: error: rank 0?1?: .*127\.0\.0\.1")
        status, _, err = perf("-t", "ud", "-s", "5000")
        self.assertEqual(status, 1)
        self.assertIn("a message over ud has at most 4096 bytes, the MTU of mlx5_0 port 1, not 5000", err)
        status, _, err = perf("-d", "mlx5_7")
        self.assertEqual(status, 1)
        self.assertIn("mlx5_7", err)
        status, _, err = perf(SEGUE_WORLD="alone")
        self.assertEqual(status, 1)
        self.assertIn("there is 1 rank, and each measures with one other: start an even number of ranks", err)
        status, _, err = perf("-n", "1", "-o", "write", "--svg", "/nowhere/perf.svg")
        self.assertEqual(status, 2)
        self.assertIn("/nowhere/perf.svg: No such file or directory; name another place with --svg", err)

    def test_a_partner_that_dies_is_named(self) -> None:
        for op in ("write", "read", "send"):
            with self.subTest(op):
                port = free_port()
                server = start("sh", "-c", f'echo $$; exec "{SEGUE}" perf --server --port {port}')
                pid = int(server.stdout.readline())
                client = start(SEGUE, "perf", "127.0.0.1", "--port", port, "-o", op, "-s", "8", "-T", "600", "--progress", "1")
                self.assertIn("latency: 1 s", client.stderr.readline())
                os.kill(pid, signal.SIGKILL)
                status, _, err = end(client)
                self.assertEqual(status, 1)
                self.assertRegex(err, r"(?m)^segue: error: rank 1: .*(rank|peer) 0")
                end(server)


if __name__ == "__main__":
    unittest.main()
