/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line as it was before a terminal, a mail program or a web page dressed it up: without colours,
 * byte order marks, carriage returns and marks of quotation, with plain blanks and plain quotes.
 *
 * Source of the forms: ECMA-48 (escape sequences), RFC 2045 (quoted-printable), RFC 3676 (quoting).
 */
#ifndef SEGUE_TOOL_LOG_TEXT_H
#define SEGUE_TOOL_LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* text_clean() writes the plain line to `to`, which has room for `len` bytes and may be `from`.
 * `in_mail` undoes quoted-printable as well. Returns how many bytes are left. */
size_t text_clean(const char *from, size_t len, bool in_mail, char *to);

/* text_goes_on() is true if a line ends with the soft break of quoted-printable mail. `len` becomes
 * the length without it. */
bool text_goes_on(const char *line, size_t *len);

/* text_is_word() is true for the characters of names. */
static inline bool text_is_word(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

#endif
