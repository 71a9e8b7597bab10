# SPDX-License-Identifier: BSD-2-Clause
"""Segue's queues in gdb: `source segue.py`, or beside a program as PROGRAM-gdb.py.

    print *cq, print sq->sq     queues and completions in a line each
    segue-wqe SQ [N]            the newest N requests of a send queue, decoded by the library in the program (1)
    segue-cqe CQ [N]            the next N entries of a completion queue's ring, consumed or not (1)

The commands call functions of the program, which must be stopped and alive; printing queues works on a core, too.
"""

from __future__ import annotations

import gdb
import gdb.printing

TEXT = 16384  # bytes of a decoded request
SENDS = ("rc", "uc", "ud", "dci", "xrc_initiator", "raw_packet")


def number(value: gdb.Value) -> int:
    return int(value) & 0xFFFFFFFF


def send_ring(value: gdb.Value) -> gdb.Value:
    """struct segue_sq of any typed queue, or of what points to one."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        value = value.dereference()
    names = [field.name for field in value.type.strip_typedefs().fields()]
    return value if "pi" in names else value["sq"]


class SendQueue:
    def __init__(self, value: gdb.Value) -> None:
        self.sq = send_ring(value)

    def to_string(self) -> str:
        sq = self.sq
        blocks, used = number(sq["mask"]) + 1, (number(sq["pi"]) - number(sq["ci"])) & 0xFFFFFFFF
        state = "" if sq["postable"] else ", takes no requests in this state"
        return (f"send queue of QP {number(sq['qpn']):#x}: {used} of {number(sq['most'])} blocks in flight, ring of {blocks}, "
                f"pi {number(sq['pi'])}, ci {number(sq['ci'])}{state}")


class CompletionQueue:
    def __init__(self, value: gdb.Value) -> None:
        self.cq = value

    def to_string(self) -> str:
        cq, ring = self.cq, self.cq["ring"]
        layout = f", {int(cq['block']['left'])} left of a compressed block" if int(cq["block"]["left"]) else ""
        return (f"completion queue {number(cq['cqn']):#x}: ring of {number(ring['cqe_cnt'])} entries of "
                f"{number(ring['entry_size'])} bytes, {number(cq['ci'])} consumed{layout}")


class Completion:
    def __init__(self, value: gdb.Value) -> None:
        self.wc = value

    def to_string(self) -> str:
        wc = self.wc
        how = f"syndrome {int(wc['syndrome']):#04x}" if int(wc["syndrome"]) else f"{number(wc['byte_len'])} bytes"
        return f"completion of wr_id {int(wc['wr_id'])} on QP {number(wc['qpn']):#x}: {how}"


def printers() -> gdb.printing.RegexpCollectionPrettyPrinter:
    found = gdb.printing.RegexpCollectionPrettyPrinter("segue")
    found.add_printer("send queues", rf"^segue_(({'|'.join(SENDS)})_)?sq$", SendQueue)
    found.add_printer("completion queues", "^segue_cq$", CompletionQueue)
    found.add_printer("completions", "^segue_wc$", Completion)
    return found


def called(text: str) -> str:
    """What a printing function of the program writes: `text` has {out} where it wants memory, and its length."""
    out = gdb.parse_and_eval(f"(char *)malloc({TEXT})")
    try:
        gdb.parse_and_eval(text.format(out=f"(char *){int(out):#x}, {TEXT}ul"))
        return out.string("utf-8", "replace")
    finally:
        gdb.parse_and_eval(f"(void)free((void *){int(out):#x})")


def arguments(text: str, what: str) -> tuple[gdb.Value, int]:
    words = gdb.string_to_argv(text)
    if not words:
        raise gdb.GdbError(f"Which {what}? Expected an expression, and perhaps how many.")
    return gdb.parse_and_eval(words[0]), int(words[1], 0) if len(words) > 1 else 1


class Wqe(gdb.Command):
    """segue-wqe SQ [N]: decodes the newest N requests of a send queue, typed or not."""

    def __init__(self) -> None:
        super().__init__("segue-wqe", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, _from_tty: bool) -> None:
        value, wanted = arguments(argument, "send queue")
        kind = str((value.dereference() if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else value).type.strip_typedefs())
        name = next((one for one in SENDS if kind.endswith(f"segue_{one}_sq")), "rc")
        for start, length in self.newest(send_ring(value), wanted):
            print(called(f"(unsigned long)segue_wqe_print(&segue_{name}_machine, (void *){start:#x}, {length}ul, 0, {{out}})"))

    @staticmethod
    def newest(sq: gdb.Value, wanted: int) -> list[tuple[int, int]]:
        """Address and bytes of the newest requests in flight, the oldest of them first: each slot says where the next one begins."""
        found, at, mask = [], number(sq["ci"]), number(sq["mask"])
        block = (int(sq["end"]) - int(sq["buf"])) // (mask + 1)
        while at != number(sq["pi"]):
            blocks = (number(sq["slots"][at & mask]["next"]) - at) & 0xFFFF  # its upper bits are flags
            if not blocks:
                break
            found.append((int(sq["buf"]) + (at & mask) * block, blocks * block))
            at = (at + blocks) & 0xFFFFFFFF
        return found[-wanted:]


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
            print(called(f"(unsigned long)segue_cqe_print((void *){at:#x}, {size}ul, 0, {{out}})"))


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
Wqe()
Cqe()
