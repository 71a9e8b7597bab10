/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queue pairs, and their send queues.
 *
 * The way of a message: queue/sq.c fetches its WQE, softhca_req_post() hands it to
 * transport/requester.c, wire/ carries its packets, and transport/responder.c writes it through
 * softhca_rq_take() (queue/rq.c), softhca_mem_*() (memory/) and softhca_cq_push_recv()
 * (queue/cq.c). The acknowledgement ends in softhca_sq_complete() (queue/sq.c).
 */
#ifndef SOFTHCA_QP_H
#define SOFTHCA_QP_H

#include "tools/softhca/engine/cross_channel.h"
#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/msg.h"
#include "tools/softhca/engine/pace.h"
#include "tools/softhca/engine/referee.h"
#include "tools/softhca/engine/steering.h"

struct softhca_rq {
	uint64_t va, db_va; /* ring; address of the 4-byte RCV counter */
	uint32_t wqes, stride;
	uint16_t ci;	  /* next entry to take */
	uint16_t seen_pi; /* last producer read */
	bool drops; /* frames have waited in vain. None waits any more */
};

struct softhca_sq {
	uint64_t va, db_va;		  /* ring; doorbell record, or 0 */
	uint32_t wqes;			  /* 64-byte blocks */
	uint16_t ci;			  /* next block to execute */
	uint16_t done;			  /* first block that is not completed */
	uint16_t pi;			  /* producer as of the last doorbell */
	struct softhca_msg *head, **tail; /* posted, not completed, in order */
	unsigned in_flight, reads;	  /* messages in flight, and READs and atomics among them */
	/* referee: time (ns) since when the record is ahead of the doorbell */
	uint64_t record_since;
	uint16_t record_seen;
	struct softhca_key_change change;
	bool stalled; /* waiting for a fence, SQD or the send CQ */
	bool drain_told;
	bool used; /* the ring may hold requests from before a reset */
};

enum softhca_about { SOFTHCA_ABOUT_NOTHING, SOFTHCA_ABOUT_SEND, SOFTHCA_ABOUT_RECV };

/* An entry of a striding receive queue that is being filled. */
struct softhca_mprq_at {
	bool open;
	uint16_t index;	 /* of the entry */
	uint32_t stride; /* next free one */
};

/* Distribution of raw packets over receive work queues. */
struct softhca_rwq_table {
	struct softhca_dev *dev;
	uint32_t num;
	unsigned refs, log_size;
	struct softhca_qp **wq; /* 1 << log_size of them */
};

struct softhca_qp {
	struct softhca_dev *dev;
	enum softhca_qp_type type;
	uint32_t qpn; /* 0: DCT before RTR */
	uint32_t rqn; /* raw packet with both queues: number of the receive queue, otherwise 0 */
	struct softhca_pd *pd;
	struct softhca_cq *send_cq, *recv_cq;
	struct softhca_srq *srq;
	struct softhca_xrcd *xrcd;
	struct softhca_uar *uar;
	struct softhca_qp *uar_next, *uar_prev, *run_next;
	bool on_run_list;
	bool silent; /* rings without a notification, see uar.c */
	bool drain_sigerr; /* goes to SQD at a signature error of its own */
	bool mmo_allowed;
	bool cq_dead; /* one of its CQs overran, so the QP fails at its next turn */
	struct softhca_qp_create create;
	/*
	 * Attributes as set, in host order: state, path_mtu, qkey, rq_psn, sq_psn, dest_qp_num,
	 * qp_access_flags, pkey_index, max_rd_atomic, max_dest_rd_atomic, min_rnr_timer, port_num,
	 * timeout, retry_cnt, rnr_retry.
	 */
	struct ibv_qp_attr attr;
	enum ibv_qp_state state; /* == attr.qp_state */
	struct softhca_av av;	 /* from attr.ah_attr, for connected QPs */
	struct softhca_rq rq;
	struct softhca_sq sq;
	struct softhca_wait wait;
	struct softhca_mprq_at mprq;
	unsigned shares;	/* XRC target: number of further opens */
	struct softhca_rss rss; /* raw packet: the table is NULL unless it has one */
	unsigned wq_refs;	/* receive work queue: number of tables. Raw: rules that name it */
	uint32_t raw_peer; /* raw packet: address that its last frame went to. 0: not to others */
	bool no_room;	   /* the next frame waits for a receiver */
	/* DCI with streams: a bit for each stream with an error, and their number. */
	uint8_t *stream_err;
	uint32_t stream_errs;
	uint64_t referee_told; /* bit per rule, set when it was reported for the QP */
	bool comm_est_told;
	/* WQE that a report of the referee is about: an executed one, or an entry of a ring. */
	const uint8_t *cur_wqe;
	enum softhca_about about;
	uint16_t about_index;		     /* of the entry */
	const struct softhca_srq *about_srq; /* ABOUT_RECV: SRQ of the entry. NULL: the QP's own */
	/* for the transport: */
	void *req, *resp;
	void *user;
	struct softhca_pace pace; /* raw packet: its own rate */
	struct softhca_sched *sched;
	uint64_t pace_until; /* 0: it does not wait */
	struct softhca_qp *pace_next;
	struct softhca_qp_choice choice;
	uint8_t lag_port; /* bonded ports: the one it sends through, from 1. 0: not bonded */
};

/* softhca_about_send: makes that WQE the subject of the following reports. */
static inline void softhca_about_send(struct softhca_qp *qp, uint16_t index)
{
	qp->about = SOFTHCA_ABOUT_SEND;
	qp->about_index = index;
}
#define softhca_referee_send(qp, index, ...)                                \
	(softhca_about_send(qp, index), softhca_referee((qp), __VA_ARGS__), \
	 (void)((qp)->about = SOFTHCA_ABOUT_NOTHING))

/*
 * Ability of the QP to receive or send. RTR, RTS, SQD (and SQE) receive. RTS and SQD send (SQD only
 * what was posted before).
 */
static inline bool softhca_qp_can_recv(const struct softhca_qp *qp)
{
	return qp->state == IBV_QPS_RTR || qp->state == IBV_QPS_RTS || qp->state == IBV_QPS_SQD ||
	       qp->state == IBV_QPS_SQE;
}

/* Reliable: RC, XRC, DC. */
static inline bool softhca_qp_reliable(const struct softhca_qp *qp)
{
	return qp->type != SOFTHCA_QP_UC && qp->type != SOFTHCA_QP_UD && qp->type != SOFTHCA_QP_RAW;
}

/*
 * softhca_qp_fatal: handles a responder's error without a receive WQE to report it on. It moves the
 * QP to ERR with an async event (`event`: IBV_EVENT_QP_ACCESS_ERR, QP_REQ_ERR or QP_FATAL) and
 * flushes both queues. For an error that consumes a receive WQE, call softhca_cq_push_recv_err()
 * and then softhca_qp_error(). Neither frees the QP. Both call softhca_req_stop() and
 * softhca_resp_stop().
 */
void softhca_qp_fatal(struct softhca_qp *qp, enum ibv_event_type event);
void softhca_qp_error(struct softhca_qp *qp);
/* softhca_qp_catch_up: executes WQEs rung for before a command, if they need not wait. */
void softhca_qp_catch_up(struct softhca_qp *qp);
/* softhca_qp_comm_est: handles the first packet in RTR and raises COMM_EST once. */
void softhca_qp_comm_est(struct softhca_qp *qp);

/* ---- send queue (queue/sq.c) ---- */

/*
 * softhca_sq_complete: finishes `msg`, exactly once per posted message. The requester must not use
 * the message after the call. sq.c restores the order, so a call out of order is allowed but
 * pointless. With an error syndrome, the error CQE is written when all earlier messages are
 * complete. The QP then goes to ERR (UC, UD, raw: SQE), softhca_req_stop() is called from within,
 * and the rest is flushed. After an error the requester must not use any message of this QP.
 */
void softhca_sq_complete(struct softhca_qp *qp, struct softhca_msg *msg, uint8_t syndrome,
			 uint8_t vendor);
/* softhca_sq_run: fetches and executes the WQEs that the last doorbell made visible. */
void softhca_sq_run(struct softhca_qp *qp);
/* softhca_sq_doorbell: reads the SND counter and runs. `value`: the doorbell's first word, or 0. */
bool softhca_sq_doorbell(struct softhca_qp *qp, uint32_t value);
/* softhca_sq_new, softhca_sq_post_internal: make and post a message of the device's own. */
struct softhca_msg *softhca_sq_new(struct softhca_qp *qp);
void softhca_sq_post_internal(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_sq_sig_error: handles a signature error. With drain_sigerr the QP goes to SQD. */
void softhca_sq_sig_error(struct softhca_qp *qp);
/* softhca_sq_release: SEND_EN: a managed send queue may go on to this index. True if new. */
bool softhca_sq_release(struct softhca_qp *qp, uint16_t pi);
/* softhca_sq_drained: raises SQ_DRAINED once, if the queue is in SQD and empty. */
void softhca_sq_drained(struct softhca_qp *qp);
/* softhca_sq_flush: completes all posted WQEs with FLUSH (ERR or SQE). _reset: drops them. */
void softhca_sq_flush(struct softhca_qp *qp);
void softhca_sq_reset(struct softhca_qp *qp);
/* softhca_run: adds to or removes from the device's run list a QP with work left. */
void softhca_sq_schedule(struct softhca_qp *qp);

#endif
