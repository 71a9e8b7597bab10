# SPDX-License-Identifier: BSD-2-Clause
"""The back end for Rust: one crate without std, made of prelude.rs and module.rs.j2 for a model."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Optional

import jinja2

from codegen.model.packed import Data, number

HERE = Path(__file__).parent
MOST_PARAMETERS = 6  # that a request takes as arguments. More are members of a struct
NOT_RAW = {"crate", "self", "super", "Self", "_"}
# Types that a segment of the same name would hide from the fields after it.
PRIMITIVES = set("bool char f16 f32 f64 f128 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize".split())
OWN = {"entry", "e", "flags", "lap", "table"}  # names in a function that begins a request, which its arguments may not have
KEYWORDS = set("""as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref return static struct
trait true type unsafe use where while async await dyn abstract become box do final macro override priv typeof unsized virtual yield try""".split())


def ident(name: str) -> str:
    return name + "_" if name in NOT_RAW | PRIMITIVES else f"r#{name}" if name in KEYWORDS else name


def doc(text: str, depth: int) -> str:
    return "\n".join(f"{'    ' * depth}/// {line}".rstrip() for line in text.strip().split("\n"))


def place(p: Data) -> str:
    return f"super::at({p['byte']}, {p['word'] // 8}, {'true' if p['order'] == 'little' else 'false'}, {p['low']}, {p['bits']})"


def field(f: Data, enums: dict[str, dict[str, int]], tail: Optional[Data]) -> Data:
    """Of the model, with more. `type`: empty for a constant. `legal`, `put`: Rust expressions of the value that pack() and check() have in self."""
    name, said = f"self.{ident(f['name'])}", f | {"type": "", "legal": "", "expected": ""}
    if "bytes" in f:
        here = f"[{f['byte']}..{f['byte'] + f['bytes']}]"
        return said | {"type": f"[u8; {f['bytes']}]", "zero": f"[0; {f['bytes']}]", "put": f"to{here}.copy_from_slice(&{name})",
                       "read": f"from{here}.try_into().unwrap_or([0; {f['bytes']}])"}
    pieces = f.get("pieces", [f])
    places = [(place(p), sum(lower["bits"] for lower in pieces[:i])) for i, p in enumerate(pieces)]
    said |= {"places": places, "zero": "0"}
    if "const" in f:
        return said | {"put": puts(places, "to", f"{number(f['const']):#x}")}
    bits = next(b for b in (8, 16, 32, 64) if sum(p["bits"] for p in pieces) + ("zero_means" in f or "minus" in f) <= b)
    low, high = number(f["min"]), number(f["max"])
    least = -(1 << bits - 1) if "signed" in f else 0
    tests = [f"{name} >= {low:#x}"] * (low > least) + [f"{name} <= {high:#x}"] * (high < least + (1 << bits) - 1)
    tests += [f"{name} != {number(v):#x}" for v in f.get("never", [])]
    if f.get("closed"):
        known = set(enums[f.get("enum") or f["flags"]].values())
        members = " | ".join(hex(v) for v in sorted(known) if v < 1 << bits)
        tests.append(f"matches!({name}, {members})" if "enum" in f else f"{name} & !{functools.reduce(int.__or__, known, 0):#x} == 0")
    value = f"u64::from({name})"
    found = " | ".join(f"{at}.get(from)" + (f" << {low}" if low else "") for at, low in places)
    got = f"({found}) as u{bits}" if len(places) > 1 else f"{found} as u{bits}"
    if "zero_means" in f:
        zero = number(f["zero_means"])
        value = f"if {name} == {zero:#x} {{ 0 }} else {{ {value} }}"
        got = f"match {found} {{ 0 => {zero:#x}, v => v as u{bits} }}"
    if "minus" in f:
        value, got = f"{value}.wrapping_sub({f['minus']})", f"({got}).wrapping_add({f['minus']})"
    if "signed" in f:
        value, got = f"{name} as u64", f"((({found}) << {64 - f['bits']}) as i64 >> {64 - f['bits']}) as i{bits}"
    if tail and f["name"] == tail.get("length"):
        tests = []  # those of the payload
    return said | {"type": f"{'i' if 'signed' in f else 'u'}{bits}", "legal": " && ".join(tests), "put": puts(places, "to", value), "read": got,
                   "expected": f"{low:#x} to {high:#x}" + ("" if not f.get("closed") else ", members of its enum")}


def puts(places: list[tuple[str, int]], to: str, value: str) -> str:
    """Statements that write a value. `places`: each with the lowest of its bits there."""
    if len(places) == 1:
        return f"{places[0][0]}.put({to}, {value})"
    return "; ".join(f"{at}.put({to}, ({value}) >> {low})" for at, low in places)


class Crate:
    def __init__(self, model: Data):
        self.device = (model["devices"] or [{"unit": 1, "largest": 0, "posting": "block", "roles": {}}])[0]
        self.enums = {e["name"]: {m["name"]: number(m["value"]) for m in e["members"]} for e in model["enums"]}
        self.flags = self.enums.get(self.device["roles"].get("flags"), {})
        self.segments = {s["name"]: self.segment(s, s["name"]) for s in model["segments"]}
        cqes = [self.segment(s, f"cqe_{s['name']}" if s["name"] in self.segments else s["name"]) for s in model["cqes"]]
        self.requests = {r["name"]: r for r in model["requests"]}
        self.options = {t["name"]: t["options"] for t in model["transports"]}
        self.context = {
            "enums": [e | {"members": [m | {"value": number(m["value"])} for m in e["members"]]} for e in model["enums"]],
            "segments": [*self.segments.values(), *cqes], "queues": [self.queue(q) for q in model["queues"]], "doc": doc, "puts": puts,
            "told": max((len(q["announced"]) for q in model["queues"]), default=0) or 1,
            "sums": max((len(r.get("sums", [])) for r in model["requests"]), default=0) or 1,
        }

    def segment(self, s: Data, name: str) -> Data:
        return s | {"type": ident(name), "fields": {f["name"]: field(f, self.enums, s.get("tail")) for f in s["fields"]}}

    def queue(self, q: Data) -> Data:
        return q | {"requests": [self.request(q, r) for r in q["requests"]]}

    def request(self, q: Data, begun: Data) -> Data:
        r = self.requests[begun["name"]]
        control = self.segments[r["control"]] if "control" in r else None
        found = r | {
            "lap": begun.get("lap", ""), "table": r.get("table", {}), "piece": r.get("ends", {"field": "", "last": 0}), "control": control,
            "parameters": [], "args_struct": [], "ends": [], "options": [],
            "cleared": "true" if control and self.device["posting"] == "block" else "false",
            "most": q["largest"] * q["unit"] if control else "usize::MAX",
            "gaps": [self.segments[name]["type"] for name in begun["gaps"]], "first": begun["stages"][begun["first"]]["name"],
        } | (self.begun(q, r, control) if control else {})
        own = [(name, kind) for name, kind in (("lap", "super::Lap"), ("table", "usize")) if found[name]]
        found |= {"own": own, "parameters": own + found["parameters"]}
        found["stages"] = [self.stage(q, found, begun["stages"], stage) for stage in begun["stages"]]
        return found

    def begun(self, q: Data, r: Data, control: Data) -> Data:
        parts, fields, values = control["control"], control["fields"], {name: hex(number(v)) for name, v in r["fixed"].items()}
        values |= {parts["opcode"]: hex(r["opcode"]["value"])} if "opcode" in parts else {}
        values |= {parts["opmod"]: hex(r["opmod"])} if "opmod" in parts else {}
        for name in parts["flags"]:
            values[name] = f"(flags >> {fields[name]['low'] % 32} & {(1 << fields[name]['bits']) - 1:#x}) as {fields[name]['type']}"
        listed = len(r["args"]) <= MOST_PARAMETERS
        args = [(a["name"] + "_" if listed and a["name"] in OWN else ident(a["name"]), fields[a["field"]]) for a in r["args"]]
        values |= {f["name"]: name if listed else f"args.{name}" for name, f in args}
        parameters = [(name, f["type"]) for name, f in args] if listed else [("args", ident(f"{r['name']}_args"))]
        given = {a["field"] for a in r["args"]}
        return {
            "said": [(name, value) for name, value in values.items() if fields[name]["type"]],
            "parameters": [("flags", "u32")] * bool(parts["flags"]) + parameters,
            "args_struct": [] if listed else [(name, f["type"], a["doc"]) for (name, f), a in zip(args, r["args"])],
            "legal": functools.reduce(int.__or__, (self.flags[name] for name in r["flags"]), 0),
            "checked": [f for f in fields.values() if f["legal"] and f["name"] in given.union(parts["flags"])],
            "ends": [(part, fields[parts[part]]["type"]) for part in ("index", "queue", "spill") if part in parts],
            "options": [o | {"field": fields[o["field"]]} for o in self.options.get(q["name"], []) if o["field"] not in given],
        }

    def stage(self, q: Data, r: Data, stages: list[Data], stage: Data) -> Data:
        uses = [(step, q["uses"][step["use"]]) for step in stage["steps"]]
        steps = [self.step(q, r, step, use, stages) for step, use in uses if use["op"] != "terminator"]
        ends = [self.segments[use["segment"]]["type"] for _, use in uses if use["op"] == "terminator"]
        says = " or ".join(f"may take `{step['call']}`" if stage["accepting"] else f"wants `{step['call']}`" for step in steps) or "is complete"
        lines = self.end(r, ends)
        changes = any(call in line for line in lines for call in (".refuse_unless(", ".take(", ".tabled(", "self.0.put("))
        return stage | {"steps": steps, "says": says, "end": lines, "mut": "mut " if changes else ""}

    def end(self, r: Data, ends: list[str]) -> list[str]:
        """The lines of commit()."""
        control, size = r["control"], r.get("size", {})
        if control is None:
            return [f"if self.0.to.len() > self.0.len {{ self.0.put(&segments::{name}::ZERO); }}" for name in ends]
        lines = []
        if "round" in size:
            lines += [f"let filled = (-(self.0.len as isize - {size['round_from']})).rem_euclid({size['round']}) as usize;", "self.0.take(filled);"]
        values = [(control["control"][part], f"u64::from({part})", False) for part, _ in r["ends"]]
        if "field" in size:
            values.append((size["field"], f"((self.0.len as isize - {size['base']}) / {size['unit']}) as u64".replace(" - -", " + "), True))
        values += [(one["field"], self.told(one, i, size), True) for i, one in enumerate(r.get("sums", []))]
        fields, piece = control["fields"], r["piece"]
        values += [(piece["field"], f"u64::from(self.0.piece.is_none()) ^ {1 - piece['last']}", False)] * (piece["field"] in fields)
        values += [(r["lap"], "u64::from(self.0.lap_at(0))", False)] * (r["lap"] in fields)
        values += [(r["table"]["told"], self.tabled(r["table"], control["size"]), False)] if r["table"] else []
        for name, value, checked in values:
            f = fields[name]
            lines.append(f"let value = {value};")
            if checked:
                lines.append(f"self.0.refuse_unless(({number(f['min']):#x}..={number(f['max']):#x}).contains(&value), "
                             f"super::refused(\"{control['name']}\", \"{name}\", \"{f['expected']}\"));")
            lines.append(f"if self.0.len >= {control['size']} {{ {puts(f['places'], 'self.0.to', 'value')}; }}")
        return lines

    def told(self, one: Data, i: int, size: Data) -> str:
        """The control segment's value for a number that was counted."""
        times, plus, up, less = (one.get(key, said) for key, said in (("times", 1), ("plus", 0), ("round", 1), ("less", 0)))
        plain = f"(filled / {size['unit']}) as u64" if one["counts"] == "padding" else f"self.0.sums[{i}]"
        scaled = f"(({plain} * {times} + {plus + up - 1}) / {up} * {up}).wrapping_sub({less})"
        return plain if (times, plus, up, less) == (1, 0, 1, 0) else scaled

    def tabled(self, table: Data, first: int) -> str:
        """The control segment's value for the table in front of the pieces, which begin at `first`."""
        piece, forms = self.segments[table["piece"]], [(form["value"], self.segments[form["segment"]]) for form in table["forms"]]
        rows = ", ".join(f"({value}, {len(s['fields'])}, {s['size'] // len(s['fields'])})" for value, s in forms)
        return (f"self.0.tabled({first}, {piece['size']}, {place(piece['fields'][table['field']])}, {table['above']}, &[{rows}], "
                f"super::refused(\"{piece['name']}\", \"{table['field']}\", \"a value that the table of pieces holds\"))")

    def step(self, q: Data, r: Data, step: Data, use: Data, stages: list[Data]) -> Data:
        s = self.segments[use["segment"]]
        done = {"call": step["call"], "segment": s, "to": stages[step["to"]]["name"]}
        if use["op"] == "list":
            return done | {"parameters": [("list", f"&[segments::{s['type']}]")], "lines": self.list_lines(q, r, s, use["list"])}
        fixed = {name: hex(number(v)) for name, v in use["fixed"].items() if s["fields"][name]["type"]}
        tail, length = s.get("tail"), (s.get("tail") or {}).get("length")
        piece = use.get("piece")
        fixed |= {piece["field"]: str(1 - piece["last"])} if piece else {}
        fixed |= {use["lap"]: "self.0.lap_at(self.0.len)"} if "lap" in use else {}
        names = [name for name in s["args"] if name not in fixed and name not in use["fixed"] and name != length]
        struct = s.get("whole") or s.get("prepared")
        parameters = [("v", f"&segments::{s['type']}")] if struct else [(ident(n), s["fields"][n]["type"]) for n in names]
        parameters += [("payload_" if "payload" in names else "payload", "&[u8]")] * bool(tail)
        payload = parameters[-1][0] if tail else ""
        values = [f"{ident(n)}: {v}" for n, v in fixed.items()] + [ident(n) for n in names if not struct]
        values += [f"{ident(length)}: {payload}.len() as {s['fields'][length]['type']}"] if length else []
        base = "*v" if struct else f"segments::{s['type']}::ZERO"
        all_given = not struct and len(values) == len([f for f in s["fields"].values() if f["type"]])
        lines = [f"let v = segments::{s['type']} {{ {', '.join(values + ([] if all_given else ['..' + base]))} }};"]
        lines += [f"self.0.piece = Some((self.0.len + {piece['byte']}, {piece['mask']:#x}));"] if piece else []
        lines += self.tail_lines(s, tail, payload) if tail else ["self.0.put(&v);"]
        lines += [f"self.0.told[{i}] = u64::from(v.{ident(a['field'])}) * {a['unit']};" for i, a in enumerate(q["announced"]) if a["segment"] == s["name"]]
        return done | {"parameters": parameters, "lines": lines + self.sum_lines(r, s, payload, "v")}

    def tail_lines(self, s: Data, tail: Data, payload: str) -> list[str]:
        length = s["fields"][tail["length"]] if "length" in tail else {"min": 1, "max": tail.get("max"), "name": "payload"}
        size = f"{tail['at']} + {payload}.len()"
        if "max" not in tail or tail["pad"] > 1 or tail["least"]:
            size = f"super::whole({size}, {tail['pad']}).max({tail['least']})"
        return [f"self.0.refuse_unless(({number(length['min'])}..={number(length['max'])}).contains(&{payload}.len()), "
                f"super::refused(\"{s['name']}\", \"{length['name']}\", \"{length['min']} to {length['max']} bytes of payload\"));",
                f"self.0.put_with(&v, {tail['at']}, {payload}, {size});"]

    def sum_lines(self, r: Data, s: Data, payload: str, value: str) -> list[str]:
        lines = []
        for i, one in enumerate(r.get("sums", [])):
            if one["counts"] in ("bytes", "payload_units") and payload and "max" in s["tail"]:
                unit = self.device["unit"]
                size = f"{payload}.len()" if one["counts"] == "bytes" else f"(super::whole({payload}.len(), {unit}) / {unit})"
                lines.append(f"self.0.sums[{i}] += {size} as u64;")
            elif one.get("segment") == s["name"] and one["counts"] in ("entries", "field"):
                lines.append(f"self.0.sums[{i}] += {'1' if one['counts'] == 'entries' else f'''u64::from({value}.{ident(one['of'])})'''};")
        return lines

    def list_lines(self, q: Data, r: Data, s: Data, how: Data) -> list[str]:
        def told(part: str, wanted: str) -> str:
            segment, field = how[part]["segment"], how[part]["field"]
            slot = [(a["segment"], a["field"]) for a in q["announced"]].index((segment, field))
            return (f"self.0.refuse_unless(self.0.told[{slot}] == {wanted}, super::refused(\"{segment}\", \"{field}\", "
                    "\"what the list that follows makes of it\"));")
        most = how.get("max", "usize::MAX")
        lines = [f"let size = super::whole({how['head']} + list.len() * {s['size']}, {how['pad']});",
                 f"self.0.refuse_unless(({how['min']}..={most}).contains(&list.len()), super::refused(\"{s['name']}\", \"\", \"{how['min']} to "
                 f"{how.get('max', 'any number of')} entries\"));", told("size", "size as u64")]
        lines += [told("entries", "list.len() as u64")] if "entries" in how else []
        lines += [told("sum", f"list.iter().map(|v| u64::from(v.{ident(how['sum']['of'])})).sum::<u64>()")] if "sum" in how else []
        rows = self.sum_lines(r, s, "", "v")
        return lines + [f"self.0.list(list, size - {how['head']});"] + (["for v in list {", *rows, "}"] if rows else [])


def module(model: Data) -> str:
    """The text of a crate."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(str(HERE)), undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(ident=ident, constant=lambda name: f"_{name}" if name[0].isdigit() else name, hex=hex)
    return (HERE / "prelude.rs").read_text(encoding="utf-8") + "\n" + environment.get_template("module.rs.j2").render(Crate(model).context) + "\n"
