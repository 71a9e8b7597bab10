# SPDX-License-Identifier: BSD-2-Clause
"""What other programs print of random bytes is read as these bytes: xxd, hexdump, od, gdb; what is broken is refused."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import unittest

from tests.seed.seed import segue_test_seed

READER = os.environ["DUMP_READER"]
SEED = segue_test_seed()

PRINTERS = [
    ["xxd"], ["xxd", "-g1"], ["xxd", "-g4"], ["xxd", "-g8", "-c32"], ["xxd", "-c8"], ["xxd", "-u"], ["xxd", "-p"], ["xxd", "-i"],
    ["xxd", "-a"], ["hexdump", "-C"], ["hexdump", "-Cv"], ["hexdump"], ["hexdump", "-v"],
    ["od", "-t", "x1"], ["od", "-v", "-t", "x1"], ["od", "-A", "x", "-v", "-t", "x1"], ["od", "-x"],
    ["od", "-t", "x4"], ["od", "-v", "-t", "x8"], ["od", "-A", "x", "-v", "-t", "x4"], ["od", "-A", "x", "-v", "-t", "x2"], ["hexdump", "-x"],
    ["od", "-An", "-v", "-t", "x1"], ["hexdump", "-v", "-e", '4/1 "%02x" "\\n"'],
]


def read(text: bytes, form: str = "auto") -> tuple[int, str]:
    result = subprocess.run([READER, form], input=text, stdout=subprocess.PIPE, check=False)
    return result.returncode, result.stdout.decode().strip()


class Dumps(unittest.TestCase):
    def setUp(self) -> None:
        self.random = random.Random(SEED)

    def samples(self) -> list[bytes]:
        """Random bytes, bytes that look like characters of a dump, and bytes in which rows repeat."""
        characters = b"  |0x:*#,-{}=;\nabcdef "
        rows = []
        for units in (1, 2, 4, 5, 16, 64):
            rows.append(self.random.randbytes(16 * units))
            rows.append(bytes(self.random.choice(characters) for _ in range(16 * units)))
            rows.append(self.random.randbytes(32) + bytes(16 * units) + self.random.randbytes(16))
        return rows

    def test_as_others_print_them(self) -> None:
        for sample in self.samples():
            with tempfile.NamedTemporaryFile() as file:
                file.write(sample)
                file.flush()
                for printer in PRINTERS:
                    text = subprocess.run([*printer, file.name], stdout=subprocess.PIPE, check=True).stdout
                    with self.subTest(printer=printer, sample=sample.hex(), seed=SEED):
                        self.assertEqual((0, sample.hex()), read(text))

    def test_as_gdb_prints_them(self) -> None:
        sample = self.random.randbytes(128)
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            array = ",".join(str(b) for b in sample)
            source = f"unsigned char ring[128] __attribute__((aligned(64))) = {{{array}}}; int main(void) {{ return ring[0]; }}"
            subprocess.run(["gcc", "-g", "-x", "c", "-", "-o", program], input=source.encode(), check=True)
            for form in ("128xb", "64xh", "32xw", "16xg"):
                command = ["gdb", "-q", "-nx", "-batch", "-ex", f"x/{form} ring", program]
                text = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
                with self.subTest(form=form, seed=SEED):
                    self.assertEqual((0, sample.hex()), read(text))

    def test_raw(self) -> None:
        sample = bytes([0, 1, 255]) + self.random.randbytes(61)
        self.assertEqual((0, sample.hex()), read(sample))
        self.assertEqual((0, b"00 11".hex()), read(b"00 11", "raw"))

    def test_kernel_and_driver_dumps(self) -> None:
        self.assertEqual((0, "00112233445566778899aabbccddeeff"), read(b"00000000: 00112233 44556677 8899aabb ccddeeff\n"))
        self.assertEqual((0, "00112233445566778899aabbccddeeff"), read(b"00112233 44556677 8899aabb ccddeeff\n"))
        self.assertEqual((0, "0011"), read(b"# of a bug report\n\n00 11\n"))

    def test_broken(self) -> None:
        for text, why in [
            (b"", "there are no bytes"),
            (b"\n\n", "there are no bytes"),
            (b"00 1", "odd number of digits"),
            (b"00 zz", "line 1: column 4: 'z' is no hex digit"),
            (b"00000000: 0011 2233\n00000010: 4455\n", "line 2: address 0x10 does not follow: 0x4 was to come"),
            (b"0x7f00: 0x123\n", "has 3 digits"),
            (b"00000000  00 11 22 33 44 55 66 77  88 99 aa bb cc dd ee ff\n*\n", "nothing says how many lines"),
            (b"00000000  00 11 22 33 44 55 66 77  88 99 aa bb cc dd ee ff\n*\n00000008\n", "does not fit what stands before it"),
            (b"error: no such file\n", "is no hex digit"),
        ]:
            with self.subTest(text=text):
                status, said = read(text)
                self.assertEqual(1, status)
                self.assertIn(why, said)

    def test_no_text_is_misread(self) -> None:
        """A digit lost, a line lost or doubled: refused, or the bytes that are left; never other bytes."""
        sample = self.random.randbytes(256)
        with tempfile.NamedTemporaryFile() as file:
            file.write(sample)
            file.flush()
            lines = subprocess.run(["xxd", file.name], stdout=subprocess.PIPE, check=True).stdout.splitlines(keepends=True)
        for number in range(len(lines)):
            shorter, longer = list(lines), list(lines)
            del shorter[number]
            longer.insert(number, lines[number])
            for text in (shorter, longer):
                status, said = read(b"".join(text))
                if status == 0:
                    self.assertIn(said, sample.hex())


if __name__ == "__main__":
    unittest.main()
