/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive queues, shared receive queues, and completions of receives: queue/rq.c, queue/srq.c. */
#ifndef SOFTHCA_RECV_H
#define SOFTHCA_RECV_H

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/msg.h"
#include "tools/softhca/engine/queue.h"

struct softhca_rwqe {
	uint16_t counter;	 /* for the CQE */
	struct softhca_srq *srq; /* source of the entry, or NULL */
	struct softhca_qp *qp;
	uint64_t length; /* number of bytes that it can take */
	bool only;	 /* the whole message is in one packet, so it may be scattered inline */
	/* set by the responder: the next scatter is the end of the message */
	bool last;
	bool in_cqe;	 /* rq.c: the data is in inline_data and goes into the CQE */
	uint8_t inline_len;
	/* tag matching: op is enum tm_app_op. 0: no such queue */
	struct {
		/* skip: bytes at the start of the message that are not scattered */
		uint8_t op, skip;
		bool matched;	  /* a tagged buffer, not an entry of the ring */
		uint16_t info;
		uint8_t tmh[16];
	} tm;
	/* striding queue: the entry, and its consumed strides, for the CQE of an error */
	uint16_t entry;
	uint32_t strides;
	unsigned nspans;
	uint8_t inline_data[64];
	struct softhca_span span[32];
};

/*
 * softhca_rq_take: takes the next receive WQE of the QP (from its RQ or its SRQ). With xrc_srqn !=
 * 0 it takes the next one of that SRQ (XRC target: an XRC SRQ of the QP's domain). 0. -EAGAIN: none
 * (RNR NAK, or drop). -EINVAL: no such SRQ or malformed list (remote op error). The entry is
 * consumed, and must be completed exactly once by one of the push functions.
 */
int softhca_rq_take(struct softhca_qp *qp, uint32_t xrc_srqn, struct softhca_rwqe *rwqe);
/* softhca_rq_give_back: returns the last taken entry to the queue. It is not completed. */
void softhca_rq_give_back(struct softhca_qp *qp, const struct softhca_rwqe *rwqe);
/* softhca_rq_read: reads an entry by its counter, taken or not. 0 or -EINVAL. */
int softhca_rq_read(struct softhca_qp *qp, uint16_t counter, struct softhca_rwqe *rwqe);
/* softhca_rq_avail: returns whether there is an entry, without taking it. */
bool softhca_rq_avail(struct softhca_qp *qp, uint32_t xrc_srqn);
/*
 * softhca_rq_scatter: writes message bytes at `offset`. SOFTHCA_OK, SOFTHCA_LOCAL_LENGTH (it does
 * not fit, and nothing is written beyond the end) or SOFTHCA_LOCAL_PROT. UD: the responder writes
 * the 40 bytes of GRH at offset 0 itself (zeros/undefined if there was none).
 */
int softhca_rq_scatter(struct softhca_rwqe *rwqe, uint64_t offset, const void *data, size_t len);

enum softhca_recv_kind {
	SOFTHCA_RECV_WRITE_IMM = 1, /* as CQE opcodes */
	SOFTHCA_RECV_SEND = 2,
	SOFTHCA_RECV_SEND_IMM = 3,
	SOFTHCA_RECV_SEND_INV = 4,
};

struct softhca_recv_info {
	enum softhca_recv_kind kind;
	uint64_t bytes;	  /* UD: including the 40 bytes of the GRH */
	uint32_t imm_inv; /* immediate data or key, big-endian as in the CQE */
	uint32_t src_qp;  /* UD, XRC */
	uint16_t slid;
	uint8_t sl, path_bits; /* sl: on RoCE enum segue_cqe_roce_packet */
	bool grh;
	uint16_t pkey_index;
	bool solicited;
	uint32_t dctn;			    /* for information only */
	const struct softhca_eth_info *eth; /* raw packets */
};

/* Fields of a frame for its completion. */
struct softhca_eth_info {
	const struct softhca_eth *hdr;
	uint32_t tag, hash;
	uint8_t hash_type;
	bool stripped;
	bool filler;	  /* striding: the strides carry no data */
	uint32_t strides; /* striding: number of strides that it took, otherwise 0 */
	uint16_t wqe_id;  /* striding: index of the entry */
};
void softhca_cq_push_recv(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
			  const struct softhca_recv_info *info);
void softhca_cq_push_recv_err(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
			      uint8_t syndrome, uint8_t vendor);
/* softhca_rq_flush: FLUSH completions for all posted receives (not SRQ). _reset: drops them. */
void softhca_rq_flush(struct softhca_qp *qp);
/* softhca_rq_flush_late: polls for receives posted in ERR, which ring no doorbell. */
void softhca_rq_flush_late(struct softhca_dev *dev);
void softhca_rq_reset(struct softhca_qp *qp);

struct softhca_srq {
	struct softhca_dev *dev;
	uint32_t srqn;
	struct softhca_srq_attr attr;
	struct softhca_pd *pd;
	struct softhca_cq *cq;
	struct softhca_xrcd *xrcd;
	struct softhca_tm *tm; /* tag list, of type TM only */
	uint16_t head;	/* next entry to take (follows next_wqe_index) */
	uint16_t taken; /* counter of entries taken. The producer is in the doorbell record */
	uint32_t limit; /* armed if != 0 */
	unsigned refs;
	uint64_t referee_told;
	bool dead;
	void *user;
};
/* softhca_srq_check_limit: raises SRQ_LIMIT_REACHED once if fewer entries than it are left. */
void softhca_srq_check_limit(struct softhca_srq *srq);
/* Parses the data segments of a receive entry. -EINVAL for other segments. */
int softhca_rwqe_parse(struct softhca_rwqe *rwqe, const uint8_t *raw, size_t size);
void softhca_srq_give_back(struct softhca_srq *srq, const struct softhca_rwqe *rwqe);
int softhca_srq_take(struct softhca_srq *srq, struct softhca_rwqe *rwqe);
uint32_t softhca_srq_posted(struct softhca_srq *srq);

#endif
