/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion queues (queue/cq.c). */
#ifndef SOFTHCA_COMPLETION_H
#define SOFTHCA_COMPLETION_H

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/queue.h"

struct softhca_msg;
struct softhca_qp;

struct softhca_cq {
	struct softhca_dev *dev;
	uint32_t cqn;
	struct softhca_cq_attr attr;
	uint32_t pi;	  /* entries written, 32 bits. The owner bit is bit log2(cqes) of it */
	uint32_t last_ci; /* highest consumer index seen (24 bits) */
	bool armed, arm_solicited;
	uint32_t last_arm; /* last arm record value that was acted upon. UINT32_MAX: none */
	bool overrun;	   /* dead, because CQ_ERR was raised */
	uint64_t referee_told;
	uint32_t notified_pi;  /* producer index when the last event was raised */
	uint32_t hold_count;   /* moderation: an event waits for this number of entries, */
	uint64_t hold_ns;      /* or for this time after the entry that would have raised it */
	uint64_t held_until;   /* time until which an event is held back. 0: none */
	uint32_t solicited_pi; /* producer index after the last solicited entry */
	uint32_t produced;     /* completions, compressed or not, written or not */
	struct softhca_cq_session *session; /* block under compression. NULL: none ever */
	unsigned refs;
	void *user;
};

/* Variable part of a send CQE. */
struct softhca_send_info {
	uint8_t opcode; /* CQE opcode: REQ or REQ_ERR */
	uint8_t syndrome, vendor;
};
void softhca_cq_push_send(struct softhca_qp *qp, const struct softhca_msg *msg);
void softhca_cq_push_send_err(struct softhca_qp *qp, uint16_t wqe_index, uint8_t wqe_opcode,
			      uint8_t syndrome, uint8_t vendor);
struct segue_sig_err_cqe;
/* softhca_cq_push_sig_err: reports a signature error of a key that `qp` used, as requester if
 * `local`, otherwise as responder. It fills in the rest of `cqe`, and may stop a requester. */
void softhca_cq_push_sig_err(struct softhca_qp *qp, bool local, struct segue_sig_err_cqe *cqe);
/* softhca_cq_produced: number of completions so far. A WAIT compares the lower 24 bits. */
uint32_t softhca_cq_produced(const struct softhca_cq *cq);
/* softhca_cq_close_all: writes incomplete blocks of compressed completions, at the end of each
 * turn. softhca_cq_forget_all: for the child of fork(). */
void softhca_cq_close_all(void);
void softhca_cq_forget_all(void);
/* softhca_cq_check_consumer: reports a consumer index that has gone backwards. */
void softhca_cq_check_consumer(struct softhca_cq *cq);
/* softhca_cq_scan_arm: reads the arm record, after a doorbell has arrived or was overwritten. */
void softhca_cq_scan_arm(struct softhca_cq *cq);
/* softhca_cq_run_held: raises the events that were held back long enough. It lowers *next_ns to the
 * time of the next one, and returns the number of raised events. */
int softhca_cq_run_held(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns);

#endif
