// SPDX-License-Identifier: BSD-2-Clause
/* Output of the tool as text or JSON, its error messages, and the options of all commands. */
#include "tools/segue/report.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest record, all enums with their sources, has a tenth of this. */
#define RECORD_MAX  ((size_t)4 << 20)
#define OPTIONS_MAX 24	/* of one command */
#define LONG	    256 /* the number of the first option for getopt_long(), beyond the letters */

int report_open(struct report *report)
{
	report->buffer = malloc(RECORD_MAX);
	return report->buffer ? 0 : -ENOMEM;
}

void report_close(struct report *report)
{
	free(report->buffer);
	report->buffer = NULL;
}

void report_begin(struct report *report)
{
	seguei_out_init(&report->out, report->buffer, RECORD_MAX,
			report->json ? SEGUE_FORMAT_JSON : SEGUE_FORMAT_TEXT);
}

void report_end(struct report *report)
{
	const size_t len = seguei_out_finish(&report->out);

	fwrite(report->buffer, 1, len < RECORD_MAX ? len : RECORD_MAX - 1, stdout);
	if (report->json)
		putchar('\n');
	if (len >= RECORD_MAX)
		fputs("segue: error: a record was longer than 4 MiB and has been cut\n", stderr);
}

void report_record(struct report *report)
{
	report_begin(report);
	report_opens(report, NULL, '{');
}

void report_record_end(struct report *report)
{
	report_closes(report, '}');
	report_end(report);
}

void report_text(struct report *report, const char *format, ...)
{
	char text[4096];
	va_list args;

	if (report->json)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	seguei_out_text(&report->out, text);
}

const char *report_strong(const struct report *report)
{
	return report->colour ? "\033[1m" : "";
}

const char *report_bad(const struct report *report)
{
	return report->colour ? "\033[31m" : "";
}

const char *report_plain(const struct report *report)
{
	return report->colour ? "\033[0m" : "";
}

void report_opens(struct report *report, const char *key, char bracket)
{
	report_key(report, key);
	if (report->json)
		seguei_json_open(&report->out, bracket);
}

void report_key(struct report *report, const char *key)
{
	if (report->json)
		seguei_json_key(&report->out, key);
}

void report_closes(struct report *report, char bracket)
{
	if (report->json)
		seguei_json_close(&report->out, bracket);
}

void report_string(struct report *report, const char *key, const char *value)
{
	report_key(report, key);
	if (report->json && value)
		seguei_json_string(&report->out, value);
	else if (report->json)
		seguei_out_text(&report->out, "null");
}

void report_number(struct report *report, const char *key, uint64_t value)
{
	report_key(report, key);
	if (report->json)
		seguei_out_printf(&report->out, "%" PRIu64, value);
}

void report_bool(struct report *report, const char *key, bool value)
{
	report_key(report, key);
	if (report->json)
		seguei_out_text(&report->out, value ? "true" : "false");
}

void report_member(struct report *report, const struct segue_member_desc *member)
{
	report_string(report, "name", member->name);
	report_number(report, "value", member->value);
	report_string(report, "doc", member->doc);
	report_string(report, "source", member->source);
	report_string(report, "confidence", member->secondary ? "secondary" : "primary");
}

void report_gap(struct report *r, size_t at, size_t n, const char *one, const char *many,
		const char *why)
{
	report_record(r);
	report_number(r, "at", at);
	report_number(r, many, n);
	report_string(r, "gap", why);
	report_text(r, "0x%04zx  %zu %s %s\n", at, n, n == 1 ? one : many, why);
	report_record_end(r);
}

int report_error(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("segue: error: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return SEGUE_EXIT_USAGE;
}

static int take_value(const struct report_option *option, const char *text)
{
	uint64_t value = option->is;

	if (option->take)
		return option->take(option->to, text);
	if (option->text)
		*option->text = text;
	if (!option->number)
		return SEGUE_EXIT_OK;
	if (!option->is && (!report_parse_number(text, &value) || value < option->least ||
			    value > option->most || (option->power && value & (value - 1)))) {
		if (option->refusal)
			return report_error("--%s %s: %s", option->name, text, option->refusal);
		return report_error("--%s %s: expected %s from %u to %u", option->name, text,
				    option->wants ? option->wants : "a number", option->least,
				    option->most);
	}
	*option->number = (uint32_t)value;
	return SEGUE_EXIT_OK;
}

bool report_options(struct report *report, int argc, char **argv, const char *help,
		    const struct report_option *all, int *status)
{
	struct option options[OPTIONS_MAX + 3] = {{.name = NULL}};
	char letters[2 * OPTIONS_MAX + 2] = "h", *letter = letters + 1;
	int n, i, option;

	for (n = 0; all[n].name; n++) {
		options[n] = (struct option){.name = all[n].name,
					     .has_arg = all[n].is ? no_argument : required_argument,
					     .val = LONG + n};
		if (all[n].letter)
			letter += sprintf(letter, "%c%s", all[n].letter, all[n].is ? "" : ":");
	}
	options[n] = (struct option){"json", no_argument, NULL, LONG + n};
	options[n + 1] = (struct option){"help", no_argument, NULL, 'h'};
	while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (option == 'h') {
			*status = fputs(help, stdout) < 0;
			return false;
		}
		if (option == '?') {
			fprintf(stderr, "Try '%s --help'.\n", argv[0]);
			*status = SEGUE_EXIT_USAGE;
			return false;
		}
		for (i = 0; i < n && option != LONG + i && option != all[i].letter; i++)
			;
		report->json |= i == n;
		*status = i < n ? take_value(&all[i], optarg) : SEGUE_EXIT_OK;
		if (*status)
			return false;
	}
	return true;
}

bool report_parse_number(const char *text, uint64_t *value)
{
	char *end;

	if (!strchr("0123456789", *text) || !*text)
		return false;
	errno = 0;
	*value = strtoull(text, &end,
			  text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
	return !errno && !*end;
}
