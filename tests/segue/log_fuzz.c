// SPDX-License-Identifier: BSD-2-Clause
/*
 * Texts with failures in them, below ASan and UBSan: log_fuzz [COUNT]. Error completions in layouts
 * and after prefixes that programs give them, lines of programs, lines that say nothing, and
 * damage: rows cut off, lost, doubled, wrapped, of two dumps in turn. Whatever is found has the
 * values that were put in, and what was not damaged is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "tests/seed/seed.h"
#include "tools/segue/log/log.h"

#define USUAL 3000
#define ROWS  4

enum damage {
	NONE,
	CUT,
	LOST,
	DOUBLED,
	WRAPPED,
	IN_TURN,
	SCATTERED,
	CARRIAGE_RETURNS,
	NOISE,
	DAMAGES
};

struct put {
	struct failed failed;
	uint8_t bytes[FAILED_SIZE];
	char rows[ROWS][200];
	char prefix[64];
	bool whole; /* nothing has been damaged */
};

static uint64_t state;
static char text[1 << 16];
static size_t len;

static uint32_t draw(uint32_t below)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) % below);
}

static void add(const char *line)
{
	len += (size_t)snprintf(text + len, sizeof(text) - len, "%s\n", line);
	len = len < sizeof(text) ? len : sizeof(text) - 1;
}

/* As struct mlx5_err_cqe of mlx5dv.h has it. */
static void draw_failed(struct put *p)
{
	static const uint8_t syndromes[] = {1,	  2,	4,    6,    0x10, 0x11,
					    0x12, 0x13, 0x14, 0x15, 0x16, 0x22};
	static const uint8_t opcodes[] = {0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x25};
	uint8_t *const b = p->bytes;
	struct failed *const f = &p->failed;

	*f = (struct failed){.syndrome = syndromes[draw(sizeof(syndromes))],
			     .vendor = (uint8_t)draw(256),
			     .hw = (uint8_t)draw(256),
			     .send = draw(3) > 0,
			     .opcode = opcodes[draw(sizeof(opcodes))],
			     .index = (uint16_t)draw(1 << 16),
			     .qpn = 1 + draw((1 << 24) - 1),
			     .srqn = draw(3) ? draw(1 << 24) : 0};
	memset(b, 0, FAILED_SIZE);
	b[33] = (uint8_t)(f->srqn >> 16);
	b[34] = (uint8_t)(f->srqn >> 8);
	b[35] = (uint8_t)f->srqn;
	b[52] = f->hw;
	b[54] = f->vendor;
	b[55] = f->syndrome;
	b[56] = f->send ? f->opcode : 0;
	b[57] = (uint8_t)(f->qpn >> 16);
	b[58] = (uint8_t)(f->qpn >> 8);
	b[59] = (uint8_t)f->qpn;
	b[60] = (uint8_t)(f->index >> 8);
	b[61] = (uint8_t)f->index;
	b[62] = (uint8_t)draw(256);
	b[63] = (uint8_t)((f->send ? 0xd2 : 0xe2) | draw(2));
}

static void groups(char *to, const uint8_t *bytes, size_t size, bool turned, const char *start)
{
	size_t at, i;

	for (at = 0; at < FAILED_ROW; at += size) {
		to += sprintf(to, "%s%s", at ? " " : "", start);
		for (i = 0; i < size; i++)
			to += sprintf(to, "%02x", bytes[at + (turned ? size - 1 - i : i)]);
	}
}

static void draw_rows(struct put *p)
{
	static const struct {
		const char *address;
		size_t size;
		bool turned;
		const char *start, *end;
	} layouts[] = {
		{"", 4, false, "", ""},
		{"", 1, false, "", ""},
		{"", 4, false, "0x", ""},
		{"%08zx: ", 1, false, "", ""},
		{"%08zx: ", 4, true, "", ""},
		{"%08zx: ", 8, true, "", "  ................"},
		{"%08zX: ", 1, false, "", " | ................"},
		{"%04zx   ", 1, false, "", ""},
		{"0x%04zx:  ", 2, false, "", ""},
		{"%08zx  ", 1, false, "", "  |................|"},
		{"ffff88810a0f4%03zx:  ", 8, true, "", "   ................"},
		{"0x7f00dead%04zx:\t", 4, true, "0x", ""},
		{"%08zx: ", 1, false, "", " 00"},
	};
	static const char *const prefixes[] = {"",
					       "> ",
					       "> > > ",
					       "[1,%u]<stderr>:",
					       "worker-%u  | ",
					       "%u: ",
					       "Jul 29 14:40:27 host%u kernel: ",
					       "cqe_dump: ",
					       "\033[31m",
					       "   "};
	const size_t layout = draw(sizeof(layouts) / sizeof(layouts[0]));
	size_t row, at;

	snprintf(p->prefix, sizeof(p->prefix), prefixes[draw(10)], draw(100));
	for (row = 0; row < ROWS; row++) {
		at = (size_t)snprintf(p->rows[row], sizeof(p->rows[row]), layouts[layout].address,
				      row * FAILED_ROW);
		groups(p->rows[row] + at, p->bytes + row * FAILED_ROW, layouts[layout].size,
		       layouts[layout].turned, layouts[layout].start);
		strcat(p->rows[row], layouts[layout].end);
	}
}

static void add_row(const struct put *p, const char *row, const char *end)
{
	char line[400];

	snprintf(line, sizeof(line), "%s%s%s", p->prefix, row, end);
	add(line);
}

static void add_other(void)
{
	static const char *const lines[] = {"",
					    "---",
					    "kernel: usb 1-1: new device",
					    "status=12 opcode=3",
					    "00000000 0000",
					    "deadbeef: 12 34 56 78",
					    "4b825dc642cb6eb9a060e54bf8d69288fbee4904 a hash",
					    "inet6 fe80::1 prefixlen 64",
					    "CQ error rate 12",
					    "12:34:56 00 11 22 33"};

	add(lines[draw(sizeof(lines) / sizeof(lines[0]))]);
}

/* A line of a program about the failure. */
static void add_line(const struct put *p)
{
	const struct failed *const f = &p->failed;
	const struct log_status *s = NULL;
	char line[300];
	size_t i;

	for (i = 0; i < log_n_statuses; i++)
		if (log_statuses[i].syndrome == f->syndrome)
			s = &log_statuses[i];
	switch (draw(5)) {
	case 0:
		snprintf(line, sizeof(line), " Failed status %d: wr_id 0 syndrom 0x%x", s->status,
			 f->vendor);
		break;
	case 1:
		snprintf(line, sizeof(line),
			 "n1:1:2 [4] NCCL WARN NET/IB : Got completion from peer 192.0.2.1<54862> "
			 "with status=%d opcode=%u len=0 vendor err %u (Recv)",
			 s->status, draw(1 << 16), f->vendor);
		break;
	case 2:
		snprintf(line, sizeof(line),
			 "[n1:1:0:1] ib_mlx5_log.c:143  %s on mlx5_0:1/IB (synd 0x%x vend 0x%x "
			 "hw_synd 0/%u)",
			 s->words[0], f->syndrome, f->vendor, f->hw);
		break;
	case 3:
		snprintf(line, sizeof(line),
			 "rdma.c:1797: *ERROR*: CQ error on CQ 0x7eecc0000c20, Request "
			 "0x139555298690096 (%d): %s",
			 s->status, s->words[0]);
		break;
	default:
		snprintf(line, sizeof(line), "mlx5_0/1: QP %u error: %s (0x%x 0x0 0x%x)", f->qpn,
			 f->syndrome == 4 ? "local protection error" : "unrecognized status",
			 f->vendor, f->hw);
	}
	add(line);
}

static void add_dumps(struct put *p, unsigned int count, enum damage damage)
{
	unsigned int row, i, hit = draw(ROWS);
	char *const cut = p->rows[hit];

	p->whole = damage != CUT && damage != LOST && damage != DOUBLED && damage != NOISE;
	if (damage == CUT)
		cut[strlen(cut) - 1 - draw((uint32_t)strlen(cut) - 1)] = '\0';
	if (damage == NOISE)
		cut[draw((uint32_t)strlen(cut))] = "g*~zx"[draw(5)];
	for (row = 0; row < ROWS; row++) {
		if (damage == LOST && row == hit)
			continue;
		if (damage == SCATTERED && draw(2))
			add_other();
		add_row(p, p->rows[row], damage == CARRIAGE_RETURNS ? "\r" : "");
		if (damage == DOUBLED && row == hit)
			add_row(p, p->rows[row], "");
		for (i = 1; i < count && damage == IN_TURN; i++)
			add_row(&p[i], p[i].rows[row], "");
	}
}

static bool same(const struct values *v, const struct failed *f)
{
	const struct {
		enum log_number slot;
		uint64_t value;
	} values[] = {{LOG_SYNDROME, f->syndrome},
		      {LOG_VENDOR, f->vendor},
		      {LOG_QPN, f->qpn},
		      {LOG_INDEX, f->index},
		      {LOG_HW, f->hw},
		      {LOG_SRQN, f->srqn},
		      {LOG_OPCODE, f->opcode},
		      {LOG_SIDE, f->send ? LOG_REQUESTER : LOG_RESPONDER}};
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (values_have(v, values[i].slot) && v->number[values[i].slot] != values[i].value)
			return false;
	return true;
}

static int check(const struct find *find, const struct put *puts, unsigned int count)
{
	unsigned int n, wrong = 0;
	size_t i;

	for (i = 0; i < find->count; i++) {
		for (n = 0; n < count && !same(&find->all[i].values, &puts[n].failed); n++)
			;
		if (n < count)
			continue;
		printf("found on line %lu what was not put in: syndrome 0x%lx qpn 0x%lx\n",
		       (unsigned long)find->all[i].line,
		       (unsigned long)find->all[i].values.number[LOG_SYNDROME],
		       (unsigned long)find->all[i].values.number[LOG_QPN]);
		wrong++;
	}
	for (n = 0; n < count; n++) {
		for (i = 0; i < find->count; i++)
			if (values_have(&find->all[i].values, LOG_QPN) &&
			    same(&find->all[i].values, &puts[n].failed))
				break;
		if (i < find->count || !puts[n].whole)
			continue;
		printf("not found: qpn 0x%x\n", puts[n].failed.qpn);
		wrong++;
	}
	return (int)wrong;
}

static int one(struct find *find)
{
	static struct put puts[3];
	const unsigned int count = 1 + draw(2);
	enum damage damage = draw(2) ? NONE : draw(DAMAGES);
	unsigned int n;
	FILE *file;
	int wrong;

	len = 0;
	for (n = 0; n < count; n++) {
		draw_failed(&puts[n]);
		draw_rows(&puts[n]);
		puts[n].whole = true;
	}
	/* Rows in turn are told apart by their prefixes. */
	if (damage == IN_TURN && count > 1 && strcmp(puts[0].prefix, puts[1].prefix) == 0)
		snprintf(puts[1].prefix, sizeof(puts[1].prefix), "other-%u ", draw(100));
	for (n = draw(4); n--;)
		add_other();
	for (n = 0; n < count; n++) {
		if (draw(3) == 0)
			add("mlx5: host: got completion with error:");
		if (draw(4) == 0)
			add_line(&puts[n]);
		add_dumps(&puts[n], damage == IN_TURN ? count : 1, damage);
		if (draw(4) == 0)
			add_line(&puts[n]);
		if (damage == IN_TURN)
			break;
	}
	for (n = draw(4); n--;)
		add_other();
	file = fmemopen(text, len, "r");
	if (!file || log_find(file, 0, find))
		return 1;
	fclose(file);
	wrong = check(find, puts, count);
	if (wrong)
		printf("damage %d, text:\n%s\n", damage, text);
	return wrong;
}

int main(int argc, char **argv)
{
	const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : USUAL;
	struct find *const find = malloc(sizeof(*find));
	unsigned long i;
	int wrong = 0;

	state = segue_test_seed();
	for (i = 0; find && i < count && wrong < 3; i++)
		wrong += one(find);
	free(find);
	printf("%lu texts, %d wrong\n", i, wrong);
	return wrong != 0;
}
