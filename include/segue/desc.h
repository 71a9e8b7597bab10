/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptions of enums, segments and CQE formats as const data.
 *
 * The tables themselves are generated from the spec (segue/gen/tables.h). The decoder and the
 * validator walk them. A program may walk them, too, for instance to list its build's enums.
 */
#ifndef SEGUE_DESC_H
#define SEGUE_DESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/function.h"

/** One value of an enum. */
struct segue_member_desc {
	const char *name; /* as in the spec: "RDMA_WRITE" */
	const char *doc;
	const char *source;
	uint64_t value;
	bool secondary; /* known only from a secondary source */
};

/** An enum, members in spec order. */
struct segue_enum_desc {
	const char *name;
	const char *doc;
	uint8_t bits; /* width of the widest value */
	bool flags;   /* values may be combined */
	uint16_t member_count;
	const struct segue_member_desc *members;
};

struct segue_segment_desc;

/** A field or a reserved range of a segment. */
struct segue_field_desc {
	const char *name; /* reserved: its position, "bits 22:0 of dword 1" or "bytes 8 to 15" */
	const char *doc;  /* "" for reserved ranges */
	const char *unit; /* unit of its value, or NULL */

	/* Position. */
	uint16_t byte;	/* first byte of the field's word, or of the byte string */
	/* 32 or 64: bits of that word, big-endian unless `little`. 0: a byte string */
	uint8_t word;
	uint8_t lsb;	/* lowest bit, counted in the word */
	uint16_t width; /* bits, also of a byte string */
	/*
	 * positions of its bits, the lowest first, if they are in several. That above is the first
	 */
	const struct segue_field_desc *pieces;
	uint8_t n_pieces;

	/* Legal values. */
	bool little;   /* its word is little-endian */
	bool reserved; /* zero only */
	bool secondary; /* known only from a secondary source */
	/*
	 * without a meaning, any value is legal: the device ignores it, and drivers leave old bytes
	 */
	bool stale;
	bool is_const; /* const_value only */
	bool has_zero_means;
	uint64_t const_value;
	bool is_signed; /* in two's complement, as are min and max */
	uint64_t min; /* legal values as the caller gives them, inclusive */
	uint64_t max;
	uint64_t zero_means; /* value that 0 means to the device */
	uint16_t minus;      /* subtracted from the value before it is written */
	const uint64_t *never;
	uint16_t never_count;

	/* Meaning of the value. NULL if it is not known. */
	const struct segue_enum_desc *enumeration; /* one member of this enum */
	/* other values than those of the enum, or of its flags, are illegal */
	bool closed;
	const struct segue_enum_desc *flags;	   /* members of this enum combined */
	/* a byte string: packed elements of this format, `count` of them */
	const struct segue_segment_desc *format;
	uint16_t count;
};

/** Values by which a CQE format is recognised. */
struct segue_match_desc {
	uint16_t field; /* index into fields[] */
	uint16_t value_count;
	const uint64_t *values; /* any of them */
};

/** The payload is the rest of the length in the control segment, after the other segments. */
#define SEGUE_TAIL_REST UINT16_MAX

/** A segment or a CQE format. */
struct segue_segment_desc {
	const char *name;
	const char *doc;
	uint16_t size; /* bytes, without the payload of a tail */
	bool is_cqe;

	uint16_t field_count;
	const struct segue_field_desc *fields; /* in spec order, then the reserved ranges */
	uint16_t match_count;
	const struct segue_match_desc *matches;

	bool has_tail;
	uint16_t tail_at;	/* byte where the payload begins */
	/* index of the field that holds its length in bytes, or SEGUE_TAIL_REST */
	uint16_t tail_length;
	uint16_t tail_pad;	/* the whole is padded to a multiple of this number of bytes */
	uint16_t tail_min_size; /* least number of bytes of the whole */
	uint16_t tail_max;	/* bytes of payload, for SEGUE_TAIL_REST */
};

#endif /* SEGUE_DESC_H */
