/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared parts of all commands: options, and output in records: text for people, or one JSON value
 * a line. */
#ifndef SEGUE_TOOL_REPORT_H
#define SEGUE_TOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/text/decode.h"

/* Exit statuses of the command. */
enum {
	SEGUE_EXIT_OK = 0, /* done, and nothing is wrong with what was asked about */
	/* done, and something is: an offence, an unknown name, a change that is refused */
	SEGUE_EXIT_OFFENCE = 1,
	SEGUE_EXIT_USAGE = 2,	  /* the options or the input cannot be read */
	SEGUE_EXIT_TIME = 3,	  /* the time was up before all was done */
	SEGUE_EXIT_UNDECIDED = 4, /* nothing is wrong, but random bytes could look like that, too */
};

struct report {
	bool json, colour;
	uint32_t verbose;      /* 1 with --verbose */
	struct seguei_out out; /* the record that is being made */
	char *buffer;
};

/* Prepares `report`. Returns 0, or -ENOMEM. report_close() frees it. */
int report_open(struct report *report);
void report_close(struct report *report);

/* A record is made between these two. The second writes it to stdout. */
void report_begin(struct report *report);
void report_end(struct report *report);

/* The same for a record that is one JSON object. */
void report_record(struct report *report);
void report_record_end(struct report *report);

/* Text of a record, nothing in JSON. */
__attribute__((format(printf, 2, 3))) void report_text(struct report *report, const char *format,
						       ...);

/* Text to switch a colour on and off: empty where there is none. */
const char *report_strong(const struct report *report);
const char *report_bad(const struct report *report);
const char *report_plain(const struct report *report);

/* JSON members of an object that is open, nothing in text. report_opens() begins an array or an
 * object: a member, or without a key an element of an array. */
void report_opens(struct report *report, const char *key, char bracket);
void report_closes(struct report *report, char bracket);
void report_key(struct report *report, const char *key); /* a value is put behind it */
void report_string(struct report *report, const char *key, const char *value); /* NULL: null */
void report_number(struct report *report, const char *key, uint64_t value);
void report_bool(struct report *report, const char *key, bool value);
void report_member(struct report *report, const struct segue_member_desc *member);

/* A record about so many places of a ring in which there is nothing to read, and why. @one, @many:
 * what a place is called. */
void report_gap(struct report *report, size_t at, size_t n, const char *one, const char *many,
		const char *why);

/* Prints "segue: error: …" on stderr and returns SEGUE_EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int report_error(const char *format, ...);

/* An option of a command, and where its value goes: to `number`, `text` or take(). */
struct report_option {
	const char *name;
	char letter;	  /* 0: it has none */
	uint32_t is;	  /* What *number becomes. 0: the option takes a value. */
	uint32_t *number; /* Takes a value from `least` to `most`. */
	uint32_t least, most;
	bool power;	     /* Only powers of two are accepted. */
	const char *wants;   /* Kind of the value, for a refusal. NULL: a number. */
	const char *refusal; /* The whole refusal, in place of one with kind and range. */
	const char **text;   /* Takes any text. */
	/* Returns 0, or what the command ends with. */
	int (*take)(void *to, const char *value);
	void *to;
};

/*
 * Takes the options of a command: `all`, of which the last one has no name, --json and --help.
 * optind is after them then. False if the command ends here, with *status.
 */
bool report_options(struct report *report, int argc, char **argv, const char *help,
		    const struct report_option *all, int *status);

/* A decimal or 0x number that takes all of `text`. False if it is none. */
bool report_parse_number(const char *text, uint64_t *value);

#endif
