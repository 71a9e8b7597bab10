# SPDX-License-Identifier: BSD-2-Clause
"""Random requests of a device, as its model says that they may be: the calls that build each, and the entry that
codegen/python makes of them. What other back ends make of the same calls is compared with it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Optional

from codegen.python.nic import Building, Data, Field, Nic, Queue, Refused, Request, Segment, Values, whole

QUEUE = 0x123456
TRIES = 40
MOST_ROWS, MOST_BYTES = 5, 200  # of a list, and of a payload that may be shorter


@dataclass
class Call:
    """One step of a request."""

    call: str
    segment: Segment
    use: Data
    fixed: Values
    rows: list[Values]  # one, or the entries of a list
    payload: bytes = b""
    room: int = 0  # of the payload, in bytes
    array: bool = False  # of a segment that may be repeated. Only C has a call for it

    @property
    def listed(self) -> bool:
        return self.use["op"] == "list" or self.array

    @property
    def most(self) -> int:
        """Rows of any request with the same calls."""
        return MOST_ROWS if self.array else most_rows(self.use)

    @property
    def written(self) -> list[Values]:
        """The rows without those that an array leaves out."""
        return [row for row in self.rows if not self.array or row.get(self.segment.empty) != 0]

    @property
    def names(self) -> list[str]:
        """Fields that each row gives."""
        return [n for n, f in self.segment.fields.items() if f.const is None and (self.listed or n in self.rows[0])]

    @property
    def given(self) -> list[str]:
        """The fields that a caller gives one by one."""
        return [name for name in self.segment.args if name not in self.fixed]


@dataclass
class Drawn:
    queue: str
    request: str
    flags: int
    args: list[tuple[str, int]]  # of the request, in order
    option: Optional[tuple[str, int]]
    calls: list[Call]
    lap: Optional[tuple[int, int]] = None  # of the ring, where pieces tell it: the bit, and the byte at which it flips
    table: Optional[int] = None  # most pieces of a queue that wants a table of them, where there is such a table. 0: it does not
    entry: bytes = b""
    damaged: list[bytes] = field(default_factory=list)
    form: Optional[Drawn] = None  # one with the same calls and other values


def most_rows(use: Data) -> int:
    return min(use["list"].get("max", MOST_ROWS), MOST_ROWS) if use["op"] == "list" else 1


class Draw:
    def __init__(self, nic: Nic, model: Data, rng: random.Random):
        self.nic, self.rng = nic, rng
        self.segments = {s["name"]: s for s in model["segments"]}
        self.kinds = {q["name"]: q["kind"] for q in model["queues"]}
        self.with_arrays = False
        self.room = max([nic.largest, *(r["least"] for r in model["requests"])])  # of a block, in bytes

    def queues(self) -> list[str]:
        """Those whose entries a program begins by itself, to a place of its own."""
        names = [name for name, kind in self.kinds.items() if self.nic.block or kind == "send"]
        return [name for name in names if not any(use.get("by") == "queue" and self.segments[use["segment"]]["args"] for use in self.nic.queues[name]._uses)]

    def all(self, each: int, times: int = 1) -> list[Drawn]:
        """So many forms of each request of each queue, and each so many times, as far as there are so many."""
        found = []
        for name in self.queues():
            queue = self.nic.queues[name]
            for request in queue._requests.values():
                forms = (self.one(queue, request) for _ in range(each))
                for form in (d for d in forms if d is not None):
                    again = (self.one(queue, request, form) for _ in range(times - 1))
                    found += [form, *(d for d in again if d is not None)]
        return found

    def arrays(self, times: int) -> list[Drawn]:
        """A form of each request with an array, where segments may repeat."""
        self.with_arrays = True
        return [d for d in self.all(1, times) if any(c.array for c in (d.form or d).calls)]

    def one(self, queue: Queue, request: Request, form: Optional[Drawn] = None) -> Optional[Drawn]:
        for _ in range(TRIES):
            try:
                drawn = self.drawn(queue, request, form)
                drawn.entry = self.built(queue, drawn).finish(queue=QUEUE, size=self.size(request))
            except (Refused, LookupError):
                continue  # too long, or a list whose size nothing can say
            if self.nic.block and len(drawn.entry) > self.room:
                continue  # a receive of too many elements
            drawn.damaged = [*(self.damage(drawn.entry) for _ in range(1 if form else 4)), self.strange(drawn, request.control.size if request.control else 0)]
            return drawn
        return None

    def size(self, request: Request) -> int:
        return self.room if self.nic.block and request.control else 0

    def built(self, queue: Queue, drawn: Drawn) -> Building:
        option = dict([drawn.option] if drawn.option else [])
        laps = dict(zip(("lap", "turn"), drawn.lap or ()))
        table = {"table": drawn.table} if drawn.table is not None else {}
        w = queue.begin(drawn.request, flags=drawn.flags, **dict(drawn.args), **option, **laps, **table)
        for c in drawn.calls:
            if c.use["op"] == "list":
                w = w.add(c.call, c.rows)
            for row in c.written if c.use["op"] != "list" else []:
                w = w.add(c.call, payload=c.payload, **row)
        return w

    def drawn(self, queue: Queue, request: Request, form: Optional[Drawn]) -> Drawn:
        fields = request.control.fields if request.control else {}
        args = [(arg, self.value(fields[f])) for arg, f in request.args.items()]
        options = [(name, self.value(fields[f])) for name, f in queue._options.items() if f not in request.args.values()]
        if form is None:
            option = self.rng.choice(options) if options and self.rng.random() < 0.3 else None
            calls = self.path(queue, request)
        else:
            option = next((o for o in options if form.option and o[0] == form.option[0]), None)
            calls = [self.call(c.call, c.use, c.fixed, c.array) for c in form.calls]
        for i, c in enumerate(calls):
            if c.use["op"] == "list":
                self.tell(calls[:i], c)
        lap = (self.rng.randint(0, 1), self.rng.choice([0, 16, 32, 48, 96])) if request.lap else None
        table = self.rng.choice([0, 4, 8, 16]) if request.table else None
        return Drawn(queue.name, request.name, self.flags(request), args, option, calls, lap, table, form=form)

    def path(self, queue: Queue, request: Request) -> list[Call]:
        calls: list[Call] = []
        here = request.stages[queue.begin(request.name)._stage]
        while True:
            steps = [s for s in here["steps"] if queue._uses[s["use"]]["op"] != "terminator"]
            if not steps or here["accepting"] and self.rng.random() < (0.1 if request.table else 0.35):
                return calls
            step = self.rng.choice(steps)
            use = queue._uses[step["use"]]
            written = [name for name in (use.get("lap"), use.get("piece", {}).get("field")) if name]  # by the builder, whatever is given
            array = self.with_arrays and use["op"] == "segment" and self.repeats(request, here, step)
            calls.append(self.call(step["call"], use, queue._fixed(use) | dict.fromkeys(written, 0), array))
            here = request.stages[step["to"]]

    def repeats(self, request: Request, here: Data, step: Data) -> bool:
        """C has an array for the step: it may be taken again, and what comes next may come without it, too."""
        to = request.stages[step["to"]]
        now, then = ({(s["use"], s["to"]) for s in stage["steps"]} for stage in (here, to))
        return (step["use"], step["to"]) in then <= now and (here["accepting"] or not to["accepting"])

    def call(self, call: str, use: Data, fixed: Values, array: bool = False) -> Call:
        segment = self.nic.segments[use["segment"]]
        said = self.segments[segment.name]
        count = self.rng.randint(use["list"]["min"], most_rows(use)) if use["op"] == "list" else self.rng.randint(0, MOST_ROWS) if array else 1
        alone = use["op"] != "list" and not array and not said.get("whole") and not said.get("prepared")
        rows = []
        for _ in range(count):
            names = [n for n in segment.fields if n not in fixed and (n in segment.args or not alone)]
            rows.append({n: self.value(segment.fields[n]) for n in names if segment.fields[n].const is None} | fixed)
            if array and segment.empty in names and segment.fields[segment.empty].legal(0) and self.rng.random() < 0.3:
                rows[-1][segment.empty] = 0
        payload, room = b"", 0
        if segment.tail:
            length = segment.fields.get(segment.tail.get("length", ""))
            least, most = (length.min, length.max) if length else (1, segment.tail["max"])
            room = max(least, min(most, MOST_BYTES))
            payload = self.rng.randbytes(self.rng.randint(least, max(least, min(room, self.rng.choice([8, 40, MOST_BYTES])))))
            rows[0].pop(segment.tail.get("length"), None)
        return Call(call, segment, use, fixed, rows, payload, room, array)

    def tell(self, before: list[Call], c: Call) -> None:
        """What the segments before a list say of it."""
        how = c.use["list"]
        size = whole(how["head"] + len(c.rows) * c.segment.size, how["pad"])
        said = {"size": size // how["unit"], "entries": len(c.rows)}
        said["sum"] = sum(row[how["sum"]["of"]] for row in c.rows) if "sum" in how else 0
        for part in said:
            if part in how:
                teller = next((b for b in reversed(before) if b.segment.name == how[part]["segment"]), None)
                if teller is None or size % how["unit"]:
                    raise LookupError(part)
                teller.rows[0][how[part]["field"]] = said[part]

    def value(self, f: Field) -> Any:
        if not f.order:
            return self.rng.randbytes(f.size)
        members = list(f.members.values())
        for _ in range(100):
            value = self.rng.choice([f.min, f.max, self.rng.randint(f.min, f.max), self.rng.choice(members or [f.min])])
            if f.legal(value):
                return value
        raise LookupError(f.name)

    def flags(self, request: Request) -> int:
        """Some, of which no two are of one field."""
        if request.control is None:
            return 0
        masks = [f.mask << f.low for f in (request.control.fields[name] for name in request.control.control["flags"])]
        flags = 0
        for flag in self.rng.sample(sorted(request.flags.values()), len(request.flags)):
            if self.rng.random() < 0.4 and not any(flag & mask and flags & mask for mask in masks):
                flags |= flag
        return flags

    def strange(self, d: Drawn, at: int) -> bytes:
        """The entry with a value that a field does not take, in a segment before all payloads. `at`: where the first segment begins."""
        places: list[tuple[int, Segment, Field]] = []
        for c in d.calls:
            fields = [] if c.array and not c.written else c.segment.fields.values()
            places += [(at, c.segment, f) for f in fields if f.order and f.const is None and at + c.segment.size <= len(d.entry)]
            if c.segment.tail:
                break
            at += len(c.written) * c.segment.size
        found = []
        for first, segment, f in places:
            for value in (*f.never, f.min - 1, f.max + 1, 0):
                changed = bytearray(d.entry[first:first + segment.size])
                f.put(changed, value - f.minus & f.mask)
                if not f.legal(f.get(changed)):
                    found.append(d.entry[:first] + changed + d.entry[first + segment.size:])
        return bytes(self.rng.choice(found)) if found else self.damage(d.entry)

    def damage(self, entry: bytes) -> bytes:
        """The entry with a bit or a byte changed, or two of them."""
        damaged = bytearray(entry)
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            at = self.rng.randrange(len(entry)) if entry else 0
            if entry and self.rng.random() < 0.6:
                damaged[at] ^= 1 << self.rng.randrange(8)
            elif entry:
                damaged[at] = self.rng.choice([0, 1, 255, self.rng.randrange(256)])
        return bytes(damaged)
