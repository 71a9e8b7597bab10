/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion queues, shared receive queues, queue pairs, and limits of their sending. */
#ifndef SOFTHCA_QUEUE_H
#define SOFTHCA_QUEUE_H

#include "tools/softhca/engine/device.h"
#include "tools/softhca/engine/memory.h"

struct softhca_qp;
struct softhca_sched;
struct softhca_srq;

/* ---- completion queues ---- */

struct softhca_cq_attr {
	uint64_t buf_va, db_va;
	uint32_t cqes; /* entries in the buffer, a power of two (requested cqe + 1 rounded up) */
	uint32_t cqe_size;	 /* 64 or 128 */
	struct softhca_uar *uar; /* page for arming it. NULL: any page */
	bool overrun_ignore;	 /* DEVX oi */
	bool collapsed;		 /* DEVX cc */
	bool want_events;	 /* false: arming never calls cq_event */
	bool pad;		 /* 128-byte entries: the first half is always written */
	bool compress;
	bool enhanced;	     /* layout of compressed blocks */
	/* Content of mini CQEs of receives: enum mini_cqe_format, enum mini_cqe_format_ext. */
	uint8_t mini_format, mini_format_ext;
};
/*
 * softhca_cq_create: the buffer must be writable. -EINVAL for a size that is not a power of two or
 * above the limit, -EFAULT. libmlx5 initialises the entries (opcode INVALID), not the engine.
 */
int softhca_cq_create(struct softhca_dev *dev, const struct softhca_cq_attr *attr,
		      struct softhca_cq **cq, uint32_t *cqn);
/*
 * softhca_cq_resize: moves to a new buffer and writes the RESIZE_CQ entry into the old one, as the
 * device does. libmlx5 then copies. The front calls it from RESIZE_CQ. -EINVAL as for create,
 * -ENOSPC if the unread entries do not fit.
 */
int softhca_cq_resize(struct softhca_cq *cq, uint64_t buf_va, uint32_t cqes, uint32_t cqe_size);
/* softhca_cq_moderate: holds events back for `count` new entries, or `us` microseconds. */
void softhca_cq_moderate(struct softhca_cq *cq, uint16_t count, uint16_t us);
int softhca_cq_destroy(struct softhca_cq *cq);
struct softhca_cq *softhca_cq_find(struct softhca_dev *dev, uint32_t cqn);
uint32_t softhca_cq_num(const struct softhca_cq *cq);
void softhca_cq_set_user(struct softhca_cq *cq, void *user);
void *softhca_cq_user(const struct softhca_cq *cq);
/* softhca_cq_arm: the arm doorbell. `value` is its first word (sn << 28 | cmd << 24 | ci). */
void softhca_cq_arm(struct softhca_cq *cq, uint32_t value);
/* softhca_cq_overrun: causes the effects of an overrun (fault plan). */
void softhca_cq_overrun(struct softhca_cq *cq);
/* softhca_cq_wrap: moves both counters of an empty queue to two laps before 2^32 (fault plan). The
 * consumer's record is written, and the consumer must know it. */
void softhca_cq_wrap(struct softhca_cq *cq);

/* ---- shared receive queues ---- */

#define SOFTHCA_LOG_MAX_TAGS 7u /* entries of a tag list, as reported to drivers */

struct softhca_srq_attr {
	enum ibv_srq_type type;
	struct softhca_pd *pd;
	struct softhca_cq *cq;	   /* XRC, tag matching */
	struct softhca_xrcd *xrcd; /* XRC */
	uint64_t buf_va, db_va;
	uint32_t wqes;	    /* entries in the buffer, a power of two */
	uint32_t wqe_shift; /* log2 of the stride in bytes */
	uint32_t max_wr, max_sge, limit;
	uint32_t user_index;
	uint32_t max_tags; /* tag matching: entries of the list */
	bool cyclic; /* entries are taken in ring order, not in the order of the driver's links */
	bool bare;   /* cyclic: entries have data segments only, without a next segment */
};
int softhca_srq_create(struct softhca_dev *dev, const struct softhca_srq_attr *attr,
		       struct softhca_srq **srq, uint32_t *srqn);
/* softhca_srq_modify: mask is enum ibv_srq_attr_mask without MAX_WR. Arms the limit once. */
int softhca_srq_modify(struct softhca_srq *srq, const struct ibv_srq_attr *attr, int mask);
int softhca_srq_query(struct softhca_srq *srq, struct ibv_srq_attr *attr);
int softhca_srq_destroy(struct softhca_srq *srq);
struct softhca_srq *softhca_srq_find(struct softhca_dev *dev, uint32_t srqn);
uint32_t softhca_srq_num(const struct softhca_srq *srq);
uint16_t softhca_srq_taken(const struct softhca_srq *srq); /* entries consumed so far */
/* softhca_srq_attr: the attributes of its creation. */
const struct softhca_srq_attr *softhca_srq_attr(const struct softhca_srq *srq);
void softhca_srq_set_user(struct softhca_srq *srq, void *user);
void *softhca_srq_user(const struct softhca_srq *srq);

/* ---- queue pairs ---- */

enum softhca_qp_type {
	SOFTHCA_QP_RC,
	SOFTHCA_QP_UC,
	SOFTHCA_QP_UD,
	SOFTHCA_QP_XRC_INI, /* send side */
	SOFTHCA_QP_XRC_TGT, /* receive side: no queues */
	SOFTHCA_QP_DCI,
	SOFTHCA_QP_DCT,
	SOFTHCA_QP_RAW, /* IBV_QPT_RAW_PACKET */
	SOFTHCA_QP_RWQ, /* a receive work queue alone, made by softhca_wq_create() */
};

/* Striding receives: division of entries into strides. log_strides 0 means none. */
struct softhca_mprq {
	uint8_t log_stride, log_strides; /* bytes of a stride, strides of an entry */
	uint8_t shift;			 /* bytes left free at the start of a packet: 0 or 2 */
};

struct softhca_qp_create {
	enum softhca_qp_type type;
	struct softhca_pd *pd; /* NULL only for XRC_TGT */
	struct softhca_cq *send_cq, *recv_cq;
	struct softhca_srq *srq;
	struct softhca_xrcd *xrcd;    /* XRC_TGT */
	struct softhca_uar *uar;      /* page of its doorbells. NULL: any page */
	uint64_t rq_va, sq_va, db_va; /* rings and doorbell record (8 bytes: RCV at 0, SND at 4) */
	uint32_t rq_wqes, rq_stride;  /* entries (power of two, or 0), bytes each */
	uint32_t sq_wqes;	      /* 64-byte blocks (power of two, or 0) */
	uint32_t user_index;	      /* CQE version 1 */
	struct ibv_qp_cap cap;	      /* echoed by query */
	bool sq_sig_all;
	bool scatter_cqe, scatter_cqe_req; /* receives up to `scatter_bytes`; READs, atomics */
	uint32_t scatter_bytes;		   /* 32 or 64 */
	bool rq_signature;	   /* each RQ entry starts with a 16-byte signature segment */
	uint64_t dc_access_key;	   /* DCT */
	uint8_t log_dci_streams, log_dci_errored;
	bool umr_en; /* UMR WQEs allowed (RC: always true for libmlx5) */
	bool cross_master; /* may post SEND_EN (cd_master) */
	bool managed_send, no_record; /* only SEND_EN, or only doorbells, count requests */
	struct softhca_mprq mprq;
	/* raw packets */
	bool cvlan_strip, scatter_fcs;
	/*
	 * If the transport domain is not 0, frames sent in it are not received in it, not even by
	 * the sender. self_lb allows it for unicast or multicast frames.
	 */
	uint32_t domain;
	bool self_lb_uc, self_lb_mc;
	const struct softhca_rss *rss; /* distributes received packets. It has no own queues */
};
/*
 * softhca_qp_create: state RESET. A DCT has number 0 (`*qpn` = 0) until it reaches RTR. -EINVAL for
 * a wrong combination for the type, or sizes that are not powers of two. A foreign PD of the SRQ is
 * allowed (as in verbs). -ENOMEM for limits.
 */
bool softhca_qp_has_sq(enum softhca_qp_type type); /* whether such a queue pair may have one */
bool softhca_qp_has_rq(enum softhca_qp_type type);
int softhca_qp_create(struct softhca_dev *dev, const struct softhca_qp_create *attr,
		      struct softhca_qp **qp, uint32_t *qpn);
/*
 * softhca_qp_modify: ibv_modify_qp with the checks of ib_modify_qp_is_ok() and of mlx5:
 * transitions, required and optional masks per type, port, pkey index, GID index, MTU, rd_atomic
 * limits, timers. All or nothing. A DCT's `mask` and `attr` are as usual, the number comes at RTR.
 */
int softhca_qp_modify(struct softhca_qp *qp, const struct ibv_qp_attr *attr, int mask);
/* softhca_qp_query: fills all of `attr`, also the caps. */
int softhca_qp_query(struct softhca_qp *qp, struct ibv_qp_attr *attr);
/* [unlocked] softhca_rd_depth: number of READs and atomics that the device uses for such an
 * attribute: a power of two, or 0 for 0. */
uint32_t softhca_rd_depth(uint8_t rd_atomic);
/* softhca_let_arrive: receives the packets under way, as a card has done when a command ends. */
void softhca_let_arrive(void);
/* softhca_qp_drain_sigerr: in INIT: whether its own signature errors move it to SQD. */
int softhca_qp_drain_sigerr(struct softhca_qp *qp, bool drain);

/* softhca_qp_allow_mmo: sets whether memory copies may be posted (config.mmo_asked). */
void softhca_qp_allow_mmo(struct softhca_qp *qp, bool allowed);
/* softhca_qp_sent: counter of the first block of the send queue that has not been executed. */
uint16_t softhca_qp_sent(const struct softhca_qp *qp);
int softhca_qp_destroy(struct softhca_qp *qp);
/* softhca_qp_share: adds an owner, which must destroy it too. Only the last destruction takes
 * effect. -EINVAL: not an XRC target of this domain. */
int softhca_qp_share(struct softhca_qp *qp, const struct softhca_xrcd *xrcd);
struct softhca_qp *softhca_qp_find(struct softhca_dev *dev, uint32_t qpn);
uint32_t softhca_qp_num(const struct softhca_qp *qp);
/* softhca_rq_num: number of its receive queue, not the QP's in a raw one that also sends. */
uint32_t softhca_rq_num(const struct softhca_qp *qp);
/* softhca_qp_user_index: index that names it in completions of version 1. */
uint32_t softhca_qp_user_index(const struct softhca_qp *qp);
enum softhca_qp_type softhca_qp_type_of(const struct softhca_qp *qp);
enum ibv_qp_state softhca_qp_state(const struct softhca_qp *qp);
void softhca_qp_set_user(struct softhca_qp *qp, void *user);
void *softhca_qp_user(const struct softhca_qp *qp);
/*
 * softhca_qpn_reserve: reserves 1 << SOFTHCA_LOG_RESERVED_QPNS numbers from `first` on, a multiple
 * of that, which no queue pair gets. `owner` is not NULL.
 */
#define SOFTHCA_LOG_RESERVED_QPNS 5u
int softhca_qpn_reserve(struct softhca_dev *dev, void *owner, uint32_t *first);
void softhca_qpn_release(struct softhca_dev *dev, uint32_t first);
/* softhca_qp_reset_stream: DCI_STREAM_RESET (mlx5dv_dci_stream_id_reset). */
int softhca_qp_reset_stream(struct softhca_qp *qp, unsigned stream);
/*
 * Choices of a driver for a queue pair on its way from RESET, which the device only stores: packets
 * per request for an acknowledgement (a logarithm), and event counters.
 */
struct softhca_qp_choice {
	uint8_t log_ack_req_freq;
	uint8_t counter_set;
};
struct softhca_qp_choice softhca_qp_choice(const struct softhca_qp *qp);
void softhca_qp_choose(struct softhca_qp *qp, struct softhca_qp_choice choice);
/* Next bonded port, counted from 1. Queue pairs get them in turn, as in Linux. 0: none. */
uint8_t softhca_dev_next_lag_port(struct softhca_dev *dev);
/* Bonded ports: port that a queue pair sends through, counted from 1. 0: no bonded ports, or the QP
 * is in RESET. -EINVAL: there is no such port. */
uint8_t softhca_qp_lag_port(const struct softhca_qp *qp);
int softhca_qp_set_lag_port(struct softhca_qp *qp, uint8_t port);
void softhca_qp_begin_on_lag_port(struct softhca_qp *qp, uint8_t port); /* in INIT. 0: on none */
/* RC, UC on RoCE in RTS: the UDP source port of its packets. */
uint16_t softhca_qp_udp_sport(const struct softhca_qp *qp);
int softhca_qp_set_udp_sport(struct softhca_qp *qp, uint16_t sport);

/* ---- rate limits: pace.c ---- */

#define SOFTHCA_RATE_MIN 1u	     /* kb/s */
#define SOFTHCA_RATE_MAX 100000000u
#define SOFTHCA_MAX_SCHEDS 4096u

/* softhca_qp_set_rate: for a raw packet queue pair. 0: no limit. `burst` bytes may come at once. */
int softhca_qp_set_rate(struct softhca_qp *qp, uint32_t kbps, uint32_t burst);
/*
 * Scheduling elements: nodes, and below them leaves for queue pairs. -EINVAL for a leaf without a
 * parent, or an element below a leaf. Elements below a parent keep it (-EBUSY).
 */
int softhca_sched_create(struct softhca_dev *dev, struct softhca_sched *parent, bool leaf,
			 struct softhca_sched **sched, uint32_t *id);
struct softhca_sched *softhca_sched_find(struct softhca_dev *dev, uint32_t id);
/* softhca_sched_set_rate: sets the total rate of all elements below it. 0: no limit. */
void softhca_sched_set_rate(struct softhca_sched *sched, uint64_t mbps);
int softhca_sched_destroy(struct softhca_sched *sched);
/* softhca_qp_set_sched: NULL detaches. -EINVAL for a node. */
int softhca_qp_set_sched(struct softhca_qp *qp, struct softhca_sched *leaf);

/* Multicast, for UD only. -EINVAL for a GID that is not a multicast address, or on InfiniBand a LID
 * that is not. A second attachment does not count. */
int softhca_qp_mcast(struct softhca_qp *qp, const union ibv_gid *gid, uint16_t lid, bool attach);
/* softhca_qp_mcast_leave: detaches from every group, as the kernel does when a process dies. */
void softhca_qp_mcast_leave(struct softhca_qp *qp);

#endif
