// SPDX-License-Identifier: BSD-2-Clause
/* Cleans a log line of what terminals, mails and editors put into it. */
#include "tools/segue/log/text.h"

#include <string.h>

/* Characters beyond ASCII, and what stands for them: UTF-8, the blank of Latin-1, and as
 * quoted-printable mail writes them. */
static const struct {
	const char *bytes, *plain;
} characters[] = {
	{"\xef\xbb\xbf", ""},
	{"\xff\xfe", ""},
	{"\xc2\xa0", " "},
	{"\xe2\x80\xaf", " "},
	{"\xe2\x80\x87", " "},
	{"\xe2\x80\x89", " "},
	{"\xe2\x80\x82", " "},
	{"\xe2\x80\x83", " "},
	{"\xe3\x80\x80", " "},
	{"\xe2\x80\x8b", ""},
	{"\xe2\x80\x98", "'"},
	{"\xe2\x80\x99", "'"},
	{"\xe2\x80\x9c", "\""},
	{"\xe2\x80\x9d", "\""},
	{"\xe2\x80\x90", "-"},
	{"\xe2\x80\x93", "-"},
	{"\xe2\x80\x94", "-"},
	{"\xe2\x88\x92", "-"},
	{"\xe2\x80\xa6", "..."},
	{"\xe2\x94\x82", "|"},
	{"\xa0", " "},
	{"&nbsp;", " "},
	{"&gt;", ">"},
	{"&lt;", "<"},
	{"\f", " "},
	{"\v", " "},
	{"\t", " "},
	{"\r", ""},
	{"=C2=A0", " "},
	{"=A0", " "},
	{"=20", " "},
	{"=09", " "},
	{"=3D", "="},
};

/* Bytes of an escape sequence: "ESC [ 3 1 m", or an operating system command up to BEL. */
static size_t escape(const char *at, size_t len)
{
	size_t n = 2;

	if (len < 2)
		return len;
	if (at[1] == ']') {
		while (n < len && at[n] != '\a')
			n++;
		return n < len ? n + 1 : len;
	}
	if (at[1] != '[')
		return 2;
	while (n < len && (at[n] < 0x40 || at[n] > 0x7e))
		n++;
	return n < len ? n + 1 : len;
}

/* True if `at` begins with `bytes`, which are then `plain` at the end of `to`. */
static bool replace(const char *at, size_t left, const char *bytes, const char *plain, char *to,
		    size_t *n)
{
	if (strlen(bytes) > left || memcmp(at, bytes, strlen(bytes)) != 0)
		return false;
	memcpy(to + *n, plain, strlen(plain));
	*n += strlen(plain);
	return true;
}

/* Puts one character, and returns how many bytes it took. */
static size_t put_character(const char *at, size_t left, bool in_mail, char *to, size_t *n)
{
	bool special;
	size_t i;

	if (*at == '\033')
		return escape(at, left);
	special = *at < ' ' || *at == '&' || *at > '~' || (*at == '=' && in_mail);
	for (i = 0; special && i < sizeof(characters) / sizeof(characters[0]); i++)
		if (replace(at, left, characters[i].bytes, characters[i].plain, to, n))
			return strlen(characters[i].bytes);
	if (*at)
		to[(*n)++] = *at;
	return 1;
}

/* Bytes of "> > >| " at the start of a line. */
static size_t quotation(const char *at, size_t len)
{
	size_t n = 0, marks = 0;

	while (n < len && (at[n] == '>' || at[n] == ' '))
		marks += at[n++] == '>';
	return marks ? n : 0;
}

size_t text_clean(const char *from, size_t len, bool in_mail, char *to)
{
	size_t at = 0, n = 0, marks;

	while (at < len)
		at += put_character(from + at, len - at, in_mail, to, &n);
	marks = quotation(to, n);
	memmove(to, to + marks, n - marks);
	return n - marks;
}

bool text_goes_on(const char *line, size_t *len)
{
	size_t n = *len;

	while (n && line[n - 1] == '\r')
		n--;
	if (!n || line[n - 1] != '=')
		return false;
	*len = n - 1;
	return true;
}
