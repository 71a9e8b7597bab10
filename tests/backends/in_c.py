# SPDX-License-Identifier: BSD-2-Clause
"""Drawn requests as a program in C, which reads their values, prints the entries that it has built and judges damaged ones."""

from __future__ import annotations

from codegen.python.nic import Data, Field
from tests.backends import words
from tests.backends.draw import QUEUE, Call, Drawn
from tests.codegen.layouts.program import BLOCK, HEAD, MAIN, RING

assert f"0x{QUEUE:x}" in RING

UNPACKED = -1000  # of a request with a segment that is unpacked otherwise than it was packed
READ = """\
#define WORDS 4096u
static uint64_t word[WORDS];
#define BYTES(first) ((const uint8_t *)&word[first])
#define MEMBER(type, name, first) ((__typeof__(((struct type *)0)->name))word[first])

/* The form of the next request, with its values in word[]. Negative after the last. */
static int next_request(void)
{
	static char line[WORDS * 17 + 32];
	char *at;
	int form;

	if (!fgets(line, sizeof(line), stdin) || line[0] == '\\n')
		return -1;
	form = (int)strtol(line, &at, 10);
	for (size_t i = 0; *at == ' '; i++)
		word[i] = strtoull(at + 1, &at, 16);
	return form;
}

"""


class Writer:
    """`model`: how it is called in C follows from it. `unpacks`: what is packed is unpacked too, and compared."""

    def __init__(self, model: Data, unpacks: bool = True):
        self.unpacks = unpacks
        self.segments = {s["name"]: s for s in model["segments"]}
        self.block = model["devices"][0]["posting"] == "block"
        self.kinds = {q["name"]: q["kind"] for q in model["queues"]}
        self.sized = {r["name"] for r in model["requests"] if "control" in r}  # others are as long as they are
        self.flagged = {r["name"] for r in model["requests"] if "control" in r and self.segments[r["control"]]["control"]["flags"]}
        self.lines: list[str] = []
        self.places: dict[words.Key, int] = {}

    def declare(self, declaration: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append("\t" + declaration.replace("@", name) + ";")
        return name

    def word(self, *key: int | str) -> str:
        return f"word[{self.places[key]}]"

    def field(self, f: Field, i: int, name: str) -> str:
        """A value as an argument, in C and in C++."""
        return self.word(i, 0, name) if f.order else f"BYTES({self.places[i, 0, name]})"

    def struct(self, c: Call, i: int, row: int) -> str:
        shown = []
        for name in c.names:
            f, place = c.segment.fields[name], self.places[i, row, name]
            data = ", ".join(f"BYTES({place})[{n}]" for n in range(f.size))
            shown.append(f".{name} = " + (f"MEMBER(segue_seg_{c.segment.name}, {name}, {place})" if f.order else f"{{{data}}}"))
        return "{" + (", ".join(shown) or "0") + "}"

    def unpacked(self, i: int, c: Call) -> None:
        """Unpacks what the packer makes of the values, which must be the same."""
        stem, fields = f"segue_seg_{c.segment.name}", c.segment.fields
        given = self.declare(f"const struct {stem} @ = {self.struct(c, i, 0)}")
        data, found = self.declare(f"uint8_t @[{c.segment.size}]"), self.declare(f"struct {stem} @")
        differ = [f"{found}.{n} != {given}.{n}" if fields[n].order else f"memcmp({found}.{n}, {given}.{n}, {fields[n].size})" for n in c.names]
        self.lines.append(f"\t{stem}_pack({data}, &{given});")
        self.lines.append(f"\tif ({' || '.join([f'!{stem}_unpack(&{found}, {data})', *differ])})\n\t\treturn {UNPACKED};")

    def arguments(self, i: int, c: Call) -> list[str]:
        said, fields = self.segments[c.segment.name], c.segment.fields
        struct = f"struct segue_seg_{c.segment.name}"
        if c.listed:
            rows = ", ".join(self.struct(c, i, row) for row in range(c.most))
            count = self.word(i, "rows")
            return [f"{count} ? {self.declare(f'const {struct} @[] = {{{rows}}}')} : NULL", count]
        if "prepared" in said:
            whole = self.declare(f"const {struct} @ = {self.struct(c, i, 0)}")
            made = self.declare(f"struct segue_{said['prepared']['name']} @")
            self.lines.append(f"\tsegue_seg_{c.segment.name}_prepare(&{made}, &{whole});")
            given = [f"&{made}"] + [self.field(fields[n], i, n) for n in said["prepared"]["args"]]
        elif said.get("whole"):
            given = ["&" + self.declare(f"const {struct} @ = {self.struct(c, i, 0)}")]
        else:
            given = [self.field(fields[n], i, n) for n in c.given]
        if not c.segment.tail:
            return given
        length = self.word(i, "length")
        return [*given, f"{length} ? BYTES({self.places[i, 'payload']}) : NULL", length]

    def function(self, number: int, d: Drawn) -> str:
        self.lines, self.places = [], words.places(d)
        given = [f"({self.handle(d)} *)q"] + ["7"] * (not self.block) + [self.word("flags")] * (d.request in self.flagged)
        given += [self.word("arg", name) if isinstance(value, int) else f"BYTES({self.places['arg', name]})" for name, value in d.args]
        first = f"segue_{d.request}({', '.join(given)})"
        if d.option:
            first = f"segue_{d.option[0]}({first}, {self.word('option')})"
        self.lines.append(f"\tBIND(w0, {first});")
        for i, c in enumerate(d.calls):
            if self.unpacks and not c.listed:
                self.unpacked(i, c)
            arguments = ", ".join([f"w{i}", *self.arguments(i, c)])
            self.lines.append(f"\tBIND(w{i + 1}, segue_{c.call}{'_list' * c.array}({arguments}));")
        self.lines.append(f"\treturn segue_commit(w{len(d.calls)});")
        return f"static int walk_{number}(void *q)\n{{\n" + "\n".join(self.lines) + "\n}\n\n"

    def handle(self, d: Drawn) -> str:
        return f"struct segue_{d.queue}_sq" if self.kinds[d.queue] == "send" else f"struct segue_{d.queue}"

    def case(self, number: int, d: Drawn) -> str:
        """A request of that form."""
        self.places = words.places(d)
        lines = [f"case {number}: {{", f"\tstatic {self.handle(d)} q;", "", "\tmemset(&q, 0, sizeof(q));"]
        if d.lap:
            lines += [f"\tq.lap.bit = {self.word('lap')};", f"\tq.lap.turn = {self.word('turn')};"]
        lines += [f"\tq.table = (uint32_t){self.word('table')};"] if d.table is not None else []
        run = "run_block(&q.block" if self.block else "run_send(&q.sq, 0"
        lines.append(f"\tret = {run}, walk_{number}, &q, out, &len);")
        if self.block and d.request not in self.sized:
            lines.append("\tlen = q.block.used;")
        lines += [f"\treport(number, &segue_{d.queue}_machine, ret, out, len);", "\tbreak;", "}"]
        return "".join(f"\t\t{line}\n" for line in lines)

    def program(self, drawn: list[Drawn], size: int) -> str:
        """`size`: of a block."""
        forms = words.forms(drawn)
        parts = [HEAD, f"#define BLOCK_BYTES {size}\n" + BLOCK if self.block else RING, READ]
        parts += [self.function(i, d) for i, d in enumerate(forms)]
        parts += [MAIN, "" if self.block else "\t(void)run_rq;\n"]
        parts.append("\tfor (int number = 0, form; (form = next_request()) >= 0; number++)\n\t\tswitch (form) {\n")
        parts += [self.case(i, d) for i, d in enumerate(forms)]
        return "".join(parts) + "\t\t}\n\tjudge();\n\treturn 0;\n}\n"
