#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Frames for dpdk.sh: `make FILE COUNT SEED` writes a capture, `same FILE FILE` compares the frames of two."""
import random
import struct
import sys


def frame(rng, nth):
    """Ethernet with IPv4 and UDP, with IPv6 and TCP, tagged, or of no protocol; every length. Twenty of a kind, as only completions of frames that
    have the same headers become a compressed block."""
    payload = rng.randbytes(rng.choice([18, 26, 64, 200, 1000, rng.randrange(18, 1400)]))
    addresses = struct.pack(">6s6s", rng.randbytes(6), rng.randbytes(6))
    addresses = bytes([addresses[0] & 0xFC]) + addresses[1:]
    kind = nth // 20 % 4
    if kind == 0:
        udp = struct.pack(">HHHH", nth & 0xFFFF, 7, 8 + len(payload), 0) + payload
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), nth & 0xFFFF, 0, 64, 17, 0, b"\x0a\x09\0\1", b"\x0a\x09\0\2")
        return addresses + b"\x08\x00" + ip + udp
    if kind == 1:
        tcp = struct.pack(">HHIIHHHH", 80, nth & 0xFFFF, nth, 0, 0x5010, 100, 0, 0) + payload
        return addresses + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, len(tcp), 6, 64) + rng.randbytes(32) + tcp
    if kind == 2:
        return addresses + b"\x81\x00\x00\x2a\x88\xb5" + payload + b"\0" * 28
    return addresses + b"\x88\xb5" + payload + b"\0" * 28


def write(path, count, seed):
    rng = random.Random(seed)
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for nth in range(count):
            data = frame(rng, nth)
            out.write(struct.pack("<IIII", nth, 0, len(data), len(data)) + data)


def read(path):
    with open(path, "rb") as source:
        data = source.read()
    magic = struct.unpack_from("<I", data)[0]
    if magic not in (0xA1B2C3D4, 0xA1B23C4D):
        sys.exit(f"{path} is no capture")
    frames, at = [], 24
    while at < len(data):
        _, _, stored, length = struct.unpack_from("<IIII", data, at)
        if stored != length:
            sys.exit(f"{path}: frame {len(frames)} is cut off")
        frames.append(data[at + 16 : at + 16 + stored])
        at += 16 + stored
    return frames


def same(path, other):
    a, b = read(path), read(other)
    for nth, (sent, came) in enumerate(zip(a, b)):
        if sent != came:
            where = next((i for i, (x, y) in enumerate(zip(sent, came)) if x != y), min(len(sent), len(came)))
            sys.exit(f"frame {nth} of {len(sent)} bytes came with {len(came)}, other from byte {where} on")
    if len(a) != len(b):
        sys.exit(f"{len(a)} frames were sent, {len(b)} came")
    print(f"{len(a)} frames are the same")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        write(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        same(sys.argv[2], sys.argv[3])
