/* SPDX-License-Identifier: BSD-2-Clause */
/* Access to memory through keys, and what it answers. */
#ifndef SOFTHCA_ACCESS_H
#define SOFTHCA_ACCESS_H

#include "tools/softhca/engine/memory.h"

struct softhca_qp;

/* CQE syndromes as in enum of mlx5dv.h; 0 is success. */
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
	SOFTHCA_REMOTE_ABORTED = 0x22,
};
/* Vendor syndromes we have evidence for (reliability.md); others are 0. */
enum softhca_vendor {
	SOFTHCA_VENDOR_WQE_INDEX = 0x68,
	SOFTHCA_VENDOR_RETRY = 0x81,
	SOFTHCA_VENDOR_ACCESS = 0x88,
	SOFTHCA_VENDOR_PSN = 0x99,
	SOFTHCA_VENDOR_FLUSH = 0xf9,
};

/* What an access wants to do. One of READ.. plus the kind of key. */
enum softhca_right {
	SOFTHCA_LOCAL_READ,
	SOFTHCA_LOCAL_WRITE,
	SOFTHCA_REMOTE_READ,
	SOFTHCA_REMOTE_WRITE,
	SOFTHCA_REMOTE_ATOMIC,
};

/* On whose behalf memory is touched. */
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
 * right, out of bounds, unmapped page. The referee is told the exact reason, once per (qp, reason).
 *
 * check: could [va, va + len) be accessed? Touches nothing. len 0 succeeds for any key (IBTA: not
 * checked). read/write: copy between `buf` and keyed memory.
 */
int softhca_mem_check(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len);
/* softhca_mem_whole: the same, and the range is all that a message has of the key. */
int softhca_mem_whole(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len);
int softhca_mem_read(const struct softhca_access *a, uint32_t key, uint64_t va, void *buf,
		     size_t len);
int softhca_mem_write(const struct softhca_access *a, uint32_t key, uint64_t va, const void *buf,
		      size_t len);

/* Operands in host order. size: 4 or 8 bytes. Plain CS and FA: 8, and the masks noted. */
struct softhca_atomic {
	uint8_t size;
	bool is_fadd; /* fetch and add; else compare and swap */
	bool masked;
	uint64_t swap_add;     /* swap value, or addend */
	uint64_t compare;      /* CS */
	uint64_t swap_mask;    /* masked CS: bits that are replaced; plain: ~0 */
	uint64_t compare_mask; /* masked CS: bits that are compared; plain: ~0 */
	uint64_t
		add_boundary; /* masked FA: a set bit ends a field (no carry out of it); plain: 0 */
};
/*
 * softhca_mem_atomic: performs it, gives the original value (host order). Misaligned:
 * SOFTHCA_REMOTE_INVAL_REQ. Uses right SOFTHCA_REMOTE_ATOMIC whatever a->right says. Duplicates
 * must not come here again: the responder keeps the result.
 */
int softhca_mem_atomic(const struct softhca_access *a, uint32_t rkey, uint64_t va,
		       const struct softhca_atomic *op, uint64_t *orig);
/*
 * softhca_mem_invalidate: SEND with invalidate at the responder, LOCAL_INV: makes an rkey free.
 * Only type 2 windows and UMR-able keys of the QP's PD; anything else gives SOFTHCA_REMOTE_ACCESS
 * (or SOFTHCA_MW_BIND when a->right is local).
 */
int softhca_mem_invalidate(const struct softhca_access *a, uint32_t rkey);

#endif
