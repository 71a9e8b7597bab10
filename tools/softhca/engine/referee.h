/* SPDX-License-Identifier: BSD-2-Clause */
/* The referee: mistakes of a program against the documentation, hangs, and their reports. */
#ifndef SOFTHCA_REFEREE_H
#define SOFTHCA_REFEREE_H

#include "tools/softhca/engine/rules.h"

struct softhca_rwqe;

/* ---- referee (referee.c) ---- */

struct softhca_referee *softhca_referee_create(const struct softhca_config *cfg);
void softhca_referee_destroy(struct softhca_referee *ref);
/* softhca_referee_scan: looks for missing doorbells, and checks consumer indices. */
void softhca_referee_scan(struct softhca_dev *dev, uint64_t now_ns);
/* Reports once per QP and rule: mistake, place, expectation. Device, QP and WQE are added. */
void softhca_referee(struct softhca_qp *qp, enum softhca_rule rule, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same of an object that has no WQE of its own. `told`: a bit for each rule. */
void softhca_referee_plain(struct softhca_dev *dev, uint64_t *told, const char *kind,
			   uint32_t number, enum softhca_rule rule, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
#define softhca_referee_cq(cq, ...) \
	softhca_referee_plain((cq)->dev, &(cq)->referee_told, "CQ", (cq)->cqn, __VA_ARGS__)
#define softhca_referee_srq(srq, ...) \
	softhca_referee_plain((srq)->dev, &(srq)->referee_told, "SRQ", (srq)->srqn, __VA_ARGS__)

/* ---- requests of peers (peer.c) ---- */

/* Other end of a connection, or sender of a datagram. */
struct softhca_peer {
	uint32_t ip, qpn;
};

/* Time for which a message has found no receive, measured by answers in quick succession. */
struct softhca_patience {
	uint64_t since, last; /* ns. since 0: not at all */
};

/* softhca_patience_ends: takes one more such answer. True if only such answers came for so long
 * that a report is due. */
bool softhca_patience_ends(const struct softhca_dev *dev, struct softhca_patience *p,
			   uint64_t now_ns);
/* softhca_tell_no_receive, softhca_tell_repeats: report the same hang, at the end without a receive
 * (xrc_srqn: or 0) and at the end that repeats the request at `index` for ever. */
void softhca_tell_no_receive(struct softhca_qp *qp, const struct softhca_peer *peer,
			     uint32_t xrc_srqn);
void softhca_tell_repeats(struct softhca_qp *qp, const struct softhca_peer *peer, uint16_t index);
void softhca_tell_dc_key(struct softhca_qp *qp, const struct softhca_peer *peer, uint64_t key);
void softhca_tell_qkey(struct softhca_qp *qp, const struct softhca_peer *peer, uint32_t qkey);
/* softhca_tell_net: reports a packet of another kind of RoCE (enum softhca_net) than `own`. */
void softhca_tell_net(struct softhca_qp *qp, const struct softhca_peer *peer, uint8_t net,
		      uint8_t own);
/* softhca_tell_pkey: reports a packet of another partition, or between limited members. */
void softhca_tell_pkey(struct softhca_qp *qp, const struct softhca_peer *peer, uint16_t pkey,
		       uint16_t own);
/* softhca_tell_forbidden: reports that the queue pair's access flags lack `flag`. */
void softhca_tell_forbidden(struct softhca_qp *qp, const struct softhca_peer *peer,
			    enum ibv_access_flags flag);
/* softhca_tell_depth: reports more READs and atomics at once than max_dest_rd_atomic. */
void softhca_tell_depth(struct softhca_qp *qp, const struct softhca_peer *peer);
/* softhca_tell_too_long: reports a message of at least this length, too long for its receive. */
void softhca_tell_too_long(struct softhca_qp *qp, const struct softhca_peer *peer,
			   const struct softhca_rwqe *rwqe, uint64_t bytes);

/* ---- small fences (fence.c) ---- */

/* Last request of a queue that has changed a key, as long as later requests may overtake it. */
struct softhca_key_change {
	bool on, remote; /* remote: peers may use the key */
	bool written;	 /* its completion, or a later one */
	uint16_t index;
	uint32_t key, cqe; /* cqe: the queue's producer after that completion */
};

struct softhca_msg;
void softhca_fence_changed(struct softhca_qp *qp, uint16_t index, uint32_t key, bool remote);
/* softhca_fence_completed: notes that a completion of the WQE at `index` has been written. */
void softhca_fence_completed(struct softhca_qp *qp, uint16_t index);
/* softhca_fence_judge: checks the next request. `fenced`: with at least the small fence. */
void softhca_fence_judge(struct softhca_qp *qp, const struct softhca_msg *msg, bool fenced);

/* ---- the judge (judge.c) ---- */

/* softhca_judge_recv, softhca_judge_srq: check an entry of a queue against the documentation. */
void softhca_judge_recv(struct softhca_qp *qp, uint16_t counter, unsigned len, const uint8_t *raw);
void softhca_judge_srq(struct softhca_srq *srq, uint16_t at, unsigned len, const uint8_t *raw);
/* softhca_judge_unannounced: checks, at the end of RTS, that no request stands in the send queue
 * without a doorbell. */
void softhca_judge_unannounced(struct softhca_qp *qp);
/* softhca_rq_grammar, softhca_srq_grammar: requests that may be posted there (queue/plan.h). */
unsigned softhca_rq_grammar(const struct softhca_qp *qp);
unsigned softhca_srq_grammar(const struct softhca_srq *srq);

/* ---- late doorbells (poster.c) ---- */

/* softhca_posters_look: looks where the program's threads are, at each scan that finds a doorbell
 * record ahead of the doorbells. */
void softhca_posters_look(uint64_t now_ns);
/* softhca_poster_under_way: returns whether a thread may have been between the QP's doorbell record
 * and its doorbell since then, or may be inside of the store. */
bool softhca_poster_under_way(const struct softhca_qp *qp, uint64_t since_ns);

#endif
