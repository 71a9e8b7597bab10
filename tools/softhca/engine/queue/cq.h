/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface between the files that write completion queues, cq.c and cq_compress.c. */
#ifndef SOFTHCA_CQ_H
#define SOFTHCA_CQ_H

#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/scheduler.h"

/* softhca_cq_entry: address of an entry's last 64 bytes, by its index. */
uint64_t softhca_cq_entry(const struct softhca_cq *cq, uint32_t index);
/*
 * softhca_cq_write: writes an entry into the ring, the byte that makes it valid last, and raises
 * events. `payload` (64 bytes) may be NULL. The index moves on by `entries`.
 */
void softhca_cq_write(struct softhca_cq *cq, const void *entry, const void *payload,
		      uint32_t entries);

int softhca_cq_session_init(struct softhca_cq *cq);
void softhca_cq_session_fini(struct softhca_cq *cq);
/* softhca_cq_pending: number of completions that are in no ring yet. */
uint32_t softhca_cq_pending(const struct softhca_cq *cq);
enum softhca_cqe_kind {
	SOFTHCA_CQE_PLAIN,
	SOFTHCA_CQE_PAYLOAD, /* of 128 bytes, with 64 bytes of payload before it */
	SOFTHCA_CQE_STRIDE,  /* of a striding receive, with the counter of the stride */
};
/* softhca_cq_compress: for a queue that compresses. True if the entry is kept for a block. */
bool softhca_cq_compress(struct softhca_cq *cq, const void *cqe, enum softhca_cqe_kind kind);
/* softhca_cq_close: writes the kept entries. */
void softhca_cq_close(struct softhca_cq *cq);

#endif
