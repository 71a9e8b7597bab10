// SPDX-License-Identifier: BSD-2-Clause
/* Reads hex dumps of any tool (xxd, od, gdb, C arrays, kernel logs) as bytes. */
#include "tools/segue/dump.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/segue/log/digits.h"

#define TOKEN_MAX \
	40 /* digits of the longest token that counts: an address, or 16 bytes without a blank */

/* A line of text, taken apart. */
struct line {
	const char *at, *end;
	unsigned int number;
	bool has_address, colon; /* it begins with an address, and a colon follows that */
	unsigned int address_digits;
	uint64_t address;
};

struct parser {
	const char *at, *end;
	unsigned int number;
	struct dump *dump;
	size_t room;
	bool bare_addresses; /* the first column is an address without a colon */
	bool star;	     /* a line of "*" waits for the address behind it */
	bool octal;	     /* od's addresses of seven digits are, hexdump's are not */
	bool sure;	     /* that is known */
	uint64_t base;	     /* address of the first byte */
	bool based;
	char *why;
	size_t why_len;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct parser *p, const char *format, ...)
{
	va_list args;
	int n = snprintf(p->why, p->why_len, "line %u: ", p->number);

	va_start(args, format);
	if (n >= 0 && (size_t)n < p->why_len)
		vsnprintf(p->why + n, p->why_len - (size_t)n, format, args);
	va_end(args);
	return -EINVAL;
}

static int append(struct parser *p, const uint8_t *bytes, size_t len)
{
	struct dump *d = p->dump;

	if (len > DUMP_MAX - d->len)
		return refuse(p, "there are more than %zu MiB; cut out the ring that is meant",
			      DUMP_MAX >> 20);
	if (d->len + len > p->room) {
		const size_t room = (d->len + len) * 2;
		uint8_t *larger = realloc(d->bytes, room);

		if (!larger)
			return refuse(p, "out of memory");
		d->bytes = larger;
		p->room = room;
	}
	memcpy(d->bytes + d->len, bytes, len);
	d->len += len;
	return 0;
}

/* The octal number that a number has been read from as hexadecimal. */
static uint64_t as_octal(uint64_t number)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	for (; number; number >>= 4, shift += 3)
		value |= (number & 7) << shift;
	return value;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* An address with a colon behind it, as of xxd and gdb, where "<ring+16>" may stand between. */
static void take_address(struct line *line)
{
	const char *at = digits_marked(line->at, line->end) ? line->at + 2 : line->at;
	const size_t digits = digits_at(at, line->end);
	const char *behind = skip_blanks(at + digits, line->end);

	if (!digits || digits > 16)
		return;
	if (behind < line->end && *behind == '<') {
		while (behind < line->end && *behind != ':')
			behind++;
	}
	if (behind >= line->end || *behind != ':')
		return;
	line->has_address = line->colon = true;
	line->address = digits_number(at, digits);
	line->at = behind + 1;
}

/* Skips a declaration: all up to the brace of "unsigned char ring[] = { 0x00,", and all of
 * "unsigned int ring_len = 64;". */
static void skip_declaration(struct line *line)
{
	const size_t len = (size_t)(line->end - line->at);
	const char *const brace = memchr(line->at, '{', len);

	if (isalpha((unsigned char)*line->at) && digits_at(line->at, line->end) < len &&
	    isalpha((unsigned char)line->at[digits_at(line->at, line->end)]) &&
	    memchr(line->at, '=', len))
		line->at = brace ? brace + 1 : line->end;
}

/* Takes the next line that holds anything. False at the end. */
static bool next_line(struct parser *p, struct line *line)
{
	while (p->at < p->end) {
		const char *end = memchr(p->at, '\n', (size_t)(p->end - p->at));

		memset(line, 0, sizeof(*line));
		line->at = skip_blanks(p->at, p->end);
		line->end = end ? end : p->end;
		p->at = end ? end + 1 : p->end;
		line->number = ++p->number;
		if (line->at < line->end)
			skip_declaration(line);
		if (line->at < line->end && *line->at != '#')
			return true;
	}
	return false;
}

/* "0x0a", "0x0a0b0c0d": a number in the machine's order, as gdb and C write it. */
static int take_word(struct parser *p, const char *at, size_t digits)
{
	uint64_t value;
	uint8_t bytes[8];
	size_t i;

	if (digits > 16 || (digits & (digits - 1)) || digits < 2)
		return refuse(
			p,
			"0x%.*s has %zu digits; words have 2, 4, 8 or 16, leading zeros included",
			(int)(digits < 20 ? digits : 20), at, digits);
	value = digits_number(at, digits);
	for (i = 0; i < digits / 2; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	return append(p, bytes, digits / 2);
}

/* "0a0b0c0d": bytes as they stand. More than two digits of hexdump and od are a word in the
 * machine's order. */
static int take_bytes(struct parser *p, const char *at, size_t digits, bool words)
{
	uint8_t bytes[TOKEN_MAX];
	size_t i;

	if (words && (digits == 4 || digits == 8 || digits == 16))
		return take_word(p, at, digits);
	if (digits % 2)
		return refuse(p, "%.*s has an odd number of digits",
			      (int)(digits < 20 ? digits : 20), at);
	for (; digits; digits -= 2 * i, at += 2 * i) {
		for (i = 0; i < sizeof(bytes) && 2 * i < digits; i++)
			bytes[i] = (uint8_t)digits_number(at + 2 * i, 2);
		if (append(p, bytes, i))
			return -EINVAL;
	}
	return 0;
}

/*
 * End of a line's bytes: the column of characters. hexdump begins it with a bar. xxd and the
 * kernel, which put a colon after addresses, begin it with two blanks. gdb has no such column.
 */
static const char *end_of_bytes(const struct line *line)
{
	const char *const first = skip_blanks(line->at, line->end);
	const char *at;

	for (at = first; at < line->end && *at != '|'; at++)
		if (line->colon && !digits_marked(first, line->end) && at > first &&
		    line->end - at > 1 && at[0] == ' ' && at[1] == ' ')
			break;
	return at;
}

static int take_line(struct parser *p, const struct line *line)
{
	/* hexdump's addresses have 7 digits, od's 7 or, in hexadecimal, 6. Those of four are of
	 * "copy as hex dump", which writes bytes. */
	const bool words = line->has_address && !line->colon && line->address_digits <= 7 &&
			   line->address_digits > 4;
	const char *const end = end_of_bytes(line);
	const char *at = line->at;

	for (;;) {
		const char *after;
		size_t digits, prefix;
		int err;

		while (at < end &&
		       (*at == ' ' || *at == '\t' || *at == '\r' || *at == ',' || *at == '-'))
			at++;
		if (at >= end)
			return 0;
		if (*at == '{' || *at == '}' || *at == ';') {
			at++;
			continue;
		}
		prefix = digits_marked(at, end) ? 2 : 0;
		digits = digits_at(at + prefix, end);
		after = at + prefix + digits;
		if (!digits || (after < end && !strchr(" \t\r,-;}", *after)))
			return refuse(p, "column %zu: '%c' is no hex digit",
				      (size_t)(after - line->at) + 1,
				      isprint((unsigned char)*after) ? *after : '?');
		err = prefix ? take_word(p, at + prefix, digits) : take_bytes(p, at, digits, words);
		if (err)
			return err;
		at = after;
	}
}

/* The lines that "*" stands for repeat the one before. */
static int repeat_to(struct parser *p, uint64_t address)
{
	const size_t row = 16;
	uint8_t last[16];

	if (!p->based || p->dump->len < row || address < p->base || (address - p->base) % row ||
	    address - p->base < p->dump->len || address - p->base > DUMP_MAX)
		return refuse(p, "the address behind '*' does not fit what stands before it; dump "
				 "with -v, which leaves nothing out");
	memcpy(last, p->dump->bytes + p->dump->len - row, row);
	while (p->dump->len < address - p->base)
		if (append(p, last, row))
			return -EINVAL;
	return 0;
}

/* Address at the start of a line, in bytes. od counts in octal, which the second line shows. */
static int address_of(struct parser *p, const struct line *line, uint64_t *address)
{
	const size_t len = p->dump->len;

	*address = line->address;
	if (line->colon || line->address_digits != 7)
		return 0;
	if (!p->sure && len && !p->star) {
		p->octal = as_octal(line->address) == p->base + len;
		p->sure = true;
	}
	if (p->star && !p->sure)
		return refuse(p, "nothing says whether the address behind '*' is octal; dump with "
				 "-v, which leaves nothing out");
	if (p->octal)
		*address = as_octal(line->address);
	return 0;
}

static int check_address(struct parser *p, const struct line *line)
{
	uint64_t address;
	const int err = address_of(p, line, &address);

	if (err)
		return err;
	if (!p->based) {
		p->based = true;
		p->base = address - p->dump->len;
	}
	if (p->star) {
		p->star = false;
		return repeat_to(p, address);
	}
	if (address != p->base + p->dump->len)
		return refuse(p,
			      "address 0x%" PRIx64 " does not follow: 0x%" PRIx64
			      " was to come, so lines are missing or out of order",
			      address, p->base + p->dump->len);
	return 0;
}

/* hexdump and od put no colon: their first column is one digit count throughout, and counts what
 * the rows hold. */
static void take_bare_address(struct line *line)
{
	const size_t digits = digits_at(line->at, line->end);

	line->has_address = true;
	line->address_digits = (unsigned int)digits;
	line->address = digits_number(line->at, digits);
	line->at += digits;
}

static size_t columns_of(const struct line *line, size_t *first, size_t *second)
{
	const char *at = line->at;
	size_t n = 0;

	while (at < line->end && *at != '|') {
		const size_t digits = digits_at(at, line->end);

		if (!digits)
			break;
		if (n == 0)
			*first = digits;
		if (n == 1)
			*second = digits;
		n++;
		at = skip_blanks(at + digits, line->end);
	}
	return n;
}

/* True if the second line's first column is the first line's and the bytes of the other columns. */
static bool counts_bytes(struct parser *p, const struct line *line, size_t bytes)
{
	const size_t digits = digits_at(line->at, line->end);
	struct line second;

	return digits <= 16 && next_line(p, &second) &&
	       digits_at(second.at, second.end) == digits &&
	       digits_number(second.at, digits) - digits_number(line->at, digits) == bytes;
}

/* True if the text's first line begins with an offset as hexdump, od and Wireshark print it. */
static bool bare_addresses(const char *text, size_t len)
{
	struct parser p = {.at = text, .end = text + len};
	size_t first = 0, second = 0, n;
	struct line line;

	if (!next_line(&p, &line))
		return false;
	n = columns_of(&line, &first, &second);
	if (n > 2 && first >= 4 && (second == 2 || second == 4) &&
	    ((first == 4 && second == 2) || counts_bytes(&p, &line, (n - 1) * second / 2)))
		return true;
	if (n < 2 || first < 6 || digits_number(line.at, first < 16 ? first : 16) != 0)
		return false;
	return first == 7 || (first != second && n > 2) || (first == 8 && second == 2);
}

static int take_text(struct parser *p)
{
	struct line line;
	int err = 0;

	p->bare_addresses = bare_addresses(p->at, (size_t)(p->end - p->at));
	while (!err && next_line(p, &line)) {
		if (*line.at == '*' && skip_blanks(line.at + 1, line.end) == line.end) {
			p->star = true;
			continue;
		}
		if (p->bare_addresses)
			take_bare_address(&line);
		else
			take_address(&line);
		if (line.has_address)
			err = check_address(p, &line);
		else if (p->star)
			break;
		if (!err)
			err = take_line(p, &line);
	}
	if (!err && p->star)
		err = refuse(p, "nothing says how many lines the '*' before stands for; dump with "
				"-v, which leaves nothing out");
	return err;
}

/* Bytes of a character beyond ASCII in UTF-8, 0 if it is none. */
static size_t utf8_at(const uint8_t *bytes, size_t len)
{
	const size_t size = *bytes >= 0xf0 ? 4 : *bytes >= 0xe0 ? 3 : *bytes >= 0xc2 ? 2 : 0;
	size_t i;

	for (i = 1; i < size; i++)
		if (i >= len || bytes[i] >> 6 != 2)
			return 0;
	return size;
}

static bool is_text(const uint8_t *bytes, size_t len)
{
	size_t i, size;

	for (i = 0; i < len; i += size) {
		size = bytes[i] < 0x7f ? 1 : utf8_at(bytes + i, len - i);
		if (!size || !bytes[i] || (bytes[i] < ' ' && !strchr("\t\r\n\f\033", bytes[i])))
			return false;
	}
	return len > 0;
}

bool dump_is_raw(const struct dump *text, const char *form)
{
	return strcmp(form, "raw") == 0 ||
	       (strcmp(form, "auto") == 0 && !is_text(text->bytes, text->len));
}

int dump_parse(const struct dump *text, const char *form, struct dump *dump, char *why,
	       size_t why_len)
{
	struct parser p = {.at = (const char *)text->bytes,
			   .end = (const char *)text->bytes + text->len,
			   .dump = dump,
			   .why = why,
			   .why_len = why_len};
	const bool raw = dump_is_raw(text, form);
	int err;

	memset(dump, 0, sizeof(*dump));
	if (raw && text->len == 0)
		err = -EINVAL;
	else
		err = raw ? append(&p, text->bytes, text->len) : take_text(&p);
	if (!err && dump->len)
		return 0;
	if (!err || !text->len)
		snprintf(why, why_len,
			 "there are no bytes; expected a dump as of xxd, hexdump, gdb's x/, hex "
			 "digits, or raw bytes");
	free(dump->bytes);
	memset(dump, 0, sizeof(*dump));
	return -EINVAL;
}

int dump_load(FILE *file, struct dump *text, char *why, size_t why_len)
{
	const size_t most = DUMP_MAX * 4; /* text takes up to four times as much */
	size_t len = 0, room = 1 << 16, n = 1;
	uint8_t *bytes = malloc(room), *larger;

	while (bytes && n && len <= most) {
		if (len == room) {
			room *= 2;
			larger = realloc(bytes, room);
			if (!larger)
				break;
			bytes = larger;
		}
		n = fread(bytes + len, 1, room - len, file);
		len += n;
		/* the end: a terminal would be asked once more, and want a second Ctrl-D */
		if (len < room)
			n = 0;
	}
	*text = (struct dump){.bytes = bytes, .len = len};
	if (bytes && !n && !ferror(file))
		return 0;
	snprintf(why, why_len, "%s",
		 !bytes		? "out of memory"
		 : ferror(file) ? strerror(errno)
				: "too large; cut out the ring that is meant");
	free(bytes);
	return -EIO;
}

int dump_read(FILE *file, const char *form, struct dump *dump, char *why, size_t why_len)
{
	struct dump text;
	int err = dump_load(file, &text, why, why_len);

	if (err)
		return err;
	err = dump_parse(&text, form, dump, why, why_len);
	free(text.bytes);
	return err;
}
