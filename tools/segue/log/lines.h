/* SPDX-License-Identifier: BSD-2-Clause */
/* A text of any length, line by line, in bounded memory. */
#ifndef SEGUE_TOOL_LOG_LINES_H
#define SEGUE_TOOL_LOG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LINES_MAX ((size_t)1 << 16) /* bytes of a line. A longer one comes in parts. */

struct lines {
	FILE *file;
	char *buffer; /* what has been read and not handed out */
	char *plain;  /* a line as text_clean() leaves it */
	size_t at, len;
	uint64_t number; /* of the line handed out last, from 1 */
	uint64_t bytes;	 /* read so far */
	bool mail;	 /* the text is quoted-printable */
	bool end;
};

/* lines_open() reads the first bytes to the buffer. Returns 0 or -ENOMEM. lines_close() frees the
 * buffers and leaves the file open. */
int lines_open(struct lines *lines, FILE *file);
void lines_close(struct lines *lines);

/* lines_next() is the next line without its end, as it stands, or NULL after the last one. It is
 * valid until the next call. */
const char *lines_next(struct lines *lines, size_t *len);

/* lines_plain() is the same line as text_clean() leaves it. */
const char *lines_plain(struct lines *lines, const char *line, size_t *len);

#endif
