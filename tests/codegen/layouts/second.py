# SPDX-License-Identifier: BSD-2-Clause
"""A second reading of docs/spec-format.md, which shares no code with codegen: draws requests, writes their bytes, judges bytes.

It takes specs as grammar.py has them: what the files hold, as YAML says it. An error that both readings have is one of the page.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

Item = dict[str, Any]


@dataclass
class Took:
    """One use of a segment in a request: all its values, and the payload behind it."""

    segment: Item
    op: str  # "segment", "list", "terminator"
    fixed: dict[str, int]
    rows: list[dict[str, Any]]  # one, or the entries of a list
    data: bytes = b""
    element: Item = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.segment["name"]


def spans_of(f: Item) -> list[tuple[int, int, int]]:
    """(dword, highest bit, lowest bit) of each place that a number lies in, the lowest of its bits first."""
    return [(place["dword"], *map(int, place["bits"].split(":"))) for place in f["at"].get("pieces", [f["at"]])]


def width_of(f: Item) -> int:
    if "byte" in f["at"]:
        return f["at"]["bytes"] * 8
    return sum(high - low + 1 for _, high, low in spans_of(f))


def bits_of_dword(f: Item, dword: int) -> int:
    """The bits of one dword that a number or a reserved place fills."""
    return sum((1 << high - low + 1) - 1 << low for where, high, low in spans_of(f) if where == dword)


def lowest(f: Item) -> int:
    """The least number that its bits can say."""
    return -(1 << width_of(f) - 1) if f.get("signed") else 0


class Reading:
    def __init__(self, spec: dict[str, Item]):
        self.items = {part["name"]: part for part in spec.values()}
        sizes = {m["name"]: m["value"] for m in self.items["wqe"]["values"]}
        self.unit, self.block, self.largest = sizes["UNIT_SIZE"], sizes["BLOCK_SIZE"], sizes["MAX_UNITS"]
        self.ring = self.items["nic"]["posting"] == "ring"
        self.order = self.items["nic"]["byte_order"]
        self.ctrl = self.items["ctrl"]
        fields = {f["name"]: f for f in self.ctrl["fields"]}
        self.opcode_field, self.flag_field = fields["opcode"], fields["ce"]
        self.rings = {name: ring for ring in self.items["nic"].get("rings", []) for name in ring["of"]}
        self.requests = [part for part in spec.values() if part["kind"] == "work_request"]
        self.opcodes = {m["name"]: m["value"] for m in self.items["opcode"]["values"]}
        self.by_opcode: dict[tuple[str, Optional[int]], list[Item]] = {}
        self.places: dict[int, list[tuple[int, int, str, int, int]]] = {}  # of get(): by the identity of what says where

    # Values

    def number(self, f: Item, value: Any) -> int:
        return value if isinstance(value, int) else next(m["value"] for m in self.items[f["enum"]]["values"] if m["name"] == value)

    def legal(self, f: Item, value: int) -> bool:
        if "const" in f:
            return value == f["const"]
        if "zero_means" in f:
            return max(1, f.get("min", 1)) <= value <= min(f["zero_means"], f.get("max", 1 << 70)) and value not in f.get("never", [])
        if not lowest(f) <= value < lowest(f) + (1 << width_of(f)) or not f.get("min", value) <= value <= f.get("max", value) or value in f.get("never", []):
            return False
        if "enum" in f and f["enum"] != "opcode":
            return any(m["value"] == value for m in self.items[f["enum"]]["values"])
        return "flags" not in f or not value & ~sum(m["value"] for m in self.items[f["flags"]]["values"])

    def draw_value(self, rng: random.Random, f: Item) -> Any:
        if "byte" in f["at"]:
            return bytes(rng.randrange(256) for _ in range(f["at"]["bytes"]))
        if "const" in f:
            return f["const"]
        if "enum" in f or "flags" in f:
            members = [m["value"] for m in self.items[f.get("enum") or f["flags"]]["values"]]
            values = [v for v in members if self.legal(f, v)]
            if values:
                return rng.choice(values)
        top = f.get("zero_means", f.get("max", lowest(f) + (1 << width_of(f)) - 1))
        for _ in range(200):
            value = rng.choice([rng.randint(lowest(f), top), top, f.get("min", lowest(f))])
            if self.legal(f, value):
                return value
        raise LookupError(f"no value of {f['name']}")

    # Bytes

    def put(self, out: bytearray, f: Item, value: Any) -> None:
        if "byte" in f["at"]:
            out[f["at"]["byte"]:f["at"]["byte"] + f["at"]["bytes"]] = value
            return
        if value == f.get("zero_means"):
            value = 0
        for start, end, order, low, mask in self.find(f):
            word = int.from_bytes(out[start:end], order) | (value & mask) << low
            out[start:end] = word.to_bytes(end - start, order)
            value >>= mask.bit_length()

    def get(self, data: bytes, f: Item) -> int:
        """The bits of a field or of a reserved place."""
        found = self.places.get(id(f))
        if found is None:
            found = self.places[id(f)] = self.find(f)
        value = shift = 0
        for start, end, order, low, mask in found:
            value |= (int.from_bytes(data[start:end], order) >> low & mask) << shift
            shift += mask.bit_length()
        return value

    def find(self, f: Item) -> list[tuple[int, int, str, int, int]]:
        """(bytes from, bytes to, their order, lowest bit, bits) of each place, the lowest of its bits first."""
        if "byte" in f["at"]:
            return [(f["at"]["byte"], f["at"]["byte"] + f["at"]["bytes"], "big", 0, (1 << 8 * f["at"]["bytes"]) - 1)]
        return [(dword * 4, dword * 4 + (8 if high > 31 else 4), self.order_of(f), low, (1 << (high - low + 1)) - 1)
                for dword, high, low in spans_of(f)]

    def order_of(self, f: Item) -> str:
        return f.get("order", self.order)

    def pack(self, segment: Item, values: dict[str, Any]) -> bytes:
        out = bytearray(segment["size"])
        for f in segment["fields"]:
            self.put(out, f, f["const"] if "const" in f else values.get(f["name"], 0 if "byte" not in f["at"] else bytes(f["at"]["bytes"])))
        return bytes(out)

    def bytes_of(self, took: Took) -> bytes:
        segment = took.segment
        if took.op == "array":
            return b"".join(self.pack(segment, row) for row in took.rows if self.counts_row(segment, row))
        if took.op == "list":
            body = b"".join(self.pack(segment, row) for row in took.rows)
            return body + bytes(self.announced(took) - took.element.get("head", 0) - len(body))
        if "tail" not in segment:
            return self.pack(segment, took.rows[0])
        tail = segment["tail"]
        whole = self.pack(segment, took.rows[0])[:tail["at"]] + took.data
        if "max" in tail:
            return whole
        pad = tail.get("pad", self.unit)
        return whole + bytes(max(-(-len(whole) // pad) * pad, tail.get("min_size", 0)) - len(whole))

    @staticmethod
    def counts_row(segment: Item, row: dict[str, Any]) -> bool:
        """Entries of an array whose `empty` field is 0 are left out."""
        return "empty" not in segment or row[segment["empty"]] != 0

    def announced(self, took: Took) -> int:
        e = took.element
        return -(-(e.get("head", 0) + len(took.rows) * took.segment["size"]) // e["pad"]) * e["pad"]

    # Rings

    def slot(self, ring: Item) -> int:
        return ring.get("stride", self.unit)

    def doorbell(self, ring: Item, head: int, count: int) -> bytes:
        """What it says when `head` slots were filled in all laps."""
        bell = ring["doorbell"]
        segment = self.items[bell["segment"]]
        index = next(f for f in segment["fields"] if f["name"] == bell["index"])
        said = head % count if bell.get("counts") == "slots" else head
        values = {bell["index"]: said % (1 << width_of(index)), **bell.get("with", {})}
        values |= {bell["lap"]: head // count % 2} if "lap" in bell else {}
        return self.pack(segment, values)

    # Drawing a request

    def draw(self, rng: random.Random, request: Item, transport: str, plain: bool = False) -> list[Took]:
        """A request as a layout allows it; `plain`: first alternatives, nothing optional, as a one-call post without its optional parts."""
        took: list[Took] = []
        self.take(rng, request["layout"], transport, took, plain)
        for i, t in enumerate(took):
            if t.op == "list":
                self.tell(took[:i], t)
        return took

    def tell(self, before: list[Took], t: Took) -> None:
        def teller(path: str) -> tuple[Took, str]:
            name, f = path.split(".")
            return next(b for b in reversed(before) if b.name == name), f
        who, f = teller(t.element["count"])
        if self.announced(t) % t.element["unit"]:
            raise LookupError("no number of units says this size")
        who.rows[0][f] = self.announced(t) // t.element["unit"]
        if "entries" in t.element:
            who, f = teller(t.element["entries"])
            who.rows[0][f] = len(t.rows)

    def take(self, rng: random.Random, layout: list[Any], transport: str, took: list[Took], plain: bool) -> None:
        for e in layout:
            if e != "address" and "when" in e and transport not in e["when"]["transport"]:
                continue
            if e == "address":
                self.take(rng, self.items[transport]["address"], transport, took, plain)
            elif "segment" in e or "list" in e or "terminator" in e:
                self.take_segment(rng, e, took)
            elif "fragment" in e:
                self.take(rng, self.items[e["fragment"]]["layout"], transport, took, plain)
            elif "choice" in e:
                branches = self.branches(e, transport)
                self.take(rng, branches[0] if plain else rng.choice(branches), transport, took, plain)
            elif "optional" in e:
                if not plain and rng.random() < 0.5:
                    self.take(rng, e["optional"], transport, took, plain)
            else:
                self.take_repeat(rng, e, transport, took, plain)

    def take_repeat(self, rng: random.Random, e: Item, transport: str, took: list[Took], plain: bool) -> None:
        """In a one-call post a repeat of one segment is an array, with `max: wqe` behind so many single ones as there have to be."""
        count = rng.randint(e["min"], e["min"] + 3 if e["max"] == "wqe" else e["max"])
        body = self.single(e["repeat"], transport) if plain else None
        for _ in range(e["min"] if plain and (e["max"] == "wqe" or body is None) else 0 if body else count):
            self.take(rng, e["repeat"], transport, took, plain)
        if body is None:
            return
        entries: list[Took] = []
        for _ in range(count - (e["min"] if e["max"] == "wqe" else 0)):
            self.take_segment(rng, body, entries, True)
        segment = self.items[body["segment"]]
        rows = [t.rows[0] for t in entries]
        if e["max"] != "wqe" and sum(self.counts_row(segment, row) for row in rows) < e["min"]:
            raise LookupError("too many empty entries")
        took.append(Took(segment, "array", entries[0].fixed if entries else {}, rows, element=e))

    def branches(self, e: Item, transport: str) -> list[Any]:
        """The alternatives of a choice that a transport has."""
        return [branch for branch in e["choice"] if any(self.has(part, transport) for part in branch)] or [[]]

    def has(self, e: Any, transport: str) -> bool:
        """Anything of it is for a transport."""
        if e == "address":
            return True
        if transport not in e.get("when", {"transport": [transport]})["transport"]:
            return False
        if "choice" in e:
            return any(self.has(part, transport) for branch in e["choice"] for part in branch)
        inner = self.items[e["fragment"]]["layout"] if "fragment" in e else e.get("optional", e.get("repeat"))
        return inner is None or any(self.has(part, transport) for part in inner)

    def single(self, layout: list[Any], transport: str) -> Optional[Item]:
        """The one segment of fixed size that a layout is, of a choice as its first alternative has it."""
        layout = [e for e in layout if e == "address" or transport in e.get("when", {"transport": [transport]})["transport"]]
        if len(layout) != 1 or layout[0] == "address":
            return None
        e = layout[0]
        if "choice" in e or "fragment" in e:
            return self.single(self.branches(e, transport)[0] if "choice" in e else self.items[e["fragment"]]["layout"], transport)
        return e if "segment" in e and "tail" not in self.items[e["segment"]] else None

    def take_segment(self, rng: random.Random, e: Item, took: list[Took], whole: bool = False) -> None:
        """`whole`: the caller gives the struct, not only what is under `args`."""
        op = next(key for key in ("segment", "list", "terminator") if key in e)
        segment = self.items[e[op]]
        fixed = {name: self.number(next(f for f in segment["fields"] if f["name"] == name), v) for name, v in e.get("with", {}).items()}
        count = rng.randint(e["min"], e["max"]) if op == "list" else 1
        rows = [{f["name"]: fixed.get(f["name"], self.draw_value(rng, f)) for f in segment["fields"]} for _ in range(count)]
        named = segment.get("args")
        by_value = named is not None and "prepared" not in segment and op == "segment" and segment.get("pass") != "struct"
        for row in rows if by_value and not whole else []:
            for f in segment["fields"]:
                if f["name"] not in named and f["name"] not in fixed and "const" not in f:
                    row[f["name"]] = 0 if "byte" not in f["at"] else bytes(f["at"]["bytes"])
        data = b""
        if "tail" in segment:
            length = next((f for f in segment["fields"] if f["name"] == segment["tail"].get("length")), None)
            lowest, top = (length.get("min", 0), length.get("max", 200)) if length else (1, segment["tail"]["max"])
            data = bytes(rng.randrange(256) for _ in range(rng.randint(lowest, min(top, 60))))
            if length:
                rows[0][length["name"]] = len(data)
        took.append(Took(segment, op, fixed, rows, data, e))

    # Judging bytes

    def accepts(self, request: Item, transport: str, wqe: bytes, legal_flags: int) -> bool:
        """True if the WQE is one of this request. Receives: without the control segment."""
        at = 0
        if request["queue"] == "send":
            length = self.accepts_control(request, wqe, legal_flags)
            if length is None or length > len(wqe) or any(wqe[length:]):
                return False
            wqe, at = wqe[:length], self.ctrl["size"]
        filled = self.unit if request.get("counts") == "units" else 1  # the rest of the last unit is zero
        return any(end <= len(wqe) < end + filled and not any(wqe[end:])
                   for end, _ in self.parse(request["layout"], transport, wqe, at, {}))

    def users(self, machine: str, wqe: bytes) -> list[Item]:
        """The requests that a WQE may be one of: those of its opcode; receives have none."""
        if not self.by_opcode:
            for r in self.requests:
                for one in r.get("transports", [r["queue"]]):
                    self.by_opcode.setdefault((one, self.opcodes[r["opcode"]] if "opcode" in r else None), []).append(r)
        opcode = None if machine == "rq" else self.get(wqe, self.opcode_field)
        return self.by_opcode.get((machine, opcode), [])

    def accepts_control(self, request: Item, wqe: bytes, legal_flags: int) -> Optional[int]:
        """How long the WQE says that it is."""
        if len(wqe) < self.ctrl["size"] or not self.accepts_fields(self.ctrl, {}, wqe):
            return None
        value = {f["name"]: self.get(wqe, f) for f in self.ctrl["fields"]}
        if value["opcode"] != self.opcodes[request["opcode"]] or value.get("opmod", 0) != request.get("opmod", 0):
            return None
        if any(value[name] != wanted for name, wanted in request.get("with", {}).items()):
            return None
        at = self.flag_field["at"]["dword"] * 4
        if int.from_bytes(wqe[at:at + 4], self.order_of(self.flag_field)) & ~legal_flags:
            return None
        if self.ring:
            return value["ds"] * self.unit
        if request["counts"] == "units":
            return value["many"] * self.unit
        base = self.ctrl["size"] + sum(self.items[e["segment"]]["size"] for e in request["layout"][:-1])
        if request["counts"] == "bytes":
            tailed = request["layout"][-1]
            tailed = (tailed.get("optional") or [tailed])[0]
            segment = self.items[tailed["segment"]]
            # Fields in front of the payload are no payload.
            return base + (segment["tail"]["at"] if value["many"] else 0) + value["many"]
        return base + value["many"] * self.items[request["layout"][-1]["repeat"][0]["segment"]]["size"]

    def accepts_fields(self, segment: Item, fixed: dict[str, int], data: bytes) -> bool:
        for f in segment["fields"]:
            if "byte" in f["at"]:
                continue
            value = self.get(data, f)
            value = f["zero_means"] if "zero_means" in f and value == 0 else value
            value -= 1 << width_of(f) if f.get("signed") and value >> width_of(f) - 1 else 0
            if not self.legal(f, value) or fixed.get(f["name"], value) != value:
                return False
        end = segment["tail"]["at"] if "tail" in segment else segment["size"]
        return all(self.get(data, r) == 0 for r in segment.get("reserved", [])
                   if (r["at"]["byte"] if "byte" in r["at"] else r["at"]["dword"] * 4) < end)

    def parse(self, layout: list[Any], transport: str, wqe: bytes, at: int, told: dict[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
        """Every place where the layout may end that begins at `at`, with what its segments have told of lists."""
        if not layout:
            yield at, told
            return
        for end, after in self.parse_one(layout[0], transport, wqe, at, told):
            yield from self.parse(layout[1:], transport, wqe, end, after)

    def parse_one(self, e: Any, transport: str, wqe: bytes, at: int, told: dict[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
        if e != "address" and "when" in e and transport not in e["when"]["transport"]:
            yield at, told
        elif e == "address":
            yield from self.parse(self.items[transport]["address"], transport, wqe, at, told)
        elif "segment" in e:
            yield from self.parse_segment(e, wqe, at, told)
        elif "list" in e:
            yield from self.parse_list(e, wqe, at, told)
        elif "fragment" in e:
            yield from self.parse(self.items[e["fragment"]]["layout"], transport, wqe, at, told)
        elif "choice" in e:
            for branch in self.branches(e, transport):
                yield from self.parse(branch, transport, wqe, at, told)
        elif "optional" in e:
            yield at, told
            yield from self.parse(e["optional"], transport, wqe, at, told)
        elif "terminator" in e:
            if at == len(wqe):
                yield at, told
            elif any(end > at for end, _ in self.parse_segment({"segment": e["terminator"]}, wqe, at, told)):
                yield len(wqe), told
        else:
            yield from self.parse_repeat(e, transport, wqe, (at, told))

    def parse_repeat(self, e: Item, transport: str, wqe: bytes, where: tuple[int, dict[str, int]]) -> Iterator[tuple[int, dict[str, int]]]:
        """Each place once, however many ways lead there: a repeat of repeats has very many."""
        here, count, seen = [where], 0, {self.known(where)}
        while here:
            if count >= e["min"]:
                yield from here
            else:
                seen = set()  # with fewer than `min`, a place that was passed counts again
            count += 1
            if e["max"] != "wqe" and count > e["max"]:
                return
            found = {self.known(place): place for at, told in here for place in self.parse(e["repeat"], transport, wqe, at, told) if place[0] > at}
            here = [place for known, place in found.items() if known not in seen]
            seen |= found.keys()

    @staticmethod
    def known(where: tuple[int, dict[str, int]]) -> tuple:
        return where[0], frozenset(where[1].items())

    def parse_segment(self, e: Item, wqe: bytes, at: int, told: dict[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
        segment = self.items[e["segment"]]
        tail = segment.get("tail")
        rest = tail is not None and "max" in tail
        if len(wqe) - at < (tail["at"] + 1 if rest else segment["size"]):
            return
        data = wqe[at:at + segment["size"]]
        fixed = {name: self.number(next(f for f in segment["fields"] if f["name"] == name), v) for name, v in e.get("with", {}).items()}
        if not self.accepts_fields(segment, fixed, data):
            return
        told = {**told, **{f"{segment['name']}.{f['name']}": self.get(data, f) for f in segment["fields"]}}
        size = segment["size"]
        if rest:
            size = len(wqe) - at
            if size - tail["at"] > tail["max"]:
                return
        elif tail:
            length = told[f"{segment['name']}.{tail['length']}"]
            pad = tail.get("pad", self.unit)
            size = max(-(-(tail["at"] + length) // pad) * pad, tail.get("min_size", 0))
        if at + size <= len(wqe):
            yield at + size, told

    def parse_list(self, e: Item, wqe: bytes, at: int, told: dict[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
        segment, head = self.items[e["list"]], e.get("head", 0)
        whole, size = told[e["count"]] * e["unit"], segment["size"]
        padded = -(-(head + e["max"] * size) // e["pad"]) * e["pad"]
        if whole < head or whole % e["pad"] or whole - head > len(wqe) - at or whole - head < e["min"] * size or whole > padded:
            return
        data = wqe[at:at + whole - head]
        count = told[e["entries"]] if "entries" in e else None
        if count is not None and (not e["min"] <= count <= e["max"] or -(-(head + count * size) // e["pad"]) * e["pad"] != whole):
            return
        i = 0
        while i < len(data):
            if i // size == (e["max"] if count is None else count) or (count is None and len(data) - i < e["pad"] and not any(data[i:])):
                break
            if len(data) - i < size or not self.accepts_fields(segment, {}, data[i:i + size]):
                return
            i += size
        if not any(data[i:]):
            yield at + len(data), told
