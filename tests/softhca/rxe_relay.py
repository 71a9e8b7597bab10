#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Carries RoCEv2 between a guest's Ethernet and this machine's loopback, where softhca's hosts are.

usage: rxe_relay.py GUEST_ADDRESS OUR_SOCKET QEMU_SOCKET        ends on SIGTERM, and prints what it carried

The guest's packets have an IP identification, which an ordinary UDP socket neither shows nor sets, but the ICRC covers. So the ICRC of
each of its packets is checked here, over the bytes of the wire, and made anew for the header that the socket will write. softhca's
packets go to the guest as they are: its kernel checks their ICRC itself.
"""
import collections
import os
import select
import signal
import socket
import struct
import sys
import zlib

from wire.check_icrc import icrc

PORT = 4791
OURS, GUESTS = b"\x02\x00\x00\x00\x00\x01", b"\x02\x00\x00\x00\x00\x02"
PRIVATE = 0xFF  # softhca's link packets: no other device knows them
PING, PONG = 1, 2
count: collections.Counter[str] = collections.Counter()


def checksum(header: bytes) -> int:
    total = sum(struct.unpack("!10H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def packet(src: str, dst: str, payload: bytes) -> bytes:
    """As Linux writes one for softhca's socket: no identification, don't fragment."""
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28 + len(payload), 0, 0x4000, 64, 17, 0, socket.inet_aton(src), socket.inet_aton(dst))
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    return header + struct.pack("!HHHH", PORT, PORT, 8 + len(payload), 0) + payload


def arp_answer(frame: bytes) -> bytes:
    """Whoever is asked for is here."""
    sender, asked = frame[22:32], frame[38:42]
    return frame[6:12] + OURS + b"\x08\x06" + frame[14:20] + b"\x00\x02" + OURS + asked + sender


def from_guest(frame: bytes, guest: str, udp: socket.socket, out: "callable") -> None:
    kind = frame[12:14]
    if kind == b"\x08\x06" and frame[20:22] == b"\x00\x01" and frame[28:32] != frame[38:42]:
        out(arp_answer(frame))
    if kind != b"\x08\x00" or frame[23] != 17 or struct.unpack("!H", frame[36:38])[0] != PORT:
        return
    ip = frame[14 : 14 + struct.unpack("!H", frame[16:18])[0]]
    if icrc(ip) != struct.unpack("<I", ip[-4:])[0]:
        count["from the guest with a wrong ICRC"] += 1
        return
    count["from the guest"] += 1
    target = socket.inet_ntoa(ip[16:20])
    anew = packet(guest, target, ip[28:])
    udp.sendto(anew[28:-4] + struct.pack("<I", icrc(anew)), (target, PORT))


def to_guest(payload: bytes, source: str, guest: str, udp: socket.socket, out: "callable") -> None:
    if payload[0] == PRIVATE:
        answer_ping(payload, source, guest, udp)
        return
    ip = packet(source, guest, payload)
    if icrc(ip) != struct.unpack("<I", ip[-4:])[0]:
        count["from softhca with a wrong ICRC"] += 1
    count["from softhca"] += 1
    out(GUESTS + OURS + b"\x08\x00" + ip)


def answer_ping(payload: bytes, source: str, guest: str, udp: socket.socket) -> None:
    """All that came before a ping has gone on to the guest."""
    if struct.unpack("!I", payload[12:16])[0] != PING:
        return
    pong = packet(guest, source, payload[:12] + struct.pack("!I", PONG) + b"\0" * 8 + payload[24:])
    udp.sendto(pong[28:-4] + struct.pack("<I", icrc(pong)), (source, PORT))


def main() -> int:
    guest, ours, theirs = sys.argv[1:4]
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((guest, PORT))
    # Hosts of softhca's listen to nobody who has not such a socket, of the same user.
    name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    name.bind(f"\0softhca-host-{int.from_bytes(socket.inet_aton(guest), 'big'):08x}/{os.geteuid()}")
    name.listen(4096)
    ethernet = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    if os.path.exists(ours):
        os.unlink(ours)
    ethernet.bind(ours)
    over = []
    signal.signal(signal.SIGTERM, lambda *_: over.append(True))

    def out(frame: bytes) -> None:
        try:
            ethernet.sendto(frame, theirs)
        except OSError:
            count["lost: no guest"] += 1

    print("carrying", flush=True)
    while not over:
        for ready in select.select([udp, ethernet], [], [], 0.2)[0]:
            if ready is udp:
                payload, (source, _) = udp.recvfrom(65536)
                to_guest(payload, source, guest, udp, out)
            else:
                from_guest(ethernet.recv(65536), guest, udp, out)
    for what in sorted(count):
        print(f"{count[what]} {what}")
    wrong = sum(n for what, n in count.items() if "wrong" in what)
    return 1 if wrong or not count["from the guest"] or not count["from softhca"] else 0


if __name__ == "__main__":
    sys.exit(main())
