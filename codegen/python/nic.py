# SPDX-License-Identifier: BSD-2-Clause
"""Work-queue entries of one device in plain Python, for tests and notebooks: builds, checks and reads them.

    nic = Nic.read("my_nic.json")                  # what `main.py model` prints
    rc = nic.queue("rc")
    entry = rc.rdma_write(flags="SIGNALED").raddr(0x7f00, 0x1234).sge(0x1000, 64, 0x99).finish(index=0)
    rc.validate(entry)                             # "rdma_write", or raises Refused with the reason
    print(rc.decode(entry))
    print(nic.cqe(bytes_from_a_queue))

Values are numbers (or names of an enum's members), bytes where a field is bytes, and dicts where a whole
segment is given. Nothing is kept: a builder returns the next one, and may be used again.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Iterator, Optional, Union

from codegen.model.packed import Data, Field, Refused, Segment, Values, number, whole


@dataclass(frozen=True)
class Part:
    """A segment found in an entry. Each entry of a list is a part of its own."""

    name: str
    values: Values
    payload: bytes = b""
    offset: int = 0
    listed: bool = False


@dataclass(frozen=True)
class Entry:
    """An entry that was read."""

    nic: "Nic"
    queue: str
    request: str
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        lines = [f"{self.request} on {self.queue}"]
        for part in self.parts:
            payload = [f"  payload: {part.payload.hex()}"] if part.payload else []
            lines += [f" byte {part.offset}, {part.name}", *self.nic.segments[part.name].shown(part.values), *payload]
        return "\n".join(lines)


@dataclass(frozen=True)
class Building:
    """An entry under construction. Its methods are the segments that may come next, and finish()."""

    _queue: "Queue"
    _request: "Request"
    _stage: int
    _control: Values
    _body: bytes = b""
    _told: tuple[tuple[tuple[str, str], int], ...] = ()  # values of segments that announce lists: (segment, field), value
    _sums: tuple[int, ...] = ()
    _lap: tuple[int, int] = (0, 0)  # its bit, and the byte at which it flips
    _table: int = 0  # most pieces, where the queue wants a table of them
    _piece: Optional[tuple[int, str, str]] = None  # the last piece: its place, its segment, and the field that marks it as the last

    @property
    def steps(self) -> list[str]:
        """The possible next steps. "finish" if the entry may end."""
        here = self._request.stages[self._stage]
        return [s["call"] for s in here["steps"] if self._queue._uses[s["use"]]["op"] != "terminator"] + ["finish"] * here["accepting"]

    def __dir__(self) -> list[str]:
        return self.steps

    def __getattr__(self, call: str) -> Any:
        if call.startswith("_"):
            raise AttributeError(call)
        return lambda *values, payload=b"", **named: self.add(call, *values, payload=payload, **named)

    def add(self, call: str, /, *values: Any, payload: bytes = b"", **named: Any) -> "Building":
        """The next segment: its fields in the order of its arguments, or by name, or the entries of a list."""
        nic, here = self._queue._nic, self._request.stages[self._stage]
        step = next((s for s in here["steps"] if s["call"] == call), None)
        use = self._queue._uses[step["use"]] if step else {"op": "terminator"}
        if step is None or use["op"] == "terminator":
            raise Refused(f"'{call}' cannot come here in {self._request.name} on {self._queue.name}; expected {' or '.join(self.steps)}")
        segment, at = nic.segments[use["segment"]], len(self._body)
        fixed = self._queue._fixed(use) | ({use["lap"]: self._lap_at(at + self._request.before)} if "lap" in use else {})
        fixed |= {use["piece"]["field"]: 1 - use["piece"]["last"]} if "piece" in use else {}
        if use["op"] == "list":
            rows = list(values[0])
            data = self._list(segment, use["list"], rows)
        else:
            names = [name for name in segment.args if name not in fixed]
            if len(values) > len(names):
                raise Refused(f"{call}: {len(values)} values, expected {', '.join(names) or 'none'}")
            rows = [{**dict(zip(names, values)), **named, **fixed}]
            data = segment.pack(rows[0], payload)
        piece = (at, segment.name, use["piece"]["field"]) if "piece" in use else self._piece
        told = tuple(((segment.name, name), field.get(data)) for name, field in segment.fields.items() if use["op"] != "list")
        sums = self._request.added(self._sums, segment, rows, payload)
        return replace(self, _stage=step["to"], _body=self._body + data, _told=self._told + told, _sums=sums, _piece=piece)

    def _lap_at(self, byte: int) -> int:
        bit, turn = self._lap
        return bit ^ (0 < turn <= byte)

    def _list(self, segment: Segment, how: Data, rows: list[Values]) -> bytes:
        told = dict(self._told)
        most = how.get("max", len(rows))
        if not how["min"] <= len(rows) <= most:
            raise Refused(f"{segment.name}: {len(rows)} entries, expected {how['min']} to {most}")
        data = b"".join(segment.pack(row) for row in rows)
        size = whole(how["head"] + len(data), how["pad"])
        wanted = {"size": size / how["unit"], "entries": len(rows), "sum": sum(row[how["sum"]["of"]] for row in rows) if "sum" in how else 0}
        for part, where in ((part, how[part]) for part in wanted if part in how):
            value = told[where["segment"], where["field"]]
            if value != wanted[part]:
                raise Refused(f"{where['segment']}.{where['field']}: found {value}, expected {wanted[part]:g} for a list of {len(rows)} entries")
        return data.ljust(size - how["head"], b"\0")

    def finish(self, index: int = 0, queue: int = 0, spill: int = 0, size: int = 0) -> bytes:
        """The entry, in one piece. `index`, `queue`, `spill`: its place, its queue's number, and its place in another ring, for devices
        that read them. `size`: least number of its bytes. Unused bytes are zero, or end as the
        device expects."""
        if not self._request.stages[self._stage]["accepting"]:
            raise Refused(f"{self._request.name} on {self._queue.name} cannot end here; expected {' or '.join(self.steps)}")
        request, out, largest = self._request, self._body, self._queue._largest
        if self._piece:
            changed, (at, name, bit) = bytearray(out), self._piece
            last = changed[at:]
            self._queue._nic.segments[name].fields[bit].put(last, request.ends["last"])
            out = out[:at] + last
        if request.control is not None:
            control, said = request.control, dict(self._control)
            for part, value in (("index", index), ("queue", queue), ("spill", spill)):
                if part in control.control:
                    field = control.fields[control.control[part]]
                    said[field.name] = value & field.mask
            filled = -(control.size + len(out) - request.size.get("round_from", 0)) % request.size.get("round", 1)
            out += bytes(filled)
            if "field" in request.size:
                said[request.size["field"]] = max(control.size + len(out) - request.size["base"], 0) // request.size["unit"]
            if request.ends.get("field") in control.fields:
                said[request.ends["field"]] = request.ends["last"] ^ (self._piece is not None)
            if request.lap in control.fields:
                said[request.lap] = self._lap_at(0)
            said.update((one["field"], request.told(one, value, filled)) for one, value in zip(request.sums, self._sums or [0] * len(request.sums)))
            out = request.tabled(out, self._table, said)
            if control.size + len(out) > largest:
                raise Refused(f"{request.name}: {control.size + len(out)} bytes, expected at most {largest}, the device's largest entry")
            out = control.pack(said) + out
        else:
            out += self._queue._end(request, self._stage) if len(out) < size else b""
        if size and len(out) > size or size < request.least and size:
            raise Refused(f"{request.name}: {max(len(out), request.least)} bytes, expected no more than the {size} that there are")
        return out.ljust(size, b"\0")


class Request:
    def __init__(self, nic: "Nic", data: Data, begun: Data, unit: int):
        self.name, self.doc, self.least, self.stages, self.state = data["name"], data["doc"], data["least"], begun["stages"], begun["state"]
        self.gaps = begun["gaps"]
        self.lap, self.ends = begun.get("lap", ""), data.get("ends", {})
        self.control = nic.segments[data["control"]] if "control" in data else None
        self.values = {name: number(v) for name, v in data["fixed"].items()}
        self.fixed = dict(self.values)  # the constant values of its control segment
        if self.control:
            parts = self.control.control
            self.fixed |= {parts["opcode"]: data["opcode"]["value"]} if "opcode" in parts else {}
            self.fixed |= {parts["opmod"]: data["opmod"]} if "opmod" in parts else {}
        self.args = {a["name"]: a["field"] for a in data["args"]}
        self.flags = {name: nic.flags[name] for name in data["flags"]}
        self.legal = functools.reduce(int.__or__, self.flags.values(), 0)
        self.size, self.sums, self.unit = data.get("size", {}), data.get("sums", []), unit
        self.before = self.control.size if self.control else 0  # bytes before its layout
        self.table = data.get("table", {})
        self.forms = [(form["value"], nic.segments[form["segment"]]) for form in self.table.get("forms", [])]
        self.repeated = nic.segments[self.table["piece"]] if self.table else None

    def form(self, count: int) -> tuple[int, Optional[Segment]]:
        """The table of so many pieces, and its value in the control segment. Neither if there are too few of them, or too many."""
        return next(((value, form) for value, form in self.forms if self.table["above"] < count <= len(form.fields)), (0, None))

    def tabled(self, body: bytes, most: int, said: Values) -> bytes:
        """The pieces, behind a table of them if the queue wants one. `most`: pieces of such a queue."""
        if not most or len(body) <= self.table["above"] * self.repeated.size:
            return body
        pieces = [self.repeated.unpack(body[at:])[self.table["field"]] for at in range(0, len(body), self.repeated.size)]
        said[self.table["told"]], form = self.form(len(pieces))
        if form is None or len(pieces) > most:
            raise Refused(f"{self.name}: {len(pieces)} pieces, expected at most {most}, of which the queue wants a table")
        return form.pack(dict(zip(form.fields, pieces))) + body

    def told(self, one: Data, value: int, filled: int) -> int:
        """The control segment's value for a number that was counted, with `filled` bytes of zeros at the end."""
        if one["counts"] == "padding":
            return filled // self.size["unit"]
        return whole(value * one.get("times", 1) + one.get("plus", 0), one.get("round", 1)) - one.get("less", 0)

    def added(self, sums: tuple[int, ...], segment: Segment, rows: list[Values], payload: bytes) -> tuple[int, ...]:
        found = list(sums or [0] * len(self.sums))
        for i, one in enumerate(self.sums):
            if one["counts"] in ("bytes", "payload_units"):
                size = len(payload) if segment.tail and "max" in segment.tail else 0
                found[i] += size if one["counts"] == "bytes" else whole(size, self.unit) // self.unit
            elif one.get("segment") == segment.name:
                found[i] += sum(1 if one["counts"] == "entries" else row.get(one["of"], 0) for row in rows)
        return tuple(found)


class Queue:
    """A send queue, named for its transport, or a kind of receive queue. Its methods are its requests."""

    def __init__(self, nic: "Nic", data: Data, requests: dict[str, Data], options: list[Data]):
        self._nic, self.name, self._uses, self._states, self._announced = nic, data["name"], data["uses"], data["states"], data["announced"]
        self._options = {option["name"]: option["field"] for option in options}
        self._requests = {r["name"]: Request(nic, requests[r["name"]], r, data["unit"]) for r in data["requests"]}
        self._largest = data["unit"] * data["largest"]
        self._settings = 0  # bits of the flags' word that are not flags
        for control in (r.control for r in self._requests.values() if r.control and r.control.control["flags"]):
            byte = control.fields[control.control["flags"][0]].byte
            self._settings |= functools.reduce(int.__or__, (f.in_dword(byte) for name, f in control.fields.items() if name in data["settings"][control.name]), 0)

    def __dir__(self) -> list[str]:
        return [*self._requests, "validate", "decode"]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._requests:
            raise AttributeError(f"{self.name} has no request '{name}'; it has {', '.join(self._requests)}")
        return lambda *values, flags=0, **named: self.begin(name, *values, flags=flags, **named)

    def begin(self, name: str, /, *values: int, flags: Union[int, str] = 0, **named: int) -> Building:
        """A request: its arguments in their order, or by name, options of the transport by name, and flags as a number or as
        names with spaces between them. If pieces have the lap of the ring: `lap`, and the byte at which it flips, `turn`. If the queue
        wants a table of pieces: the most of these, `table`."""
        request = self._requests[name]
        lap = (named.pop("lap", 0), named.pop("turn", 0)) if request.lap else (0, 0)
        table = named.pop("table", 0) if request.table else 0
        given = {**dict(zip(request.args, values)), **named}
        places = {**request.args, **self._options}
        for arg in given:
            if arg not in places:
                raise Refused(f"{name} on {self.name} has no argument '{arg}'; it has {', '.join(places) or 'none'}")
        if isinstance(flags, str):
            for word in flags.split():
                if word not in request.flags:
                    raise Refused(f"{name} has no flag '{word}'; it has {', '.join(request.flags) or 'none'}")
            flags = sum({request.flags[word] for word in flags.split()})
        said: Values = dict(request.fixed)
        for field in request.control.control["flags"] if request.control else []:
            at = request.control.fields[field]
            said[field] = flags >> at.low & at.mask
        if flags & ~request.legal:
            raise Refused(f"{name}: found flags {flags:#x}, expected {', '.join(request.flags) or 'none'}")
        said |= {places[arg]: value for arg, value in given.items()}
        w = Building(self, request, 0, said, _lap=lap, _table=table)
        for _ in request.gaps:
            w = w.add(w.steps[0])
        return w

    def _fixed(self, use: Data) -> Values:
        return {name: number(v) for name, v in use["fixed"].items()}

    def _end(self, request: Request, stage: int) -> bytes:
        """The bytes that close an entry which does not fill its place."""
        uses = [self._uses[step["use"]] for step in request.stages[stage]["steps"]]
        return next((self._nic.segments[use["segment"]].pack(self._fixed(use)) for use in uses if use["op"] == "terminator"), b"")

    def validate(self, data: bytes) -> str:
        """The request in an entry. Raises Refused with the reason if there is none."""
        return self.decode(data).request

    def decode(self, data: bytes) -> Entry:
        """All parts of an entry. Raises Refused. Reserved bits that are set are told only if all else is legal."""
        walks = [_Walk(self, request, bytes(data), True) for request in self._requests.values()]
        for walk in walks:
            for parts in walk.parts():
                return Entry(self._nic, self.name, walk.request.name, tuple(parts))
        none = [(-1, f"expected an entry of {self.name}; its opcode is of none of its requests")]
        worst: dict[bool, list[tuple[int, str]]] = {True: [], False: []}  # of requests that are legal but for such bits, and of others
        for walk in walks:
            lax = _Walk(self, walk.request, walk.data, False)
            legal = any(True for _ in lax.parts())
            worst[legal] += walk.worst if legal else lax.worst
        at, sentence = max(worst[True] or worst[False] or none, key=lambda offence: offence[0])
        raise Refused(f"byte {at}: {sentence}" if at >= 0 else sentence)


class _Walk:
    """The ways to read some bytes as one request. An offence that is found further on is the better one. `reserved`: such bits count."""

    def __init__(self, queue: Queue, request: Request, data: bytes, reserved: bool):
        self.queue, self.request, self.data, self.reserved, self.end = queue, request, data, reserved, len(data)
        self.control: Values = {}
        self.table: Optional[Segment] = None
        self.worst: list[tuple[int, str]] = []

    def offend(self, at: int, sentence: str) -> bool:
        self.worst.append((at, f"{sentence} (work request {self.request.name} on {self.queue.name})"))
        return False

    def parts(self) -> Iterator[list[Part]]:
        control, sums = self.request.control, (0,) * len(self.request.sums)
        if control is None:
            yield from self.follow(self.request.state, 0, {}, sums, [], False)
        elif self.takes_control(control):
            ended = self.control.get(self.request.ends.get("field", ""), "") == self.request.ends.get("last")
            parts, at = [Part(control.name, self.control)], control.size
            if form := self.table:
                parts.append(Part(form.name, form.unpack(self.data[at:]), b"", at))
                at += form.size
            yield from (found for found in self.follow(self.request.state, at, {}, sums, parts, ended) if self.repeats(found))

    def repeats(self, parts: list[Part]) -> bool:
        """The table in front of the pieces has what they have."""
        if self.table is None:
            return True
        values = [part.values[self.request.table["field"]] for part in parts[2:]]
        wanted = dict(zip(self.table.fields, values + [0] * len(self.table.fields)))
        return parts[1].values == wanted or self.offend(parts[1].offset, f"{self.table.name}: expected {', '.join(map(str, values))}, then 0")

    def takes_control(self, control: Segment) -> bool:
        request, data, nic = self.request, self.data, self.queue._nic
        if len(data) < control.size:
            return self.offend(0, f"found {len(data)} bytes, expected {control.size}, the control segment's size")
        if any(control.fields[name].get(data) != value for name, value in request.fixed.items()):
            return False
        self.control = control.unpack(data)
        wrong = control.wrong(data, None, self.reserved)
        if wrong:
            return self.offend(*wrong)
        first = next((control.fields[name] for name in control.control["flags"]), None)
        stray = int.from_bytes(data[first.byte:first.byte + 4], first.order) & ~(self.queue._settings | request.legal) if first else 0
        for name, field in control.fields.items() if first and stray else []:
            if field.in_dword(first.byte) & stray and not field.stale and name != control.control.get("signature"):
                return self.offend(field.first, f"{control.name}.{name}: found {field.get(data):#x}, "
                                                f"expected {', '.join(request.flags) or 'no flag'}")
        if request.ends:
            self.end = min(len(data), self.queue._largest)
            return len(data) >= request.least or self.offend(control.size - 1, f"found {len(data)} bytes, expected {request.least}")
        count = self.control[request.size["field"]] if "field" in request.size else 0
        self.end = request.size["base"] + count * request.size["unit"]
        if request.table and self.control[request.table["told"]]:
            value, self.table = request.form(count)
            if self.table is None or self.control[request.table["told"]] != value:
                return self.offend(0, f"{request.table['told']}: found another form than that of a table of {count} pieces")
            self.end += self.table.size
        whole_units = (self.end - request.size.get("round_from", 0)) % request.size.get("round", 1) == 0
        if not whole_units or not control.size <= self.end <= min(len(data), self.queue._largest) or len(data) < request.least:
            return self.offend(control.size - 1, f"found an entry of {self.end} bytes, expected {max(control.size, request.least)} to "
                                                 f"{min(len(data), self.queue._largest)}")
        return not nic.block or nic.stale_rest or self.empty(self.end)

    def empty(self, end: int) -> bool:
        return not (self.reserved and any(self.data[end:])) or self.offend(end, f"expected zeros behind the {end} bytes of the entry")

    def follow(self, state: int, at: int, told: dict[tuple[str, str], int], sums: tuple[int, ...], parts: list[Part], ended: bool) -> Iterator[list[Part]]:
        here = self.queue._states[state]
        if self.request.ends and here["accepting"] and (ended or at == self.end):
            over = ended or self.offend(at, "found the end, expected a last piece that says that it is")
            if over and self.adds_up(sums, 0) and (self.queue._nic.stale_rest or self.empty(at)):
                yield parts
            return
        done = at == self.end or here["accepting"] and self.padded(at)
        if done and here["accepting"] and self.adds_up(sums, self.end - at):
            yield parts
        if at == self.end and not here["accepting"]:
            self.offend(at, "found the end, expected " + " or ".join(self.queue._uses[edge["use"]]["segment"] for edge in here["edges"]))
        elif not done and not here["edges"]:
            self.offend(at, f"found {self.end - at} more bytes, expected the end")
        pieces = any("piece" in self.queue._uses[edge["use"]] for edge in here["edges"])
        for edge in here["edges"]:
            use = self.queue._uses[edge["use"]]
            if pieces and ("piece" in use) == ended:
                continue
            segment = self.queue._nic.segments[use["segment"]]
            take = self.take_list if use["op"] == "list" else self.take
            found = take(segment, use, at, told)
            if found is None or found[0] == at and len(parts) > 4096:
                continue
            end, taken, payload = found
            behind = {**told, **{(segment.name, n): v for n, v in (taken[0].values.items() if use["op"] != "list" else ())}}
            more = self.request.added(sums, segment, [part.values for part in taken], payload)
            yield from self.follow(edge["to"], self.end if use["op"] == "terminator" else end, behind, more, parts + taken,
                                   taken[0].values[use["piece"]["field"]] == use["piece"]["last"] if "piece" in use else ended)

    def padded(self, at: int) -> bool:
        """The rest is zeros that fill it up."""
        return self.queue._nic.block and self.end - at < self.request.size.get("round", 0) and not any(self.data[at:self.end])

    def adds_up(self, sums: tuple[int, ...], filled: int) -> bool:
        for one, value in zip(self.request.sums, sums):
            value = self.request.told(one, value, filled)
            if self.control[one["field"]] != value:
                return self.offend(0, f"{one['field']}: found {self.control[one['field']]:#x}, expected {value:#x}, which follows from the rest")
        return True

    def take(self, segment: Segment, use: Data, at: int, told: dict[tuple[str, str], int]) -> Optional[tuple[int, list[Part], bytes]]:
        left, tail = self.end - at, segment.tail or {}
        if left < (tail["at"] + 1 if "max" in tail else segment.size):
            self.offend(at, f"found {left} bytes, expected {segment.name}")
            return None
        data = self.data[at:self.end].ljust(segment.size, b"\0")
        wrong = segment.wrong(data, self.queue._fixed(use), self.reserved)
        if wrong:
            self.offend(at + wrong[0], wrong[1])
            return None
        values, size, length = segment.unpack(data), segment.size, 0
        if "max" in tail:
            length = self.payload(left - tail["at"], use.get("told", False))
            size = max(whole(tail["at"] + length, tail["pad"]), tail["least"]) if use.get("told") else left
        elif tail:
            length = values[tail["length"]]
            size = max(whole(tail["at"] + length, tail["pad"]), tail["least"])
        if size > left or length > tail.get("max", length):
            self.offend(at, f"{segment.name}: found {length} bytes of payload, expected a payload that ends within the entry")
            return None
        payload = data[tail["at"]:tail["at"] + length] if tail else b""
        if use.get("told") and any(data[tail["at"] + length:size]):
            self.offend(at, f"{segment.name}: expected zeros behind {length} bytes of payload")
            return None
        return at + size, [Part(segment.name, values, payload, at)], payload

    def payload(self, left: int, told: bool) -> int:
        """The size of a payload without a length of its own: as the control segment has it, or all bytes except padding."""
        said = (self.control[one["field"]] for one in self.request.sums if one["counts"] == "bytes")
        return next((size for size in said if 0 <= left - size and (told or left - size < self.request.size.get("round", 1))), left)

    def take_list(self, segment: Segment, use: Data, at: int, told: dict[tuple[str, str], int]) -> Optional[tuple[int, list[Part], bytes]]:
        how, left = use["list"], self.end - at
        size = told[how["size"]["segment"], how["size"]["field"]] * how["unit"]
        count = told[how["entries"]["segment"], how["entries"]["field"]] if "entries" in how else None
        most = whole(how["head"] + how.get("max", left // segment.size) * segment.size, how["pad"])
        inside = size - how["head"]
        if not how["min"] * segment.size <= inside <= left or size % how["pad"] or size > most or count is not None and (
                not how["min"] <= count <= how.get("max", count) or whole(how["head"] + count * segment.size, how["pad"]) != size):
            self.offend(at, f"{segment.name}: found a list of {size} bytes announced, expected one of its entries within the entry")
            return None
        data, found = self.data[at:at + inside], []
        for first in range(0, inside, segment.size):
            row = data[first:first + segment.size]
            full = len(found) == (how.get("max") if count is None else count)
            if full or count is None and inside - first < how["pad"] and not any(data[first:]):
                break
            wrong = segment.wrong(row, None, self.reserved) if len(row) == segment.size else (0, f"{segment.name}: found {len(row)} bytes, expected an entry")
            if wrong:
                self.offend(at + first + wrong[0], wrong[1])
                return None
            found.append(Part(segment.name, segment.unpack(row), b"", at + first, True))
        if any(data[len(found) * segment.size:]):
            self.offend(at + len(found) * segment.size, f"expected zeros behind {len(found)} entries")
            return None
        if "sum" in how and sum(p.values[how["sum"]["of"]] for p in found) != told[how["sum"]["segment"], how["sum"]["field"]]:
            self.offend(at, f"{segment.name}: expected entries whose {how['sum']['of']} is what {how['sum']['segment']} says")
            return None
        return at + inside, found, b""


class Nic:
    """A device, by its model."""

    def __init__(self, model: Data):
        if (model["format"], model["version"]) != ("segue-model", 1):
            raise Refused(f"{model['format']} {model['version']}: expected segue-model 1")
        device = (model["devices"] or [{"name": "", "unit": 1, "largest": 0, "posting": "block", "roles": {}}])[0]
        self.name, self.unit, self.largest = device["name"], device["unit"], device["largest"] * device["unit"]
        self.block, self.stale_rest = device["posting"] == "block", device.get("stale_rest", False)
        self.enums = {e["name"]: {m["name"]: number(m["value"]) for m in e["members"]} for e in model["enums"]}
        self.flags = self.enums.get(device["roles"].get("flags", ""), {})
        self.segments = {s["name"]: Segment(s, self.enums) for s in model["segments"]}
        self.cqes = {s["name"]: Segment(s, self.enums) for s in model["cqes"]}
        requests = {r["name"]: r for r in model["requests"]}
        options = {t["name"]: t["options"] for t in model["transports"]}
        self.queues = {q["name"]: Queue(self, q, requests, options.get(q["name"], [])) for q in model["queues"]}

    @classmethod
    def read(cls, file: Union[str, Path]) -> "Nic":
        return cls(json.loads(Path(file).read_text(encoding="utf-8")))

    def queue(self, name: str) -> Queue:
        if name not in self.queues:
            raise Refused(f"{self.name} has no queue '{name}'; it has {', '.join(self.queues)}")
        return self.queues[name]

    def cqe(self, data: bytes) -> Part:
        """A completion, in the format with most matching fields."""
        fits = [c for c in self.cqes.values() if len(data) >= c.size and all(c.fields[n].get(data) in values for n, values in c.match.items())]
        best = max(fits, key=lambda cqe: len(cqe.match), default=None)
        if best is None or not best.match and any(cqe.match for cqe in self.cqes.values()):
            raise Refused(f"found {bytes(data[:4]).hex()} …, expected one of {', '.join(self.cqes)}")
        return Part(best.name, best.unpack(data))
