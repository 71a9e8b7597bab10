/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoding: raw segments and completion queue entries as text for people or as JSON for tools, and
 * validation of work requests.
 *
 * Any bytes are safe: nothing outside the given length is read. A value without a name in its enum
 * is printed as a number. Reserved bits that are set, constants that differ, values out of range
 * and missing bytes are reported after the fields.
 *
 * JSON has the form {"name": …, "fields": {…}, "problems": [{"field": …, "text": …}, …]}.
 * Fields of up to 32 bits are numbers. Wider ones are strings "0x…", because some readers do not
 * keep 64 bits of a number. Byte strings are strings of hex digits. An enum is
 * {"value": 8, "name": "RDMA_WRITE"}, with name null if it is unknown. A combination of flags is
 * {"value": 9, "names": […], "unknown": 0}. A byte string with a format of its own is an object
 * like the outer one, or an array of them.
 *
 * Owner: bytes and text are the caller's. Nothing is kept or allocated.
 * Threads: any.
 * Errors: text that does not fit is cut as by snprintf(). Any bytes are safe.
 * Source: the spec's tables (segue/gen/tables.h). Each item there names its source.
 */
#ifndef SEGUE_DECODE_H
#define SEGUE_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/tables.h"

#include "segue/detail/begin.h"

/** Forms in which the decoder prints. */
enum segue_print_format {
	SEGUE_FORMAT_TEXT, /* one line per field, each ended by a newline */
	SEGUE_FORMAT_JSON, /* one JSON value on one line */
};

/**
 * segue_segment_print() prints the segment or CQE format that `desc` describes.
 *
 * Like snprintf() it writes at most `outlen` bytes including the final NUL, and returns the length
 * of the whole text. A result of `outlen` or more means that the text was cut. `out` may be NULL if
 * `outlen` is 0. Any thread may call it.
 */
size_t segue_segment_print(const struct segue_segment_desc *desc, const void *bytes, size_t len,
			   enum segue_print_format format, char *out, size_t outlen);

/**
 * segue_cqe_print() prints a completion queue entry of `len` bytes, usually 64 or 128.
 *
 * Its format is the most specific one of that length with a `match` in the spec that fits. An entry
 * that fits none is printed as plain bytes. Returns as segue_segment_print().
 */
size_t segue_cqe_print(const void *bytes, size_t len, enum segue_print_format format, char *out,
		       size_t outlen);

/**
 * segue_cqe_match() returns the description that segue_cqe_print() would use, or NULL if no
 * format of that length fits.
 */
const struct segue_segment_desc *segue_cqe_match(const void *bytes, size_t len);

/*
 * The validator: walks the raw bytes of a WQE with the automaton from which the builders' types
 * come, and names the first offence.
 *
 * Owner: bytes and text are the caller's. Nothing is kept or allocated.
 * Threads: any.
 * Errors: negative errno and the offence. Any bytes are safe.
 * Source: the spec's automata (segue/gen/machines.h).
 */

enum segue_offence_kind {
	SEGUE_OFFENCE_NONE,
	SEGUE_OFFENCE_TRUNCATED, /* the bytes end before the WQE does */
	SEGUE_OFFENCE_OPCODE,	 /* no request of this queue has that opcode and opmod */
	SEGUE_OFFENCE_FLAGS,	 /* the request may not carry that flag or setting */
	SEGUE_OFFENCE_SEGMENT,	 /* no segment that may come here looks like these bytes */
	/* the value of a field is out of range, is not the constant, or is of another segment */
	SEGUE_OFFENCE_VALUE,
	/* a list is not as long as announced, or a table does not repeat what its pieces have */
	SEGUE_OFFENCE_LIST,
	SEGUE_OFFENCE_LENGTH,  /* the WQE ends at a wrong place, or continues after its end */
	/* a reserved bit is set, and there is no other offence. libmlx5 leaves such bits behind */
	SEGUE_OFFENCE_RESERVED
};

struct segue_offence {
	enum segue_offence_kind kind;
	uint32_t offset;     /* bytes from the start of the WQE to the first wrong byte */
	uint32_t segment_at; /* first byte of its segment */
	const char *machine; /* "rc", … */
	const char *request; /* work request by the opcode of the bytes, or NULL */
	const char *state;   /* state of the automaton, or NULL */
	const char *segment; /* segment with the offence, or NULL */
	const char *field;   /* field with the offence, or NULL */
	char found[128];     /* the bytes found */
	char expected[192];  /* the legal values */
};

/**
 * segue_wqe_validate() - check a WQE.
 * @machine: the queue's automaton: &segue_rc_machine, …, &segue_rq_machine, …
 * @wqe: its bytes in one piece, from the control segment on (receive queues: from the start of the
 *   stride)
 * @len: bytes there. Bytes after a send WQE are ignored. For a receive WQE it is the stride, or on
 *   a block device block.used
 * @offence: filled with the first offence. May be NULL
 *
 * The first offence is that at the lowest byte. Reserved bits count only if nothing else is wrong,
 * because devices and libmlx5 leave such bits behind, and they must not hide an offence. If several
 * requests share an opcode, the one that fits furthest is reported. Values that only a queue knows
 * are not checked: index, queue number, signature, keys. Returns 0 or -EINVAL. Reads at most @len
 * bytes. Any bytes are safe. Allocates nothing. Any thread may call it.
 */
SEGUEI_MUST_CHECK int segue_wqe_validate(const struct segue_machine *machine, const void *wqe,
					 size_t len, struct segue_offence *offence);

/**
 * segue_offence_print() - print an offence as one sentence.
 *
 * Bounded and NUL-terminated as snprintf(). Returns the length of the whole sentence.
 */
size_t segue_offence_print(const struct segue_offence *offence, char *out, size_t outlen);

/**
 * segue_wqe_print() - print a WQE as text or JSON.
 * @machine: the queue's automaton
 * @wqe, @len: as segue_wqe_validate(). All bytes of the WQE must be there. Bytes after it are left
 *   out
 * @format: text or JSON
 * @out, @outlen: memory for the text. About 50 bytes for each field are enough
 *
 * Text: the request, each segment with its fields, and the offence if there is one. JSON:
 * {"request", "segments": […], "valid": bool, "offence": …}. Bounded and NUL-terminated as
 * snprintf(). Returns the length of the whole text.
 */
size_t segue_wqe_print(const struct segue_machine *machine, const void *wqe, size_t len,
		       enum segue_print_format format, char *out, size_t outlen);

#include "segue/detail/end.h"

#endif
