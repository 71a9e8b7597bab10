# SPDX-License-Identifier: BSD-2-Clause
"""Damages good specs at random: each is then accepted, or refused with a place inside its file; nothing else happens.

The seed is printed; SEGUE_TEST_SEED and SEGUE_FUZZ_COUNT change the run.
"""

from __future__ import annotations

import os
import random
import re
import unittest
from typing import Callable

from codegen.check import checked_documents
from codegen.load.load import Document, load, load_bytes
from codegen.model.model import SpecError
from tests.codegen.cases import ROOT, base_files, remember_shapes
from tests.seed.seed import segue_test_seed

SEED = segue_test_seed()
COUNT = int(os.environ.get("SEGUE_FUZZ_COUNT", "2000"))

WORDS = [b"0", b"1", b"-1", b"0x10", b"010", b"1e9", b"99999999999999999999", b"0x" + b"f" * 40, b"9" * 6000, b"true", b"on",
         b"null", b"~", b"''", b'""', b'"63:0"', b"63:0", b'"64:0"', b'"0:63"', b"[]", b"{}", b"[[]]", b"{a: b}", b"*x", b"&x 1",
         b"!!int 1", b"<<", b"? a", b"- -", b"|", b">", b"---", b"...", b"%TAG", b"wqe", b"address", b"ctrl", b"raddr", b"NOP",
         b"RESET", b"rc", b"\xff", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\0", b"\t", b"\r", b'"\\ud800"', b'"\\U7fffffff"',
         b"[" * 2000, b"{a: " * 2000, b"data.addr", b'"0' * 300, b"kind", b"segment", b"transport"]

Mutation = Callable[[random.Random, bytes], bytes]


def flip_byte(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1:]


def cut_bytes(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randrange(1, 30):]


def cut_end(rng: random.Random, data: bytes) -> bytes:
    return data[:rng.randrange(len(data))]


def insert_word(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.choice(WORDS) + data[at:]


def insert_punctuation(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.choice([b"{", b"}", b"[", b"]", b":", b",", b"'", b'"', b"\n", b" ", b"#", b"- "]) + data[at:]


def change_value(rng: random.Random, data: bytes) -> bytes:
    """Puts something else behind one key."""
    found = list(re.finditer(rb"(?<=: )[^,{}\[\]\n]+", data))
    spot = rng.choice(found)
    return data[:spot.start()] + rng.choice(WORDS) + data[spot.end():]


def change_number(rng: random.Random, data: bytes) -> bytes:
    spot = rng.choice(list(re.finditer(rb"0x[0-9a-f]+|[0-9]+", data)))
    return data[:spot.start()] + str(rng.choice([0, 1, 7, 31, 32, 63, 64, 255, 1024, 1 << 40])).encode() + data[spot.end():]


def change_key(rng: random.Random, data: bytes) -> bytes:
    spot = rng.choice(list(re.finditer(rb"[a-z_]+(?=:)", data)))
    other = rng.choice(list(re.finditer(rb"[a-z_]+(?=:)", data))).group()
    return data[:spot.start()] + other + data[spot.end():]


def exchange_words(rng: random.Random, data: bytes) -> bytes:
    words = list(re.finditer(rb"[A-Za-z_]{2,}", data))
    one, two = sorted(rng.sample(words, 2), key=lambda m: m.start())
    return data[:one.start()] + two.group() + data[one.end():two.start()] + one.group() + data[two.end():]


def cut_key(rng: random.Random, data: bytes) -> bytes:
    """Takes one `key: value` out of a flow mapping or a line."""
    spot = rng.choice(list(re.finditer(rb"[a-z_]+: [^,{}\[\]\n]+(, )?", data)))
    return data[:spot.start()] + data[spot.end():]


def cut_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def repeat_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return b"\n".join(lines)


def move_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def indent_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = b" " * rng.randrange(1, 5) + lines[at] if rng.random() < 0.5 else lines[at].lstrip()
    return b"\n".join(lines)


MUTATIONS: list[Mutation] = [flip_byte, cut_bytes, cut_end, insert_word, insert_punctuation, change_value, change_number,
                             change_key, exchange_words, cut_key, cut_line, repeat_line, move_line, indent_line]


class Fuzz(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)
        remember_shapes()
        self.good: dict[str, Document] = {file: load(file) for file in base_files()}
        self.bytes: dict[str, bytes] = {}
        for file in self.good:
            with open(file, "rb") as stream:
                self.bytes[file] = stream.read()

    def test_damaged_specs(self) -> None:
        print(f"seed {SEED}, {COUNT} damaged specs")
        rng = random.Random(SEED)
        refused = 0
        for number in range(COUNT):
            file = rng.choice(sorted(self.bytes))
            data = self.bytes[file]
            for _ in range(rng.choice([1, 1, 1, 2, 4])):
                data = self.mutate(rng, data)
            refused += self.judge(number, file, data)
        print(f"{refused} refused, {COUNT - refused} accepted")
        self.assertGreater(refused, COUNT // 2)

    @staticmethod
    def mutate(rng: random.Random, data: bytes) -> bytes:
        try:
            return rng.choice(MUTATIONS)(rng, data) if data else b"?"
        except (IndexError, ValueError):  # nothing left to change in that way
            return data

    def judge(self, number: int, file: str, data: bytes) -> bool:
        """True if the damaged file was refused in the way that it should be."""
        try:
            documents = [load_bytes(file, data) if name == file else good for name, good in self.good.items()]
            checked_documents(documents)
            errors = []
        except SpecError as error:
            errors = error.errors
        except Exception as error:
            self.fail(f"damaged spec {number} of seed {SEED}, {file}: {type(error).__name__}: {error}\n{data!r}")
        for place, text in errors:
            source = data if place.file == file else self.bytes.get(place.file)
            self.assertIsNotNone(source, f"damaged spec {number}: {place}: {text}")
            lines = (source or b"").count(b"\n") + 1
            self.assertTrue(1 <= place.line <= lines, f"damaged spec {number}: {place} of {lines} lines: {text}\n{data!r}")
            self.assertTrue(text and text.isprintable(), f"damaged spec {number}: {place}: {text!r}")
        return bool(errors)


if __name__ == "__main__":
    unittest.main()
