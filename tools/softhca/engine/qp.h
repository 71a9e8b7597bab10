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

#include "tools/softhca/engine/cross.h"
#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/msg.h"
#include "tools/softhca/engine/pace.h"
#include "tools/softhca/engine/referee.h"
#include "tools/softhca/engine/steer.h"

struct softhca_rq {
	uint64_t va, db_va; /* ring; address of the 4-byte RCV counter */
	uint32_t wqes, stride;
	uint16_t ci;	  /* next entry to take */
	uint16_t seen_pi; /* last producer read */
	bool full_told;
	bool drops; /* frames waited in vain: none is kept waiting any more */
};

struct softhca_sq {
	uint64_t va, db_va;		  /* ring; address of the 4-byte SND counter */
	uint32_t wqes;			  /* 64-byte blocks */
	uint16_t ci;			  /* next block to execute */
	uint16_t done;			  /* first block that is not completed */
	uint16_t pi;			  /* producer as of the last doorbell */
	struct softhca_msg *head, **tail; /* posted, not completed, in order */
	unsigned in_flight, reads;	  /* reads: READs and atomics among them */
	uint64_t record_since; /* referee: the record is ahead of the doorbell since then (ns) */
	uint16_t record_seen;
	struct softhca_key_change change;
	bool stalled; /* waiting for a fence, SQD or the send CQ */
	bool drain_told;
};

enum softhca_about { SOFTHCA_ABOUT_NOTHING, SOFTHCA_ABOUT_SEND, SOFTHCA_ABOUT_RECV };

/* An entry of a striding receive queue that is being filled. */
struct softhca_mprq_at {
	bool open;
	uint16_t index;	 /* of the entry */
	uint32_t stride; /* the next free one */
};

/* A spreading of raw packets over receive work queues. */
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
	uint32_t rqn; /* raw packet with both queues: the number of the one that receives; else 0 */
	struct softhca_pd *pd;
	struct softhca_cq *send_cq, *recv_cq;
	struct softhca_srq *srq;
	struct softhca_xrcd *xrcd;
	struct softhca_uar *uar;
	struct softhca_qp *uar_next, *uar_prev, *run_next;
	bool on_run_list;
	bool silent; /* nobody has said that it rang, see uar.c */
	bool drain_sigerr; /* to SQD at a signature error of its own */
	bool mmo_allowed;
	bool cq_dead; /* one of its CQs overran: dies at its next turn */
	struct softhca_qp_create create;
	/*
	 * The attributes as set: state, path_mtu, qkey, rq_psn, sq_psn, dest_qp_num,
	 * qp_access_flags, pkey_index, max_rd_atomic, max_dest_rd_atomic, min_rnr_timer, port_num,
	 * timeout, retry_cnt, rnr_retry are all here, host order.
	 */
	struct ibv_qp_attr attr;
	enum ibv_qp_state state; /* == attr.qp_state */
	struct softhca_av av;	 /* from attr.ah_attr, for connected QPs */
	struct softhca_rq rq;
	struct softhca_sq sq;
	struct softhca_wait wait;
	struct softhca_mprq_at mprq;
	unsigned shares;	/* XRC target: opened so many times more */
	struct softhca_rss rss; /* raw packet: table NULL unless it has one */
	unsigned wq_refs;	/* receive work queue: tables it is in; raw: rules that name it */
	uint32_t raw_peer; /* raw packet: the address its last frame went to, 0: none of others */
	bool no_room;	   /* the next frame waits for a receiver */
	/* DCI with streams: a bit per stream that had an error, and how many there are. */
	uint8_t *stream_err;
	uint32_t stream_errs;
	uint64_t referee_told; /* bit per rule: reported once per QP */
	bool comm_est_told;
	/* Which WQE a sentence of the referee is about: one executed, or an entry of a ring. */
	const uint8_t *cur_wqe;
	enum softhca_about about;
	uint16_t about_index;		     /* of the entry */
	const struct softhca_srq *about_srq; /* ABOUT_RECV: whose entry it is, NULL: the QP's own */
	/* the transport's: */
	void *req, *resp;
	void *user;
	struct softhca_pace pace; /* raw packet: its own rate */
	struct softhca_sched *sched;
	uint64_t pace_until; /* 0: does not wait */
	struct softhca_qp *pace_next;
	struct softhca_qp_choice choice;
	uint8_t lag_port; /* bonded ports: which one it sends through, from 1; 0: not bonded */
};

/*
 * Is the QP able to receive or send? RTR, RTS, SQD (and SQE) receive; RTS and SQD send (SQD: only
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
 * softhca_qp_fatal: the responder found an error that has no receive WQE to report it on: QP to ERR
 * with an async event (`event`: IBV_EVENT_QP_ACCESS_ERR, QP_REQ_ERR or QP_FATAL), flush of both
 * queues. For an error that consumes a receive WQE: softhca_cq_push_recv_err() and then
 * softhca_qp_error(). Neither frees the QP; both call softhca_req_stop() and softhca_resp_stop().
 */
void softhca_qp_fatal(struct softhca_qp *qp, enum ibv_event_type event);
void softhca_qp_error(struct softhca_qp *qp);
/* softhca_qp_catch_up: executes what was rung for before a command, as far as it need not wait. */
void softhca_qp_catch_up(struct softhca_qp *qp);
/* softhca_qp_comm_est: first packet in RTR: raises COMM_EST once. */
void softhca_qp_comm_est(struct softhca_qp *qp);

/* ---- send queue (queue/sq.c) ---- */

/*
 * softhca_sq_complete: `msg` is finished: exactly once per posted message. The message is dead for
 * the requester when it returns (order is restored by sq.c, so calling out of order is allowed but
 * pointless). With an error syndrome: the error CQE is written once everything before it is
 * complete, the QP goes to ERR (UC, UD, raw: SQE), softhca_req_stop() is called from within, and
 * the rest is flushed. So after an error the requester must not touch any message of this QP.
 */
void softhca_sq_complete(struct softhca_qp *qp, struct softhca_msg *msg, uint8_t syndrome,
			 uint8_t vendor);
/* softhca_sq_run: fetch and execute what the last doorbell made visible. */
void softhca_sq_run(struct softhca_qp *qp);
/* softhca_sq_doorbell: read the SND counter and run. `value`: the doorbell's first word, or 0. */
bool softhca_sq_doorbell(struct softhca_qp *qp, uint32_t value);
/* softhca_sq_new, softhca_sq_post_internal: a message that the device sends of its own accord. */
struct softhca_msg *softhca_sq_new(struct softhca_qp *qp);
void softhca_sq_post_internal(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_sq_sig_error: a request met a signature error; with drain_sigerr the pair goes to SQD. */
void softhca_sq_sig_error(struct softhca_qp *qp);
/* softhca_sq_release: SEND_EN: a managed send queue may go on up to this index. True: news. */
bool softhca_sq_release(struct softhca_qp *qp, uint16_t pi);
/* softhca_sq_drained: SQ_DRAINED, once, if the queue is in SQD and empty. */
void softhca_sq_drained(struct softhca_qp *qp);
/* softhca_sq_flush: complete all that is posted with FLUSH (ERR or SQE). _reset: forget. */
void softhca_sq_flush(struct softhca_qp *qp);
void softhca_sq_reset(struct softhca_qp *qp);
/* softhca_run: put on / take off the device's run list (a QP with work left over). */
void softhca_sq_schedule(struct softhca_qp *qp);

#endif
