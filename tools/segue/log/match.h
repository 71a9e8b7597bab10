/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines held against the forms of spec/logs. */
#ifndef SEGUE_TOOL_LOG_MATCH_H
#define SEGUE_TOOL_LOG_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/segue/log/tables.h"

#define MATCH_TEXT  80 /* bytes of a text out of a line, its end included */
#define MATCH_NAMES 32 /* names of cards in a line */
#define MATCH_FOUND 64 /* patterns that one line may hold */
#define MATCH_ROW   32 /* digits and blanks of a row at least, without anything else */

/* Content of a line, by the numbers and texts of its form. */
struct values {
	uint32_t numbers, texts; /* which there are: bits of enum log_number and enum log_text */
	uint64_t number[LOG_NUMBERS];
	char text[LOG_TEXTS][MATCH_TEXT];
};

static inline bool values_have(const struct values *v, enum log_number slot)
{
	return v->numbers >> slot & 1;
}

static inline void values_set(struct values *v, enum log_number slot, uint64_t value)
{
	v->number[slot] = value;
	v->numbers |= UINT32_C(1) << slot;
}

/* values_set_text() takes a text of at most `len` bytes, or as many as there is room for. */
void values_set_text(struct values *v, enum log_text slot, const char *text, size_t len);

/* A first look at a line: which patterns it may hold, and whether a closer look pays. */
struct match_scan {
	struct match_found {
		uint16_t pattern;
		const char *key_end; /* where the text that it was found by ends */
	} found[MATCH_FOUND];
	unsigned int count;
	uint64_t letters; /* bits of the letters that the line holds */
	struct match_name {
		const struct log_card *card;
		const char *at;
	} names[MATCH_NAMES];
	unsigned int n_names;
	bool digits;  /* a row of hexadecimal digits may stand in the line */
	bool dressed; /* text_clean() would change the line */
	bool tabs;    /* text_clean() would change nothing but tabs */
};

void match_scan(const char *line, size_t len, struct match_scan *scan);

/* match_line() takes what a line holds by a pattern that was found. False if it does not match. */
bool match_line(const struct match_scan *scan, unsigned int found, const char *line, size_t len,
		struct values *values);

/* match_status() is the status that words stand for, in either case, or NULL. */
const struct log_status *match_status(const char *words);

/* match_word() is true if a text begins with one of these words. */
bool match_word(const char *const words[LOG_WORDS], const char *text);

#endif
