/* SPDX-License-Identifier: BSD-2-Clause */
/* Error completions in pasted bytes, distinguished from bytes that only look like one. */
#ifndef SEGUE_TOOL_FAILED_COMPLETION_H
#define SEGUE_TOOL_FAILED_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAILED_ROW  16 /* bytes of a dump's row, of which the last holds what matters */
#define FAILED_SIZE 64 /* bytes of a completion */

struct failed {
	uint8_t syndrome, vendor, hw_type, hw;
	bool send; /* The requester's completion. `opcode` is that of its WQE. */
	uint8_t opcode;
	uint16_t index; /* of the WQE */
	uint32_t qpn;
	uint32_t srqn; /* 0 if the row that holds it is not there */
};

/*
 * failed_read() is true if the bytes are an error completion: all 64, or the last 16 or 32. All
 * that the format reserves has to be zero, and syndrome and opcodes have to be known.
 */
bool failed_read(const uint8_t *bytes, size_t len, struct failed *failed);

/* failed_unmark() takes away what DPDK writes into a completion before it dumps it. True if it was
 * there. */
bool failed_unmark(uint8_t *bytes);

/* failed_wqe() returns how many of the bytes after a completion are the WQE that it names, 0 if
 * they are not: its opcode, queue pair and index have to be the completion's. */
size_t failed_wqe(const struct failed *failed, const uint8_t *bytes, size_t len);

/* failed_turn() turns each group of `width` bytes round, in place. 1 leaves them as they are. */
void failed_turn(uint8_t *bytes, size_t len, size_t width);

/*
 * failed_find() is the width of the words that have to be turned round so that the bytes
 * (failed_read()) are an error completion: 1, 2, 4 or 8. 0 if no order makes them one, or if two do
 * and neither is more likely. @group: bytes of the groups that they were printed in, which are the
 * only words then. 0: not known.
 */
size_t failed_find(const uint8_t *bytes, size_t len, size_t group, struct failed *failed);

/* failed_next() puts the next step, without the queue pair: what segue_wc_explain() knows. */
void failed_next(const struct failed *failed, char *sentence, size_t len);

#endif
