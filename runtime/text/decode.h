/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Internals of the decoder: a bounded output, and the printing of one segment into it. decode.c
 * prints single segments and CQEs, validate.c whole WQEs.
 */
#ifndef SEGUEI_DECODE_H
#define SEGUEI_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/decode.h"
#include "segue/tables.h"

struct segue_control_desc;

/* Output that never overruns its buffer, and counts the characters that it would have needed. */
struct seguei_out {
	char *buffer;
	size_t size;
	size_t len; /* of the whole text, written or not */
	enum segue_print_format format;
	unsigned int indent; /* text: levels of four blanks each */
	bool comma;	     /* JSON: a value precedes, so the next one needs a comma */
};

void seguei_out_init(struct seguei_out *out, char *buffer, size_t size,
		     enum segue_print_format format);

/** seguei_out_finish() ends the text with a NUL and returns its whole length. */
size_t seguei_out_finish(struct seguei_out *out);

__attribute__((format(printf, 2, 3))) void seguei_out_printf(struct seguei_out *out,
							     const char *text, ...);

/* Frequent output avoids printf, which is slow. */
void seguei_out_text(struct seguei_out *out, const char *text);
void seguei_out_number(struct seguei_out *out, uint64_t value);

/*
 * JSON. seguei_json_key() writes the key of an object's next member. seguei_json_next() precedes
 * each element of an array. Both write the commas. A NULL key means an element.
 */
void seguei_json_key(struct seguei_out *out, const char *key);
void seguei_json_next(struct seguei_out *out);
void seguei_json_open(struct seguei_out *out, char bracket);
void seguei_json_close(struct seguei_out *out, char bracket);
void seguei_json_string(struct seguei_out *out, const char *text);

/*
 * seguei_segment_put() prints one segment, of which `len` bytes exist.
 *
 * Text: a line with the name (after `title` if that is not NULL), then a line for each field, then
 * one for each problem. JSON: the object, at a place where a value may stand. Returns the number of
 * problems.
 */
unsigned int seguei_segment_put(struct seguei_out *out, const struct segue_segment_desc *desc,
				const uint8_t *bytes, size_t len, const char *title);

/*
 * seguei_first_bit() returns the distance in bits from the start of the segment to the field's
 * first bit in memory.
 */
static inline size_t seguei_first_bit(const struct segue_field_desc *field)
{
	size_t byte;

	if (field->n_pieces)
		field = field->pieces;
	byte = (size_t)field->byte * 8;
	if (field->word == 0)
		return byte;
	return byte +
	       (field->little ? field->lsb : (size_t)field->word - field->lsb - field->width);
}

/* seguei_field_get() reads an integer field. False if the field does not lie within `len` bytes. */
bool seguei_field_get(const struct segue_field_desc *field, const uint8_t *bytes, size_t len,
		      uint64_t *value);

static inline bool seguei_all_zero(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i])
			return false;
	return true;
}

/* True if payload covers the field, so its bits are not reserved in this WQE. */
static inline bool seguei_under_payload(const struct segue_segment_desc *segment,
					const struct segue_field_desc *field)
{
	const uint32_t bits = field->word ? (uint32_t)field->word - field->lsb : field->width;

	return segment->has_tail && field->byte + (bits + 7) / 8 > segment->tail_at;
}

/* True if a reserved range of the segment is not zero. */
static inline bool seguei_reserved_is_set(const struct segue_segment_desc *segment,
					  const struct segue_field_desc *range,
					  const uint8_t *bytes)
{
	uint64_t value;

	if (seguei_under_payload(segment, range))
		return false;
	return range->word ? seguei_field_get(range, bytes, segment->size, &value) && value
			   : !seguei_all_zero(bytes + range->byte, range->width / 8u);
}

/* The value that the field's bits mean. */
static inline uint64_t seguei_field_meant(const struct segue_field_desc *field, uint64_t bits)
{
	if (field->is_signed && bits >> (field->width - 1))
		return bits | ~(UINT64_MAX >> (64 - field->width));
	return field->has_zero_means && bits == 0 ? field->zero_means : bits + field->minus;
}

/* A value in decimal, with its sign. */
void seguei_field_number(struct seguei_out *out, const struct segue_field_desc *field,
			 uint64_t value);

/*
 * seguei_tail_length() reads the length of the payload. If only the control segment holds it, the
 * payload is all that is left.
 */
bool seguei_tail_length(const struct segue_segment_desc *desc, const uint8_t *bytes, size_t len,
			uint64_t *length);

/* seguei_segment_bytes() returns the size of the segment at `bytes`, its payload included. */
size_t seguei_segment_bytes(const struct segue_segment_desc *desc, const uint8_t *bytes,
			    size_t len);

/*
 * seguei_field_takes() returns whether a value is legal in a field, apart from the values that the
 * field may never have.
 */
bool seguei_field_takes(const struct segue_field_desc *field, uint64_t value);

/**
 * seguei_field_expected() prints the legal values of a field: "1 to 31", or the members of its
 * enum.
 */
void seguei_field_expected(struct seguei_out *out, const struct segue_field_desc *field);

/*
 * seguei_flags_named() prints one field's settings in the control segment's flags: "SOLICITED
 * (0x2)".
 */
void seguei_flags_named(uint32_t value, char *text, size_t size);

/* seguei_field_in_dword() returns the bits of a field within the dword at a byte. */
uint32_t seguei_field_in_dword(const struct segue_field_desc *field, uint16_t byte);

/** seguei_flags_dword() reads the dword of a control segment's flags. False if it has none. */
bool seguei_flags_dword(const struct segue_control_desc *control, const uint8_t *wqe,
			uint64_t *value);

/* seguei_flags_legal() prints the names of the flags that have only these bits. */
void seguei_flags_legal(uint32_t legal, char *text, size_t size);

/** seguei_enum_name() returns the name of a member, or NULL. */
const char *seguei_enum_name(const struct segue_enum_desc *desc, uint64_t value);

#endif /* SEGUEI_DECODE_H */
