/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of hexadecimal digits anywhere in the lines of a text, put together to dumps: after any
 * prefix, with or without an address, in groups of any width, wrapped, with a column of characters,
 * with a column too many, from several processes at once.
 */
#ifndef SEGUE_TOOL_LOG_ROWS_H
#define SEGUE_TOOL_LOG_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROWS_OPEN 4    /* dumps that come at once, as of several processes */
#define ROWS_MAX  1024 /* bytes of a dump. A longer one comes in parts. */

struct rows_dump {
	size_t len;
	bool addressed; /* The rows have addresses, and `base` is that of the first byte. */
	uint64_t base;
	size_t group;	      /* bytes of the groups as they stand in the rows */
	bool numbers;	      /* The groups are numbers that begin with 0x. */
	uint64_t first, last; /* lines, from 1 */

	/* Marks of its rows, which those of other dumps do not have. */
	uint32_t prefix;
	size_t width;	 /* bytes of its rows */
	bool star;	 /* rows like the last are left out */
	size_t short_by; /* bytes that the last row lacks, if it is wrapped */

	uint8_t bytes[ROWS_MAX]; /* the last member, which is not cleared */
};

/* Takes each dump when it is complete. The bytes are as they stand in the text. */
typedef void (*rows_take_fn)(void *arg, const struct rows_dump *dump);

struct rows {
	struct rows_dump open[ROWS_OPEN];
	rows_take_fn take;
	/* True if nothing can belong to a dump any more. NULL: rows that follow always do. */
	bool (*complete)(const struct rows_dump *dump);
	void *arg;
};

/*
 * rows_line() looks for a row in a plain line (text_clean()). Returns true if it is one, or a part
 * of one.
 */
bool rows_line(struct rows *rows, const char *line, size_t len, uint64_t number);

/* True while a short line may be the rest of a wrapped row. */
bool rows_waiting(const struct rows *rows, uint64_t number);

/* rows_end() hands out what is not complete: at the end, and before a line that begins a dump. */
void rows_end(struct rows *rows);

#endif
