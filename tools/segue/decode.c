// SPDX-License-Identifier: BSD-2-Clause
/* segue decode: what the bytes of a dump mean. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/validate.h"
#include "tools/segue/commands.h"
#include "tools/segue/dump.h"
#include "tools/segue/receive.h"
#include "tools/segue/ring.h"
#include "tools/segue/wqe.h"

static const char *const help =
	"Usage: segue decode [--wqe | --cqe | --ring] [OPTION]... [FILE | -]\n"
	"\n"
	"Says what bytes of a work queue or a completion queue mean: a line for each request, and below it what is wrong with it.\n"
	"FILE is text (hex digits, xxd, hexdump, od, gdb's x/, a C array) or raw bytes; - or none is standard input.\n"
	"\n"
	"  --wqe             one work request (default: whatever the bytes look like)\n"
	"  --cqe             completions, one behind the other\n"
	"  --ring            all of a queue's ring, from its first byte to its last; requests may go over its end\n"
	"  -q, --queue NAME  whose: rc, uc, ud, dci, xrc_initiator, raw_packet, rq, srq, mprq (default: the send queue that they fit;\n"
	"                    receive entries have no mark of their own, so rq, srq and mprq must be named)\n"
	"  --stride BYTES    of a receive ring's entry: a power of two (rq: 16, srq and mprq: 32)\n"
	"  --cqe-size BYTES  64 or 128 (64)\n"
	"  --form FORM       auto, text or raw (auto)\n"
	"  -v, --verbose     all fields\n"
	"  --json            a JSON value for each record, a line each\n"
	"  -h, --help        this\n"
	"\n"
	"Exit status: 0 all is legal, 1 something is not, 2 the options or the dump cannot be read, 4 nothing can tell: receive entries that\n"
	"are legal, but so short or so odd that random bytes could as well be.\n"
	"Example: (gdb) pipe x/64xw qp->buf.buf | segue decode --ring\n";

enum kind { KIND_ANY, KIND_WQE, KIND_CQE, KIND_RING };

struct options {
	enum kind kind;
	const struct segue_machine *machine;
	size_t stride; /* 0: the least of the queue */
	size_t cqe_size;
	const char *form;
	const char *path;
};

enum { OPTION_WQE = 256, OPTION_CQE, OPTION_RING, OPTION_STRIDE, OPTION_CQE_SIZE, OPTION_FORM, OPTION_JSON };

static const struct option long_options[] = {
	{"wqe", no_argument, NULL, OPTION_WQE},
	{"cqe", no_argument, NULL, OPTION_CQE},
	{"ring", no_argument, NULL, OPTION_RING},
	{"queue", required_argument, NULL, 'q'},
	{"stride", required_argument, NULL, OPTION_STRIDE},
	{"cqe-size", required_argument, NULL, OPTION_CQE_SIZE},
	{"form", required_argument, NULL, OPTION_FORM},
	{"json", no_argument, NULL, OPTION_JSON},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int bad_queue(const char *name)
{
	char names[256] = "";
	size_t i, at = 0;

	for (i = 0; segue_machines[i] && at < sizeof(names); i++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s", i ? ", " : "", segue_machines[i]->name);
	return report_error("there is no queue '%s'; expected one of %s", name, names);
}

/* Cards are told the logarithm of a stride. */
static int take_stride(const char *text, size_t *stride)
{
	uint64_t value;

	if (!report_parse_number(text, &value) || value < SEGUE_WQE_UNIT_SIZE || value > RECEIVE_STRIDE_MAX || value & (value - 1))
		return report_error("--stride %s: expected a number of bytes, a power of two from %d to %d", text, SEGUE_WQE_UNIT_SIZE,
				    RECEIVE_STRIDE_MAX);
	*stride = (size_t)value;
	return 0;
}

static int take_cqe_size(const char *text, size_t *size)
{
	uint64_t value;

	if (!report_parse_number(text, &value) || (value != 64 && value != 128))
		return report_error("--cqe-size %s: completions have 64 or 128 bytes", text);
	*size = (size_t)value;
	return 0;
}

static int take_option(struct report *report, struct options *o, int option)
{
	switch (option) {
	case OPTION_WQE:
		o->kind = KIND_WQE;
		return 0;
	case OPTION_CQE:
		o->kind = KIND_CQE;
		return 0;
	case OPTION_RING:
		o->kind = KIND_RING;
		return 0;
	case 'q':
		o->machine = wqe_machine(optarg);
		return o->machine ? 0 : bad_queue(optarg);
	case OPTION_STRIDE:
		return take_stride(optarg, &o->stride);
	case OPTION_CQE_SIZE:
		return take_cqe_size(optarg, &o->cqe_size);
	case OPTION_FORM:
		o->form = optarg;
		if (strcmp(optarg, "auto") == 0 || strcmp(optarg, "text") == 0 || strcmp(optarg, "raw") == 0)
			return 0;
		return report_error("--form %s: expected auto, text or raw", optarg);
	case OPTION_JSON:
		report->json = true;
		return 0;
	case 'v':
		report->verbose = true;
		return 0;
	default:
		fputs("Try 'segue decode --help'.\n", stderr);
		return SEGUE_EXIT_USAGE;
	}
}

static int read_dump(const struct options *o, struct dump *dump)
{
	const bool standard = !o->path || strcmp(o->path, "-") == 0;
	FILE *const file = standard ? stdin : fopen(o->path, "rb");
	char why[256];
	int err;

	if (!file)
		return report_error("%s: %s", o->path, strerror(errno));
	err = dump_read(file, o->form, dump, why, sizeof(why));
	if (!standard)
		fclose(file);
	return err ? report_error("%s: %s", standard ? "standard input" : o->path, why) : 0;
}

/*
 * A request whose end is missing is no completion, even if one could look like it. Opcode 0 is that of a NOP, which is too short to lose
 * anything, and of most completions, where wqe_id is 0.
 */
static bool truncated(const struct segue_machine *machine, const struct dump *dump)
{
	const uint64_t opcode = wqe_control(dump->bytes, segue_control.opcode);
	const uint64_t opmod = wqe_control(dump->bytes, segue_control.opmod);
	struct segue_offence offence;
	uint16_t i;

	(void)segue_wqe_validate(machine, dump->bytes, dump->len, &offence);
	if (offence.kind != SEGUE_OFFENCE_TRUNCATED || opcode == SEGUE_OPCODE_NOP)
		return false;
	for (i = 0; i < machine->n_starts; i++)
		if (machine->starts[i].opcode == opcode && machine->starts[i].opmod == opmod)
			return true;
	return false;
}

/* What bytes are whose kind nobody gave. */
static enum kind guess(const struct options *o, const struct dump *dump)
{
	const struct segue_machine *machine;
	uint64_t size;
	bool legal;

	if (o->machine && !o->machine->send)
		return dump->len > o->stride ? KIND_RING : KIND_WQE;
	machine = wqe_guess(dump->bytes, dump->len, &legal);
	size = dump->len < segue_control.segment->size ? 0 : wqe_control(dump->bytes, segue_control.size) * SEGUE_WQE_UNIT_SIZE;
	if (dump->len % SEGUE_WQE_BLOCK_SIZE == 0 && (size ? dump->len >= size + SEGUE_WQE_BLOCK_SIZE : dump->len > SEGUE_WQE_MAX_SIZE))
		return KIND_RING;
	if (!o->machine && !legal && dump->len == o->cqe_size && !truncated(machine, dump) && segue_cqe_match(dump->bytes, dump->len))
		return KIND_CQE;
	return KIND_WQE;
}

static int decode_wqe(struct report *report, const struct options *o, const struct dump *dump)
{
	const struct wqe_view view = {.machine = o->machine, .bytes = dump->bytes, .len = dump->len};

	return wqe_print(report, &view) ? SEGUE_EXIT_OK : SEGUE_EXIT_OFFENCE;
}

/* Entries of a receive queue: all of its ring, or one that takes all there is. */
static int decode_receive(struct report *report, const struct options *o, const struct dump *dump)
{
	const bool whole = o->kind == KIND_RING;
	const struct receive_ring ring = {
		.machine = o->machine, .bytes = dump->bytes, .len = dump->len, .stride = whole ? o->stride : dump->len, .whole = whole};

	if (dump->len % ring.stride)
		return report_error("the dump has %zu bytes, but a ring is a multiple of %zu; it is cut off, or not a ring of such entries (--stride)",
				    dump->len, ring.stride);
	return receive_print(report, &ring);
}

static int decode_ring(struct report *report, const struct options *o, const struct dump *dump)
{
	if (dump->len % SEGUE_WQE_BLOCK_SIZE)
		return report_error("the dump has %zu bytes, but a ring is a multiple of %d; it is cut off, or not a ring", dump->len,
				    SEGUE_WQE_BLOCK_SIZE);
	return ring_print_send(report, o->machine, dump->bytes, dump->len) ? SEGUE_EXIT_OFFENCE : SEGUE_EXIT_OK;
}

static int decode_cqes(struct report *report, const struct options *o, const struct dump *dump)
{
	if (dump->len % o->cqe_size)
		return report_error("the dump has %zu bytes, but completions have %zu each; it is cut off, or --cqe-size is another", dump->len,
				    o->cqe_size);
	return ring_print_cqes(report, dump->bytes, dump->len, o->cqe_size) ? SEGUE_EXIT_OFFENCE : SEGUE_EXIT_OK;
}

int command_decode(struct report *report, int argc, char **argv)
{
	struct options o = {.cqe_size = 64, .form = "auto"};
	struct dump dump;
	int option, status;

	while ((option = getopt_long(argc, argv, "q:vh", long_options, NULL)) != -1) {
		if (option == 'h')
			return fputs(help, stdout) < 0;
		status = take_option(report, &o, option);
		if (status)
			return status;
	}
	if (argc - optind > 1)
		return report_error("one file at a time; '%s' is a second one", argv[optind + 1]);
	o.path = argv[optind];
	status = read_dump(&o, &dump);
	if (status)
		return status;
	if (o.machine && !o.machine->send && !o.stride)
		o.stride = receive_stride(o.machine);
	if (o.kind == KIND_ANY)
		o.kind = guess(&o, &dump);
	if (o.kind == KIND_CQE)
		status = decode_cqes(report, &o, &dump);
	else if (o.machine && !o.machine->send)
		status = decode_receive(report, &o, &dump);
	else
		status = o.kind == KIND_RING ? decode_ring(report, &o, &dump) : decode_wqe(report, &o, &dump);
	free(dump.bytes);
	return status;
}
