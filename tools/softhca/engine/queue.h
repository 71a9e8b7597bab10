/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion queues, shared receive queues, queue pairs, and how fast they send. */
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
	struct softhca_uar *uar; /* where it is armed; NULL: any page */
	bool overrun_ignore;	 /* DEVX oi */
	bool collapsed;		 /* DEVX cc */
	bool want_events;	 /* false: arming never calls cq_event */
	bool pad;		 /* 128-byte entries: the first half is written each time */
	bool compress;
	bool enhanced;	     /* layout of compressed blocks */
	/* What mini CQEs of receives keep: enum mini_cqe_format, enum mini_cqe_format_ext. */
	uint8_t mini_format, mini_format_ext;
};
/*
 * softhca_cq_create: the buffer must be writable. -EINVAL: size not a power of two or above the
 * limit; -EFAULT. The engine does not initialise the entries: libmlx5 does (opcode INVALID).
 */
int softhca_cq_create(struct softhca_dev *dev, const struct softhca_cq_attr *attr,
		      struct softhca_cq **cq, uint32_t *cqn);
/*
 * softhca_cq_resize: moves to a new buffer and writes the RESIZE_CQ entry into the old one, as the
 * device does; libmlx5 then copies. The front calls it from RESIZE_CQ. -EINVAL as for create,
 * -ENOSPC when the unread entries do not fit.
 */
int softhca_cq_resize(struct softhca_cq *cq, uint64_t buf_va, uint32_t cqes, uint32_t cqe_size);
/* softhca_cq_moderate: hold events back until `count` entries are new, or `us` microseconds. */
void softhca_cq_moderate(struct softhca_cq *cq, uint16_t count, uint16_t us);
int softhca_cq_destroy(struct softhca_cq *cq);
struct softhca_cq *softhca_cq_find(struct softhca_dev *dev, uint32_t cqn);
uint32_t softhca_cq_num(const struct softhca_cq *cq);
void softhca_cq_set_user(struct softhca_cq *cq, void *user);
void *softhca_cq_user(const struct softhca_cq *cq);
/* softhca_cq_arm: the arm doorbell; value: its first word (sn << 28 | cmd << 24 | ci). */
void softhca_cq_arm(struct softhca_cq *cq, uint32_t value);
/* softhca_cq_overrun: provoke what an overrun provokes (fault plan). */
void softhca_cq_overrun(struct softhca_cq *cq);
/* softhca_cq_wrap: if the queue is empty, count both counters on to two laps before 2^32 (fault
 * plan). The consumer's record is written; the consumer must know. */
void softhca_cq_wrap(struct softhca_cq *cq);

/* ---- shared receive queues ---- */

#define SOFTHCA_LOG_MAX_TAGS 7u /* entries of a tag list, as announced */

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
	bool cyclic; /* entries are taken in ring order, not as the driver links them */
	bool bare;   /* cyclic: entries are data segments only, without a next segment */
};
int softhca_srq_create(struct softhca_dev *dev, const struct softhca_srq_attr *attr,
		       struct softhca_srq **srq, uint32_t *srqn);
/* softhca_srq_modify: mask: enum ibv_srq_attr_mask, not IBV_SRQ_MAX_WR. Arms the limit once. */
int softhca_srq_modify(struct softhca_srq *srq, const struct ibv_srq_attr *attr, int mask);
int softhca_srq_query(struct softhca_srq *srq, struct ibv_srq_attr *attr);
int softhca_srq_destroy(struct softhca_srq *srq);
struct softhca_srq *softhca_srq_find(struct softhca_dev *dev, uint32_t srqn);
uint32_t softhca_srq_num(const struct softhca_srq *srq);
uint16_t softhca_srq_taken(const struct softhca_srq *srq); /* entries consumed so far */
/* softhca_srq_attr: what it was created with. */
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
	SOFTHCA_QP_RWQ, /* a receive work queue alone; made by softhca_wq_create() */
};

/* Striding receives: how entries are cut; log_strides 0: they are not. */
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
	struct softhca_uar *uar;      /* whose doorbells ring it; NULL: any page */
	uint64_t rq_va, sq_va, db_va; /* rings and doorbell record (8 bytes: RCV at 0, SND at 4) */
	uint32_t rq_wqes, rq_stride;  /* entries (power of two, or 0), bytes each */
	uint32_t sq_wqes;	      /* 64-byte blocks (power of two, or 0) */
	uint32_t user_index;	      /* CQE version 1 */
	struct ibv_qp_cap cap;	      /* echoed by query */
	bool sq_sig_all;
	bool scatter_cqe, scatter_cqe_req; /* receives up to `scatter_bytes`; READs, atomics */
	uint32_t scatter_bytes;		   /* 32 or 64 */
	bool rq_signature;	   /* each RQ entry starts with a 16-byte signature segment */
	bool mpw_sq, no_flush_err; /* reserved, false */
	uint64_t dc_access_key;	   /* DCT */
	uint8_t log_dci_streams, log_dci_errored;
	bool umr_en; /* UMR WQEs allowed (RC: always true for libmlx5) */
	bool cross_master; /* may post SEND_EN (cd_master) */
	bool managed_send; /* executes what a SEND_EN releases, and nothing else (cd_slave_send) */
	struct softhca_mprq mprq;
	/* raw packets */
	bool cvlan_strip, scatter_fcs;
	/*
	 * What is sent in a transport domain is not received in it, if that is not 0, nor by the
	 * sender itself; unless self_lb allows it to unicast or multicast frames.
	 */
	uint32_t domain;
	bool self_lb_uc, self_lb_mc;
	const struct softhca_rss *rss; /* spreads what it receives; it has no queues of its own */
};
/*
 * softhca_qp_create: state RESET. A DCT has number 0 (`*qpn` = 0) until it reaches RTR.
 * -EINVAL: wrong combination for the type, sizes not powers of two, foreign PD of the SRQ is
 * allowed (as in verbs); -ENOMEM: limits.
 */
int softhca_qp_create(struct softhca_dev *dev, const struct softhca_qp_create *attr,
		      struct softhca_qp **qp, uint32_t *qpn);
/*
 * softhca_qp_modify: ibv_modify_qp with the checks of ib_modify_qp_is_ok() and of mlx5:
 * transitions, required and optional masks per type, port, pkey index, GID index, MTU, rd_atomic
 * limits, timers. All or nothing. A DCT's `mask` and `attr` are as usual, the number comes at RTR.
 */
int softhca_qp_modify(struct softhca_qp *qp, const struct ibv_qp_attr *attr, int mask);
/* softhca_qp_query: fills all of `attr`; the caps too. */
int softhca_qp_query(struct softhca_qp *qp, struct ibv_qp_attr *attr);
/* [unlocked] softhca_rd_depth: READs and atomics the device takes for such an attribute: a power of
 * two, or 0 for 0. */
uint32_t softhca_rd_depth(uint8_t rd_atomic);
/* softhca_let_arrive: takes in what is on the way, as a card has when a command ends. */
void softhca_let_arrive(void);
/* softhca_qp_drain_sigerr: in INIT: shall it go to SQD at a signature error of its own requests? */
int softhca_qp_drain_sigerr(struct softhca_qp *qp, bool drain);

/* softhca_qp_allow_mmo: memory copies may be posted (config.mmo_asked) or not. */
void softhca_qp_allow_mmo(struct softhca_qp *qp, bool allowed);
/* softhca_qp_sent: counter of the first block of the send queue that has not been executed. */
uint16_t softhca_qp_sent(const struct softhca_qp *qp);
int softhca_qp_destroy(struct softhca_qp *qp);
/* softhca_qp_share: one more to destroy it, each but the last only counts. -EINVAL: not an XRC
 * target of this domain. */
int softhca_qp_share(struct softhca_qp *qp, const struct softhca_xrcd *xrcd);
struct softhca_qp *softhca_qp_find(struct softhca_dev *dev, uint32_t qpn);
uint32_t softhca_qp_num(const struct softhca_qp *qp);
/* softhca_rq_num: of its receive queue, another one only in a raw packet queue pair that sends. */
uint32_t softhca_rq_num(const struct softhca_qp *qp);
/* softhca_qp_user_index: by which completions of version 1 name it. */
uint32_t softhca_qp_user_index(const struct softhca_qp *qp);
enum softhca_qp_type softhca_qp_type_of(const struct softhca_qp *qp);
enum ibv_qp_state softhca_qp_state(const struct softhca_qp *qp);
void softhca_qp_set_user(struct softhca_qp *qp, void *user);
void *softhca_qp_user(const struct softhca_qp *qp);
/*
 * softhca_qpn_reserve: 1 << SOFTHCA_LOG_RESERVED_QPNS numbers from `first` on, a multiple of that,
 * that no queue pair is given. `owner` is not NULL.
 */
#define SOFTHCA_LOG_RESERVED_QPNS 5u
int softhca_qpn_reserve(struct softhca_dev *dev, void *owner, uint32_t *first);
void softhca_qpn_release(struct softhca_dev *dev, uint32_t first);
/* softhca_qp_reset_stream: DCI_STREAM_RESET (mlx5dv_dci_stream_id_reset). */
int softhca_qp_reset_stream(struct softhca_qp *qp, unsigned stream);
/*
 * What a driver decides of a queue pair on its way from RESET, and the device only keeps: how many
 * packets ask for an acknowledgement (a logarithm), and where its events are counted.
 */
struct softhca_qp_choice {
	uint8_t log_ack_req_freq;
	uint8_t counter_set;
};
struct softhca_qp_choice softhca_qp_choice(const struct softhca_qp *qp);
void softhca_qp_choose(struct softhca_qp *qp, struct softhca_qp_choice choice);
/* Bonded ports go to queue pairs in turn, as Linux gives them out: the next, from 1; 0: none. */
uint8_t softhca_dev_next_lag_port(struct softhca_dev *dev);
/* Bonded ports: which one a queue pair sends through, from 1; 0: they are not, or it is in RESET.
 * -EINVAL: there is no such port. */
uint8_t softhca_qp_lag_port(const struct softhca_qp *qp);
int softhca_qp_set_lag_port(struct softhca_qp *qp, uint8_t port);
void softhca_qp_begin_on_lag_port(struct softhca_qp *qp, uint8_t port); /* in INIT; 0: on none */
/* RC, UC on RoCE in RTS: the UDP source port of its packets. */
uint16_t softhca_qp_udp_sport(const struct softhca_qp *qp);
int softhca_qp_set_udp_sport(struct softhca_qp *qp, uint16_t sport);

/* ---- how fast queues send: pace.c ---- */

#define SOFTHCA_RATE_MIN 1u	     /* kb/s */
#define SOFTHCA_RATE_MAX 100000000u
#define SOFTHCA_MAX_SCHEDS 4096u

/* softhca_qp_set_rate: of a raw packet queue pair; 0: no limit. `burst` bytes may come at once. */
int softhca_qp_set_rate(struct softhca_qp *qp, uint32_t kbps, uint32_t burst);
/*
 * Scheduling elements: nodes, and below them leaves for queue pairs. -EINVAL: a leaf without a
 * parent, or something below a leaf. The parent stays as long as something is below it (-EBUSY).
 */
int softhca_sched_create(struct softhca_dev *dev, struct softhca_sched *parent, bool leaf,
			 struct softhca_sched **sched, uint32_t *id);
struct softhca_sched *softhca_sched_find(struct softhca_dev *dev, uint32_t id);
/* softhca_sched_set_rate: of all that is below it together; 0: no limit. */
void softhca_sched_set_rate(struct softhca_sched *sched, uint64_t mbps);
int softhca_sched_destroy(struct softhca_sched *sched);
/* softhca_qp_set_sched: NULL detaches. -EINVAL for a node. */
int softhca_qp_set_sched(struct softhca_qp *qp, struct softhca_sched *leaf);

/* Multicast: UD only. -EINVAL for a GID that is no multicast address, or on InfiniBand a LID that
 * is none; attaching twice is counted once. */
int softhca_qp_mcast(struct softhca_qp *qp, const union ibv_gid *gid, uint16_t lid, bool attach);
/* softhca_qp_mcast_leave: detach from every group, as the kernel does when a process dies. */
void softhca_qp_mcast_leave(struct softhca_qp *qp);

#endif
