/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Deviations from the device that programs assume, for tests that programs detect them. Each is a
 * line `contrary NAME` of a fault plan. docs/softhca/faults.md describes them.
 */
#ifndef SOFTHCA_DEVIATIONS_H
#define SOFTHCA_DEVIATIONS_H

#include <stdbool.h>
#include <stdint.h>

#define SOFTHCA_CONTRARIES(X)              \
	X(FLUSH, "flush")                  \
	X(RETRIES, "retries")              \
	X(INDEX, "index")                  \
	X(SILENT, "silent-failure")        \
	X(FIRST_ERROR, "first-error")      \
	X(DC_KEY, "dc-key")                \
	X(LATE_ARM, "late-arm")            \
	X(MODERATION, "moderation")        \
	X(STAMPS, "stamps")                \
	X(ROUTE, "route")                  \
	X(WAIT_GONE, "wait-gone")          \
	X(WAIT_COUNT, "wait-count")        \
	X(WAIT_WORD, "wait-word")          \
	X(WAIT_BIGGER, "wait-bigger")      \
	X(WAIT_CYCLIC, "wait-cyclic")      \
	X(WAIT_ERROR, "wait-error")        \
	X(ATOMIC_4, "atomic-4")            \
	X(ATOMIC_8, "atomic-8")            \
	X(BOUNDARY, "boundary")            \
	X(MATRIX, "matrix")                \
	X(COPY, "copy")                    \
	X(PSV_SIZE, "psv-size")            \
	X(CRC_ORDER, "crc-order")          \
	X(ERROR_OFFSET, "error-offset")    \
	X(TAG_HEADER, "tag-header")        \
	X(TAG_BEHIND, "tag-behind")        \
	X(TAG_LONG, "tag-long")            \
	X(STRIDE, "stride")                \
	X(FILLER, "filler")                \
	X(HASH, "hash")                    \
	X(SPREAD, "spread")                \
	X(TSO, "tso")

enum softhca_contrary {
#define SOFTHCA_CONTRARY_MEMBER(name, text) SOFTHCA_CONTRARY_##name,
	SOFTHCA_CONTRARIES(SOFTHCA_CONTRARY_MEMBER)
#undef SOFTHCA_CONTRARY_MEMBER
};

/* State of engine/fault for the process. */
extern struct the_fault {
	/* Bit n stands for enum softhca_contrary n. Set by a plan before a device exists. */
	uint32_t contraries;
	struct softhca_fault_plan *plan;
} the_fault;

static inline bool softhca_contrary(enum softhca_contrary what)
{
	return __builtin_expect(the_fault.contraries != 0, 0) && the_fault.contraries >> what & 1;
}

#endif
