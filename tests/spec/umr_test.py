# SPDX-License-Identifier: BSD-2-Clause
"""The values that UMR requests fix, packed by the segment's own fields, against the constants that libmlx5 writes.

The right-hand sides are the expressions of set_umr_control_seg(), mlx5_send_wr_mkey_configure(), umr_enable_bsf(),
mlx5_umr_fill_sig_bsf() and mlx5_umr_fill_crypto_bsf() (providers/mlx5/qp.c, v44) with the values of mlx5dv.h and wqe.h.
"""

import glob
import os
import unittest

import yaml

SPEC = os.environ.get("SEGUE_SPEC", os.path.join(os.path.dirname(__file__), "..", "..", "spec"))

INLINE, CHECK_FREE, TRNSLATION_OFFSET, CHECK_QPN = 1 << 7, 1 << 5, 1 << 4, 1 << 3
LEN, START_ADDR, MKEY, QPN, FREE = 1 << 0, 1 << 6, 1 << 13, 1 << 14, 1 << 29
ACCESS = 1 << 18 | 1 << 19 | 1 << 20 | 1 << 21  # local write, remote read, remote write, atomic
BIND = LEN | START_ADDR | ACCESS
SIZE_WITH_INLINE, SIZE_SIG_AND_CRYPTO, SIZE_SHIFT, TYPE_CRYPTO = 2, 3, 6, 1


def get_klm_octo(entries):
    return (entries + 7 & ~7) // 2


def load(kind, name):
    path, = glob.glob(os.path.join(SPEC, "*", kind, name + ".yaml"))
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def number(field, value):
    if isinstance(value, list):
        return sum(number(field, one) for one in value)
    if isinstance(value, str):
        enum = load("enums", field.get("enum") or field["flags"])
        return next(member["value"] for member in enum["values"] if member["name"] == value)
    return value


def pack(use):
    """(bytes as a number, mask of the bits that are fixed) of a segment with what `with` and `const` say."""
    segment = load("segments", use["segment"])
    value = mask = 0
    for field in segment["fields"]:
        given = use.get("with", {}).get(field["name"], field.get("const"))
        if given is None:
            continue
        high, low = (int(bit) for bit in field["at"]["bits"].split(":"))
        end = field["at"]["dword"] * 32 + (64 if high > 31 else 32)
        shift = segment["size"] * 8 - end + low
        mask |= ((1 << high - low + 1) - 1) << shift
        value |= number(field, given) << shift
    return value, mask, segment["size"]


def part(use, byte, count):
    """`count` bytes from `byte` on, which must be fixed as a whole (None if no bit of them is)."""
    value, mask, size = pack(use)
    shift = (size - byte - count) * 8
    fixed = mask >> shift & (1 << count * 8) - 1
    return (value >> shift & (1 << count * 8) - 1) if fixed else None


def uses(name):
    return [element for element in load("work_requests", name)["layout"] if "segment" in element]


class MemoryWindows(unittest.TestCase):
    def check(self, name, flags, klm, mask):
        control = uses(name)[0]
        self.assertEqual(part(control, 0, 1), flags, name)
        self.assertEqual(part(control, 4, 2), klm, name)
        self.assertEqual(part(control, 6, 2), 0, name)  # translation_offset
        self.assertEqual(part(control, 8, 8), mask, name)

    def test_control(self):
        common = TRNSLATION_OFFSET | INLINE
        self.check("local_inv", common | CHECK_QPN, get_klm_octo(0), FREE | MKEY | QPN)
        self.check("unbind_mw_type1", common, get_klm_octo(0), FREE | MKEY)
        self.check("bind_mw", common | CHECK_FREE, get_klm_octo(1), FREE | MKEY | QPN | BIND)
        self.check("bind_mw_type1", common, get_klm_octo(1), FREE | MKEY | BIND)

    def test_sizes(self):
        """Octowords after the control segment: set_bind_wr() adds 3 + 4, and 4 more for the list."""
        for name, units in (("local_inv", 7), ("unbind_mw_type1", 7), ("bind_mw", 11), ("bind_mw_type1", 11)):
            self.assertEqual(sum(pack(use)[2] for use in uses(name)) // 16, units, name)

    def test_key(self):
        free = uses("local_inv")[1]
        self.assertEqual((part(free, 0, 1), part(free, 4, 3)), (1 << 6, 0xffffff))
        self.assertEqual(part(uses("bind_mw")[1], 0, 1), 0)


class Lists(unittest.TestCase):
    KINDS = ("umr_list", "umr_interleaved")
    BSF = {"": (0, []), "_sig": (64, ["bsf"]), "_crypto": (64, ["crypto_bsf"]), "_sig_crypto": (128, ["bsf", "crypto_bsf"])}

    def test_control(self):
        for kind in self.KINDS:
            for suffix, (bsf_size, _) in self.BSF.items():
                control = uses(kind + suffix)[0]
                fixed = dict(control["with"])
                self.assertEqual(fixed.pop("bsf_octowords"), bsf_size // 16)
                self.assertEqual(fixed, {"is_inline": 1, "translation_offset_en": 0, "check_qpn": 0})
                self.assertEqual(part(control, 0, 1), INLINE)

    def test_byte_stream_formats(self):
        for kind in self.KINDS:
            for suffix, (_, segments) in self.BSF.items():
                found = uses(kind + suffix)[2:]
                self.assertEqual([use["segment"] for use in found], segments)
                size = SIZE_SIG_AND_CRYPTO if len(segments) == 2 else SIZE_WITH_INLINE
                for use in found:
                    kind_bits = TYPE_CRYPTO if use["segment"] == "crypto_bsf" else 0
                    value, mask, length = pack(use)
                    top = (length - 1) * 8
                    self.assertEqual(value >> top, size << SIZE_SHIFT | kind_bits)
                    self.assertEqual(mask >> top & 0xc3, 0xc3, "size and type are both fixed")

    def test_repeat_block(self):
        self.assertEqual(part({"segment": "repeat_block"}, 4, 4), 0x400)
        klm = next(field for field in load("segments", "klm")["fields"] if field["name"] == "mkey")
        self.assertIn(0x400, klm["never"])


if __name__ == "__main__":
    unittest.main()
