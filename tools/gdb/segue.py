# SPDX-License-Identifier: BSD-2-Clause
"""Segue's queues in gdb: `source segue.py`, or beside a program as PROGRAM-gdb.py.

    print *cq, print sq->sq     queues, completions, peers, channels and multi-channels in a line each
    segue-wqe QUEUE [N]         the newest N requests of a send or receive queue, decoded (1)
    segue-cqe CQ [N]            the next N entries of a completion queue's ring, consumed or not (1)

All of it works on a core, too: gdb reads the memory, and the command `segue decode` says what the bytes mean. The command is
the installed one beside this file, or the one in PATH, or the one that the environment variable SEGUE names.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import gdb
import gdb.printing

INSTALLED = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bin/segue"))
SENDS = ("rc", "uc", "ud", "dci", "xrc_initiator", "raw_packet")


def number(value: gdb.Value) -> int:
    return int(value) & 0xFFFFFFFF


def kind_of(value: gdb.Value) -> str:
    """The struct's name, of a value or of what it points to."""
    kind = value.type.strip_typedefs()
    return str((kind.target() if kind.code == gdb.TYPE_CODE_PTR else kind).strip_typedefs().unqualified()).replace("struct ", "")


def send_ring(value: gdb.Value) -> gdb.Value:
    """struct segue_sq of any typed queue, or of what points to one."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        value = value.dereference()
    names = [field.name for field in value.type.strip_typedefs().fields()]
    return value if "pi" in names else value["sq"]


def completed(sq: gdb.Value) -> int:
    """Number of a send queue's completed blocks, as seguei_sq_ci()."""
    return (number(sq["limit"]) - number(sq["room"])) & 0xFFFFFFFF


class SendQueue:
    def __init__(self, value: gdb.Value) -> None:
        self.sq = send_ring(value)

    def to_string(self) -> str:
        sq = self.sq
        blocks, used = number(sq["mask"]) + 1, (number(sq["pi"]) - completed(sq)) & 0xFFFFFFFF
        state = "" if sq["postable"] else ", takes no requests in this state"
        return (f"send queue of QP {number(sq['qpn']):#x}: {used} of {number(sq['most'])} blocks in flight, ring of {blocks}, "
                f"pi {number(sq['pi'])}, ci {completed(sq)}{state}")


class CompletionQueue:
    def __init__(self, value: gdb.Value) -> None:
        self.cq = value

    def to_string(self) -> str:
        cq, ring = self.cq, self.cq["ring"]
        layout = f", {int(cq['block']['left'])} left of a compressed block" if int(cq["block"]["left"]) else ""
        return (f"completion queue {number(cq['cqn']):#x}: ring of {number(ring['cqe_cnt'])} entries of "
                f"{number(ring['entry_size'])} bytes, {(number(cq['ci_upper']) + number(cq['ci'])) & 0xFFFFFFFF} consumed{layout}")


class Completion:
    def __init__(self, value: gdb.Value) -> None:
        self.wc = value

    def to_string(self) -> str:
        wc = self.wc
        how = f"syndrome {int(wc['syndrome']):#04x}" if int(wc["syndrome"]) else f"{number(wc['byte_len'])} bytes"
        return f"completion of wr_id {int(wc['wr_id'])} on QP {number(wc['qpn']):#x}: {how}"


def enum_name(kind: str, value: gdb.Value) -> str:
    """As the program's own debug information has it, without what all members begin with."""
    try:
        return str(gdb.parse_and_eval(f"(enum {kind}){int(value)}")).split("_")[-1].lower()
    except gdb.error:
        return str(int(value))


def recv_ring(value: gdb.Value) -> gdb.Value:
    """struct seguei_recv_ring of any receive queue, or of what points to one."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        value = value.dereference()
    names = [field.name for field in value.type.strip_typedefs().fields()]
    return value["ring"] if "ring" in names else value["srq"]["ring"]


def receives_posted(ring: gdb.Value) -> int:
    """As seguei_recv_ci() has it: what has completed is the limit less the room."""
    return (number(ring["pi"]) - number(ring["limit"]) + number(ring["room"])) & 0xFFFFFFFF


class ReceiveQueue:
    def __init__(self, value: gdb.Value) -> None:
        self.kind = {"segue_rq": "receive queue of QP", "segue_srq": "shared receive queue"}.get(kind_of(value), "striding receive queue")
        self.ring = recv_ring(value)

    def to_string(self) -> str:
        ring = self.ring
        posted = receives_posted(ring)
        state = ", takes no receives in this state" if number(ring["room"]) == 0xFFFFFFFF else ""
        return (f"{self.kind} {number(ring['qpn']):#x}: {posted} of {(number(ring['most']) + 1) & 0xFFFFFFFF} receives posted, ring of "
                f"{number(ring['mask']) + 1} entries of {number(ring['stride'])} bytes{state}")


def peer_text(index: int, generation: int) -> str:
    return "no peer" if index == 0xFFFFFFFF or not generation else f"peer {index}, generation {generation}"


class Peer:
    def __init__(self, value: gdb.Value) -> None:
        self.peer = value

    def to_string(self) -> str:
        return peer_text(number(self.peer["index"]), number(self.peer["generation"]))


class Channel:
    def __init__(self, value: gdb.Value) -> None:
        self.channel = value

    def to_string(self) -> str:
        channel = self.channel
        queue = f", sends on QP {number(channel['sq']['qpn']):#x}" if int(channel["sq"]) else ""
        # Its tag is a generation of 12 bits, and an index of 20. One without is not used yet.
        peer = peer_text(number(channel["index"]), number(channel["tag"]) >> 20)
        return f"channel to {peer}: {enum_name('segue_channel_state', channel['state'])}{queue}"


class MultiChannel:
    def __init__(self, value: gdb.Value) -> None:
        self.multi = value

    def to_string(self) -> str:
        multi = self.multi
        states: dict[str, int] = {}
        for at in range(number(multi["count"])):
            state = enum_name("segue_channel_state", multi["channels"][at]["state"])
            states[state] = states.get(state, 0) + 1
        told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        cq = f"; completion queue {number(multi['cq']['cqn']):#x}" if int(multi["cq"]) else ""
        return f"multi-channel over {enum_name('segue_channel_transport', multi['transport']).upper()}: {number(multi['count'])} peers ({told}){cq}"

    def children(self):
        for at in range(number(self.multi["count"])):
            yield f"[{at}]", self.multi["channels"][at]

    def display_hint(self) -> str:
        return "array"


def printers() -> gdb.printing.RegexpCollectionPrettyPrinter:
    found = gdb.printing.RegexpCollectionPrettyPrinter("segue")
    found.add_printer("send queues", rf"^segue_(({'|'.join(SENDS)})_)?sq$", SendQueue)
    found.add_printer("completion queues", "^segue_cq$", CompletionQueue)
    found.add_printer("completions", "^segue_wc$", Completion)
    found.add_printer("receive queues", "^segue_(rq|srq|mprq)$", ReceiveQueue)
    found.add_printer("peers", "^segue_peer_id$", Peer)
    found.add_printer("channels", "^segue_channel$", Channel)
    found.add_printer("multi-channels", "^segue_multi_channel$", MultiChannel)
    return found


def command() -> str:
    """The command `segue`."""
    found = os.environ.get("SEGUE") or (INSTALLED if os.access(INSTALLED, os.X_OK) else shutil.which("segue"))
    if not found:
        raise gdb.GdbError("The command segue, which decodes, is neither in PATH nor beside this file. Expected its path in the "
                           "environment variable SEGUE, set before gdb starts.")
    return found


def decoded(address: int, length: int, *options: str) -> str:
    """Output of `segue decode` about these bytes of the program. gdb calls no function of the program for it."""
    read = bytes(gdb.selected_inferior().read_memory(address, length))
    done = subprocess.run([command(), "decode", "--form", "raw", "--verbose", *options], input=read, capture_output=True, check=False)
    if not done.stdout:
        raise gdb.GdbError(done.stderr.decode("utf-8", "replace").strip() or f"{command()} decode ended with {done.returncode}, without a word.")
    return done.stdout.decode("utf-8", "replace").rstrip("\n")


def arguments(text: str, what: str) -> tuple[gdb.Value, int]:
    words = gdb.string_to_argv(text)
    if not words:
        raise gdb.GdbError(f"Which {what}? Expected an expression, and perhaps how many.")
    return gdb.parse_and_eval(words[0]), int(words[1], 0) if len(words) > 1 else 1


class Wqe(gdb.Command):
    """segue-wqe QUEUE [N]: decodes the newest N requests of a send queue, typed or not, or of a receive queue."""

    def __init__(self) -> None:
        super().__init__("segue-wqe", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, _from_tty: bool) -> None:
        value, wanted = arguments(argument, "queue")
        kind = kind_of(value)
        if kind == "segue_rq":
            name, found = "rq", self.newest_receives(recv_ring(value), wanted)
        elif kind in ("segue_srq", "segue_mprq"):
            raise gdb.GdbError("Entries of a shared receive queue lie in no order; print its ring in place of that.")
        else:
            name = next((one for one in SENDS if kind == f"segue_{one}_sq"), "rc")
            found = self.newest(send_ring(value), wanted)
        for start, length in found:
            print(decoded(start, length, "--wqe", "--queue", name))

    @staticmethod
    def newest(sq: gdb.Value, wanted: int) -> list[tuple[int, int]]:
        """Address and bytes of the newest requests in flight, oldest first. Each slot holds the start of the next request."""
        found, at, mask = [], completed(sq), number(sq["mask"])
        block = (int(sq["end"]) - int(sq["buf"])) // (mask + 1)
        while at != number(sq["pi"]):
            blocks = (number(sq["kept"][at & mask]["next"]) - at) & 0xFFFF  # its upper bits are a state
            if not blocks:
                break
            found.append((int(sq["ring"]) + (at & mask) * block, blocks * block))
            at = (at + blocks) & 0xFFFFFFFF
        return found[-wanted:]

    @staticmethod
    def newest_receives(ring: gdb.Value, wanted: int) -> list[tuple[int, int]]:
        """The same for a receive queue, where all entries have one size."""
        stride, mask, pi = number(ring["stride"]), number(ring["mask"]), number(ring["pi"])
        posted = receives_posted(ring)
        return [(int(ring["base"]) + ((pi - back) & mask) * stride, stride) for back in range(min(wanted, posted), 0, -1)]


class Cqe(gdb.Command):
    """segue-cqe CQ [N]: decodes the next N entries of a completion queue's ring."""

    def __init__(self) -> None:
        super().__init__("segue-cqe", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, _from_tty: bool) -> None:
        cq, wanted = arguments(argument, "completion queue")
        if cq.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            cq = cq.dereference()
        ring, size = cq["ring"], number(cq["ring"]["entry_size"])
        for n in range(wanted):
            at = int(ring["buf"]) + (number(cq["ci"]) + n) % number(ring["cqe_cnt"]) * size
            print(decoded(at, size, "--cqe", "--cqe-size", str(size)))


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
Wqe()
Cqe()
