/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints raw segments and completions as text or JSON from their descriptions. */
#include "runtime/text/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/gen/tables.h"

/* Formats nest (a 128-byte CQE holds one of 64). Deeper levels are printed as bytes. */
#define MAX_DEPTH 4u

/* ---- bounded output ---- */

void seguei_out_init(struct seguei_out *out, char *buffer, size_t size,
		     enum segue_print_format format)
{
	out->buffer = buffer;
	out->size = size;
	out->len = 0;
	out->format = format;
	out->indent = 0;
	out->comma = false;
}

size_t seguei_out_finish(struct seguei_out *out)
{
	if (out->size > 0)
		out->buffer[out->len < out->size ? out->len : out->size - 1] = '\0';
	return out->len;
}

void seguei_out_printf(struct seguei_out *out, const char *text, ...)
{
	const size_t room = out->len < out->size ? out->size - out->len : 0;
	va_list args;
	int len;

	va_start(args, text);
	len = vsnprintf(room ? out->buffer + out->len : NULL, room, text, args);
	va_end(args);
	if (len > 0)
		out->len += (size_t)len;
}

/* Characters that find room. The last byte holds the NUL. */
static size_t places(const struct seguei_out *out, size_t count)
{
	const size_t room = out->len < out->size ? out->size - out->len : 0;

	return count < room ? count : room;
}

static void put_chars(struct seguei_out *out, const char *text, size_t count)
{
	const size_t fit = places(out, count);

	if (fit)
		memcpy(out->buffer + out->len, text, fit);
	out->len += count;
}

static void put_char(struct seguei_out *out, char c)
{
	if (places(out, 1))
		out->buffer[out->len] = c;
	out->len++;
}

static void put_blanks(struct seguei_out *out, size_t count)
{
	const size_t fit = places(out, count);

	if (fit)
		memset(out->buffer + out->len, ' ', fit);
	out->len += count;
}

void seguei_out_text(struct seguei_out *out, const char *text)
{
	put_chars(out, text, strlen(text));
}

/* The digits of a number to that base, with leading zeros. */
static void put_digits(struct seguei_out *out, uint64_t value, unsigned int base,
		       unsigned int least)
{
	char text[24];
	size_t first = sizeof(text);

	for (; value || sizeof(text) - first < least; value /= base)
		text[--first] = "0123456789abcdef"[value % base];
	put_chars(out, text + first, sizeof(text) - first);
}

void seguei_out_number(struct seguei_out *out, uint64_t value)
{
	put_digits(out, value, 10, 1);
}

/* 0x and at least so many digits. */
static void put_hex_number(struct seguei_out *out, uint64_t value, unsigned int digits)
{
	seguei_out_text(out, "0x");
	put_digits(out, value, 16, digits);
}

/* Begins a line of text. */
static void put_indent(struct seguei_out *out)
{
	put_blanks(out, out->indent * 4u);
}

/* A line's name, padded to the column of the values. */
static void put_name(struct seguei_out *out, const char *name, size_t column)
{
	const size_t len = strlen(name);

	put_indent(out);
	put_chars(out, name, len);
	put_blanks(out, len < column ? column - len + 1 : 1);
}

/* Bytes as hex digits. */
static void put_hex(struct seguei_out *out, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < len; i++) {
		put_char(out, digits[bytes[i] >> 4]);
		put_char(out, digits[bytes[i] & 0xf]);
	}
}

void seguei_json_next(struct seguei_out *out)
{
	if (out->comma)
		seguei_out_text(out, ", ");
	out->comma = true;
}

void seguei_json_key(struct seguei_out *out, const char *key)
{
	seguei_json_next(out);
	if (key) {
		seguei_json_string(out, key);
		seguei_out_text(out, ": ");
	}
}

void seguei_json_open(struct seguei_out *out, char bracket)
{
	put_char(out, bracket);
	out->comma = false;
}

void seguei_json_close(struct seguei_out *out, char bracket)
{
	put_char(out, bracket);
	out->comma = true;
}

void seguei_json_string(struct seguei_out *out, const char *text)
{
	put_char(out, '"');
	for (;;) {
		size_t plain = 0;

		while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' &&
		       text[plain] != '\\')
			plain++;
		put_chars(out, text, plain);
		text += plain;
		if (!*text)
			break;
		if ((unsigned char)*text < 0x20) {
			seguei_out_printf(out, "\\u%04x", (unsigned char)*text);
		} else {
			put_char(out, '\\');
			put_char(out, *text);
		}
		text++;
	}
	put_char(out, '"');
}

/* ---- reading ---- */

static uint64_t ones(unsigned int width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* One past the last byte that the field touches. */
static size_t end_byte(const struct segue_field_desc *field)
{
	size_t end = 0;

	if (!field->n_pieces)
		return (seguei_first_bit(field) + field->width + 7) / 8;
	for (uint8_t i = 0; i < field->n_pieces; i++)
		end = end_byte(&field->pieces[i]) > end ? end_byte(&field->pieces[i]) : end;
	return end;
}

/*
 * Reads `count` bytes, 1 to 8, as a number. Near the end of a segment the rest of their word may be
 * missing.
 */
static uint64_t read_bytes(const uint8_t *bytes, size_t count, bool little)
{
	uint64_t word = 0;
	size_t i;

	if (count == 1)
		return bytes[0];
	if (count == 4 && !little)
		return segue_get_be32(bytes);
	if (count == 8 && !little)
		return segue_get_be64(bytes);
	for (i = 0; i < count; i++)
		word = word << 8 | bytes[little ? count - 1 - i : i];
	return word;
}

/* Joins the pieces, from the lowest bits up. */
static bool get_pieces(const struct segue_field_desc *field, const uint8_t *bytes, size_t len,
		       uint64_t *value)
{
	unsigned int low = 0;
	uint64_t part;

	*value = 0;
	for (uint8_t i = 0; i < field->n_pieces; i++) {
		if (!seguei_field_get(&field->pieces[i], bytes, len, &part))
			return false;
		*value |= part << low;
		low += field->pieces[i].width;
	}
	return true;
}

bool seguei_field_get(const struct segue_field_desc *field, const uint8_t *bytes, size_t len,
		      uint64_t *value)
{
	const size_t first = seguei_first_bit(field), end = first + field->width,
		     count = (end + 7) / 8 - first / 8;

	if (field->n_pieces)
		return get_pieces(field, bytes, len, value);
	if (field->word == 0 || (end + 7) / 8 > len)
		return false;
	*value = read_bytes(bytes + first / 8, count, field->little) >>
			 (field->little ? first % 8 : (8 - end % 8) % 8) &
		 ones(field->width);
	return true;
}

bool seguei_tail_length(const struct segue_segment_desc *desc, const uint8_t *bytes, size_t len,
			uint64_t *length)
{
	if (desc->tail_length != SEGUE_TAIL_REST)
		return seguei_field_get(&desc->fields[desc->tail_length], bytes, len, length);
	*length = len > desc->tail_at ? len - desc->tail_at : 0;
	return true;
}

size_t seguei_segment_bytes(const struct segue_segment_desc *desc, const uint8_t *bytes, size_t len)
{
	uint64_t length;
	size_t total;

	if (!desc->has_tail || !seguei_tail_length(desc, bytes, len, &length))
		return desc->size;
	total = desc->tail_at + (size_t)length;
	if (desc->tail_pad)
		total = (total + desc->tail_pad - 1) / desc->tail_pad * desc->tail_pad;
	return total < desc->tail_min_size ? desc->tail_min_size : total;
}

const char *seguei_enum_name(const struct segue_enum_desc *desc, uint64_t value)
{
	size_t i;

	for (i = 0; i < desc->member_count; i++) {
		if (desc->members[i].value == value)
			return desc->members[i].name;
	}
	return NULL;
}

static bool matches(const struct segue_segment_desc *desc, const uint8_t *bytes, size_t len)
{
	size_t i, k;

	for (i = 0; i < desc->match_count; i++) {
		const struct segue_match_desc *const match = &desc->matches[i];
		uint64_t value;

		if (!seguei_field_get(&desc->fields[match->field], bytes, len, &value))
			return false;
		for (k = 0; k < match->value_count && match->values[k] != value; k++)
			;
		if (k == match->value_count)
			return false;
	}
	return true;
}

const struct segue_segment_desc *segue_cqe_match(const void *bytes, size_t len)
{
	const struct segue_segment_desc *best = NULL;
	bool marked = false;
	size_t i;

	for (i = 0; segue_cqes[i]; i++) {
		const struct segue_segment_desc *const desc = segue_cqes[i];

		if (desc->size != len)
			continue;
		marked = marked || desc->match_count;
		if (matches(desc, (const uint8_t *)bytes, len) &&
		    (!best || desc->match_count > best->match_count))
			best = desc;
	}
	/*
	 * If some formats have values to match, a format without is only a part of another entry.
	 */
	return best && (best->match_count || !marked) ? best : NULL;
}

/* ---- problems ---- */

__attribute__((format(printf, 4, 5))) static void put_problem(struct seguei_out *out,
							      unsigned int *count,
							      const char *field, const char *text,
							      ...)
{
	char sentence[160];
	va_list args;

	va_start(args, text);
	(void)vsnprintf(sentence, sizeof(sentence), text, args);
	va_end(args);
	if (out->format == SEGUE_FORMAT_TEXT) {
		put_indent(out);
		seguei_out_printf(out, "! %s: %s\n", field, sentence);
	} else {
		if (*count == 0) {
			seguei_json_key(out, "problems");
			seguei_json_open(out, '[');
		}
		seguei_json_next(out);
		seguei_json_open(out, '{');
		seguei_json_key(out, "field");
		seguei_json_string(out, field);
		seguei_json_key(out, "text");
		seguei_json_string(out, sentence);
		seguei_json_close(out, '}');
	}
	(*count)++;
}

/* The caller has made sure that the range exists. Nothing from byte `payload` on is reserved. */
static void check_reserved(struct seguei_out *out, const struct segue_field_desc *field,
			   const uint8_t *bytes, size_t payload, unsigned int *count)
{
	const size_t end = seguei_first_bit(field) + field->width;
	uint64_t value;
	size_t i;

	if (seguei_first_bit(field) >= payload * 8)
		return;
	if (field->word != 0) {
		if (!seguei_field_get(field, bytes, end_byte(field), &value))
			return;
		if (end > payload * 8 && field->little)
			value &= ones((unsigned int)(payload * 8 - seguei_first_bit(field)));
		else if (end > payload * 8)
			value >>= end - payload * 8;
		if (value != 0)
			put_problem(out, count, field->name,
				    "reserved bits must be zero but are 0x%" PRIx64, value);
		return;
	}
	for (i = field->byte; i < end_byte(field) && i < payload; i++) {
		if (bytes[i] != 0) {
			put_problem(out, count, field->name,
				    "reserved bytes must be zero but byte %zu is 0x%02x", i,
				    bytes[i]);
			return;
		}
	}
}

static void check_value(struct seguei_out *out, const struct segue_field_desc *field,
			uint64_t value, unsigned int *count)
{
	size_t i;

	if (field->is_const) {
		if (value != field->const_value)
			put_problem(out, count, field->name,
				    "must be 0x%" PRIx64 " but is 0x%" PRIx64, field->const_value,
				    value);
		return;
	}
	value = seguei_field_meant(field, value);
	if (field->closed && field->flags) {
		if (!seguei_field_takes(field, value))
			put_problem(out, count, field->name,
				    "is 0x%" PRIx64 ", with bits that no member of enum %s has",
				    value, field->flags->name);
		return;
	}
	if (field->closed) {
		if (!seguei_enum_name(field->enumeration, value))
			put_problem(out, count, field->name, "is %" PRIu64 ", no member of enum %s",
				    value, field->enumeration->name);
		return;
	}
	if (field->is_signed && !seguei_field_takes(field, value))
		put_problem(out, count, field->name,
			    "is %" PRId64 ", expected %" PRId64 " to %" PRId64, (int64_t)value,
			    (int64_t)field->min, (int64_t)field->max);
	if (field->is_signed)
		return;
	if (value < field->min)
		put_problem(out, count, field->name,
			    "is %" PRIu64 ", below the least legal value %" PRIu64, value,
			    field->min);
	else if (value > field->max)
		put_problem(out, count, field->name,
			    "is %" PRIu64 ", above the greatest legal value %" PRIu64, value,
			    field->max);
	for (i = 0; i < field->never_count; i++) {
		if (value == field->never[i])
			put_problem(out, count, field->name, "may not be 0x%" PRIx64, value);
	}
}

static void check_payload(struct seguei_out *out, const struct segue_segment_desc *desc,
			  const uint8_t *bytes, size_t len, unsigned int *count)
{
	const size_t total = seguei_segment_bytes(desc, bytes, len);
	uint64_t length;
	size_t i;

	if (!desc->has_tail || desc->tail_length == SEGUE_TAIL_REST ||
	    !seguei_tail_length(desc, bytes, len, &length))
		return;
	if (total > len) {
		put_problem(out, count, "payload",
			    "the segment takes %zu bytes but only %zu are there", total, len);
		return;
	}
	for (i = desc->tail_at + (size_t)length; i < total; i++) {
		if (bytes[i] != 0) {
			put_problem(out, count, "payload",
				    "padding must be zero but byte %zu is 0x%02x", i, bytes[i]);
			return;
		}
	}
}

static unsigned int put_problems(struct seguei_out *out, const struct segue_segment_desc *desc,
				 const uint8_t *bytes, size_t len)
{
	const size_t payload = desc->has_tail ? desc->tail_at : desc->size;
	const bool rest = desc->has_tail && desc->tail_length == SEGUE_TAIL_REST;
	const size_t least = rest ? payload : desc->size;
	unsigned int count = 0;
	uint64_t value;
	size_t i;

	if (len < least)
		put_problem(out, &count, desc->name, "%zu bytes expected but only %zu are there",
			    least, len);
	for (i = 0; i < desc->field_count; i++) {
		const struct segue_field_desc *const field = &desc->fields[i];

		if (end_byte(field) > len || (field->reserved && field->stale))
			continue;
		if (field->reserved) {
			check_reserved(out, field, bytes, payload, &count);
		} else if (seguei_field_get(field, bytes, len, &value)) {
			check_value(out, field, value, &count);
		}
	}
	check_payload(out, desc, bytes, len, &count);
	if (out->format == SEGUE_FORMAT_JSON && count > 0)
		seguei_json_close(out, ']');
	return count;
}

/* ---- values ---- */

/* JSON readers store numbers as doubles, which do not hold 64 bits. */
static void put_json_number(struct seguei_out *out, unsigned int width, uint64_t value)
{
	if (width <= 32) {
		seguei_out_number(out, value);
		return;
	}
	put_char(out, '"');
	put_hex_number(out, value, 1);
	put_char(out, '"');
}

static void put_flags(struct seguei_out *out, const struct segue_enum_desc *desc, uint64_t value)
{
	const bool json = out->format == SEGUE_FORMAT_JSON;
	uint64_t rest = value;
	bool first = true;
	size_t i;
	int pass;

	/* Members of several bits take theirs first, if the value holds all of them. */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < desc->member_count; i++) {
			const struct segue_member_desc *const m = &desc->members[i];
			const bool several = (m->value & (m->value - 1)) != 0;

			if (m->value == 0 || several != (pass == 0) ||
			    (rest & m->value) != m->value)
				continue;
			rest &= ~m->value;
			if (json) {
				seguei_json_next(out);
				seguei_json_string(out, m->name);
			} else {
				seguei_out_text(out, first ? " " : " | ");
				seguei_out_text(out, m->name);
			}
			first = false;
		}
	}
	if (json) {
		seguei_json_close(out, ']');
		seguei_json_key(out, "unknown");
		put_json_number(out, desc->bits, rest);
	} else if (rest != 0) {
		seguei_out_text(out, first ? " " : " | ");
		put_hex_number(out, rest, 1);
	}
}

static void put_number(struct seguei_out *out, const struct segue_field_desc *field, uint64_t value)
{
	const bool json = out->format == SEGUE_FORMAT_JSON;
	const char *const quote = json && field->width > 32 ? "\"" : "";

	if (field->is_signed) {
		seguei_out_text(out, quote);
		seguei_field_number(out, field, value);
		seguei_out_text(out, quote);
		return;
	}
	if (json)
		put_json_number(out, field->width, value);
	else if (field->unit || field->width == 1)
		seguei_out_number(out, value);
	else
		put_hex_number(out, value, (field->width + 3u) / 4);
}

static void put_integer(struct seguei_out *out, const struct segue_field_desc *field,
			uint64_t value)
{
	const bool json = out->format == SEGUE_FORMAT_JSON;
	const char *name;

	value = seguei_field_meant(field, value);
	if (json && (field->enumeration || field->flags)) {
		seguei_json_open(out, '{');
		seguei_json_key(out, "value");
	}
	put_number(out, field, value);
	if (field->enumeration) {
		name = seguei_enum_name(field->enumeration, value);
		if (!json) {
			put_char(out, ' ');
			seguei_out_text(out, name ? name : "(unknown)");
		} else {
			seguei_json_key(out, "name");
			if (name)
				seguei_json_string(out, name);
			else
				seguei_out_text(out, "null");
			seguei_json_close(out, '}');
		}
	} else if (field->flags) {
		if (json) {
			seguei_json_key(out, "names");
			seguei_json_open(out, '[');
		}
		put_flags(out, field->flags, value);
		if (json)
			seguei_json_close(out, '}');
	} else if (!json && field->unit) {
		/* A unit such as "16 bytes" multiplies the value. */
		seguei_out_text(out, field->unit[0] >= '0' && field->unit[0] <= '9' ? " x " : " ");
		seguei_out_text(out, field->unit);
	}
}

static unsigned int put_segment(struct seguei_out *out, const struct segue_segment_desc *desc,
				const uint8_t *bytes, size_t len, const char *title,
				unsigned int depth);

/* Prints a byte string that holds other formats. Returns the number of their problems. */
static unsigned int put_nested(struct seguei_out *out, const struct segue_field_desc *field,
			       const uint8_t *bytes, unsigned int depth)
{
	const bool array = field->count > 1;
	unsigned int problems = 0;
	size_t i;

	if (out->format == SEGUE_FORMAT_JSON) {
		seguei_json_key(out, field->name);
		if (array)
			seguei_json_open(out, '[');
	}
	for (i = 0; i < field->count; i++) {
		const uint8_t *const at = bytes + field->byte + i * field->format->size;
		const struct segue_segment_desc *desc = NULL;

		if (field->format->is_cqe)
			desc = segue_cqe_match(at, field->format->size);
		if (!desc)
			desc = field->format;
		if (out->format == SEGUE_FORMAT_JSON && array)
			seguei_json_next(out);
		problems += put_segment(out, desc, at, field->format->size, field->name, depth + 1);
	}
	if (out->format == SEGUE_FORMAT_JSON && array)
		seguei_json_close(out, ']');
	return problems;
}

static unsigned int put_field(struct seguei_out *out, const struct segue_field_desc *field,
			      const uint8_t *bytes, size_t len, size_t column, unsigned int depth)
{
	const bool json = out->format == SEGUE_FORMAT_JSON;
	uint64_t value;

	if (field->format && depth < MAX_DEPTH &&
	    (size_t)field->count * field->format->size * 8 <= field->width)
		return put_nested(out, field, bytes, depth);
	if (json)
		seguei_json_key(out, field->name);
	else
		put_name(out, field->name, column);
	if (field->word == 0) {
		seguei_out_text(out, json ? "\"" : "");
		put_hex(out, bytes + field->byte, field->width / 8);
		seguei_out_text(out, json ? "\"" : "");
	} else if (seguei_field_get(field, bytes, len, &value)) {
		put_integer(out, field, value);
	}
	if (!json)
		put_char(out, '\n');
	return 0;
}

static void put_payload(struct seguei_out *out, const struct segue_segment_desc *desc,
			const uint8_t *bytes, size_t len, size_t column)
{
	const bool json = out->format == SEGUE_FORMAT_JSON;
	uint64_t length;
	size_t there;

	if (!desc->has_tail || !seguei_tail_length(desc, bytes, len, &length))
		return;
	there = len > desc->tail_at ? len - desc->tail_at : 0;
	if (there > length)
		there = (size_t)length;
	if (json) {
		seguei_json_key(out, "payload");
		put_char(out, '"');
	} else {
		put_name(out, "payload", column);
	}
	put_hex(out, bytes + desc->tail_at, there);
	put_char(out, json ? '"' : '\n');
}

/* Length of the longest printed name of a segment. */
static size_t column_of(const struct segue_segment_desc *desc)
{
	size_t column = desc->has_tail ? strlen("payload") : 0;
	size_t i;

	for (i = 0; i < desc->field_count; i++) {
		const struct segue_field_desc *const field = &desc->fields[i];
		const size_t name = field->reserved || field->is_const ? 0 : strlen(field->name);

		if (name > column)
			column = name;
	}
	return column;
}

static unsigned int put_segment(struct seguei_out *out, const struct segue_segment_desc *desc,
				const uint8_t *bytes, size_t len, const char *title,
				unsigned int depth)
{
	const bool json = out->format == SEGUE_FORMAT_JSON;
	size_t column = json ? 0 : column_of(desc);
	unsigned int problems = 0;
	size_t i;

	if (json) {
		seguei_json_open(out, '{');
		seguei_json_key(out, "name");
		seguei_json_string(out, desc->name);
		seguei_json_key(out, "fields");
		seguei_json_open(out, '{');
	} else {
		put_indent(out);
		seguei_out_text(out, title ? title : "");
		seguei_out_text(out, title ? ": " : "");
		seguei_out_text(out, desc->name);
		put_char(out, '\n');
		out->indent++;
	}
	for (i = 0; i < desc->field_count; i++) {
		const struct segue_field_desc *const field = &desc->fields[i];

		if (!field->reserved && !field->is_const && end_byte(field) <= len)
			problems += put_field(out, field, bytes, len, column, depth);
	}
	put_payload(out, desc, bytes, len, column);
	if (json)
		seguei_json_close(out, '}');
	problems += put_problems(out, desc, bytes, len);
	if (json)
		seguei_json_close(out, '}');
	else
		out->indent--;
	return problems;
}

unsigned int seguei_segment_put(struct seguei_out *out, const struct segue_segment_desc *desc,
				const uint8_t *bytes, size_t len, const char *title)
{
	return put_segment(out, desc, bytes, len, title, 0);
}

/* ---- public ---- */

size_t segue_segment_print(const struct segue_segment_desc *desc, const void *bytes, size_t len,
			   enum segue_print_format format, char *out, size_t outlen)
{
	struct seguei_out text;

	seguei_out_init(&text, out, outlen, format);
	seguei_segment_put(&text, desc, (const uint8_t *)bytes, len, NULL);
	return seguei_out_finish(&text);
}

size_t segue_cqe_print(const void *bytes, size_t len, enum segue_print_format format, char *out,
		       size_t outlen)
{
	const struct segue_segment_desc *const desc = segue_cqe_match(bytes, len);
	struct seguei_out text;
	unsigned int problems = 0;

	if (desc)
		return segue_segment_print(desc, bytes, len, format, out, outlen);
	seguei_out_init(&text, out, outlen, format);
	if (format == SEGUE_FORMAT_JSON) {
		seguei_json_open(&text, '{');
		seguei_json_key(&text, "name");
		seguei_out_printf(&text, "null");
		seguei_json_key(&text, "bytes");
		seguei_out_printf(&text, "\"");
		put_hex(&text, (const uint8_t *)bytes, len);
		seguei_out_printf(&text, "\"");
	} else {
		seguei_out_printf(&text, "unknown completion: ");
		put_hex(&text, (const uint8_t *)bytes, len);
		seguei_out_printf(&text, "\n");
		text.indent++;
	}
	put_problem(&text, &problems, "cqe", "no format of %zu bytes fits", len);
	if (format == SEGUE_FORMAT_JSON) {
		seguei_json_close(&text, ']');
		seguei_json_close(&text, '}');
	}
	return seguei_out_finish(&text);
}
