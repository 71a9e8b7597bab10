// SPDX-License-Identifier: BSD-2-Clause
/* segue decode --device NAME: what bytes mean to a device that is not mlx5. Built once for each. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/decode.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "tools/segue/dump.h"

enum { LEGAL, OFFENCE, UNREADABLE }; /* exit statuses, as of segue decode */

static const char *const help =
	"Usage: segue decode --device NAME [--cqe] [OPTION]... [FILE | -]\n"
	"\n"
	"Says what one request of a device means, or completions, and what is wrong with them. "
	"FILE as of segue decode.\n"
	"\n"
	"  --cqe             completions, one behind the other\n"
	"  --cqe-size BYTES  of each (default: all bytes, if a completion has as many; else the "
	"smallest that there is)\n"
	"  -q, --queue NAME  whose request (default: the send queue that it fits; receives must be "
	"named)\n"
	"  --form FORM       auto, text or raw (auto)\n"
	"  --json            JSON\n"
	"  -h, --help        this\n"
	"\n"
	"A request that goes on in another ring is given in one piece, the entry first.\n"
	"Exit status: 0 all is legal, 1 something is not, 2 the options or the dump cannot be "
	"read.\n";

struct options {
	const struct segue_machine *machine;
	bool cqe;
	size_t cqe_size;
	enum segue_print_format format;
	const char *form;
};

enum { OPTION_CQE = 256, OPTION_CQE_SIZE, OPTION_FORM, OPTION_JSON };

static const struct option long_options[] = {
	{"cqe", no_argument, NULL, OPTION_CQE},
	{"cqe-size", required_argument, NULL, OPTION_CQE_SIZE},
	{"queue", required_argument, NULL, 'q'},
	{"form", required_argument, NULL, OPTION_FORM},
	{"json", no_argument, NULL, OPTION_JSON},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int take_queue(struct options *o, const char *name)
{
	for (size_t i = 0; segue_machines[i]; i++)
		if (!strcmp(segue_machines[i]->name, name))
			o->machine = segue_machines[i];
	if (o->machine)
		return LEGAL;
	fprintf(stderr, "segue: error: there is no queue '%s'; expected", name);
	for (size_t i = 0; segue_machines[i]; i++)
		fprintf(stderr, "%s %s", i ? "," : "", segue_machines[i]->name);
	fputs("\n", stderr);
	return UNREADABLE;
}

/* Prints the next record. `text` grows with it. */
static void print(const struct segue_machine *machine, const uint8_t *bytes, size_t len,
		  enum segue_print_format format)
{
	const size_t needed = machine ? segue_wqe_print(machine, bytes, len, format, NULL, 0)
				      : segue_cqe_print(bytes, len, format, NULL, 0);
	char *const text = malloc(needed + 1);

	if (!text)
		return;
	if (machine)
		(void)segue_wqe_print(machine, bytes, len, format, text, needed + 1);
	else
		(void)segue_cqe_print(bytes, len, format, text, needed + 1);
	fputs(text, stdout);
	if (needed && text[needed - 1] != '\n')
		fputs("\n", stdout);
	free(text);
}

/* The send queue of which the bytes are a legal request, or the first one, whose offence is
 * printed. */
static const struct segue_machine *fitting(const struct dump *dump)
{
	const struct segue_machine *first = NULL;
	struct segue_offence offence;

	for (size_t i = 0; segue_machines[i]; i++) {
		if (!segue_machines[i]->send)
			continue;
		if (!segue_wqe_validate(segue_machines[i], dump->bytes, dump->len, &offence))
			return segue_machines[i];
		first = first ? first : segue_machines[i];
	}
	return first ? first : segue_machines[0];
}

static int decode_request(const struct options *o, const struct dump *dump)
{
	const struct segue_machine *machine = o->machine ? o->machine : fitting(dump);
	struct segue_offence offence;
	char sentence[512];

	print(machine, dump->bytes, dump->len, o->format);
	if (!segue_wqe_validate(machine, dump->bytes, dump->len, &offence))
		return LEGAL;
	(void)segue_offence_print(&offence, sentence, sizeof(sentence));
	fprintf(o->format == SEGUE_FORMAT_JSON ? stderr : stdout, "! %s\n", sentence);
	return OFFENCE;
}

static size_t size_of_cqes(size_t len)
{
	size_t least = 0;

	for (size_t i = 0; segue_cqes[i]; i++) {
		if (segue_cqes[i]->size == len)
			return len;
		if (!least || segue_cqes[i]->size < least)
			least = segue_cqes[i]->size;
	}
	return least;
}

static int decode_completions(const struct options *o, const struct dump *dump)
{
	const size_t size = o->cqe_size ? o->cqe_size : size_of_cqes(dump->len);
	int status = LEGAL;

	if (!size || dump->len % size) {
		fprintf(stderr,
			"segue: error: %zu bytes are no completions of %zu; expected whole ones, "
			"or --cqe-size\n",
			dump->len, size);
		return UNREADABLE;
	}
	for (size_t at = 0; at < dump->len; at += size) {
		if (!segue_cqe_match(dump->bytes + at, size))
			status = OFFENCE;
		print(NULL, dump->bytes + at, size, o->format);
	}
	return status;
}

static int read_bytes(const struct options *o, const char *path, struct dump *dump)
{
	FILE *const file = path && strcmp(path, "-") ? fopen(path, "rb") : stdin;
	char why[256];
	int ret;

	if (!file) {
		fprintf(stderr, "segue: error: %s: %s\n", path, strerror(errno));
		return UNREADABLE;
	}
	ret = dump_read(file, o->form, dump, why, sizeof(why));
	if (ret)
		fprintf(stderr, "segue: error: %s\n", why);
	if (file != stdin)
		(void)fclose(file);
	return ret ? UNREADABLE : LEGAL;
}

static int take_option(struct options *o, int option)
{
	switch (option) {
	case 'q':
		return take_queue(o, optarg);
	case OPTION_CQE:
		o->cqe = true;
		return LEGAL;
	case OPTION_CQE_SIZE:
		o->cqe_size = strtoul(optarg, NULL, 0);
		return LEGAL;
	case OPTION_FORM:
		o->form = optarg;
		return LEGAL;
	case OPTION_JSON:
		o->format = SEGUE_FORMAT_JSON;
		return LEGAL;
	default:
		return UNREADABLE;
	}
}

int main(int argc, char **argv)
{
	struct options o = {.form = "auto", .format = SEGUE_FORMAT_TEXT};
	struct dump dump;
	int option, status;

	while ((option = getopt_long(argc, argv, "q:h", long_options, NULL)) != -1) {
		if (option == 'h')
			return fputs(help, stdout) < 0;
		status = take_option(&o, option);
		if (status)
			return status;
	}
	status = read_bytes(&o, argv[optind], &dump);
	if (status)
		return status;
	status = o.cqe ? decode_completions(&o, &dump) : decode_request(&o, &dump);
	free(dump.bytes);
	return fflush(stdout) ? UNREADABLE : status;
}
