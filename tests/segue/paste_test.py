# SPDX-License-Identifier: BSD-2-Clause
"""segue decode on what people paste: dumps of every layout, after any prefix, with other lines around them."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import unittest

from tests.seed.seed import segue_test_seed
from tests.segue.paste_samples import LAYOUTS, PREFIXES, Failed, failed_of, pasted

SEGUE = os.environ["SEGUE"]
SEED = segue_test_seed()
ORDERED = ("kernel in words", "kernel in long words", "xxd -e", "crash rd", "0x words")


def run(*args: str, stdin: bytes = b"") -> tuple[int, str, str]:
    result = subprocess.run([SEGUE, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def decode(text: str, *args: str) -> tuple[int, list[dict], str]:
    status, out, err = run("decode", "--json", *args, stdin=text.encode())
    return status, [json.loads(line) for line in out.splitlines()], err


def fields_of(record: dict) -> dict:
    cqe = record["cqe"]
    return cqe["fields"]


def wqe_of(failed: Failed) -> bytes:
    """The WRITE that failed: ctrl, raddr and data segments as mlx5dv.h has them."""
    wqe = struct.pack(">IIBxxBI", failed.index << 8 | failed.opcode, failed.qpn << 8 | 3, 0, 8, 0)
    wqe += struct.pack(">QII", 0x7F0000001000, 0x1800, 0) + struct.pack(">IIQ", 64, 0x1900, 0x7F0000002000)
    return wqe + bytes(16)


class Pasted(unittest.TestCase):
    def setUp(self) -> None:
        self.chance = random.Random(SEED)

    def expect(self, failed: Failed, record: dict) -> None:
        fields = fields_of(record)
        self.assertEqual((failed.syndrome, failed.vendor, failed.qpn, failed.index),
                         (fields["syndrome"]["value"], fields["vendor_err_synd"], fields["qpn"], fields["wqe_counter"]))
        self.assertIn("cause", record)
        self.assertIn("next", record)

    def test_every_layout_after_every_prefix(self) -> None:
        for layout, lines in LAYOUTS.items():
            for prefix in PREFIXES:
                failed = failed_of(self.chance)
                text = pasted(lines(failed.bytes()), prefix)
                with self.subTest(layout=layout, prefix=prefix, text=text, seed=SEED):
                    status, records, err = decode(text)
                    self.assertEqual((0, 1), (status, len(records)), err)
                    self.expect(failed, records[0])
                    self.assertEqual(layout in ORDERED, "turned round" in err, err)

    def test_lines_around_it(self) -> None:
        failed = failed_of(self.chance)
        dump = LAYOUTS["libmlx5"](failed.bytes())
        for text in (["mlx5: host: got completion with error:", *dump, "rdma.c:1797: *ERROR*: CQ error (10): remote access error"],
                     ["```", *dump, "```", "\u201cerror\u201d"],
                     [*dump[:3], dump[3] + "[1496344648.549828] [host-a:14872:0] dc_verbs.c:614"],
                     [line for row in dump for line in (row, "")],
                     [line for row in dump for line in (row, "[0] another line")]):
            with self.subTest(text=text, seed=SEED):
                status, records, err = decode("\n".join(text) + "\n")
                self.assertEqual((0, 1), (status, len(records)), err)
                self.expect(failed, records[0])

    def test_blanks_that_do_not_break_and_other_ends_of_lines(self) -> None:
        failed = failed_of(self.chance)
        text = pasted(LAYOUTS["libmlx5"](failed.bytes()), "nothing")
        for changed in (text.replace(" ", "\u00a0 "), text.replace("\n", "\r\n"), text.replace(" ", "\u202f"), "\ufeff" + text):
            status, records, err = decode(changed)
            self.assertEqual((0, 1), (status, len(records)), err)
            self.expect(failed, records[0])

    def test_wrapped_mail(self) -> None:
        failed = failed_of(self.chance)
        rows = LAYOUTS["kernel"](failed.bytes())
        wrapped = "".join(f"> cqe_dump: {row[:48]}\n>                     {row[49:]}\n" for row in rows)
        printable = "".join(f"> cqe_dump: {row[:30]}=\n{row[30:]}=20\n" for row in rows)
        for text in (wrapped, printable):
            status, records, err = decode(text)
            self.assertEqual((0, 1), (status, len(records)), err)
            self.expect(failed, records[0])

    def test_two_dumps(self) -> None:
        first, second = failed_of(self.chance), failed_of(self.chance)
        for layout, lines in LAYOUTS.items():
            if layout in ("gdb bytes", "xxd -p"):
                continue
            text = pasted(["mlx5: host: got completion with error:", *lines(first.bytes()), "MLX5 Error CQE: at [0x7f5b64e01080], len=64", *lines(second.bytes())], "nothing")
            with self.subTest(layout=layout, text=text, seed=SEED):
                status, records, err = decode(text)
                self.assertEqual((0, 2), (status, len(records)), err)
                self.expect(first, records[0])
                self.expect(second, records[1])

    def test_two_processes_at_once(self) -> None:
        first, second = failed_of(self.chance), failed_of(self.chance)
        lines = LAYOUTS["libmlx5"]
        text = "".join(f"[1,0]<stderr>:{a}\n[1,1]<stderr>:{b}\n" for a, b in zip(lines(first.bytes()), lines(second.bytes())))
        status, records, err = decode(text)
        self.assertEqual((0, 2), (status, len(records)), err)
        self.expect(first, records[0])
        self.expect(second, records[1])

    def test_the_last_rows_alone(self) -> None:
        for layout in ("libmlx5", "kernel", "xxd", "crash rd", "tcpdump"):
            for count in (1, 2):
                failed = failed_of(self.chance)
                text = pasted(LAYOUTS[layout](failed.bytes())[-count:], "nothing")
                with self.subTest(text=text, seed=SEED):
                    status, records, err = decode(text)
                    self.assertEqual((0, 1), (status, len(records)), err)
                    self.expect(failed, records[0])

    def test_128_bytes(self) -> None:
        failed = failed_of(self.chance)
        good = bytearray(128)
        good[60 + 64 :] = bytes.fromhex("00070000")
        for args in ((), ("--cqe-size", "128")):
            status, out, err = run("decode", *args, stdin=bytes(64).hex().encode() + failed.bytes().hex().encode())
            self.assertEqual(0, status, err)
            self.assertIn("err_cqe of a cqe128", out)
            self.assertIn(f"qpn 0x{failed.qpn:x}" if failed.qpn > 9 else f"qpn {failed.qpn}", out)
        status, out, _ = run("decode", "--cqe-size", "128", "--cqe", stdin=bytes(good).hex().encode())
        self.assertEqual(0, status)
        self.assertIn("cqe64 of a cqe128  ", out)
        self.assertIn("wqe_counter 7", out)

    def test_a_completion_and_its_request(self) -> None:
        failed = failed_of(self.chance)._replace(opcode=0x08, send=True)
        for layout in ("bytes alone", "libmlx5", "copy as hex dump", "kernel", "xxd -e", "digits"):
            text = pasted(LAYOUTS[layout](failed.bytes() + wqe_of(failed)), "nothing")
            with self.subTest(text=text, seed=SEED):
                status, records, err = decode(text)
                self.assertEqual((0, 2), (status, len(records)), err)
                self.expect(failed, records[0])
                self.assertEqual("rdma_write", records[1]["wqe"]["request"])
        # Another request's bytes are not said to be this one's, nor are they a completion.
        text = pasted(LAYOUTS["bytes alone"](failed.bytes() + wqe_of(failed._replace(index=failed.index ^ 1))), "nothing")
        status, out, _ = run("decode", stdin=text.encode())
        self.assertNotIn("remote_addr 0x7f0000001000", out)

    def test_orders(self) -> None:
        failed = failed_of(self.chance)
        text = pasted(LAYOUTS["xxd -e"](failed.bytes()), "nothing")
        status, records, _ = decode(text, "--order", "4")
        self.assertEqual(0, status)
        self.expect(failed, records[0])
        status, records, _ = decode(text, "--order", "bytes", "--cqe")
        self.assertTrue(status or "cause" not in records[0])
        self.assertEqual(2, run("decode", "--order", "3")[0])

    def test_what_is_no_dump_is_refused(self) -> None:
        for text in ("no dump at all\n", "00112233 44556677\nzz\n", "deadbeef: 12:34:56\n", "4b825dc642cb6eb9a060e54bf8d69288fbee4904 a hash\n"):
            self.assertEqual(2, run("decode", stdin=text.encode())[0], text)

    def test_what_dpdk_leaves_in_it(self) -> None:
        failed = failed_of(self.chance)
        data = bytearray(failed.bytes())
        data[1:5] = b"seen"
        status, records, err = decode(pasted(LAYOUTS["rte_hexdump"](bytes(data)), "nothing"))
        self.assertEqual((0, 1), (status, len(records)), err)
        self.assertEqual(0, fields_of(records[0])["wqe_id"])
        self.expect(failed, records[0])


if __name__ == "__main__":
    unittest.main()
