# SPDX-License-Identifier: BSD-2-Clause
"""Random specs: a small invented device, some segments, and requests whose layouts are drawn from a grammar of layouts.

A spec is files as `name.yaml` → what the file holds; text() writes one down. Nothing here knows what `check` accepts: what it
refuses is left out by the caller.
"""

from __future__ import annotations

import json
import random
from typing import Any

Item = dict[str, Any]
Spec = dict[str, Item]

SEGMENTS = 9
OWN = "own:made up by a test"


def text(item: Item) -> str:
    return "# SPDX-License-Identifier: BSD-2-Clause\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in item.items())


def item(kind: str, name: str, **keys: Any) -> Item:
    return {"kind": kind, "name": name, "doc": f"{name.capitalize()} of a test.", "source": OWN, **keys}


def at(dword: int, high: int, low: int) -> Item:
    return {"dword": dword, "bits": f"{high}:{low}"}


def field(name: str, where: Item, **keys: Any) -> Item:
    return {"name": name, "at": where, "doc": "A field.", **keys}


def member(name: str, **keys: Any) -> Item:
    return {"name": name, **keys, "doc": "A member."}


def enums(units: tuple[int, int, int]) -> list[Item]:
    unit, block, largest = units
    return [
        item("enum", "wqe", bits=16, values=[member("UNIT_SIZE", value=unit), member("BLOCK_SIZE", value=block),
                                             member("MAX_UNITS", value=largest)]),
        item("enum", "opcode", bits=8, values=[member(f"OP{n}", value=n + 1) for n in range(64)]),
        item("enum", "colour", bits=4, values=[member("RED", value=1), member("GREEN", value=2), member("BLUE", value=5)]),
        item("enum", "mark", bits=4, flags=True, values=[member("SMALL", value=1), member("ROUND", value=2), member("SOFT", value=8)]),
        item("enum", "mode", bits=2, values=[member("NEVER", value=0), member("ALWAYS", value=2), member("EVENT", value=3)]),
        item("enum", "qp_state", bits=4, values=[member("RESET", value=0), member("RTS", value=1)]),
        item("enum", "qp_attr", bits=8, flags=True, values=[member("PORT", value=1)]),
    ]


def transport(name: str, **keys: Any) -> Item:
    return item("transport", name, initial="RESET", **{"address": [], **keys},
                states=[{"name": "RESET", "send": "reject", "recv": "none", "doc": "Nothing moves."},
                        {"name": "RTS", "send": "process", "recv": "none", "doc": "All moves."}],
                transitions=[{"from": "RESET", "to": "RTS", "required": ["PORT"], "doc": "Starts."},
                             {"from": "RTS", "to": "RESET", "doc": "Stops."}])


def post_flags(**images: Item) -> Item:
    return item("enum", "post_flag", prefix="SEGUE", bits=32, flags=True, image_of="ctrl",
                values=[member(name, sets=sets, **({} if name == "SIGNALED" or "ce" not in sets else {"mask": True})) for name, sets in images.items()])


class Control:
    """The control segment of a device that posts to blocks: its flags in one dword, all else where there is room, some of it in
    several places, and words of both orders."""

    def __init__(self, rng: random.Random, little: bool):
        self.rng = rng
        self.size = rng.choice([16, 16, 24, 32])
        self.free = [set(range(32)) for _ in range(self.size // 4)]
        self.others = [rng.random() < 0.15 for _ in self.free]  # dwords whose order of bytes is not the device's
        self.other = "big" if little else "little"
        self.fields: list[Item] = []

    def draw(self) -> Item:
        rng = self.rng
        flags = ["ce", *(f"g{n}" for n in range(rng.choice([0, 0, *range(12)])))]
        dwords = list(range(len(self.free)))
        rng.shuffle(dwords)
        for name, width, keys in [("ce", 2, {"enum": "mode"}), *((name, 1, {}) for name in flags[1:])]:
            self.place(name, width, dwords[:1], **keys)
        self.place("opcode", 8, dwords, enum="opcode")
        self.place("many", rng.choice([1, 2, 3, 6, 8, 8, 16]), dwords)
        self.place("after", 3, dwords)
        self.place("lap", 1, dwords)
        for n in range(4 if sum(map(len, self.free)) > 24 else 0):
            self.place(f"x{n}", rng.choice([1, 2, 5]), dwords)
        wide = [d for d in range(len(self.free) - 1) if len(self.free[d]) + len(self.free[d + 1]) == 64]
        if wide and rng.random() < 0.7:
            self.others[wide[0] + 1] = self.others[wide[0]]
            self.whole("peer", wide[0], 2)
        else:
            self.scatter("peer", rng.randint(2, 24))
        empty = [d for d in dwords if len(self.free[d]) == 32]
        if empty and rng.random() < 0.7:
            self.whole("imm", empty[0], 1)
        else:
            self.scatter("imm", rng.randint(2, 24))
        rng.shuffle(self.fields)
        reserved = [self.at(d, high, low) for d, bits in enumerate(self.free) for high, low in runs(bits)]
        part = item("segment", "ctrl", size=self.size, control={"opcode": "opcode", "size": "many", "flags": flags}, fields=self.fields)
        return part | ({"reserved": reserved} if reserved else {})

    def at(self, dword: int, high: int, low: int) -> Item:
        self.free[dword] -= set(range(low, min(high, 31) + 1))
        return {"at": at(dword, high, low)} | ({"order": self.other} if self.others[dword] else {})

    def whole(self, name: str, dword: int, count: int) -> None:
        self.free[dword + count - 1] = set()
        self.fields.append({**field(name, {}), **self.at(dword, 32 * count - 1, 0)})

    def place(self, name: str, width: int, dwords: list[int], **keys: Any) -> None:
        """In so many bits, or as many as there are in one place."""
        while not (rooms := [(d, low) for d in dwords for low in range(33 - width) if set(range(low, low + width)) <= self.free[d]]):
            width -= 1
        dword, low = self.rng.choice(rooms)
        self.fields.append({**field(name, {}, **keys), **self.at(dword, low + width - 1, low)})

    def scatter(self, name: str, width: int) -> None:
        """In so many bits at most, in pieces of any dwords of one order."""
        order = self.rng.choice(self.others)
        pieces: list[Item] = []
        for _ in range(self.rng.randint(2, 4)):
            rooms = [(d, high, low) for d, bits in enumerate(self.free) if self.others[d] is order for high, low in runs(bits)]
            if rooms and width:
                dword, high, low = self.rng.choice(rooms)
                low = self.rng.randint(low, high)
                piece = self.at(dword, min(high, low + self.rng.randint(1, width) - 1), low)
                pieces.append(piece["at"])
                high, low = map(int, piece["at"]["bits"].split(":"))
                width -= high - low + 1
        keys = {"order": self.other} if order else {}
        if len(pieces) == 1:
            self.fields.append(field(name, pieces[0], **keys))
        elif pieces:
            self.fields.append(field(name, {"pieces": pieces}, **keys))
        else:
            self.place(name, 1, list(range(len(self.free))))


def runs(bits: set[int]) -> list[tuple[int, int]]:
    """(highest, lowest) of each run of neighbouring bits."""
    found: list[tuple[int, int]] = []
    for bit in sorted(bits):
        if found and found[-1][0] == bit - 1:
            found[-1] = (bit, found[-1][1])
        else:
            found.append((bit, bit))
    return found


class Draw:
    """One random spec with so many requests, at most 64."""

    def __init__(self, seed: int, requests: int, block: bool = False):
        self.requests = requests
        self.rng = random.Random(seed)
        self.ring = self.rng.random() < 0.6 and not block
        self.spec: Spec = {}
        self.little = False
        self.unit, self.block, self.largest = 16, 64, 63
        self.flags = ["SIGNALED"]  # that requests may have

    def draw(self) -> Spec:
        if self.ring:
            self.draw_ring()
        else:
            self.draw_block()
        for part in enums((self.unit, self.block, self.largest)):
            self.add(part)
        self.segments = [self.add(self.segment(f"s{n}")) for n in range(SEGMENTS)]
        self.tails = [self.add(self.tail(f"t{n}")) for n in range(2)]
        if self.ring:
            self.entry = self.add(self.plain("entry", self.rng.choice([4, 8, 16]), False))
            self.announcer = self.add(self.announcing())
        self.add(transport("north"))
        self.add(transport("south", **self.south()))
        for n in range(2):
            self.add(item("fragment", f"f{n}", layout=self.layout(2)))
        for n in range(self.requests):
            self.add(self.request(n))
        return self.spec

    def again(self, part: Item) -> Item:
        """Another request by that name, for one that was refused."""
        return self.add(self.request(int(part["name"][1:])))

    def add(self, part: Item) -> Item:
        self.spec[f"{part['name']}.yaml"] = part
        return part

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    # Devices

    def device(self, posting: str, queues: list[str]) -> None:
        sizes = {key: {"enum": "wqe", "member": name} for key, name in
                 (("unit", "UNIT_SIZE"), ("block", "BLOCK_SIZE"), ("largest", "MAX_UNITS"))}
        self.add(item("device", "nic", byte_order="little" if self.little else "big", posting=posting, sizes=sizes,
                      roles={"opcode": "opcode", "flags": "post_flag", "states": "qp_state", "attributes": "qp_attr"},
                      queues=[{"name": name, "doc": "Receives."} for name in queues]))

    def draw_ring(self) -> None:
        self.device("ring", ["rq", "srq", "mprq"])
        self.add(item("segment", "ctrl", size=16, control={"opcode": "opcode", "opmod": "opmod", "index": "index", "queue": "qpn",
                                                           "size": "ds", "flags": ["ce", "se"], "imm": "imm"},
                      fields=[field("opmod", at(0, 31, 24)), field("index", at(0, 23, 8)), field("opcode", at(0, 7, 0), enum="opcode"),
                              field("qpn", at(1, 31, 8)), field("ds", at(1, 5, 0), min=1), field("ce", at(2, 3, 2), enum="mode"),
                              field("se", at(2, 1, 1)), field("stream", at(2, 23, 8)), field("imm", at(3, 31, 0))],
                      reserved=[{"at": at(1, 7, 6)}, {"at": at(2, 31, 24)}, {"at": at(2, 7, 4)}, {"at": at(2, 0, 0)}]))
        self.flags.append("SOLICITED")
        self.add(post_flags(SIGNALED={"ce": "ALWAYS"}, SIGNALED_EVENT={"ce": "EVENT"}, SOLICITED={"se": 1}))
        self.add(item("segment", "srq_next", size=16, fields=[field("next_wqe_index", at(0, 15, 0))],
                      reserved=[{"at": at(0, 31, 16)}, {"at": at(1, 63, 0)}, {"at": at(3, 31, 0)}]))
        self.add(item("segment", "data", size=16, fields=[field("byte_count", at(0, 31, 0)), field("lkey", at(1, 31, 0)), field("addr", at(2, 63, 0))]))
        self.add(item("segment", "data_end", size=16, fields=[field("length", at(0, 31, 0), const=0), field("key", at(1, 31, 0), const=0x100)],
                      reserved=[{"at": at(2, 63, 0)}]))

    def draw_block(self) -> None:
        self.little = self.chance(0.5)
        self.flags.append("LOUD")
        self.unit = self.rng.choice([4, 8, 16])
        self.block = self.rng.choice([64, 128, 128])
        self.largest = self.block // self.unit
        self.device("block", [])
        self.add(Control(self.rng, self.little).draw())
        self.draw_rings()
        extra = {f"G{n}": {f"g{n}": 1} for n in range(len(self.spec["ctrl.yaml"]["control"]["flags"]) - 1)}
        self.flags += extra
        self.add(post_flags(SIGNALED={"ce": "ALWAYS"}, LOUD={"ce": "EVENT"}, **extra))

    def draw_rings(self) -> None:
        """Entries that lie in rings: of a stride, or as long as they are, with laps and doorbells or without."""
        self.rings: dict[str, Item] = {}
        for name in ("north", "south"):
            if self.chance(0.5):
                ring = self.rings[name] = {"of": [name]}
                if self.chance(0.5):
                    ring["stride"] = self.unit * self.rng.randint(2, self.largest)
                if self.chance(0.4):
                    ring["lap"] = {"field": "lap", "first": self.rng.randint(0, 1)}
                if self.chance(0.6):
                    ring["doorbell"] = {"segment": "bell", "index": "place", "counts": self.rng.choice(["total", "slots"])}
                    ring["doorbell"] |= self.rng.choice([{}, {"lap": "odd"}]) | self.rng.choice([{}, {"with": {"code": 5}}])
        if self.rings:
            self.spec["nic.yaml"]["rings"] = list(self.rings.values())
            width = self.rng.randint(7, 24)
            self.add(item("segment", "bell", size=4, reserved=[{"at": at(0, width - 1, 0)}] if width < 24 else [],
                          fields=[field("code", at(0, 31, 28)), field("odd", at(0, 27, 27)), field("place", at(0, 26, 24 if width == 24 else width))]))

    def south(self) -> Item:
        keys: Item = {"address": [{"segment": self.rng.choice(self.segments)["name"]}] if self.ring else []}
        if self.chance(0.7):
            keys["options"] = [{"name": "lane", "field": "stream" if self.ring else "imm", "doc": "An option."}]
        return keys

    # Segments

    def segment(self, name: str) -> Item:
        least = -(-8 // self.unit) if self.unit < 8 else 1
        size = self.unit * self.rng.randint(least, least + (2 if self.ring else 1))
        if not self.ring and self.chance(0.3):
            size = 4 * self.rng.randint(2, 6)  # any
        part = self.plain(name, size, self.chance(0.85))
        names = [f["name"] for f in part["fields"] if "const" not in f]
        kind = self.rng.random()
        if kind < 0.15 and names:
            part["prepared"] = {"name": f"{name}_made", "args": self.rng.sample(names, self.rng.randint(1, min(2, len(names))))}
        elif kind < 0.3 or len(names) > 5:
            part["pass"] = self.rng.choice(["struct", "values"])
        elif kind < 0.45 and len(names) > 1:
            part["args"] = self.rng.sample(names, self.rng.randint(1, len(names)))
            if self.chance(0.8):  # nothing that cannot be 0 is left out
                part["args"] += [f["name"] for f in part["fields"] if f["name"] in set(names) - set(part["args"])
                                 and {"min", "never", "enum", "zero_means"} & f.keys()]
        if self.chance(0.1) and names:
            numbers = [f["name"] for f in part["fields"] if f["name"] in names and "byte" not in f["at"]]
            if numbers:
                part["empty"] = self.rng.choice(numbers)
        if self.chance(0.15):
            part["call"] = self.rng.choice(["both", f"{name}_it"])
        return part

    def plain(self, name: str, size: int, tagged: bool) -> Item:
        part = item("segment", name, size=size, fields=[], reserved=[])
        dword = 0
        if tagged:
            part["fields"].append(field("tag", at(0, 31, 24), const=self.rng.randint(1, 255)))
            self.fill_dword(part, 0, 23)
            dword = 1
        while dword < size // 4:
            if dword + 1 < size // 4 and self.chance(0.25):
                part["fields"].append(field(f"q{dword}", at(dword, 63, 0)))
                dword += 2
            elif self.chance(0.15):
                part["fields"].append(field(f"b{dword}", {"byte": dword * 4, "bytes": 4}))
                dword += 1
            else:
                self.fill_dword(part, dword, 31)
                dword += 1
        if not part["fields"]:
            part["fields"].append(field("x", part["reserved"].pop()["at"]))
        self.join_some(part)
        if not part["reserved"]:
            del part["reserved"]
        return part

    def join_some(self, part: Item) -> None:
        """Of two or three numbers, now and then, one that lies in as many places."""
        plain = [f for f in part["fields"] if set(f) == {"name", "at", "doc"} and "byte" not in f["at"] and int(f["at"]["bits"].split(":")[0]) < 32]
        count = self.rng.randint(2, 3)
        if len(plain) > count and self.chance(0.3):
            joined = self.rng.sample(plain, count)
            bits = sum(int(high) - int(low) + 1 for f in joined for high, low in [f["at"]["bits"].split(":")])
            if bits <= 64:
                joined[0]["at"] = {"pieces": [f["at"] for f in joined]}
                part["fields"] = [f for f in part["fields"] if f not in joined[1:]]

    def fill_dword(self, part: Item, dword: int, high: int) -> None:
        while high >= 0:
            width = self.rng.choice([high + 1, self.rng.randint(1, high + 1)])
            where = at(dword, high, high - width + 1)
            if self.chance(0.3):
                part["reserved"].append({"at": where})
            else:
                part["fields"].append(field(f"f{dword}_{high}", where, **self.limits(width)))
            high -= width

    def limits(self, width: int) -> Item:
        top = (1 << width) - 1
        kind = self.rng.random()
        if kind < 0.1:
            return {"const": self.rng.randint(0, top)}
        if kind < 0.2 and width > 1:
            return {"min": self.rng.randint(0, top // 2), "max": self.rng.randint(top // 2, top)}
        if kind < 0.25 and width > 1:
            return {"zero_means": 1 << width}
        if kind < 0.32 and width > 1:
            return {"signed": True, **self.rng.choice([{}, {"min": -self.rng.randint(1, top // 2 + 1), "max": self.rng.randint(0, top // 2)}])}
        if kind < 0.37 and width > 1:
            return {"never": [self.rng.randint(0, top)]}
        if kind < 0.45 and width >= 4:
            return {"enum": "colour"}
        if kind < 0.55 and width >= 4:
            return {"flags": "mark"}
        return {}

    def tail(self, name: str) -> Item:
        if not self.ring:
            part = item("segment", name, size=self.unit, fields=[], reserved=[{"at": {"byte": 0, "bytes": self.unit}}])
            part["tail"] = {"at": 0, "max": self.rng.choice([1, 7, 32, 80, 31])}
            if self.chance(0.3):
                part = item("segment", name, size=4, fields=[field("kind_of", at(0, 31, 0), const=self.rng.randint(1, 255))],
                            tail={"at": 4, "max": self.rng.choice([5, 16, 40])})
            return part
        part = item("segment", name, size=4, tail={"at": 4, "length": "length", "pad": 16},
                    fields=[field("tag", at(0, 31, 24), const=self.rng.randint(1, 255)),
                            field("length", at(0, 9, 0), **self.rng.choice([{}, {"min": 1}, {"max": 100}]))],
                    reserved=[{"at": at(0, 23, 10)}])
        if self.chance(0.5):
            part["tail"]["min_size"] = self.rng.choice([16, 32])
        return part

    def announcing(self) -> Item:
        part = item("segment", "teller", size=16, fields=[field("tag", at(0, 31, 24), const=self.rng.randint(1, 255)),
                                                         field("bytes_of", at(0, 15, 0)), field("many", at(1, 15, 0)), field("all", at(2, 63, 0))],
                    reserved=[{"at": at(0, 23, 16)}, {"at": at(1, 31, 16)}])
        return part

    # Layouts

    def request(self, number: int) -> Item:
        receive = self.ring and self.chance(0.08)
        part = item("work_request", f"r{number}", queue="rq" if receive else "send")
        if receive:
            kind = self.rng.choice(self.segments)["name"]
            part["layout"] = [self.rng.choice([{"repeat": [{"segment": kind}], "min": self.rng.randint(0, 1), "max": "wqe"},
                                               {"optional": [{"segment": kind}]}, {"segment": kind}]), {"terminator": "data_end"}]
            return part
        part["opcode"] = f"OP{number if self.chance(0.9) else 0}"
        part["transports"] = self.rng.choice([["north"], ["north", "south"], ["south"]])
        part["flags"] = self.rng.sample(self.flags, self.rng.randint(0, min(len(self.flags), 4)))
        if self.chance(0.4):
            part["args"] = [{"name": "given", "field": self.rng.choice(["imm", "stream"] if self.ring else ["imm", "peer", "after"]), "doc": "Given."}]
        if not self.ring and self.chance(0.1):
            fields = [f["name"] for f in self.spec["ctrl.yaml"]["fields"]]
            part["args"] = [{"name": f"with_{name}", "field": name, "doc": "Given."} for name in fields if name in ("imm", "peer", "after") or name[0] == "x"]
        if not self.ring and (self.chance(0.1) or any("lap" in self.rings.get(name, {}) for name in part["transports"])):
            part.setdefault("args", []).append({"name": "lap", "field": "lap", "doc": "The lap."})
        if self.ring:
            part["layout"] = (["address"] if self.chance(0.9) else []) + self.layout(0)
            return part
        part["counts"] = self.rng.choice(["entries", "bytes", "units"])
        part["layout"] = [self.use() for _ in range(self.rng.randint(0, 1))] + [self.counted(part["counts"])]
        if part["counts"] == "units":
            part["layout"] = self.layout(0)
        if self.chance(0.2):
            part["with"] = {"after": self.rng.randint(0, 7)}
        return part

    def counted(self, counts: str) -> Item:
        if counts == "bytes":
            use = {"segment": self.rng.choice(self.tails)["name"]}
            return self.rng.choice([use, {"optional": [use]}])
        return self.repeat([self.use()])

    def layout(self, depth: int) -> list[Any]:
        return [self.element(depth) for _ in range(self.rng.randint(1, 3 if depth == 0 else 2))]

    def use(self) -> Item:
        part = self.rng.choice(self.segments)
        use: Item = {"segment": part["name"]}
        if self.chance(0.15):
            numbers = [f for f in part["fields"] if "const" not in f and "byte" not in f["at"]]
            if numbers:
                use["with"] = {self.rng.choice(numbers)["name"]: self.rng.choice([0, 1, 2, 5])}
        return use

    def repeat(self, body: list[Any]) -> Item:
        least = self.rng.choice([0, 0, 1, 2])
        return {"repeat": body, "min": least, "max": self.rng.choice(["wqe", "wqe", least + self.rng.randint(0, 3)])}

    def element(self, depth: int) -> Any:
        kind = self.rng.random()
        if kind < 0.4 or depth > 2:
            found = self.use()
        elif kind < 0.5:
            found = {"segment": self.rng.choice(self.tails)["name"]} if self.ring else self.use()
        elif kind < 0.62:
            found = {"choice": [self.layout(depth + 1) for _ in range(2)]}
        elif kind < 0.74:
            found = {"optional": self.layout(depth + 1)}
        elif kind < 0.9:
            found = self.repeat([self.use()] if self.chance(0.6) else self.layout(depth + 1))
        elif kind < 0.95 and self.ring:
            return self.listed(depth)
        else:
            found = {"fragment": f"f{self.rng.randrange(2)}"} if depth == 0 else self.use()
        if self.chance(0.07):
            found = {**found, "when": {"transport": [self.rng.choice(["north", "south"])]}}
        return found

    def listed(self, depth: int) -> Item:
        size = self.entry["size"]
        part: Item = {"list": "entry", "count": "teller.bytes_of", "unit": self.rng.choice([1, 4, 16, 32]), "pad": self.rng.choice([16, 64]),
                      "min": self.rng.randint(0, 1), "max": self.rng.choice([4, 8])}
        if part["pad"] % size == 0 and self.chance(0.3):
            part["entries"] = "teller.many"
        if self.chance(0.2):
            part["head"] = 16
        return {"choice": [[{"segment": "teller"}, part], self.layout(depth + 1)]}
