# SPDX-License-Identifier: BSD-2-Clause
"""The C program that builds, judges and prints what a test has drawn: calls as docs/spec-format.md says that they look.

It reads nothing but its own walks, prints a line for each, and then judges the bytes that it is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.codegen.layouts.second import Item, Reading, Took

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/decode.h"

#define WQE_MAX 4096u
#ifndef BIND
#define BIND(name, ...) __extension__ __auto_type name = __VA_ARGS__
#endif

static void show(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		printf("%02x", bytes[i]);
}

"""

RING = """\
#define BLOCKS 64u
_Alignas(64) static uint8_t ring[BLOCKS * 64 + 64];
_Alignas(64) static uint8_t reg[1024];
static struct segue_sq_slot slots[BLOCKS];
static uint64_t wr_ids[64];
static uint32_t dbrec;

static int run_send(struct segue_sq *sq, uint32_t first, int (*walk)(void *), void *q, uint8_t *out, size_t *len)
{
	struct segue_sq_init_options attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	memset(ring, 0xa5, sizeof(ring));
	attr.buf = ring;
	attr.wqe_cnt = BLOCKS;
	attr.dbrec = &dbrec;
	attr.bf_reg = reg;
	attr.qpn = 0x123456;
	attr.slots = slots;
	attr.first_index = first;
	if (segue_sq_init(sq, &attr)) {
		printf("init: %s\\n", segue_errmsg());
		exit(2);
	}
	segue_sq_set_postable(sq, true);
	ret = walk(q);
	*len = ret ? 0 : (size_t)(ring[first % BLOCKS * 64 + 7] & 0x3f) * 16;
	for (size_t i = 0; i < *len; i++)
		out[i] = ring[(first % BLOCKS * 64 + i) % (BLOCKS * 64)];
	return ret;
}

static int run_rq(struct segue_rq *rq, uint32_t first, int (*walk)(void *), uint8_t *out, size_t *len)
{
	struct segue_rq_init_options attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	memset(ring, 0xa5, sizeof(ring));
	attr.buf = ring;
	attr.wqe_cnt = 8;
	attr.stride = 512;
	attr.dbrec = &dbrec;
	attr.wr_ids = wr_ids;
	attr.first_index = first;
	if (segue_rq_init(rq, &attr)) {
		printf("init: %s\\n", segue_errmsg());
		exit(2);
	}
	seguei_recv_set_postable(&rq->ring, true);
	ret = walk(rq);
	*len = ret ? 0 : 512;
	memcpy(out, ring + first % 8 * 512, 512);
	return ret;
}

"""

BLOCK = """\
static uint8_t block[BLOCK_BYTES];

static int run_block(struct segue_block *b, int (*walk)(void *), void *q, uint8_t *out, size_t *len)
{
	int ret;

	memset(block, 0xa5, sizeof(block));
	b->at = block;
	b->size = sizeof(block);
	ret = walk(q);
	*len = sizeof(block);
	memcpy(out, block, sizeof(block));
	return ret;
}

"""

# Of a ring in plain memory. Before a request each byte is as an earlier lap left it.
SLOTS = 64
SLOTS_OF = """\
#include "segue/gen/rings.h"

static uint8_t memory[MOST_SLOTS * 4096u];

static void fill_slots(struct segue_slots *slots, uint32_t bytes, uint32_t head)
{
	memset(memory, 0xa5, sizeof(memory));
	slots->memory = memory;
	slots->bytes = bytes;
	slots->count = MOST_SLOTS;
	slots->head = head;
	slots->tail = head;
}

static size_t copy_slots(const struct segue_slots *slots, uint8_t *out)
{
	size_t len = 0;

	for (uint32_t i = slots->tail; i != slots->head; i++, len += slots->bytes)
		memcpy(out + len, segue_slots_at(slots, i), slots->bytes);
	return len;
}

"""

MAIN = """\
static void report(int number, const struct segue_machine *machine, int ret, const uint8_t *out, size_t len)
{
	struct segue_offence offence;
	char text[65536], sentence[1024] = "";
	int valid = 0;

	if (!ret)
		valid = segue_wqe_validate(machine, out, len, &offence);
	if (valid)
		(void)segue_offence_print(&offence, sentence, sizeof(sentence));
	if (!ret)
		(void)segue_wqe_print(machine, out, len, SEGUE_FORMAT_TEXT, text, sizeof(text));
	printf("walk %d %d ", number, ret);
	show(out, ret ? 0 : len);
	printf(" %s\\n", ret ? segue_errmsg() : sentence);
}

static void judge(void)
{
	static char line[65536];
	static uint8_t bytes[WQE_MAX];

	while (fgets(line, sizeof(line), stdin) && line[0] != '\\n') {
		struct segue_offence offence;
		char sentence[1024] = "";
		const struct segue_machine *machine = segue_machines[strtoul(line, NULL, 10)];
		const char *hex = strchr(line, ' ') + 1;
		size_t len = 0;

		for (; hex[0] > ' ' && hex[1] > ' '; hex += 2) {
			const char digits[3] = {hex[0], hex[1], 0};

			bytes[len++] = (uint8_t)strtoul(digits, NULL, 16);
		}
		if (segue_wqe_validate(machine, bytes, len, &offence))
			(void)segue_offence_print(&offence, sentence, sizeof(sentence));
		printf("judged %s\\n", sentence);
	}
}

int main(void)
{
	static uint8_t out[WQE_MAX];
	size_t len;
	int ret;

	/* unused if no request can be built */
	(void)out;
	(void)len;
	(void)ret;
"""


@dataclass
class Walk:
    """One request to build, and what must come of it."""

    request: Item
    transport: str
    took: list[Took]
    flags: int
    flag_names: list[str]
    args: list[tuple[str, int]]  # (field, value)
    option: tuple[str, str, int] | None  # name, field, value
    one_call: bool
    first: int
    wqe: bytes | None  # None: it must be refused


def number(value: int) -> str:
    return f"UINT64_C({value})" if value >= 0 else f"INT64_C({value})"


class Writer:
    def __init__(self, reading: Reading):
        self.reading = reading
        self.lines: list[str] = []
        self.count = 0

    def variable(self, text: str) -> str:
        """Declares `text` with @ as the name that is returned."""
        self.count += 1
        name = f"v{self.count}"
        self.lines.append("\t" + text.replace("@", name))
        return name

    def text_of(self, f: Item, value: Any) -> str:
        if "byte" not in f["at"]:
            return number(value)
        return "(const uint8_t[]){" + ", ".join(str(byte) for byte in value) + "}"

    def struct(self, segment: Item, row: dict[str, Any]) -> str:
        values = []
        for f in segment["fields"]:
            if "const" not in f:
                value = row[f["name"]]
                shown = "{" + ", ".join(map(str, value)) + "}" if "byte" in f["at"] else number(value)
                values.append(f".{f['name']} = {shown}")
        return "{" + (", ".join(values) or ".unused = 0") + "}"

    def payload(self, data: bytes) -> list[str]:
        if not data:
            return ["NULL", "0"]
        return [self.variable(f"static const uint8_t @[] = {{{', '.join(map(str, data))}}};"), str(len(data))]

    def arguments(self, t: Took) -> list[str]:
        """What a step for `t` takes, and a one-call post for it, in that order."""
        segment, struct = t.segment, f"struct segue_seg_{t.name}"
        if t.op in ("list", "array"):
            if not t.rows:
                return ["NULL", "0"]
            rows = ", ".join(self.struct(segment, row) for row in t.rows)
            return [self.variable(f"static const {struct} @[] = {{{rows}}};"), str(len(t.rows))]
        fields = {f["name"]: f for f in segment["fields"] if "const" not in f}
        row = t.rows[0]
        if "prepared" in segment:
            whole = self.variable(f"const {struct} @ = {self.struct(segment, row)};")
            made = self.variable(f"struct segue_{segment['prepared']['name']} @;")
            self.lines.append(f"\tsegue_seg_{t.name}_prepare(&{made}, &{whole});")
            given = ["&" + made] + [self.text_of(fields[name], row[name]) for name in segment["prepared"]["args"]]
        elif segment.get("pass") == "struct":
            given = ["&" + self.variable(f"const {struct} @ = {self.struct(segment, row)};")]
        else:
            length = segment.get("tail", {}).get("length")
            names = [n for n in segment.get("args", fields) if n not in t.fixed and n != length]
            given = [self.text_of(fields[n], row[n]) for n in names]
        return given + (self.payload(t.data) if "tail" in segment else [])

    def walk(self, number_of: int, walk: Walk) -> str:
        self.lines, self.count = [], 0
        request, ring = walk.request, self.reading.ring
        send = request["queue"] == "send"
        handle = f"struct segue_{walk.transport}_sq" if send else "struct segue_rq"
        given = (["7"] if ring else []) + ([str(walk.flags)] if send else []) + [number(v) for _, v in walk.args]
        steps = [t for t in walk.took if t.op != "terminator"]
        arguments = [self.arguments(t) for t in steps]
        if walk.one_call:
            members = ", ".join(given + [a for group in arguments for a in group])
            what = "post" if ring else "commit"
            self.lines.append(f"\tconst struct segue_{walk.transport if send else 'rq'}_{request['name']}_args args = {{{members or '0'}}};")
            self.lines.append(f"\treturn segue_{what}_{request['name']}(({handle} *)q, &args);")
        else:
            self.lines.append(f"\tBIND(w0, segue_{request['name']}({', '.join([f'({handle} *)q', *given])}));")
            if walk.option:
                self.lines.append(f"\tw0 = segue_{walk.option[0]}(w0, {number(walk.option[2])});")
            for i, (t, a) in enumerate(zip(steps, arguments)):
                call = t.segment.get("call", t.name) + ("_list" if t.op in ("list", "array") else "")
                self.lines.append(f"\tBIND(w{i + 1}, segue_{call}({', '.join([f'w{i}', *a])}));")
            self.lines.append(f"\treturn segue_commit(w{len(steps)});")
        return f"static int walk_{number_of}(void *q)\n{{\n" + "\n".join(self.lines) + "\n}\n\n"

    def program(self, walks: list[Walk]) -> str:
        out = [HEAD]
        out.append(RING if self.reading.ring else f"#define BLOCK_BYTES {self.reading.block}\n" + BLOCK)
        if self.reading.rings:
            out.append(f"#define MOST_SLOTS {SLOTS}u\n" + SLOTS_OF)
        out += [self.walk(i, walk) for i, walk in enumerate(walks)]
        out.append(MAIN)
        if self.reading.ring:
            out.append("\t(void)run_rq;\n\t(void)run_send;\n")
        for i, walk in enumerate(walks):
            out.append("\t{\n\t\t" + self.call(i, walk) + "\n\t}\n")
        return "".join(out) + "\tjudge();\n\treturn 0;\n}\n"

    def call(self, i: int, walk: Walk) -> str:
        if walk.request["queue"] != "send":
            return (f"static struct segue_rq q;\n\n\t\tret = run_rq(&q, {walk.first}, walk_{i}, out, &len);\n"
                    f"\t\treport({i}, &segue_rq_machine, ret, out, len);")
        ring = self.reading.rings.get(walk.transport)
        if ring:
            return self.call_in_ring(i, walk, ring)
        member, run = ("sq", f"run_send(&q.sq, {walk.first}, ") if self.reading.ring else ("block", "run_block(&q.block, ")
        del member
        return (f"static struct segue_{walk.transport}_sq q;\n\n\t\tret = {run}walk_{i}, &q, out, &len);\n"
                f"\t\treport({i}, &segue_{walk.transport}_machine, ret, out, len);")

    def call_in_ring(self, i: int, walk: Walk, ring: Item) -> str:
        name = f"segue_{walk.transport}_ring"
        lines = [f"static struct {name} q;", "", f"fill_slots(&q.slots, {self.reading.slot(ring)}, UINT32_C({walk.first}));"]
        lines += [f"ret = walk_{i}({name}_next(&q));", "if (!ret)", f"\t{name}_push(&q);", "len = copy_slots(&q.slots, out);",
                  f"report({i}, &segue_{walk.transport}_machine, ret, out, len);", f'printf("ring {i} %u ", q.slots.head);']
        if "doorbell" in ring:
            lines += ["{", "\tstruct segue_seg_bell bell = {0};", "", f"\t{name}_doorbell(&q, &bell);", "\tsegue_seg_bell_pack(out, &bell);",
                      "\tshow(out, 4);", "}"]
        return "\n\t\t".join([*lines, 'printf("\\n");'])
