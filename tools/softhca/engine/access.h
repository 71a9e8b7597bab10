/* SPDX-License-Identifier: BSD-2-Clause */
/* Access to memory through keys, and its results. */
#ifndef SOFTHCA_ACCESS_H
#define SOFTHCA_ACCESS_H

#include "tools/softhca/engine/memory.h"

struct softhca_qp;

/* CQE syndromes, with the values of the enum in mlx5dv.h. 0 is success. */
enum softhca_syndrome {
	SOFTHCA_OK = 0,
	SOFTHCA_LOCAL_LENGTH = 0x01,
	SOFTHCA_LOCAL_QP_OP = 0x02,
	SOFTHCA_LOCAL_PROT = 0x04,
	SOFTHCA_FLUSH = 0x05,
	SOFTHCA_MW_BIND = 0x06,
	SOFTHCA_BAD_RESP = 0x10,
	SOFTHCA_LOCAL_ACCESS = 0x11,
	SOFTHCA_REMOTE_INVAL_REQ = 0x12,
	SOFTHCA_REMOTE_ACCESS = 0x13,
	SOFTHCA_REMOTE_OP = 0x14,
	SOFTHCA_RETRY_EXC = 0x15,
	SOFTHCA_RNR_RETRY_EXC = 0x16,
};
/* Vendor syndromes with known evidence (reliability.md). All others are 0. */
enum softhca_vendor {
	SOFTHCA_VENDOR_WQE_INDEX = 0x68,
	SOFTHCA_VENDOR_RETRY = 0x81,
	SOFTHCA_VENDOR_ACCESS = 0x88,
	SOFTHCA_VENDOR_FLUSH = 0xf9,
};

/* Kind of an access: one of READ and the following values, plus the kind of key. */
enum softhca_right {
	SOFTHCA_LOCAL_READ,
	SOFTHCA_LOCAL_WRITE,
	SOFTHCA_REMOTE_READ,
	SOFTHCA_REMOTE_WRITE,
	SOFTHCA_REMOTE_ATOMIC,
};

/* Queue pair or protection domain for which memory is accessed. */
struct softhca_access {
	struct softhca_dev *dev;
	struct softhca_pd *pd;
	struct softhca_qp
		*qp; /* for type 2 windows (bound to a QP) and for the referee; may be NULL */
	enum softhca_right right;
};

/*
 * All of these return an enum softhca_syndrome: SOFTHCA_OK, SOFTHCA_LOCAL_PROT (local rights), or
 * SOFTHCA_REMOTE_ACCESS (remote rights), whatever the reason: unknown key, foreign PD, missing
 * right, out of bounds, unmapped page. They report the exact reason to the referee, once per (qp,
 * reason).
 * check: whether [va, va + len) can be accessed, without an access. len 0 succeeds for any key
 * (IBTA: not checked). read/write: copy between `buf` and keyed memory.
 */
int softhca_mem_check(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len);
/* softhca_mem_whole: same for a range that is all of a message's use of the key. */
int softhca_mem_whole(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len);
int softhca_mem_read(const struct softhca_access *a, uint32_t key, uint64_t va, void *buf,
		     size_t len);
int softhca_mem_write(const struct softhca_access *a, uint32_t key, uint64_t va, const void *buf,
		      size_t len);

/* Operands in host order. size is 4 or 8 bytes, always 8 for plain CS and FA. */
struct softhca_atomic {
	uint8_t size;
	bool is_fadd; /* fetch and add, otherwise compare and swap */
	bool masked;
	uint64_t swap_add;     /* swap value, or addend */
	uint64_t compare;      /* CS */
	uint64_t swap_mask;    /* masked CS: bits that are replaced. ~0 for plain CS */
	uint64_t compare_mask; /* masked CS: bits that are compared. ~0 for plain CS */
	uint64_t
		add_boundary; /* masked FA: a set bit ends a field (no carry out of it). Plain: 0 */
};
/*
 * softhca_mem_atomic: performs the atomic and returns the original value in host order. A
 * misaligned address gives SOFTHCA_REMOTE_INVAL_REQ. The right is SOFTHCA_REMOTE_ATOMIC, whatever
 * a->right is. Duplicates must not come here again, because the responder keeps the result.
 */
int softhca_mem_atomic(const struct softhca_access *a, uint32_t rkey, uint64_t va,
		       const struct softhca_atomic *op, uint64_t *orig);
/*
 * softhca_mem_invalidate: frees an rkey, for a SEND with invalidate at the responder and for
 * LOCAL_INV. It accepts only type 2 windows and UMR-able keys of the QP's PD. All others give
 * SOFTHCA_REMOTE_ACCESS (or SOFTHCA_MW_BIND if a->right is local).
 */
int softhca_mem_invalidate(const struct softhca_access *a, uint32_t rkey);

#endif
