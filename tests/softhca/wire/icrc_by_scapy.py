#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The ICRC of every RoCEv2 packet of a capture, as scapy computes it: icrc_by_scapy.py FILE. Exit 1 if one differs."""

from __future__ import annotations

import logging
import sys

logging.getLogger("scapy").setLevel(logging.ERROR)
# pylint: disable=wrong-import-position
from scapy.contrib.roce import BTH  # noqa: E402
from scapy.layers.inet import IP  # noqa: E402
from scapy.utils import rdpcap  # noqa: E402

ICRC = 4  # bytes at the end


def right(ip: IP) -> bool:
    """Built again without its ICRC, a packet has the one that it came with."""
    came = bytes(ip.original)
    again = ip.copy()
    again[BTH].icrc = None
    return bytes(again)[-ICRC:] == came[-ICRC:]


def main() -> int:
    packets = [packet[IP] for packet in rdpcap(sys.argv[1]) if BTH in packet]
    wrong = [number for number, ip in enumerate(packets, 1) if not right(ip)]
    print(f"scapy: {len(packets)} packets, {len(wrong)} wrong {wrong[:5]}")
    if not packets:
        return 1
    spoiled = bytearray(packets[0].original)
    spoiled[-ICRC - 1] ^= 1
    if right(IP(bytes(spoiled))):
        print("scapy takes a packet with a flipped bit for right")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
