# SPDX-License-Identifier: BSD-2-Clause
"""Entries in Python are those of the spec's vectors, of every layout that the C builders write, and of a provider; and
what is wrong is said in a sentence.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import unittest
from pathlib import Path
from typing import Any

from codegen.python.nic import Nic, Segment, number
from tests.backends import page
from tests.backends.devices import DEVICES, model_of
from tests.backends.made_efa import NIC as EFA
from tests.backends.rebuilt import rebuilt

WALKS = "tests/builders/walks.gen/include/corpus.txt"
PROVIDERS = ("bnxt_re", "ionic")
DAMAGES = (  # byte, its bits, and what is said of them
    (3, 0x40, "expected an entry of rc; its opcode is of none of its requests"),
    (7, 2, "byte 16: found the end, expected raddr (work request rdma_write on rc)"),
    (7, 8, "byte 15: found an entry of 176 bytes, expected 16 to 48 (work request rdma_write on rc)"),
    (11, 1, "byte 11: ctrl, bits 0:0 of dword 2: found a bit that is set, expected zero, the bits are reserved (work request rdma_write on rc)"),
    (32, 0x80, "byte 32: data.is_inline: found 0x1, expected 0x0 (work request rdma_write on rc)"),
)
MOST_LINES = 600  # of a back end


class Python(unittest.TestCase):
    models: dict[str, Any]
    nics: dict[str, Nic]

    @classmethod
    def setUpClass(cls) -> None:
        cls.models = {name: model_of(name) for name in DEVICES}
        cls.nics = {name: Nic(model) for name, model in cls.models.items()}

    def refused(self, sentence: str, call: Any, *values: Any, **named: Any) -> None:
        with self.assertRaises(ValueError) as caught:
            call(*values, **named)
        self.assertEqual(sentence, str(caught.exception))

    def vector(self, segment: Segment, said: dict[str, Any]) -> None:
        fields = segment.fields
        values = {n: number(v) if fields[n].order else bytes.fromhex(v) for n, v in said["in"].items()}
        tail = bytes.fromhex(said.get("tail", ""))
        self.assertEqual(said["out"], segment.pack(values, tail).hex(), segment.name)
        out = bytes.fromhex(said["out"])
        self.assertIsNone(segment.wrong(out), segment.name)
        for name, value in segment.unpack(out).items():
            if name in values and not (segment.tail and fields[name].byte >= segment.tail["at"]):
                self.assertEqual(values[name], value, f"{segment.name}.{name}")

    def test_every_vector_of_the_specs(self) -> None:
        for device, model in self.models.items():
            nic, count = self.nics[device], 0
            for kind, known in (("segments", nic.segments), ("cqes", nic.cqes)):
                for data in model[kind]:
                    for said in data["vectors"]:
                        self.vector(known[data["name"]], said)
                        count += 1
            print(f"{device}: {count} vectors")
            self.assertGreater(count, 8)

    def test_every_layout_that_c_writes(self) -> None:
        """The bytes that walk_test has its C builders write: read, and built again."""
        nic, count = self.nics["mlx5"], 0
        for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
            words = line.split(" ")
            if len(words) != 3 or words[0] not in nic.queues:
                continue
            size = int(words[1])
            data = bytes.fromhex(words[2]).ljust(size, b"\0")
            again = rebuilt(nic, nic.queue(words[0]).decode(data), size)
            self.assertEqual(data.hex(), again.ljust(len(data), b"\0").hex(), line)
            count += 1
        print(f"mlx5: {count} entries")
        self.assertGreater(count, 5000)

    def test_what_providers_wrote(self) -> None:
        """Their entries are valid, and built again they are the same."""
        for device in PROVIDERS:
            with self.subTest(device):
                self.compare_provider(device)

    def compare_provider(self, device: str) -> None:
        nic, count = self.nics[device], 0
        for line in Path(f"tests/{device}/vectors.txt").read_text(encoding="utf-8").splitlines():
            hexadecimal = line.split(" ")[-1].removeprefix("=")
            if line.startswith("#") or not re.fullmatch("([0-9a-f]{2})+", hexadecimal):
                continue
            data, kind = bytes.fromhex(hexadecimal), int(line.split(" ")[0])
            name = ("rc", "ud", "rq", "srq")[kind]
            self.assertEqual(data, rebuilt(nic, nic.queue(name).decode(data), len(data)), line)
            count += 1
        print(f"{device}: {count} entries")
        self.assertEqual(300, count)

    def test_a_wrong_order_says_what_may_come(self) -> None:
        rc = self.nics["mlx5"].queue("rc")
        self.refused("'data' cannot come here in rdma_write on rc; expected raddr", rc.rdma_write().data, 0, 0, 0)
        self.refused("rdma_write on rc cannot end here; expected raddr", rc.rdma_write().finish)
        w = rc.rdma_write().raddr(0x1000, 7)
        self.assertIn("finish", dir(w))
        with self.assertRaisesRegex(AttributeError, "rc has no request 'rdma_wirte'; it has atomic_cs, "):
            rc.rdma_wirte()

    def test_a_wrong_value_says_which(self) -> None:
        srd = EFA.queue("srd")
        self.refused("send has no flag 'LOUD'; it has SIGNALED", srd.send, flags="LOUD")
        self.refused("send: found flags 0x1, expected SIGNALED", srd.send, flags=1)
        self.refused("send on srd has no argument 'tag'; it has req_id, phase, ah, dest_qp_num, qkey, hints", srd.begin, "send", tag=1)
        self.refused("efa has no queue 'rc'; it has srd, ud, rq", EFA.queue, "rc")
        self.refused("tx_buf.lkey: found 0x1000000, expected 0x0 to 0xffffff", EFA.segments["tx_buf"].pack, lkey=1 << 24)
        self.refused("tx_buf has no field 'key'; it has length, lkey, addr", EFA.segments["tx_buf"].pack, key=1)

    def test_a_damaged_entry_says_where(self) -> None:
        rc = self.nics["mlx5"].queue("rc")
        entry = bytearray(rc.rdma_write(flags="SIGNALED").raddr(0x7f00, 0x1234).sge(0x1000, 64, 0x99).finish(index=3, queue=0x42))
        self.assertEqual("rdma_write", rc.validate(entry))
        self.assertEqual([("ctrl", 0), ("raddr", 16), ("data", 32)], [(p.name, p.offset) for p in rc.decode(entry).parts])
        self.assertIn("  byte_count: 0x40 (bytes)", str(rc.decode(entry)))
        for at, bits, sentence in DAMAGES:
            with self.subTest(at):
                damaged = bytearray(entry)
                damaged[at] ^= bits
                self.refused(sentence, rc.validate, damaged)
        entry[11] |= 1  # a reserved bit, which hides no other offence
        entry[32] |= 0x80
        self.refused(DAMAGES[-1][2], rc.validate, entry)

    def test_a_module_needs_nothing_else(self) -> None:
        text = Path(sys.modules["tests.backends.made_efa"].__file__ or "").read_text(encoding="utf-8")
        self.assertEqual({"__future__", "functools", "json", "dataclasses", "pathlib", "typing"}, set(re.findall(r"^(?:from|import) (\w+)", text, re.M)))
        self.assertEqual(self.nics["efa"].enums, EFA.enums)

    def test_the_page_shows_what_happens(self) -> None:
        program, printed = page.shown("python")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(program.replace("from efa import NIC", ""), {"NIC": EFA})  # pylint: disable=exec-used
        self.assertEqual(printed.strip(), out.getvalue().strip())

    def test_back_ends_are_small(self) -> None:
        for folder in ("python", "rust"):
            files = [p for p in Path("codegen", folder).rglob("*") if p.suffix in (".py", ".j2", ".rs")]
            lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in files)
            self.assertTrue(0 < lines <= MOST_LINES, f"{folder}: {lines} lines")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
