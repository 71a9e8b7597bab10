# SPDX-License-Identifier: BSD-2-Clause
"""Kernels in a cubin and in AMD's assembly: how many instructions, stores by size, fences, registers.

A cubin is an ELF file with a section .text.KERNEL per kernel. From sm_70 on an instruction has 16 bytes; its opcode is in the lowest 9 bits,
the size of a store in bits 73 to 75. Found by comparing what ptxas makes of one store of each size, one fence, and so on
(cost_test.py does so first). Functions that a kernel calls follow it in its section and are not counted.
"""

import re
import struct
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

BYTES = 16  # of an instruction
STORES = {0x185, 0x186}  # ST, STG
LOCAL = {0x183, 0x187}  # LDL, STL
FENCE, NOP, BRANCH = 0x192, 0x118, 0x147
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 8, 6: 16}  # bytes
ELF_SECTION, ELF_SYMBOL = 64, 24  # bytes of an entry of these tables
STT_FUNC = 2
REGISTERS = 0x2F  # an attribute of .nv.info: symbol, count
WITH_SIZE = 4  # attributes whose value follows; others hold it


@dataclass
class Kernel:
    instructions: int = 0
    fences: int = 0
    registers: int = 0
    spills: int = 0
    stores: Counter = field(default_factory=Counter)  # by bytes

    def __str__(self) -> str:
        stores = ", ".join(f"{count} of {size}" for size, count in sorted(self.stores.items()))
        return f"{self.instructions} instructions, {self.registers} registers, {self.fences} fences, stores: {stores}"


@dataclass
class Section:
    name: str
    type: int
    offset: int
    size: int
    link: int


def text_at(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def sections_of(data: bytes) -> list[Section]:
    start = struct.unpack_from("<Q", data, 40)[0]
    count, names = struct.unpack_from("<HH", data, 60)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * ELF_SECTION) for i in range(count)]
    return [Section(text_at(data, rows[names][4] + row[0]), row[1], row[4], row[5], row[6]) for row in rows]


def symbols_of(data: bytes, sections: list[Section]) -> list[tuple[str, int, bool]]:
    """Name, place in its section, and whether it is a function."""
    table = next(s for s in sections if s.name == ".symtab")
    rows = struct.iter_unpack("<IBBHQQ", data[table.offset : table.offset + table.size // ELF_SYMBOL * ELF_SYMBOL])
    return [(text_at(data, sections[table.link].offset + row[0]), row[4], row[1] & 0xF == STT_FUNC) for row in rows]


def registers_of(data: bytes, sections: list[Section], symbols: list[tuple[str, int, bool]]) -> dict[str, int]:
    table = next(s for s in sections if s.name == ".nv.info")
    at, found = table.offset, {}
    while at < table.offset + table.size:
        form, attribute, size = struct.unpack_from("<BBH", data, at)
        if (form, attribute) == (WITH_SIZE, REGISTERS):
            symbol, registers = struct.unpack_from("<II", data, at + 4)
            found[symbols[symbol][0]] = registers
        at += 4 + (size if form == WITH_SIZE else 0)
    return found


def count(words: list[tuple[int, int]], registers: int) -> Kernel:
    kernel = Kernel(len(words), registers=registers)
    for low, high in words:
        opcode = low & 0x1FF
        kernel.fences += opcode == FENCE
        kernel.spills += opcode in LOCAL
        if opcode in STORES:
            kernel.stores[SIZES[high >> 9 & 7]] += 1
    return kernel


def kernels(cubin: Path) -> dict[str, Kernel]:
    data = cubin.read_bytes()
    sections = sections_of(data)
    symbols = symbols_of(data, sections)
    registers = registers_of(data, sections, symbols)
    found = {}
    for section in sections:
        if not section.name.startswith(".text."):
            continue
        name = section.name.removeprefix(".text.")
        end = min([at for other, at, is_function in symbols if is_function and other.startswith(f"${name}$")], default=section.size)
        words = list(struct.iter_unpack("<QQ", data[section.offset : section.offset + end]))
        while words and words[-1][0] & 0x1FF == NOP:  # up to a multiple of 128 bytes
            words.pop()
        if words and words[-1][0] & 0x1FF == BRANCH:  # to itself, where nothing comes any more
            words.pop()
        found[name] = count(words, registers[name])
    return found


AMD_STORES = {"byte": 1, "byte_d16_hi": 1, "short": 2, "short_d16_hi": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}


def amd_kernels(assembly: Path) -> dict[str, Kernel]:
    found, kernel = {}, Kernel()
    for line in assembly.read_text().splitlines():
        if match := re.match(r"(\w+):\s+; @", line):
            kernel = found[match[1]] = Kernel()
        elif match := re.match(r"; NumVgprs: (\d+)", line):
            kernel.registers = int(match[1])
        elif match := re.match(r"\t([a-z]\w*)", line):
            kernel.instructions += 1
            kernel.fences += match[1] == "buffer_wbl2"
            kernel.spills += match[1].startswith("scratch_") or bool(re.match(r"buffer_(load|store)_", match[1]))
            if stored := re.fullmatch(r"(?:global|flat)_store_(\w+)", match[1]):
                kernel.stores[AMD_STORES[stored[1]]] += 1
    return found
