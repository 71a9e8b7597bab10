/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Printing of raw segments and completion queue entries, as text for people or as JSON for tools.
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

#include "segue/desc.h"

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

#include "segue/detail/end.h"

#endif /* SEGUE_DECODE_H */
