/* SPDX-License-Identifier: BSD-2-Clause */
/* Tag matching (tm.c). */
#ifndef SOFTHCA_TM_H
#define SOFTHCA_TM_H

#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"

/* Makes the tag list of an SRQ. SRQs of other types have none. */
int softhca_tm_init(struct softhca_srq *srq);
void softhca_tm_fini(struct softhca_srq *srq);

/* Completion of a tag list, on the SRQ of the queue pair, for a command or for a match. */
struct softhca_tm_cqe {
	uint8_t opcode, app_op; /* enum cqe_opcode, enum tm_app_op */
	uint16_t info, wqe_counter, phase;
	bool success;
	uint32_t bytes;
	const uint8_t *tmh; /* NULL: none */
};
void softhca_cq_push_tm(struct softhca_qp *qp, const struct softhca_tm_cqe *t);

/* First packet of a message to a queue with a tag list. */
struct softhca_tm_start {
	const uint8_t *data;
	size_t len;
	bool only; /* it is also the last one */
};
enum softhca_tm_taken {
	/* rwqe has the place of the message: a tagged buffer or a receive */
	SOFTHCA_TM_MATCHED,
	SOFTHCA_TM_DONE,      /* nothing to receive, the device fetches the data itself */
	SOFTHCA_TM_NONE,      /* no receive is posted */
	SOFTHCA_TM_BROKEN,    /* the queue is unusable */
	SOFTHCA_TM_MALFORMED, /* no header */
};
enum softhca_tm_taken softhca_tm_take(struct softhca_qp *qp, const struct softhca_tm_start *start,
				      struct softhca_rwqe *rwqe);
/* softhca_tm_cancel: the data for that entry's buffer will not come. */
void softhca_tm_cancel(struct softhca_qp *qp, uint16_t info);

#endif
