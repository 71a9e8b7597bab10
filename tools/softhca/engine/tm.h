/* SPDX-License-Identifier: BSD-2-Clause */
/* Tag matching (tm.c). */
#ifndef SOFTHCA_TM_H
#define SOFTHCA_TM_H

#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"

/* The tag list of an SRQ; nothing for those of other types. */
int softhca_tm_init(struct softhca_srq *srq);
void softhca_tm_fini(struct softhca_srq *srq);

/* A completion about a tag list, of the SRQ of the queue pair: of a command, or of a match. */
struct softhca_tm_cqe {
	uint8_t opcode, app_op; /* enum cqe_opcode, enum tm_app_op */
	uint16_t info, wqe_counter, phase;
	bool success;
	uint32_t bytes;
	const uint8_t *tmh; /* NULL: none */
};
void softhca_cq_push_tm(struct softhca_qp *qp, const struct softhca_tm_cqe *t);

/* The first packet of a message to a queue with a tag list. */
struct softhca_tm_start {
	const uint8_t *data;
	size_t len;
	bool only; /* it is the last, too */
};
enum softhca_tm_taken {
	/* rwqe says where the message goes: to a tagged buffer or a receive */
	SOFTHCA_TM_MATCHED,
	SOFTHCA_TM_DONE,      /* there is nothing to receive: the device fetches the data itself */
	SOFTHCA_TM_NONE,      /* no receive is posted */
	SOFTHCA_TM_BROKEN,    /* the queue is unusable */
	SOFTHCA_TM_MALFORMED, /* no header */
};
enum softhca_tm_taken softhca_tm_take(struct softhca_qp *qp, const struct softhca_tm_start *start,
				      struct softhca_rwqe *rwqe);
/* softhca_tm_cancel: what was on its way into that entry's buffer will not come. */
void softhca_tm_cancel(struct softhca_qp *qp, uint16_t info);

#endif
