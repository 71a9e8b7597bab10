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
#include "tools/segue/commands.h"
#include "tools/segue/dump.h"

struct options {
	const struct segue_machine *machine;
	uint32_t cqe, cqe_size;
	enum segue_print_format format;
	const char *form;
};

static int take_queue(void *to, const char *name)
{
	struct options *const o = to;

	for (size_t i = 0; segue_machines[i]; i++)
		if (!strcmp(segue_machines[i]->name, name))
			o->machine = segue_machines[i];
	if (o->machine)
		return SEGUE_EXIT_OK;
	fprintf(stderr, "segue: error: there is no queue '%s'; expected", name);
	for (size_t i = 0; segue_machines[i]; i++)
		fprintf(stderr, "%s %s", i ? "," : "", segue_machines[i]->name);
	fputs("\n", stderr);
	return SEGUE_EXIT_USAGE;
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
		return SEGUE_EXIT_OK;
	(void)segue_offence_print(&offence, sentence, sizeof(sentence));
	fprintf(o->format == SEGUE_FORMAT_JSON ? stderr : stdout, "! %s\n", sentence);
	return SEGUE_EXIT_OFFENCE;
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
	int status = SEGUE_EXIT_OK;

	if (!size || dump->len % size)
		return report_error("%zu bytes are no completions of %zu; expected whole ones, or "
				    "--cqe-size",
				    dump->len, size);
	for (size_t at = 0; at < dump->len; at += size) {
		if (!segue_cqe_match(dump->bytes + at, size))
			status = SEGUE_EXIT_OFFENCE;
		print(NULL, dump->bytes + at, size, o->format);
	}
	return status;
}

static int read_bytes(const struct options *o, const char *path, struct dump *dump)
{
	FILE *const file = path && strcmp(path, "-") ? fopen(path, "rb") : stdin;
	char why[256];
	int ret;

	if (!file)
		return report_error("%s: %s", path, strerror(errno));
	ret = dump_read(file, o->form, dump, why, sizeof(why));
	if (file != stdin)
		(void)fclose(file);
	return ret ? report_error("%s", why) : SEGUE_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options o = {.form = "auto", .format = SEGUE_FORMAT_TEXT};
	const struct report_option options[] = {
		{"cqe", .is = 1, .number = &o.cqe},
		{"cqe-size", .number = &o.cqe_size, .most = UINT32_MAX},
		{"queue", 'q', .take = take_queue, .to = &o},
		{"form", .text = &o.form},
		{.name = NULL},
	};
	struct report report = {.json = false};
	struct dump dump;
	int status;

	if (!report_options(&report, argc, argv, help_device, options, &status))
		return status;
	o.format = report.json ? SEGUE_FORMAT_JSON : SEGUE_FORMAT_TEXT;
	status = read_bytes(&o, argv[optind], &dump);
	if (status)
		return status;
	status = o.cqe ? decode_completions(&o, &dump) : decode_request(&o, &dump);
	free(dump.bytes);
	return fflush(stdout) ? SEGUE_EXIT_USAGE : status;
}
