// SPDX-License-Identifier: BSD-2-Clause
/* segue decode: what the bytes of a dump mean. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/validate.h"
#include "tools/segue/commands.h"
#include "tools/segue/dump.h"
#include "tools/segue/guess.h"
#include "tools/segue/receive.h"
#include "tools/segue/ring.h"
#include "tools/segue/wqe.h"

static const char *const help =
	"Usage: segue decode [--wqe | --cqe | --ring] [OPTION]... [FILE | -]\n"
	"\n"
	"Says what bytes of a work queue or a completion queue mean: a line for each request, and "
	"below it what is wrong with it.\n"
	"FILE is text (hex digits, xxd, hexdump, od, gdb's x/, a C array) or raw bytes; - or none "
	"is standard input.\n"
	"\n"
	"  --wqe             one work request (default: whatever the bytes look like)\n"
	"  --cqe             completions, one behind the other\n"
	"  --ring            all of a queue's ring, from its first byte to its last; requests may "
	"go over its end\n"
	"  -q, --queue NAME  whose: rc, uc, ud, dci, xrc_initiator, raw_packet, rq, srq, mprq "
	"(default: the send queue that they fit;\n"
	"                    receive entries have no mark of their own, so rq, srq and mprq must "
	"be named)\n"
	"  --stride BYTES    of a receive ring's entry: a power of two (rq: 16, srq and mprq: 32)\n"
	"  --cqe-size BYTES  64 or 128 (64)\n"
	"  --form FORM       auto, text or raw (auto)\n"
	"  --device NAME     whose entries: mlx5, bnxt_re, efa, hns or nvme (mlx5); the others "
	"have options of their own, see --help behind it\n"
	"  -v, --verbose     all fields\n"
	"  --json            a JSON value for each record, a line each\n"
	"  -h, --help        this\n"
	"\n"
	"Exit status: 0 all is legal, 1 something is not, 2 the options or the dump cannot be "
	"read, 4 nothing can tell: bytes that are no\n"
	"request and have an opcode of completions, but more set than those have; or receive "
	"entries that\n"
	"are legal, but so short or so odd that random bytes could as well be.\n"
	"Example: (gdb) pipe x/64xw qp->buf.buf | segue decode --ring\n";

struct options {
	enum kind kind;
	const struct segue_machine *machine;
	size_t stride; /* 0: the least of the queue */
	size_t cqe_size;
	const char *form;
	const char *path;
};

enum {
	OPTION_WQE = 256,
	OPTION_CQE,
	OPTION_RING,
	OPTION_STRIDE,
	OPTION_CQE_SIZE,
	OPTION_FORM,
	OPTION_JSON
};

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
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s", i ? ", " : "",
				       segue_machines[i]->name);
	return report_error("there is no queue '%s'; expected one of %s", name, names);
}

/* Cards are told the logarithm of a stride. */
static int take_stride(const char *text, size_t *stride)
{
	uint64_t value;

	if (!report_parse_number(text, &value) || value < SEGUE_WQE_UNIT_SIZE ||
	    value > RECEIVE_STRIDE_MAX || value & (value - 1))
		return report_error(
			"--stride %s: expected a number of bytes, a power of two from %d to %d",
			text, SEGUE_WQE_UNIT_SIZE, RECEIVE_STRIDE_MAX);
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
		if (strcmp(optarg, "auto") == 0 || strcmp(optarg, "text") == 0 ||
		    strcmp(optarg, "raw") == 0)
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
	if (isatty(fileno(file)))
		fputs("segue decode: reading a dump from the terminal; Ctrl-D on a line of its own "
		      "ends it\n",
		      stderr);
	err = dump_read(file, o->form, dump, why, sizeof(why));
	if (!standard)
		fclose(file);
	return err ? report_error("%s: %s", standard ? "standard input" : o->path, why) : 0;
}

/* What stands behind a request, unless it is the rest of its last block; or NULL. */
static const char *left_over(const struct dump *dump, char *note, size_t len)
{
	const size_t control = segue_control.segment->size;
	size_t size, padded;

	if (dump->len < control)
		return NULL;
	size = (size_t)wqe_control(dump->bytes, segue_control.size) * SEGUE_WQE_UNIT_SIZE;
	padded = (size + SEGUE_WQE_BLOCK_SIZE - 1) / SEGUE_WQE_BLOCK_SIZE * SEGUE_WQE_BLOCK_SIZE;
	if (!size || dump->len <= size || dump->len == padded)
		return NULL;
	snprintf(note, len, "%zu bytes behind it are not looked at", dump->len - size);
	return note;
}

static int decode_wqe(struct report *report, const struct options *o, const struct dump *dump)
{
	struct wqe_view view = {.machine = o->machine, .bytes = dump->bytes, .len = dump->len};
	char note[64];

	view.note = left_over(dump, note, sizeof(note));
	return wqe_print(report, &view) ? SEGUE_EXIT_OK : SEGUE_EXIT_OFFENCE;
}

/* Entries of a receive queue: all of its ring, or one that takes all there is. */
static int decode_receive(struct report *report, const struct options *o, const struct dump *dump)
{
	const bool whole = o->kind == KIND_RING;
	const struct receive_ring ring = {.machine = o->machine,
					  .bytes = dump->bytes,
					  .len = dump->len,
					  .stride = whole ? o->stride : dump->len,
					  .whole = whole};

	if (dump->len % ring.stride)
		return report_error("the dump has %zu bytes, but a ring is a multiple of %zu; it "
				    "is cut off, or not a ring of such entries (--stride)",
				    dump->len, ring.stride);
	return receive_print(report, &ring);
}

static int decode_ring(struct report *report, const struct options *o, const struct dump *dump)
{
	if (dump->len % SEGUE_WQE_BLOCK_SIZE)
		return report_error("the dump has %zu bytes, but a ring is a multiple of %d; it is "
				    "cut off, or not a ring",
				    dump->len, SEGUE_WQE_BLOCK_SIZE);
	return ring_print_send(report, o->machine, dump->bytes, dump->len) ? SEGUE_EXIT_OFFENCE
									   : SEGUE_EXIT_OK;
}

static int decode_cqes(struct report *report, const struct options *o, const struct dump *dump)
{
	if (dump->len % o->cqe_size)
		return report_error("the dump has %zu bytes, but completions have %zu each; it is "
				    "cut off, or --cqe-size is another",
				    dump->len, o->cqe_size);
	return ring_print_cqes(report, dump->bytes, dump->len, o->cqe_size) ? SEGUE_EXIT_OFFENCE
									    : SEGUE_EXIT_OK;
}

static int say_turned(unsigned int width)
{
	return report_error(
		"as they stand these bytes are neither requests nor completions; with each "
		"group of %u bytes turned round they are: dump bytes, not words (gdb's "
		"x/64xb, od -tx1, xxd)",
		width);
}

static void say_guess(const struct guess *guess)
{
	if (guess->kind != KIND_CQE)
		return;
	fputs(guess->doubtful
		      ? "segue decode: this could be a completion, and as well be something "
			"else; --wqe or --cqe says which\n"
		      : "segue decode: taken for completions; --wqe or --ring says otherwise\n",
	      stderr);
}

/* What bytes are whose kind nobody gave; 0, or what the command ends with. */
static int guess_kind(struct options *o, const struct dump *dump, bool *doubtful)
{
	struct guess guess;

	if (o->machine && !o->machine->send) {
		o->kind = dump->len > o->stride ? KIND_RING : KIND_WQE;
		return 0;
	}
	guess = guess_of(o->machine, o->cqe_size, dump);
	if (guess.turned)
		return say_turned(guess.turned);
	if (guess.kind == KIND_ANY)
		return report_error(
			"nothing in these %zu bytes is a request, and they do not look "
			"like completions; say what they are: --ring, --cqe, or --queue "
			"with the name of a receive queue",
			dump->len);
	say_guess(&guess);
	o->kind = guess.kind;
	*doubtful = guess.doubtful;
	return 0;
}

static int decode_as(struct report *report, const struct options *o, const struct dump *dump)
{
	if (o->kind == KIND_CQE)
		return decode_cqes(report, o, dump);
	if (o->machine && !o->machine->send)
		return decode_receive(report, o, dump);
	return o->kind == KIND_RING ? decode_ring(report, o, dump) : decode_wqe(report, o, dump);
}

static int decode_dump(struct report *report, struct options *o, const struct dump *dump)
{
	const bool receive = o->machine && !o->machine->send, given = o->kind != KIND_ANY;
	unsigned int turned = 0;
	bool doubtful = false;
	int status;

	if (receive && !o->stride)
		o->stride = receive_stride(o->machine);
	status = given ? 0 : guess_kind(o, dump, &doubtful);
	if (status)
		return status;
	status = decode_as(report, o, dump);
	if (given && !receive && (status || o->kind != KIND_CQE))
		turned = guess_turned(o->machine, o->cqe_size, dump);
	if (turned)
		return say_turned(turned);
	return doubtful && !status ? SEGUE_EXIT_UNDECIDED : status;
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
	status = decode_dump(report, &o, &dump);
	free(dump.bytes);
	return status;
}
