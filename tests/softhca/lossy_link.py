# SPDX-License-Identifier: BSD-2-Clause
"""What tc's netem does, for kernels without it: frames between two interfaces, some of them lost, late or overtaken.

lossy_link.py INTERFACE INTERFACE LOSS% DELAY_MS REORDER%: who is overtaken waits for DELAY_MS, who overtakes for nothing. Frames keep the kernel's
own note of checksums and sizes that are still to be made (PACKET_VNET_HDR), so interfaces need no settings.
"""

import heapq
import os
import random
import select
import socket
import sys
import time

PACKET_VNET_HDR = 15
VNET_HEADER = 10
SOL_PACKET = 263
OUTGOING = 4
ALL = 3  # ETH_P_ALL


def interface(name):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    s.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    s.bind((name, ALL))
    s.setblocking(False)
    return s


def main():
    ends = [interface(name) for name in sys.argv[1:3]]
    loss, delay, reorder = (float(word) for word in sys.argv[3:6])
    chance = random.Random(int(os.environ.get("SEGUE_TEST_SEED", "1")))
    waiting, number = [], 0
    other = {ends[0].fileno(): ends[1], ends[1].fileno(): ends[0]}
    poll = select.poll()
    for end in ends:
        poll.register(end, select.POLLIN)
    parent = os.getppid()
    while os.getppid() == parent:
        left = 1000 * (waiting[0][0] - time.monotonic()) if waiting else 500
        for fd, _ in poll.poll(max(0, left)):
            source = ends[0] if ends[0].fileno() == fd else ends[1]
            for _ in range(64):
                try:
                    frame, address = source.recvfrom(VNET_HEADER + 70000)
                except OSError:
                    break
                if address[2] == OUTGOING or 100 * chance.random() < loss:
                    continue
                late = 0 if 100 * chance.random() < reorder else delay / 1000
                number += 1
                heapq.heappush(waiting, (time.monotonic() + late, number, other[fd], frame))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, frame = heapq.heappop(waiting)
            try:
                end.send(frame)
            except OSError:
                pass  # no room: lost


main()
