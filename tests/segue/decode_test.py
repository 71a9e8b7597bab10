# SPDX-License-Identifier: BSD-2-Clause
"""The segue command as people call it: what it prints, and what it ends with."""

from __future__ import annotations

import json
import os
import pty
import random
import struct
import subprocess
import unittest

from tests.seed.seed import segue_test_seed

SEGUE = os.environ["SEGUE"]
SEED = segue_test_seed()
BLOCK = 64


def run(*args: str, stdin: bytes = b"") -> tuple[int, str, str]:
    result = subprocess.run([SEGUE, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def ctrl(opcode: int, index: int, units: int, qpn: int = 0x101, flags: int = 8) -> bytes:
    """As struct mlx5_wqe_ctrl_seg of mlx5dv.h has it."""
    return struct.pack(">IIBxxBI", (index & 0xFFFF) << 8 | opcode, qpn << 8 | units, 0, flags, 0)


def write(index: int, sges: int = 1, **kwargs: int) -> bytes:
    """RDMA WRITE of so many pieces, padded to blocks: mlx5_wqe_raddr_seg, mlx5_wqe_data_seg."""
    wqe = ctrl(0x08, index, 2 + sges, **kwargs) + struct.pack(">QII", 0x7F0000001000, 0x1800, 0)
    for n in range(sges):
        wqe += struct.pack(">IIQ", 64 + n, 0x1900, 0x7F0000002000 + n)
    return wqe + bytes(-len(wqe) % BLOCK)


def ring_of(blocks: int, wqes: list[bytes], start: int = 0) -> bytes:
    """A ring in which these requests have been posted one behind the other, from counter `start` on."""
    ring = bytearray(blocks * BLOCK)
    at = start
    for wqe in wqes:
        for n in range(0, len(wqe), BLOCK):
            place = (at + n // BLOCK) % blocks * BLOCK
            ring[place : place + BLOCK] = wqe[n : n + BLOCK]
        at += len(wqe) // BLOCK
    return bytes(ring)


class Decode(unittest.TestCase):
    def test_one_request(self) -> None:
        status, out, _ = run("decode", stdin=write(5).hex().encode())
        self.assertEqual(0, status)
        self.assertEqual(1, out.count("\n"))
        for word in ("rdma_write on ", "index 0x5", "qpn 0x101", "SIGNALED", "remote_addr 0x7f0000001000", "lkey 0x1900"):
            self.assertIn(word, out)
        status, out, _ = run("decode", "-v", "--queue", "rc", stdin=write(5))
        self.assertEqual(0, status)
        self.assertGreater(out.count("\n"), 15)

    def test_offence(self) -> None:
        wqe = bytearray(write(5))
        wqe[32:36] = bytes(4)  # length 0
        status, out, _ = run("decode", "--queue", "rc", stdin=bytes(wqe))
        self.assertEqual(1, status)
        self.assertIn("offence at byte 32, data.byte_count: found 0x0", out)
        status, out, _ = run("decode", "--json", "--queue", "rc", stdin=bytes(wqe))
        self.assertEqual(1, status)
        record = json.loads(out)
        self.assertFalse(record["legal"])
        self.assertIn("byte_count", record["wqe"]["offence"])

    def test_truncated(self) -> None:
        for length in range(1, 48):
            status, out, err = run("decode", "--wqe", "--form", "raw", stdin=write(5)[:length])
            self.assertEqual(1, status, length)
            self.assertIn("offence", out + err)
        # A request cut off where a completion would end is not taken for one.
        status, out, _ = run("decode", stdin=write(5, 5)[:64])
        self.assertEqual(1, status)
        self.assertIn("offence", out)

    def requests(self, out: str) -> list[dict]:
        return [r for r in map(json.loads, out.splitlines()) if "wqe" in r]

    def index_of(self, record: dict) -> int:
        return next(s for s in record["wqe"]["segments"] if s["name"] == "ctrl")["fields"]["wqe_index"]

    def test_rings(self) -> None:
        chance = random.Random(SEED)
        for _ in range(20):
            blocks = chance.choice([4, 8, 16, 64])
            start = chance.choice([0, 3, 0xFFF0, chance.randrange(1 << 16)])
            at, wqes = start, []
            laps = chance.choice([0.5, 1, 1.7, 3])
            while at < start + blocks * laps:
                wqes.append(write(at, chance.randrange(1, 8)))
                at += len(wqes[-1]) // BLOCK
            status, out, err = run("decode", "--ring", "--json", stdin=ring_of(blocks, wqes, start))
            with self.subTest(seed=SEED, blocks=blocks, start=start, err=err):
                self.assertEqual(0, status)
                # Those that nothing newer has touched, oldest first.
                whole, end = [], at
                position = start
                for wqe in wqes:
                    if position + blocks >= end:
                        whole.append(position & 0xFFFF)
                    position += len(wqe) // BLOCK
                seen = [self.index_of(r) for r in self.requests(out)]
                self.assertEqual(whole, seen[-len(whole) :])

    def test_wrong_index_in_a_ring(self) -> None:
        wqes = [write(n) for n in range(4)]
        wqes[2] = write(7)
        status, out, _ = run("decode", "--ring", stdin=ring_of(4, wqes))
        self.assertEqual(1, status)
        self.assertIn("the index is 0x7, but this block is number 0x2", out)

    def test_no_ring(self) -> None:
        chance = random.Random(SEED)
        status, _, err = run("decode", "--ring", "--form", "raw", stdin=chance.randbytes(100))
        self.assertEqual(2, status)
        self.assertIn("multiple of 64", err)

    def test_ring_that_was_never_used(self) -> None:
        blank = bytearray(4 * BLOCK)
        for byte, status in [(None, 0), (3 * BLOCK + 7, 0), (3 * BLOCK + 6, 1), (3 * BLOCK + 20, 1)]:  # UCX marks the size of the last block
            ring = bytearray(blank)
            if byte is not None:
                ring[byte] = 1
            done, out, err = run("decode", "--ring", "--form", "raw", "--queue", "rc", stdin=bytes(ring))
            self.assertEqual(status, done, (byte, out, err))
            self.assertEqual(status == 0, "4 blocks never written" in out, (byte, out))

    def test_receive_entries(self) -> None:
        entry = struct.pack(">IIQ", 64, 0x1900, 0x7F0000002000)
        status, out, _ = run("decode", "--queue", "rq", stdin=entry)
        self.assertEqual(0, status)
        self.assertIn("data(", out)
        self.assertEqual(1, run("decode", "--queue", "rq", stdin=bytes(4) + entry[4:])[0])

    def test_one_receive_entry_of_noise(self) -> None:
        """Legal, as half of all bytes are: that is said, and neither 'legal' nor 'illegal'."""
        entry = bytes.fromhex("71626354a1b2c3d4f122334455667788")
        status, out, _ = run("decode", "--wqe", "--queue", "rq", stdin=entry)
        self.assertEqual(4, status, out)
        self.assertIn("one random dump in 2^1,", out)
        status, out, _ = run("decode", "--json", "--queue", "rq", stdin=entry)
        self.assertEqual((4, "undecided"), (status, json.loads(out.splitlines()[-1])["verdict"]))
        # Two from the same region are no accident any more.
        self.assertEqual(0, run("decode", "--ring", "--queue", "rq", stdin=entry + entry[:8] + bytes.fromhex("f122334455668888"))[0])
        # Nor is one that only has people's numbers.
        self.assertEqual(0, run("decode", "--queue", "rq", stdin=struct.pack(">IIQ", 64, 0x1900, 0x7F0000002000))[0])

    def test_rings_of_noise(self) -> None:
        chance = random.Random(SEED)
        for queue in ("rq", "srq", "mprq"):
            for _ in range(10):
                status, out, _ = run("decode", "--ring", "--form", "raw", "--queue", queue, stdin=chance.randbytes(4096))
                self.assertEqual(1, status, (SEED, queue))
                self.assertRegex(out.splitlines()[-1], r"^illegal: \d+ of \d+ posted entries of (16|32) bytes are illegal; is it the ring")

    def srq(self, entries: int, posted: int, stride: int = 32, sges: int = 1, ucx: bool = False) -> bytearray:
        """As mlx5_alloc_srq_buf() and mlx5_post_srq_recv() leave it, or UCX's uct_ib_mlx5_srq_buff_init(), which has uses for reserved bits."""
        ring = bytearray()
        for n in range(entries):
            entry = struct.pack(">HHI", 0, (n + 1) % entries, 0x10000 if ucx else 0) + struct.pack("<Q", 0x557FF000DEC0 if ucx else 0)
            if n < posted:
                entry += struct.pack(">IIQ", 8192, 0x1900, 0x7F0000000000 + n * 8192) * sges
                entry += struct.pack(">IIQ", 0, 0x100, 0) if len(entry) < stride else b""
            elif ucx:
                entry += struct.pack(">IIQ", 8192, 0, 0)
            ring += entry + bytes(stride - len(entry))
        return ring

    def test_shared_receive_rings(self) -> None:
        status, out, _ = run("decode", "--ring", "--queue", "srq", stdin=bytes(self.srq(16, 10)))
        self.assertEqual((0, 11), (status, out.count("\n")), out)
        self.assertIn("0x0140  6 entries never posted", out)
        status, out, _ = run("decode", "--ring", "--queue", "srq", stdin=bytes(self.srq(16, 10, ucx=True)))
        self.assertEqual((0, 16), (status, out.count("\n")), out)
        ring = self.srq(16, 10)
        ring[5 * 32 + 2 : 5 * 32 + 4] = struct.pack(">H", 16)
        status, out, _ = run("decode", "--ring", "--queue", "srq", stdin=bytes(ring))
        self.assertEqual(1, status)
        self.assertIn("offence: srq_next.next_wqe_index is 0x10, but the ring has 16 entries of 32 bytes", out)
        self.assertIn("illegal: 1 of 10 posted entries of 32 bytes is illegal\n", out)

    def test_another_stride(self) -> None:
        for sges in (1, 2, 3):
            ring = bytes(self.srq(16, 10, stride=64, sges=sges))
            status, out, _ = run("decode", "--ring", "--queue", "srq", stdin=ring)
            self.assertEqual(1, status)
            self.assertIn("; with --stride 64 all of them are legal", out.splitlines()[-1])
            self.assertEqual(0, run("decode", "--ring", "--queue", "srq", "--stride", "64", stdin=ring)[0])

    def test_completions(self) -> None:
        good = bytearray(64)
        good[63] = 0x00  # MLX5_CQE_REQ
        error = bytearray(64)
        error[55] = 0x13  # syndrome of struct mlx5_err_cqe
        error[63] = 0xD0  # MLX5_CQE_REQ_ERR
        status, out, _ = run("decode", "--cqe", stdin=bytes(good + error))
        self.assertEqual(0, status)
        self.assertIn("err_cqe", out.splitlines()[1])
        self.assertIn("REMOTE_ACCESS_ERR", out)
        good[60:62] = b"\x00\x07"  # wqe_counter
        blank = bytes(63) + b"\xf0"  # MLX5_CQE_INVALID, as libmlx5 leaves an entry for the device
        status, out, _ = run("decode", "--cqe", stdin=bytes(good) + 2 * blank + bytes(good))
        self.assertEqual((0, 3), (status, out.count("\n")), out)
        self.assertIn("2 entries never written", out.splitlines()[1])
        status, out, _ = run("decode", "--cqe", "--cqe-size", "128", stdin=bytes(64) + bytes(good))
        self.assertEqual(0, status, out)
        self.assertIn("cqe128", out)
        # An opcode that nobody knows is not taken for payload.
        self.assertEqual(1, run("decode", "--cqe", stdin=bytes(63) + b"\x90")[0])
        status, _, err = run("decode", "--cqe", stdin=bytes(good)[:60])
        self.assertEqual(2, status)
        self.assertIn("60 bytes", err)

    def test_usage(self) -> None:
        for args, word in [
            (["decode", "--queue", "rcc"], "there is no queue 'rcc'"),
            (["decode", "--stride", "48"], "a power of two from 16 to 4096"),
            (["decode", "a", "b"], "one file at a time"),
            (["decode", "/nowhere"], "No such file"),
            (["decode", "--form", "base64"], "expected auto, text or raw"),
            (["dekode"], "expected decode"),
            ([], "Usage"),
        ]:
            status, _, err = run(*args)
            self.assertEqual(2, status, args)
            self.assertIn(word, err)
        self.assertEqual(0, run("--help")[0])
        for command in ("decode", "explain", "spec", "devices", "check"):
            status, _, err = run(command, "--nonsense")
            self.assertEqual(2, status)
            self.assertTrue(err.startswith(f"segue {command}: "), err)
        for args in (["--help"], ["--version"], ["decode", "--help"], ["check", "--help"], ["spec"]):
            with open("/dev/full", "wb") as full:
                self.assertNotEqual(0, subprocess.run([SEGUE, *args], stdout=full, stderr=subprocess.DEVNULL, check=False).returncode, args)
        self.assertRegex(run("--version")[1], r"^segue \d+\.\d+\.\d+\n$")
        for command in ("decode", "explain", "spec", "devices", "check"):
            self.assertIn("Usage: segue " + command, run(command, "--help")[1])


def turned(dump: bytes, width: int) -> bytes:
    return b"".join(dump[at : at + width][::-1] for at in range(0, len(dump), width))


def completion(counter: int) -> bytes:
    """Of a send: struct mlx5_cqe64 with its sop_drop_qpn, wqe_counter and op_own."""
    return bytes(56) + struct.pack(">IHBB", 0x0A2B1F8C, counter, 0, 0)


class Guess(unittest.TestCase):
    """What is not what it looks like is not said to be."""

    def test_words_in_the_wrong_order(self) -> None:
        requests = [write(n) for n in range(4)]
        for what, dump, kind in (("request", requests[0], "--wqe"), ("ring", ring_of(4, requests), "--ring")):
            for width in (2, 4, 8):
                status, out, err = run("decode", "--form", "raw", stdin=turned(dump, width))
                self.assertEqual((2, ""), (status, out), (what, width, err))
                self.assertIn(f"each group of {width} bytes turned round", err)
                status, _, err = run("decode", kind, "--form", "raw", stdin=turned(dump, width))
                self.assertNotEqual(0, status)
                self.assertIn(f"each group of {width} bytes turned round", err)
        entries = b"".join(map(completion, range(4)))
        status, out, err = run("decode", "--form", "raw", stdin=turned(entries, 4))
        self.assertEqual((2, ""), (status, out), err)
        self.assertIn("each group of 4 bytes turned round", err)

    def test_noise(self) -> None:
        chance = random.Random(SEED)
        for length in (64, 256, 4096, 4096, 65536):
            noise = chance.randbytes(length)
            status, out, err = run("decode", "--form", "raw", stdin=noise)
            with self.subTest(seed=SEED, length=length, out=out, err=err):
                self.assertIn(status, (1, 2, 4))
                self.assertNotIn("have overwritten", out)
                if length > BLOCK:
                    self.assertEqual((2, ""), (status, out))
                    self.assertIn("--cqe", err)

    def test_completions_are_known(self) -> None:
        blank = bytes(63) + b"\xf0"
        entries = b"".join(map(completion, range(5)))
        status, out, err = run("decode", "--form", "raw", stdin=entries + 3 * blank)
        self.assertEqual((0, 6), (status, out.count("\n")), out + err)
        self.assertIn("3 entries never written", out)
        self.assertIn("taken for completions", err)
        self.assertEqual(0, run("decode", "--form", "raw", stdin=completion(7))[0])
        status, out, _ = run("decode", "--form", "raw", stdin=bytes(64))
        self.assertEqual((0, True), (status, "never written" in out))

    def test_a_completion_in_doubt(self) -> None:
        """As a completion, but with bits set that no completion has."""
        _, out, _ = run("spec", "--json", "cqe64")
        reserved = next(f for f in json.loads(out)["fields"] if f["reserved"] and f["byte"] > 8)
        entry = bytearray(completion(7))
        entry[reserved["byte"] + reserved["word"] // 8 - 1 - reserved["lsb"] // 8] |= 1 << reserved["lsb"] % 8
        status, out, err = run("decode", "--form", "raw", stdin=bytes(entry))
        self.assertEqual(4, status, out + err)
        self.assertIn("--wqe or --cqe", err)
        self.assertEqual(0, run("decode", "--cqe", "--form", "raw", stdin=bytes(entry))[0])

    def test_what_has_a_unit_is_decimal(self) -> None:
        _, out, _ = run("decode", "--form", "raw", stdin=write(5))
        self.assertIn("byte_count 64 bytes,", out)

    def test_what_is_left_over(self) -> None:
        request = write(5)[:48]
        for more, said in ((0, ""), (8, "8 bytes"), (16, ""), (24, "24 bytes")):
            status, out, _ = run("decode", "--form", "raw", stdin=request + bytes(more))
            self.assertEqual(0, status)
            self.assertEqual(bool(said), "behind it" in out, (more, out))
            self.assertIn(said, out)
            _, out, _ = run("decode", "--json", "--form", "raw", stdin=request + bytes(more))
            self.assertEqual(bool(said), bool(json.loads(out)["note"]))

    def test_a_terminal_is_not_silent(self) -> None:
        mine, its = pty.openpty()
        with subprocess.Popen([SEGUE, "decode"], stdin=its, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            os.close(its)
            self.assertIn(b"Ctrl-D", process.stderr.readline())
            os.write(mine, write(5).hex().encode() + b"\n\x04")
            out, _ = process.communicate(timeout=20)
            self.assertIn(b"rdma_write on ", out)
        os.close(mine)


class Explain(unittest.TestCase):
    def test_values(self) -> None:
        for args, word in [
            (["syndrome", "0x13"], "REMOTE_ACCESS_ERR"),
            (["syndrome", "21"], "TRANSPORT_RETRY_EXC_ERR"),
            (["vendor", "0x81"], "RETRY_EXCEEDED"),
            (["status", "12"], "transport retry counter exceeded"),
            (["event", "0"], "CQ error"),
            (["opcode", "RDMA_READ"], "0x10"),
            (["SIGNALED"], "post_flag"),
        ]:
            status, out, err = run("explain", *args)
            self.assertEqual(0, status, (args, err))
            self.assertIn(word, out)
            for line in run("explain", "--json", *args)[1].splitlines():
                json.loads(line)

    def test_changes_of_state(self) -> None:
        status, out, _ = run("explain", "modify", "rc", "INIT", "RTR", "PATH_MTU")
        self.assertEqual(1, status)
        self.assertRegex(out, r"^refused: rc queue pair")
        _, out, _ = run("explain", "--json", "modify", "rc", "INIT", "RTR", "PATH_MTU")
        self.assertEqual("refused", json.loads(out)["name"])
        _, out, _ = run("explain", "modify", "rc", "INIT", "RTR", "PATH_MTU")
        self.assertIn("missing: AV, RQ_PSN", out)
        self.assertEqual(0, run("explain", "modify", "rc", "RTS", "ERR")[0])
        self.assertEqual(2, run("explain", "modify", "rc", "INIT")[0])

    def test_unknown(self) -> None:
        status, out, _ = run("explain", "vendor", "0x22")
        self.assertEqual(1, status)
        self.assertIn("vendor code 0x22 (34) is in no public report known here; the nearest is 0x32", out)
        for kind in ("syndrome", "vendor", "status", "event", "opcode"):
            status, _, err = run("explain", kind)
            self.assertEqual(2, status)
            self.assertIn(f"{kind} wants a value, as in: segue explain {kind} ", err)
            self.assertNotIn(f"{kind} {kind}", err)
        status, _, err = run("explain", "0x13")
        self.assertEqual((1, "segue: 0x13 is a number, which wants its kind, as in: segue explain syndrome 0x13 (or vendor, status, event, opcode)\n"), (status, err))
        self.assertIn("has a member 'NOBODY'", run("explain", "NOBODY")[2])

    def test_nothing_is_invented(self) -> None:
        _, out, _ = run("explain", "syndrome", "0x15")
        for word in ("NOP", "QP 0x0", "wr_id"):
            self.assertNotIn(word, out)
        self.assertIn("next: check that the peer is alive", out)

    def test_names_of_libibverbs(self) -> None:
        for args, words in [
            (["IBV_WC_RETRY_EXC_ERR"], ["IBV_WC_RETRY_EXC_ERR = 12: transport retry counter exceeded", "TRANSPORT_RETRY_EXC_ERR"]),
            (["status", "IBV_WC_SUCCESS"], ["IBV_WC_SUCCESS = 0: success"]),
            (["status", "12"], ["IBV_WC_RETRY_EXC_ERR = 12"]),
            (["event", "IBV_EVENT_QP_FATAL"], ["IBV_EVENT_QP_FATAL = 1: "]),
            (["ibv_event_port_err"], ["IBV_EVENT_PORT_ERR = 10: "]),
        ]:
            status, out, err = run("explain", *args)
            self.assertEqual(0, status, (args, err))
            for word in words:
                self.assertIn(word, out)


class Spec(unittest.TestCase):
    def test_every_name_can_be_shown(self) -> None:
        _, out, _ = run("spec", "--json")
        names = {record["kind"]: record["names"] for record in map(json.loads, out.splitlines())}
        self.assertEqual({"requests", "queues", "transports", "segments", "completions", "enums"}, set(names))
        self.assertGreater(sum(map(len, names.values())), 150)
        for kind in names:
            status, out, err = run("spec", *names[kind])
            self.assertEqual((0, ""), (status, err))
            status, out, _ = run("spec", "--json", *names[kind])
            for line in out.splitlines():
                json.loads(line)

    def test_unknown(self) -> None:
        self.assertEqual(1, run("spec", "nonsense")[0])

    def test_states_of_a_request_have_names_of_their_own(self) -> None:
        self.assertIn("wants_mmo_data_after_mmo_data: mmo_data -> complete", run("spec", "memcpy")[1])  # as struct segue_rc_memcpy_...
        _, out, _ = run("spec", "--json")
        for request in next(r["names"] for r in map(json.loads, out.splitlines()) if r["kind"] == "requests"):
            for queue in run("spec", request)[1].split("\n  on ")[1:]:
                states = [line.split(":")[0].strip() for line in queue.splitlines()[1:] if line.startswith("    ")]
                self.assertEqual(len(set(states)), len(states), (request, queue))


if __name__ == "__main__":
    unittest.main()
