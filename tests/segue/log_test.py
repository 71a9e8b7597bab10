# SPDX-License-Identifier: BSD-2-Clause
"""segue explain on a whole text: each form of spec/logs by its example, failures put together out of several lines, and what is no failure."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import tempfile
import unittest

import yaml

from tests.seed.seed import segue_test_seed
from tests.segue.paste_samples import LAYOUTS, PREFIXES, Failed, failed_of, pasted

SEGUE = os.environ["SEGUE"]
LOGS = os.environ["LOGS"].split()
SEED = segue_test_seed()
KEYS = ("qpn", "peer_qpn", "vendor", "status", "syndrome", "index", "cqn", "srqn", "lkey", "command", "command_status",
        "command_syndrome", "errno", "cq_syndrome", "value", "device")


def run(*args: str, stdin: bytes = b"") -> tuple[int, str, str]:
    result = subprocess.run([SEGUE, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def explain(text: str) -> tuple[int, list[dict], str]:
    status, out, err = run("explain", "--json", "-", stdin=text.encode())
    return status, [json.loads(line) for line in out.splitlines()], err


def table(name: str) -> list[dict]:
    for path in LOGS:
        with open(path, encoding="utf-8") as file:
            lists = yaml.safe_load(file)
        if name in lists:
            return lists[name]
    raise AssertionError(name)


class Forms(unittest.TestCase):
    def test_each_example(self) -> None:
        for form in table("forms"):
            example, gives = form.get("example"), form.get("gives", {})
            self.assertTrue(example, form["name"])
            status, records, err = explain(example + "\n")
            with self.subTest(form=form["name"], records=records, err=err):
                if form["kind"] in ("hint", "dump", "wqe"):
                    self.assertEqual((1, []), (status, records))
                    continue
                if not any(key in gives for key in KEYS) and "words" not in gives and "name" not in gives:
                    continue
                if list(gives) in (["cqn", "side"], ["qpn"]):  # a half, of which the other half is the next line
                    continue
                self.assertEqual(0, status)
                self.assertEqual(1, len(records))
                for key in KEYS:
                    if key in gives and not (form["kind"] == "event" and key == "vendor"):
                        self.assertEqual(gives[key], records[0].get(key), key)
                if "card" in form and form["kind"] == "completion":
                    self.assertIn(form["card"], records[0]["card"])

    def test_each_pattern_has_text_to_be_found_by(self) -> None:
        for form in table("forms"):
            for pattern in form["patterns"]:
                self.assertRegex(pattern, r"^[^{]", form["name"])


class Failures(unittest.TestCase):
    def setUp(self) -> None:
        self.chance = random.Random(SEED)

    def test_every_layout_after_every_prefix(self) -> None:
        for layout, lines in LAYOUTS.items():
            for prefix in PREFIXES:
                failed = failed_of(self.chance)
                text = pasted(["a line before", *lines(failed.bytes()), "a line behind"], prefix)
                with self.subTest(layout=layout, prefix=prefix, text=text, seed=SEED):
                    status, records, err = explain(text)
                    self.assertEqual((0, 1), (status, len(records)), err)
                    self.assertEqual((failed.syndrome, failed.vendor, failed.qpn, failed.index),
                                     tuple(records[0][key] for key in ("syndrome", "vendor", "qpn", "index")))
                    self.assertEqual(failed.srqn, records[0].get("srqn", 0))
                    self.assertTrue(records[0]["first"])
                    self.assertEqual(("REQ" if failed.send else "RESP").lower()[:3], records[0]["side"][:3])

    def test_dump_and_lines_are_one_failure(self) -> None:
        failed = failed_of(self.chance)._replace(syndrome=0x13, vendor=0x88, opcode=0x10, send=True)
        text = ["mlx5: node1: got completion with error:", *LAYOUTS["libmlx5"](failed.bytes()),
                "rdma.c:1797:spdk_nvmf_rdma_poller_poll: *ERROR*: CQ error on CQ 0x7eecc0000c20, Request 0x139555298690096 (10): remote access error"]
        text += ["rdma.c:1797:spdk_nvmf_rdma_poller_poll: *ERROR*: CQ error on CQ 0x7eecc0000c20, Request 0x139555298690480 (5): Work Request Flushed Error"] * 1000
        status, records, _ = explain("\n".join(text))
        self.assertEqual((0, 2), (status, len(records)))
        self.assertEqual((10, 0x88, failed.qpn, "RDMA_READ"), tuple(records[0][key] for key in ("status", "vendor", "qpn", "operation")))
        self.assertIn("SPDK", records[0]["read from"])
        self.assertIn("a dump", records[0]["read from"])
        self.assertEqual(("flushes", 1000), (records[1]["kind"], records[1]["count"]))

    def test_two_lines_of_one_program(self) -> None:
        text = ("[n1:7:0:7] ib_mlx5_log.c:177  Local protection on mlx5_0:1/IB (synd 0x4 vend 0x51 hw_synd 0/2)\n"
                "[n1:7:0:7] ib_mlx5_log.c:177  RC QP 0x169 wqe[3]: SEND s-- [inl len 10] [va 0x7f1c3c800000 len 1 lkey 0xb5d2] [rqpn 0x170 dlid=12 sl=0]\n")
        status, records, _ = explain(text)
        self.assertEqual((0, 1), (status, len(records)))
        self.assertEqual((4, 0x51, 0x169, 3, "SEND", 0x170), tuple(records[0][key] for key in ("syndrome", "vendor", "qpn", "index", "operation", "peer_qpn")))
        self.assertIn("ACS", records[0]["causes"][0]["cause"])
        text = ("infiniband mlx5_0: mlx5_poll_one:527:(pid 0): Responder error cqe on cqn 0x406:\n"
                "infiniband mlx5_0: mlx5_poll_one:530:(pid 0): syndrome 0x4, vendor syndrome 0x56\n")
        status, records, _ = explain(text)
        self.assertEqual((0, 1, "responder", 0x406), (status, len(records), records[0]["side"], records[0]["cqn"]))

    def test_values_of_two_failures_stay_apart(self) -> None:
        failed = failed_of(self.chance)._replace(hw=0xE9)
        line = f"[n1:7:0:7] ib_mlx5_log.c:177  an error on mlx5_0:1/IB (synd {failed.syndrome:#x} vend {failed.vendor:#x} hw_synd 0/%u)\n"
        for hw, count in ((0x65, 2), (failed.hw, 1)):
            dump = "\n".join(LAYOUTS["bytes alone"](failed.bytes())[1:]) + "\n"  # its first row is lost, so more rows may follow
            for text in (dump + line % hw, line % hw + dump):
                status, records, err = explain(text)
                self.assertEqual((0, count), (status, len(records)), (text, err, SEED))
                self.assertEqual({failed.hw}, {r["hw_syndrome"] for r in records if "qpn" in r}, (text, SEED))

    def test_dump_and_a_line_about_another_queue_pair(self) -> None:
        failed = failed_of(self.chance)._replace(syndrome=0x13, vendor=0x88, qpn=0x6214)
        for qpn, found in ((0x6183, [0x6214, 0x6183]), (0x6214, [0x6214])):
            text = "\n".join(LAYOUTS["libmlx5"](failed.bytes())) + f" dc_verbs.c:614  UCX  ERROR Send completion with error on qp {qpn:#x}: remote access error syndrome 0x88\n"
            status, records, _ = explain(text)
            self.assertEqual((0, found), (status, [r["qpn"] for r in records]), (text, SEED))

    def test_commands_without_an_answer(self) -> None:
        line = "mlx5_core 0000:61:00.0: wait_func_handle_exec_timeout:1104:(pid 141183): cmd[22]: CREATE_DCT(0x710) No done completion\n"
        status, out, _ = run("explain", "-", stdin=line.encode())
        self.assertEqual(0, status)
        self.assertIn("the firmware did not answer the command CREATE_DCT", out)
        self.assertNotIn("refused", out)

    def test_two_halves_of_nccl(self) -> None:
        text = ("NET/IB: Got CQE with error (devIndex=3, req=0x7f0, comm=0x55, wr_id=17, qp_num=1234)\n"
                "NET/IB: Got completion from peer 192.0.2.1<4242> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_RDMA_WRITE(1) reqSize=0 vendor_err=129 hca mlx5_3\n")
        status, records, _ = explain(text)
        self.assertEqual((0, [(1234, 12, 129, "mlx5_3")]), (status, [tuple(r[k] for k in ("qpn", "status", "vendor", "device")) for r in records]))

    def test_lines_that_grep_has_numbered(self) -> None:
        failed = failed_of(self.chance)
        for mark in "-:":
            text = "".join(f"log.txt{mark}{n}{mark}{line}\n" for n, line in enumerate(LAYOUTS["libmlx5"](failed.bytes()), 12))
            status, records, err = explain(text)
            self.assertEqual((0, [failed.qpn]), (status, [r["qpn"] for r in records]), (text, err, SEED))

    def test_bytes_that_read_in_two_orders(self) -> None:
        for syndrome, hw, vendor, opcode, index, found in ((0x10, 0x15, 0xA0, 0x25, 0xD3C0, True), (0x10, 0x15, 0, 0x25, 0xD3C0, False)):
            failed = Failed(syndrome, vendor, hw, opcode, 0x6B9F21, index, 0, True, 0xEF)
            for layout in ("0x words", "libmlx5"):
                status, records, err = explain("\n".join(LAYOUTS[layout](failed.bytes())))
                self.assertEqual((0 if found else 1, [0x6B9F21] if found else []), (status, [r.get("qpn") for r in records]), (layout, vendor, err))

    def test_a_request_and_its_completion(self) -> None:
        failed = failed_of(self.chance)._replace(opcode=0x08, send=True)
        wqe = struct.pack(">IIBxxBI", failed.index << 8 | failed.opcode, failed.qpn << 8 | 3, 0, 8, 0)
        wqe += struct.pack(">QII", 0x7F0000001000, 0x1800, 0) + struct.pack(">IIQ", 64, 0x1900, 0x7F0000002000) + bytes(16)
        for lines in (LAYOUTS["kernel"](failed.bytes()) + ["WQE DUMP: WQ size 1024 WQ cur size 0, WQE index 0xf, len: 64"] + LAYOUTS["kernel"](wqe),
                      LAYOUTS["bytes alone"](failed.bytes() + wqe), LAYOUTS["xxd -e"](failed.bytes() + wqe)):
            status, records, err = explain("\n".join(lines))
            self.assertEqual((0, 2), (status, len(records)), (err, lines, SEED))
            self.assertEqual(failed.qpn, records[0]["qpn"])
            self.assertIn("wqe", records[1])

    def test_what_is_wrapped(self) -> None:
        text = ("> infiniband mlx5_0: dump_cqe:277:(pid 0): WC error: 6,\n> Message: memory bind operation error\n"
                "> n1:3468:3905 [4] NCCL WARN NET/IB : Got completion from peer 192.0.2.1<54862> with\n"
                "> status=12 opcode=0 len=0 vendor err 129 (Recv)\n")
        status, records, _ = explain(text)
        self.assertEqual((0, [6, 12]), (status, [r["status"] for r in records]))

    def test_the_first_error_is_no_flush(self) -> None:
        flush = "Failed status 5: wr_id 0 syndrom 0xf9\n"
        status, records, _ = explain(3 * flush + "Failed status 12: wr_id 0 syndrom 0x81\n" + flush)
        self.assertEqual((0, 12, True, 4), (status, records[0]["status"], records[0]["first"], records[1]["count"]))
        status, out, _ = run("explain", "-", stdin=flush.encode())
        self.assertEqual(0, status)
        self.assertIn("a consequence of an error that is not in this text", out)

    def test_a_hint_changes_the_order_of_causes(self) -> None:
        line = "Failed status 4: wr_id 0 syndrom 0x51\n"
        fault = "mlx5_core 0000:c1:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x002f address=0x24d08000 flags=0x0000]\n"
        self.assertIn("ACS", explain(line)[1][0]["causes"][0]["cause"])
        self.assertIn("IOMMU", explain(fault + line)[1][0]["causes"][0]["cause"])

    def test_other_cards(self) -> None:
        _, records, _ = explain("bnxt_re0: Got completion from peer 10.0.0.2<51000> with status=12 opcode=0 len=0 vendor err 10 (Recv)\n")
        self.assertIn("bnxt_re", records[0]["card"])
        self.assertNotIn("seen", records[0])
        _, records, _ = explain("CQE ERROR wr_id=12 status=12(transport retry counter exceeded) opcode=4 byte_len=0 vendor_err=0xa qp_num=0x2e24\n")
        self.assertIn("bnxt_re", records[0]["card"])
        rows = "".join(f"  [{n:2x}] {word:08x}\n" for n, word in zip(range(0, 32, 4), (0x350406, 0, 0, 0, 0x02702711, 0, 0x883, 0xFF100000)))
        _, records, _ = explain("local QP operation err (QPN 350406, WQE @ 00000883, CQN 9b0083, index 153)\n" + rows)
        self.assertEqual(1, len(records))
        self.assertIn("mlx4", records[0]["card"])

    def test_events_by_their_names(self) -> None:
        for name, number, first in (("PATH_MIG", 6, False), ("PATH_MIG_ERR", 7, False), ("QP_FATAL", 1, True), ("PORT_ERR", 10, True)):
            status, records, _ = explain(f"worker: got async event IBV_EVENT_{name}, port 1 of mlx5_0\n")
            self.assertEqual((0, 1), (status, len(records)))
            self.assertEqual((name, number, first, "mlx5_0"), tuple(records[0][key] for key in ("event", "event_type", "first", "device")))

    def test_events_of_other_cards(self) -> None:
        text = "local_ack_timeout_err: 17\nice 0000:07:00.1 rocep7s0f1: abnormal ae_id = 0x401 bool qp=1 qp_id = 17, ae_src=5\n"
        status, records, _ = explain(text)
        self.assertEqual((0, 2), (status, len(records)))
        self.assertEqual((17, "one without a name"), (records[1]["qpn"], records[1]["event"]))
        self.assertIn("0x401 (1025) is irdma's", records[1]["card"])

    def test_bytes_that_only_look_like_a_capture(self) -> None:
        frame = bytes.fromhex("020000000001020000000002") + b"\x89\x15"
        packet = frame + bytes.fromhex("6000000000341b40") + self.chance.randbytes(32) + b"\x04" + bytes(25)
        for at, expected in ((None, 0), (14, 1), (20, 1)):  # the GRH's version and next header
            changed = bytes(byte ^ 0x10 if n == at else byte for n, byte in enumerate(packet))
            self.assertEqual(expected, explain("\n".join(LAYOUTS["xxd"](changed)))[0], (at, SEED))

    def test_captures(self) -> None:
        # Ethernet, IPv4, UDP to port 4791, BTH with opcode 0x81: a CNP.
        packet = bytes.fromhex("02000000000102000000000208004500003c000040004011000" "00a0000010a00000200b712b700280000" "8100ffff40000118") + bytes(28)
        for layout in ("tcpdump", "copy as hex dump", "xxd"):
            status, records, err = explain("\n".join(LAYOUTS[layout](packet)))
            self.assertEqual((0, ["capture"]), (status, [r["kind"] for r in records]), err)
            self.assertEqual(0x81, records[0]["bth_opcode"])
        with tempfile.NamedTemporaryFile(suffix=".pcap") as file:
            file.write(bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000"))
            file.flush()
            status, out, _ = run("explain", file.name)
            self.assertEqual(0, status)
            self.assertIn("tshark", out)

    def test_counters(self) -> None:
        text = "link mlx5_0/1 rx_write_requests 17 duplicate_request 0 local_ack_timeout_err 2705\n     rx_prio3_pause: 12\n.../hw_counters/of_tomorrow:3\n"
        status, records, _ = explain(text)
        self.assertEqual((0, {"rx_write_requests": 17, "duplicate_request": 0, "local_ack_timeout_err": 2705, "rx_prio*_pause": 12}),
                         (status, {r["counter"]: r["value"] for r in records if "value" in r}))
        self.assertTrue(any("not known here" in r.get("unknown", "") for r in records))

    def test_nothing(self) -> None:
        for text in ("", "hello\n", "status=12\n" * 3, "with status=0 opcode=0 len=0 vendor err 0\n", "0000 0000 0000\n", "\0\0\0\n"):
            status, records, err = explain(text)
            self.assertEqual((1, []), (status, records), text)
            self.assertIn("Looked for", err)
        self.assertEqual(2, run("explain", "/nowhere/at/all", "x")[0])

    def test_by_name_and_as_an_argument(self) -> None:
        line = "Failed status 12: wr_id 0 syndrom 0x81"
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(line)
            file.flush()
            for args in ((file.name,), (line,)):
                status, out, err = run("explain", *args)
                self.assertEqual(0, status, err)
                self.assertIn("vendor code 0x81 (129)", out)


class Values(unittest.TestCase):
    def test_vendor_codes_are_seen_and_never_mean(self) -> None:
        for code in {entry["code"] for entry in table("codes")}:
            for text in (str(code), hex(code)):
                status, out, _ = run("explain", "vendor", text)
                self.assertEqual(0, status, text)
                self.assertIn(f"seen with: vendor code 0x{code:02x} ({code})", out)
                self.assertNotIn("means", out)
        out = run("explain", "vendor", "0x68")[1]
        self.assertIn("LOCAL_QP_OP_ERR", out)
        self.assertIn("LOCAL_LENGTH_ERR", out)
        self.assertIn("one case of several", out)
        self.assertIn("nccl/issues/426", run("explain", "vendor", "0x81")[1])
        self.assertNotIn("issues/214", run("explain", "vendor", "0x81")[1])

    def test_both_bases(self) -> None:
        out = run("explain", "vendor", "81")[1]
        self.assertIn("0x51 (81)", out)
        self.assertIn("0x81 (129)", out)
        self.assertIn("0xf9 (249)", run("explain", "vendor", "f9")[1])

    def test_opcodes_of_three_enums(self) -> None:
        for value, names in (("1", ["SEND_INVAL", "RESP_WR_IMM", "IBV_WC_RDMA_WRITE"]), ("0xe", ["TSO", "RESP_ERR"]), ("129", ["IBV_WC_RECV_RDMA_WITH_IMM"]),
                             ("32552", ["no opcode of any kind"])):
            status, out, _ = run("explain", "opcode", value)
            self.assertEqual(0, status, value)
            for name in names:
                self.assertIn(name, out)

    def test_syndromes_of_commands_and_queues(self) -> None:
        for args in (("syndrome", "0x4bb88f"), ("command", "0x4bb88f"), ("command", "4bb88f")):
            status, out, _ = run("explain", *args)
            self.assertEqual(0, status, args)
            self.assertIn("RTR2RTS_QP", out)
            self.assertIn("nothing to do with a completion's", out)
        self.assertIn("overrun", run("explain", "cq_error", "1")[1])
        self.assertEqual(1, run("explain", "cq_error", "9")[0])

    def test_next_steps(self) -> None:
        for kind, name, words in (("syndrome", "LOCAL_LENGTH_ERR", ["requester: keep", "Responder: post receives"]),
                                  ("syndrome", "LOCAL_PROT_ERR", ["IOMMU", "ACS", "BAR", "nvidia_peermem"]),
                                  ("syndrome", "TRANSPORT_RETRY_EXC_ERR", ["GID", "MTU", "PFC", "peer"])):
            out = run("explain", kind, name)[1]
            for word in words:
                self.assertIn(word, out)
            for args in ((kind, name), (name,)):
                record = json.loads(run("explain", "--json", *args)[1].splitlines()[0])
                self.assertTrue(record["next"])
                self.assertTrue(record["causes"])
        for number in range(19):
            status, out, _ = run("explain", "--json", "event", str(number))
            self.assertEqual(0, status)
            self.assertTrue(json.loads(out.splitlines()[0])["next"], number)

    def test_names_as_people_write_them(self) -> None:
        for args in (("IB_WC_REM_ACCESS_ERR",), ("IBV_WC_REM_ACCESS_ERR",), ("MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR",), ("remote_access_err",),
                     ("status=10",), ("syndrome", "13"), ("status", "remote access error"), ("status", "Remote access"), ("synd=0x13",)):
            status, out, err = run("explain", *args)
            if args == ("syndrome", "13"):  # decimal, as always
                self.assertEqual(1, status)
                continue
            self.assertEqual(0, status, (args, err))
            self.assertIn("REMOTE_ACCESS_ERR", out, args)

    def test_counters(self) -> None:
        for counter in table("counters"):
            name = counter["name"].replace("*", "3")
            for args in (("counter", name), (name,)):
                status, out, _ = run("explain", "--json", *args)
                self.assertEqual(0, status, args)
                record = json.loads(out)
                self.assertTrue(record["counts"] and record["grows with"] and record["next"])
                self.assertNotRegex(record["source"], r"^(hw|eth|ib)\b")
        status, _, err = run("explain", "counter", "nobody")
        self.assertEqual(1, status)
        self.assertIn("counters.rst", err)


if __name__ == "__main__":
    unittest.main()
