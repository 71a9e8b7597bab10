# SPDX-License-Identifier: BSD-2-Clause
"""Drawn requests as a program in C, which prints the entries that it has built and judges damaged ones."""

from __future__ import annotations

from codegen.python.nic import Data, Values
from tests.backends.draw import QUEUE, Call, Drawn
from tests.codegen.layouts.program import BLOCK, HEAD, MAIN, RING, number

assert f"0x{QUEUE:x}" in RING


class Writer:
    """`model`: how it is called in C follows from it."""

    def __init__(self, model: Data):
        self.segments = {s["name"]: s for s in model["segments"]}
        self.block = model["devices"][0]["posting"] == "block"
        self.kinds = {q["name"]: q["kind"] for q in model["queues"]}
        self.sized = {r["name"] for r in model["requests"] if "control" in r}  # others are as long as they are
        self.flagged = {r["name"] for r in model["requests"] if "control" in r and self.segments[r["control"]]["control"]["flags"]}
        self.lines: list[str] = []

    def declare(self, declaration: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append("\t" + declaration.replace("@", name) + ";")
        return name

    def text(self, value: int | bytes) -> str:
        """A value as an argument, in C and in C++."""
        return number(value) if isinstance(value, int) else self.declare(f"static const uint8_t @[] = {{{', '.join(map(str, value))}}}")

    def struct(self, c: Call, row: Values) -> str:
        values = {n: row[n] for n, f in c.segment.fields.items() if f.const is None and n in row}
        shown = [f".{n} = " + (number(v) if isinstance(v, int) else f"{{{', '.join(map(str, v))}}}") for n, v in values.items()]
        return "{" + (", ".join(shown) or "0") + "}"

    def arguments(self, c: Call) -> list[str]:
        said, row = self.segments[c.segment.name], c.rows[0] if c.rows else {}
        struct = f"struct segue_seg_{c.segment.name}"
        if c.listed:
            rows = ", ".join(self.struct(c, row) for row in c.rows)
            return [self.declare(f"static const {struct} @[] = {{{rows}}}"), str(len(c.rows))] if c.rows else ["NULL", "0"]
        if "prepared" in said:
            whole = self.declare(f"const {struct} @ = {self.struct(c, row)}")
            made = self.declare(f"struct segue_{said['prepared']['name']} @")
            self.lines.append(f"\tsegue_seg_{c.segment.name}_prepare(&{made}, &{whole});")
            given = [f"&{made}"] + [self.text(row[n]) for n in said["prepared"]["args"]]
        elif said.get("whole"):
            given = ["&" + self.declare(f"const {struct} @ = {self.struct(c, row)}")]
        else:
            given = [self.text(row[n]) for n in c.given]
        if not c.segment.tail:
            return given
        data = self.declare(f"static const uint8_t @[] = {{{', '.join(map(str, c.payload))}}}") if c.payload else "NULL"
        return [*given, data, str(len(c.payload))]

    def function(self, number: int, d: Drawn) -> str:
        self.lines = []
        given = [f"({self.handle(d)} *)q"] + ["7"] * (not self.block) + [str(d.flags)] * (d.request in self.flagged) + [self.text(v) for _, v in d.args]
        first = f"segue_{d.request}({', '.join(given)})"
        if d.option:
            first = f"segue_{d.option[0]}({first}, {self.text(d.option[1])})"
        self.lines.append(f"\tBIND(w0, {first});")
        for i, c in enumerate(d.calls):
            arguments = ", ".join([f"w{i}", *self.arguments(c)])
            self.lines.append(f"\tBIND(w{i + 1}, segue_{c.call}({arguments}));")
        self.lines.append(f"\treturn segue_commit(w{len(d.calls)});")
        return f"static int walk_{number}(void *q)\n{{\n" + "\n".join(self.lines) + "\n}\n\n"

    def handle(self, d: Drawn) -> str:
        return f"struct segue_{d.queue}_sq" if self.kinds[d.queue] == "send" else f"struct segue_{d.queue}"

    def program(self, drawn: list[Drawn], size: int) -> str:
        """`size`: of a block."""
        parts = [HEAD, f"#define BLOCK_BYTES {size}\n" + BLOCK if self.block else RING]
        parts += [self.function(i, d) for i, d in enumerate(drawn)]
        parts.append(MAIN + "int main(void)\n{\n\tstatic uint8_t out[WQE_MAX];\n\tsize_t len;\n\tint ret;\n\n")
        parts += ["" if self.block else "\t(void)run_rq;\n"]
        for i, d in enumerate(drawn):
            lap = f"q.lap.bit = {d.lap[0]};\n\t\tq.lap.turn = {d.lap[1]};\n\t\t" if d.lap else ""
            run = f"run_block(&q.block, walk_{i}, &q, out, &len)" if self.block else f"run_send(&q.sq, 0, walk_{i}, &q, out, &len)"
            if self.block and d.request not in self.sized:
                run += ";\n\t\tlen = q.block.used"
            parts.append(f"\t{{\n\t\tstatic {self.handle(d)} q;\n\n\t\t{lap}ret = {run};\n"
                         f"\t\treport({i}, &segue_{d.queue}_machine, ret, out, len);\n\t}}\n")
        return "".join(parts) + "\tjudge();\n\treturn 0;\n}\n"
