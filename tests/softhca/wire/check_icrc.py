#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks every RoCEv2 packet of a capture against zlib's CRC-32.

usage: check_icrc.py FILE...      prints what it saw; exit 1 if any ICRC is wrong
Independent of the engine on purpose: tshark shows the ICRC but does not check it.
"""
import collections
import struct
import sys
import zlib


def records(data):
    """Yields the frames of a pcap file."""
    magic, link = struct.unpack_from("<I", data)[0], struct.unpack_from("<I", data, 20)[0]
    if magic not in (0xA1B23C4D, 0xA1B2C3D4) or link != 1:
        raise SystemExit("not a little-endian Ethernet pcap file")
    at = 24
    while at < len(data):
        _, _, caplen, length = struct.unpack_from("<IIII", data, at)
        if caplen != length or at + 16 + caplen > len(data):
            raise SystemExit(f"record at {at} is cut off")
        yield data[at + 16:at + 16 + caplen]
        at += 16 + caplen


def icrc(ip):
    """The ICRC over an IP packet, IBTA annex A17."""
    masked = bytearray(ip[:-4])
    masked[1] = masked[8] = 0xFF  # type of service, time to live
    masked[10:12] = masked[26:28] = b"\xff\xff"  # IP and UDP checksum
    masked[32] = 0xFF  # BTH: FECN, BECN, reserved
    return zlib.crc32(b"\xff" * 8 + bytes(masked))


def ip_header_ok(ip):
    total = sum(struct.unpack("!10H", ip[:20]))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total == 0xFFFF and struct.unpack_from("!H", ip, 2)[0] == len(ip)


def main():
    opcodes, bad = collections.Counter(), 0
    for name in sys.argv[1:]:
        with open(name, "rb") as f:
            data = f.read()
        for number, frame in enumerate(records(data), 1):
            ip = frame[14:]
            if struct.unpack_from("!H", ip, 22)[0] != 4791:
                continue
            opcodes[ip[28]] += 1
            if not ip_header_ok(ip) or icrc(ip) != struct.unpack("<I", ip[-4:])[0]:
                bad += 1
                print(f"{name}: packet {number}, opcode {ip[28]:#04x}: wrong ICRC or IP header")
    print(f"{sum(opcodes.values())} packets, {len(opcodes)} opcodes, {bad} wrong")
    return 1 if bad or not opcodes else 0


if __name__ == "__main__":
    sys.exit(main())
