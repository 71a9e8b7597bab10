// SPDX-License-Identifier: BSD-2-Clause
/* Reads a log line by line, from a file or in pieces. */
#include "tools/segue/log/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/segue/log/text.h"

#define BUFFER ((size_t)1 << 20)

/* Reads until there is a whole line, or the end. */
static void fill(struct lines *l)
{
	size_t n;

	memmove(l->buffer, l->buffer + l->at, l->len - l->at);
	l->len -= l->at;
	l->at = 0;
	do {
		n = fread(l->buffer + l->len, 1, BUFFER - l->len, l->file);
		l->end = n < BUFFER - l->len;
		l->len += n;
		l->bytes += n;
	} while (!l->end && l->len < LINES_MAX);
}

void lines_close(struct lines *l)
{
	free(l->buffer);
	free(l->plain);
	l->buffer = l->plain = NULL;
}

int lines_open(struct lines *l, FILE *file)
{
	memset(l, 0, sizeof(*l));
	l->file = file;
	l->buffer = malloc(BUFFER);
	l->plain = malloc(2 * LINES_MAX);
	if (!l->buffer || !l->plain) {
		lines_close(l);
		return -ENOMEM;
	}
	fill(l);
	return 0;
}

/* A line as it stands in the file. */
static const char *raw_line(struct lines *l, size_t *len)
{
	const char *line, *newline;
	size_t left;

	newline = memchr(l->buffer + l->at, '\n', l->len - l->at);
	if (!newline && !l->end) {
		fill(l);
		newline = memchr(l->buffer, '\n', l->len);
	}
	left = l->len - l->at;
	if (!left)
		return NULL;
	line = l->buffer + l->at;
	if (newline && (size_t)(newline - line) >= LINES_MAX)
		newline = NULL;
	*len = newline ? (size_t)(newline - line) : left < LINES_MAX ? left : LINES_MAX;
	l->at += *len + (newline ? 1 : 0);
	l->number += 1;
	return line;
}

const char *lines_next(struct lines *l, size_t *len)
{
	const char *line = raw_line(l, len), *more;
	size_t n = 0, more_len;

	if (!line || !text_goes_on(line, len))
		return line;
	l->mail = true;
	memcpy(l->plain, line, *len);
	n = *len;
	while ((more = raw_line(l, &more_len)) != NULL) {
		const bool goes_on = text_goes_on(more, &more_len);

		if (n + more_len > LINES_MAX)
			more_len = LINES_MAX - n;
		memcpy(l->plain + n, more, more_len);
		n += more_len;
		if (!goes_on)
			break;
	}
	*len = n;
	return l->plain;
}

const char *lines_plain(struct lines *l, const char *line, size_t *len)
{
	*len = text_clean(line, *len, l->mail, l->plain + (line == l->plain ? 0 : LINES_MAX));
	return l->plain + (line == l->plain ? 0 : LINES_MAX);
}
