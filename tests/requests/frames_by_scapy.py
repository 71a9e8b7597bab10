#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""What frames become on the way out, as scapy makes them: asked by tests/requests, a line in hex each way.

`tag TCI FRAME` answers with the frame that has an 802.1Q tag; `cut MSS FRAME` with the TCP segments of one that is too long, with
scapy's lengths and checksums.
"""
import sys

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

LAST = 0x09  # FIN and PSH: of the last segment only


def tagged(tci: int, frame: bytes) -> bytes:
    plain = Ether(frame)
    tag = Dot1Q(prio=tci >> 13, id=tci >> 12 & 1, vlan=tci & 0xFFF, type=plain.type)
    return bytes(Ether(dst=plain.dst, src=plain.src) / tag / Raw(bytes(plain.payload)))


def cut(mss: int, frame: bytes) -> list[bytes]:
    whole = Ether(frame)
    headers, data = whole[TCP], bytes(whole[TCP].payload)
    segments = []
    for nth, at in enumerate(range(0, len(data), mss)):
        last = at + mss >= len(data)
        ip, tcp = whole[IP].copy(), headers.copy()
        ip.id = (ip.id + nth) & 0xFFFF
        tcp.seq = (tcp.seq + at) & 0xFFFFFFFF
        tcp.flags = int(tcp.flags) & (0xFF if last else ~LAST & 0xFF)
        tcp.remove_payload()
        ip.remove_payload()
        del ip.len, ip.chksum, tcp.chksum
        segments.append(bytes(Ether(dst=whole.dst, src=whole.src, type=whole.type) / ip / tcp / Raw(data[at : at + mss])))
    return segments


for line in sys.stdin:
    what, number, text = line.split()
    given = bytes.fromhex(text)
    answers = cut(int(number), given) if what == "cut" else [tagged(int(number), given)]
    print(" ".join(answer.hex() for answer in answers), flush=True)
