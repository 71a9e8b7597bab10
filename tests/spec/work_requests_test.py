# SPDX-License-Identifier: BSD-2-Clause
"""Which request is legal where, against what libmlx5's own tables and switches say (providers/mlx5/qp.c, v44).

LIBMLX5 repeats MLX5_SUPPORTED_SEND_OPS_FLAGS_* and the mlx5dv operations that mlx5_qp_fill_wr_pfns() gives each type.
"""

import glob
import os
import unittest

import yaml

SPEC = os.environ.get("SEGUE_SPEC", os.path.join(os.path.dirname(__file__), "..", "..", "spec"))

MW = " local_inv bind_mw bind_mw_type1 unbind_mw_type1"
UMR = (" umr_list umr_list_sig umr_list_crypto umr_list_sig_crypto umr_interleaved umr_interleaved_sig"
       " umr_interleaved_crypto umr_interleaved_sig_crypto")
RDMA = "send send_imm send_inv rdma_write rdma_write_imm rdma_read atomic_cs atomic_fa" + MW
LIBMLX5 = {
    "rc": RDMA + UMR + " memcpy set_psv tm_append tm_remove tm_noop flow_tbl_access",
    "xrc_initiator": RDMA,
    "dci": RDMA + " memcpy",
    "uc": "send send_imm send_inv rdma_write rdma_write_imm" + MW,
    "ud": "send send_imm",
    "raw_packet": "send tso",
}
# Requests that libmlx5 never builds: from mlx5dv.h's opcodes alone, the kernel, UCX, UCC or DPDK.
ELSEWHERE = set(
    "nop masked_atomic_cs32 masked_atomic_cs64 masked_atomic_fa32 masked_atomic_fa64 get_psv check_psv umr_pointer"
    " transpose wait_cq wait_on_data wait_on_time send_en".split())
# "Valid only for Send and RDMA Write with immediate", ibv_post_send(3). The kernel sets it on SET_PSV.
SOLICITED = set("send send_imm send_inv rdma_write_imm set_psv".split())
# A UMR and its like belong to the queue they are posted on: libmlx5 builds them without an address, even on DCI and XRC.
LOCAL = set(("nop umr_pointer memcpy set_psv get_psv check_psv transpose tso tm_append tm_remove tm_noop wait_cq"
             " wait_on_data wait_on_time send_en flow_tbl_access" + MW + UMR).split())
# Bits 7:0 of the first control dword, bits 31:24.
OPCODES = {
    "nop": (0x00, 0), "send_inv": (0x01, 0), "rdma_write": (0x08, 0), "rdma_write_imm": (0x09, 0), "send": (0x0a, 0),
    "send_imm": (0x0b, 0), "tso": (0x0e, 0), "wait_cq": (0x0f, 0), "wait_on_data": (0x0f, 1), "wait_on_time": (0x0f, 2),
    "rdma_read": (0x10, 0), "atomic_cs": (0x11, 0), "atomic_fa": (0x12, 0), "masked_atomic_cs32": (0x14, 8),
    "masked_atomic_cs64": (0x14, 9), "masked_atomic_fa32": (0x15, 8), "masked_atomic_fa64": (0x15, 9),
    "send_en": (0x17, 0), "set_psv": (0x20, 0), "get_psv": (0x21, 0), "check_psv": (0x22, 0), "umr_pointer": (0x25, 0),
    "tm_append": (0x28, 0), "tm_remove": (0x28, 0), "tm_noop": (0x28, 0), "flow_tbl_access": (0x2c, 1), "memcpy": (0x2f, 1),
    "transpose": (0x32, 0),
}
OPCODES.update({name: (0x25, 0) for name in (MW + UMR).split()})


def load(kind, name="*"):
    found = {}
    for path in sorted(glob.glob(os.path.join(SPEC, "*", kind, name + ".yaml"))):
        with open(path, encoding="utf-8") as file:
            item = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        assert os.path.basename(path) == item["name"] + ".yaml", path
        found[item["name"]] = item
    return found


def member(enum, name):
    return next(value["value"] for value in load("enums", enum)[enum]["values"] if value["name"] == name)


class Requests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.all = load("work_requests")
        cls.send = {name: item for name, item in cls.all.items() if item["queue"] == "send"}

    def test_names(self):
        self.assertEqual(set(self.send), set(OPCODES))
        self.assertEqual(set(self.all) - set(self.send), {"recv_rq", "recv_srq", "recv_mprq"})

    def test_transports(self):
        for transport, requests in LIBMLX5.items():
            found = {name for name, item in self.send.items() if transport in item["transports"]} - ELSEWHERE
            self.assertEqual(found, set(requests.split()), transport)
        for transport in ("xrc_target", "dct"):
            self.assertFalse([name for name, item in self.send.items() if transport in item["transports"]], transport)

    def test_opcodes(self):
        for name, item in self.send.items():
            opmod = item["opmod"]
            if isinstance(opmod, dict):
                opmod = member(opmod["enum"], opmod["member"])
            self.assertEqual((member("opcode", item["opcode"]), opmod), OPCODES[name], name)

    def test_solicited(self):
        self.assertEqual({name for name, item in self.send.items() if "SOLICITED" in item["flags"]}, SOLICITED)

    def test_tag_matching_is_not_signalled_by_control(self):
        for name in ("tm_append", "tm_remove", "tm_noop"):
            self.assertEqual(self.send[name]["flags"], [], "mlx5_post_srq_ops() writes fm_ce_se = 0")

    def test_address(self):
        for name, item in self.send.items():
            self.assertEqual("address" in item["layout"], name not in LOCAL, name)
            if "address" in item["layout"]:
                self.assertEqual(item["layout"].index("address"), 0, name)

    def test_immediate(self):
        """send_ieth(), _build_umr_wqe(), mlx5_send_wr_mkey_configure(), dr_rdma_handle_flow_access_arg_segments()."""
        with_imm = {name for name, item in self.send.items() if item.get("args")}
        self.assertEqual(with_imm, set(("send_imm send_inv rdma_write_imm umr_pointer flow_tbl_access" + MW + UMR).split()))
        for name in with_imm:
            self.assertEqual([arg["field"] for arg in self.send[name]["args"]], ["imm"], name)

    def test_confidence(self):
        """What neither libmlx5 nor the kernel writes says so."""
        for name, item in self.all.items():
            known = name not in ELSEWHERE - {"nop"} and name != "recv_mprq"
            cited = "primary" if "rdma-core:" in item["source"] or "Linux:" in item["source"] else "secondary"
            self.assertEqual(item.get("confidence", cited), "primary" if known else "secondary", name)


if __name__ == "__main__":
    unittest.main()
