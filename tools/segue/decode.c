// SPDX-License-Identifier: BSD-2-Clause
/* segue decode: what the bytes of a dump mean. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/decode.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "tools/segue/commands.h"
#include "tools/segue/dump.h"
#include "tools/segue/failed_completion.h"
#include "tools/segue/guess.h"
#include "tools/segue/log/lines.h"
#include "tools/segue/log/rows.h"
#include "tools/segue/receive_ring.h"
#include "tools/segue/ring.h"
#include "tools/segue/wqe.h"

struct options {
	uint32_t kind; /* enum kind */
	const struct segue_machine *machine;
	uint32_t stride; /* 0: the least of the queue */
	uint32_t cqe_size;
	uint32_t order; /* bytes of a word that is turned round, or 0 for whatever makes sense */
	const char *form;
	const char *path;
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

static int take_queue(void *to, const char *name)
{
	struct options *const o = to;

	o->machine = wqe_machine(name);
	return o->machine ? SEGUE_EXIT_OK : bad_queue(name);
}

static int take_form(void *to, const char *form)
{
	struct options *const o = to;

	o->form = form;
	if (strcmp(form, "auto") == 0 || strcmp(form, "text") == 0 || strcmp(form, "raw") == 0)
		return SEGUE_EXIT_OK;
	return report_error("--form %s: expected auto, text or raw", form);
}

static int take_order(void *to, const char *order)
{
	struct options *const o = to;
	uint64_t value = 1;

	if (strcmp(order, "bytes") != 0 &&
	    (!report_parse_number(order, &value) || value < 2 || value > 8 || value & (value - 1)))
		return report_error("--order %s: expected bytes, or 2, 4 or 8 for words of so many "
				    "bytes",
				    order);
	o->order = (uint32_t)value;
	return SEGUE_EXIT_OK;
}

static int load(const struct options *o, struct dump *text)
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
	err = dump_load(file, text, why, sizeof(why));
	if (!standard)
		fclose(file);
	return err ? report_error("%s: %s", standard ? "standard input" : o->path, why) : 0;
}

/* Describes bytes after a request, unless they are the rest of its last block. NULL if there are
 * none. */
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
		return report_error("the dump has %zu bytes, but completions have %u each; it is "
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

/* Guesses the kind of bytes. Returns 0, or the command's exit status. */
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

static void say_order(size_t width)
{
	if (width > 1)
		fprintf(stderr,
			"segue decode: with each group of %zu bytes turned round this is an error "
			"completion, and it is read so; --order bytes reads it as it stands\n",
			width);
}

/* The rest of a completion is not there, and not needed for more than the number of the SRQ. */
static void decode_last_rows(struct report *report, const struct dump *dump)
{
	uint8_t whole[FAILED_SIZE] = {0};

	memcpy(whole + FAILED_SIZE - dump->len, dump->bytes, dump->len);
	fprintf(stderr, "segue decode: taken for the last %zu bytes of a completion\n", dump->len);
	(void)cqe_print(report, whole, FAILED_SIZE, 0);
}

/* Error completions, each with the request that it names behind it. Returns where something else
 * begins. */
static size_t walk_failed(struct report *report, const struct options *o, const struct dump *dump)
{
	struct failed failed;
	size_t at = 0, wqe;

	while (dump->len - at >= o->cqe_size &&
	       failed_read(dump->bytes + at + o->cqe_size - FAILED_SIZE, FAILED_SIZE, &failed)) {
		if (report)
			(void)cqe_print(report, dump->bytes + at, o->cqe_size, at);
		at += o->cqe_size;
		wqe = failed_wqe(&failed, dump->bytes + at, dump->len - at);
		if (wqe && report)
			(void)wqe_print(report, &(struct wqe_view){.machine = o->machine,
								   .bytes = dump->bytes + at,
								   .len = wqe,
								   .at = at});
		at += wqe;
		if (wqe % SEGUE_WQE_BLOCK_SIZE && dump->len > at) /* the rest of its block */
			at += SEGUE_WQE_BLOCK_SIZE - wqe % SEGUE_WQE_BLOCK_SIZE;
		at = at < dump->len ? at : dump->len;
	}
	return at;
}

/*
 * Error completions, in whatever order the dump has their bytes: these are put in order. True if
 * the dump holds nothing but them and their requests, which have been printed then.
 */
static bool decode_ordered(struct report *report, const struct options *o, struct dump *dump)
{
	const size_t skip = dump->len >= o->cqe_size ? o->cqe_size - FAILED_SIZE : 0;
	const size_t len = dump->len - skip < FAILED_SIZE ? dump->len - skip : FAILED_SIZE;
	struct failed failed;
	size_t width = o->order ? 1 : failed_find(dump->bytes + skip, len, 0, &failed);

	if (o->order)
		failed_turn(dump->bytes, dump->len, o->order);
	if (!width || (o->machine && !o->machine->send) ||
	    (o->kind != KIND_ANY && o->kind != KIND_CQE))
		return false;
	failed_turn(dump->bytes, dump->len, width);
	say_order(width);
	if (len < FAILED_SIZE && failed_read(dump->bytes, len, &failed))
		decode_last_rows(report, dump);
	else if (walk_failed(NULL, o, dump) == dump->len)
		(void)walk_failed(report, o, dump);
	else
		return false;
	return true;
}

/* Completions of 128 bytes have a first half that holds nothing. */
static bool decode_failed(struct report *report, struct options *o, struct dump *dump)
{
	const bool halves = o->kind == KIND_ANY && dump->len == 2 * FAILED_SIZE &&
			    dump_is_zero(dump->bytes, FAILED_SIZE);
	struct failed failed;

	if (halves && failed_find(dump->bytes + FAILED_SIZE, FAILED_SIZE, 0, &failed))
		o->cqe_size = (uint32_t)dump->len;
	return decode_ordered(report, o, dump);
}

static int decode_dump(struct report *report, struct options *o, struct dump *dump)
{
	const bool receive = o->machine && !o->machine->send, given = o->kind != KIND_ANY;
	unsigned int turned = 0;
	bool doubtful = false;
	int status;

	if (receive && !o->stride)
		o->stride = (uint32_t)receive_stride(o->machine);
	if (decode_failed(report, o, dump))
		return SEGUE_EXIT_OK;
	status = given ? 0 : guess_kind(o, dump, &doubtful);
	if (status)
		return status;
	status = decode_as(report, o, dump);
	if (given && !receive && !o->order && (status || o->kind != KIND_CQE))
		turned = guess_turned(o->machine, o->cqe_size, dump);
	if (turned)
		return say_turned(turned);
	return doubtful && !status ? SEGUE_EXIT_UNDECIDED : status;
}

/* Decoding of the dumps that a text holds beside other lines. */
struct pasted {
	struct report *report;
	const struct options *options;
	unsigned int dumps;
	int status;
};

static void decode_pasted(void *arg, const struct rows_dump *found)
{
	struct pasted *const p = arg;
	struct rows_dump copy = *found;
	struct dump dump = {.bytes = copy.bytes, .len = copy.len};
	struct options o = *p->options;
	struct failed failed;
	int status;

	/* Less than an entry is one only if it is the end of an error completion. */
	if (dump.len < SEGUE_WQE_BLOCK_SIZE &&
	    !failed_find(dump.bytes, dump.len, found->group, &failed))
		return;
	if (p->dumps++ == 0)
		fputs("segue decode: this is no dump alone; segue explain says what the lines "
		      "beside it mean\n",
		      stderr);
	status = decode_dump(p->report, &o, &dump);
	if (status > p->status)
		p->status = status;
}

/* True if there is a dump in a text that is not one. */
static bool decode_log(struct report *report, const struct options *o, const struct dump *text,
		       int *status)
{
	FILE *const file = fmemopen(text->bytes, text->len, "r");
	struct pasted pasted = {.report = report, .options = o};
	struct rows rows = {.take = decode_pasted, .arg = &pasted};
	struct lines lines;
	const char *line;
	size_t len;

	if (!file || lines_open(&lines, file)) {
		*status = report_error("out of memory");
		return true;
	}
	while ((line = lines_next(&lines, &len)) != NULL) {
		line = lines_plain(&lines, line, &len);
		(void)rows_line(&rows, line, len, lines.number);
	}
	rows_end(&rows);
	lines_close(&lines);
	fclose(file);
	*status = pasted.status;
	return pasted.dumps > 0;
}

static int decode_text(struct report *report, struct options *o, const struct dump *text)
{
	const char *const name = o->path ? o->path : "-";
	struct dump dump;
	char why[256];
	int status;

	if (!dump_parse(text, o->form, &dump, why, sizeof(why))) {
		status = decode_dump(report, o, &dump);
		free(dump.bytes);
		return status;
	}
	if (text->len && !dump_is_raw(text, o->form) && decode_log(report, o, text, &status))
		return status;
	return report_error("%s: %s", strcmp(name, "-") == 0 ? "standard input" : name, why);
}

int command_decode(struct report *report, int argc, char **argv)
{
	struct options o = {.cqe_size = 64, .form = "auto"};
	/* Cards take the logarithm of a stride. */
	const struct report_option options[] = {
		{"wqe", .is = KIND_WQE, .number = &o.kind},
		{"cqe", .is = KIND_CQE, .number = &o.kind},
		{"ring", .is = KIND_RING, .number = &o.kind},
		{"queue", 'q', .take = take_queue, .to = &o},
		{"stride", .number = &o.stride, .least = SEGUE_WQE_UNIT_SIZE,
		 .most = RECEIVE_STRIDE_MAX, .power = true,
		 .wants = "a number of bytes, a power of two"},
		{"cqe-size", .number = &o.cqe_size, .least = 64, .most = 128, .power = true,
		 .refusal = "completions have 64 or 128 bytes"},
		{"form", .take = take_form, .to = &o},
		{"order", .take = take_order, .to = &o},
		{"verbose", 'v', .is = 1, .number = &report->verbose},
		{.name = NULL},
	};
	struct dump text;
	int status;

	if (!report_options(report, argc, argv, help_decode, options, &status))
		return status;
	if (argc - optind > 1)
		return report_error("one file at a time; '%s' is a second one", argv[optind + 1]);
	o.path = argv[optind];
	status = load(&o, &text);
	if (status)
		return status;
	status = decode_text(report, &o, &text);
	free(text.bytes);
	return status;
}
