/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Structures shared by the files of the engine, and what the device proper and the transport
 * (transport/, wire/) promise each other. Everything here runs under the process-wide lock, and
 * nothing blocks.
 *
 * The way of a message: queue/sq.c fetches its WQE, softhca_req_post() hands it to
 * transport/requester.c, wire/ carries its packets, and transport/responder.c writes it through
 * softhca_rq_take() (queue/rq.c), softhca_mem_*() (memory/) and softhca_cq_push_recv()
 * (queue/cq.c). The acknowledgement ends in softhca_sq_complete() (queue/sq.c).
 */
#ifndef SOFTHCA_INTERNAL_H
#define SOFTHCA_INTERNAL_H

#include "tools/softhca/engine/counters.h"
#include "engine.h"
#include "tools/softhca/engine/cross.h"
#include "tools/softhca/engine/pace.h"
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/referee.h"
#include "tools/softhca/engine/uar.h"
#include "tools/softhca/engine/watch.h"

#define SOFTHCA_MAX_DEKS (1u << SOFTHCA_LOG_MAX_DEKS)
#define SOFTHCA_NUM_MASK 0xffffffu /* QP, CQ, SRQ numbers are 24 bits */

struct softhca_msg;
struct softhca_pkt; /* packet/packet.h */

/* ---- tables by number ---- */

/* 24-bit numbers to objects: dense, slot 0 is never given, numbers go round robin. */
struct softhca_table {
	void **slot;
	uint32_t size, used, next, max;
	uint32_t base; /* number of slot 0 */
};

int softhca_table_add(struct softhca_table *t, void *obj, uint32_t *num);
/* The next object gets this number, if it is free. */
void softhca_table_next(struct softhca_table *t, uint32_t num);
void *softhca_table_get(const struct softhca_table *t, uint32_t num);
void softhca_table_del(struct softhca_table *t, uint32_t num);
/* Iterate: for (n = 0; (obj = softhca_table_iter(t, &n)); ) ; `n` ends as the number of `obj`. */
void *softhca_table_iter(const struct softhca_table *t, uint32_t *num);
void softhca_table_free(struct softhca_table *t);
/* Destroys the objects of a table of the device, as far as they let themselves be destroyed. */
#define SOFTHCA_DRAIN(dev, table, type, destroy)                        \
	do {                                                            \
		uint32_t num = 0;                                       \
		type *obj;                                              \
		while ((obj = softhca_table_iter(&(dev)->table, &num))) \
			destroy(obj);                                   \
	} while (0)

/* ---- errors ---- */

/* CQE syndromes as in enum of mlx5dv.h; 0 is success. */
enum softhca_syndrome {
	SOFTHCA_OK = 0,
	SOFTHCA_LOCAL_LENGTH = 0x01,
	SOFTHCA_LOCAL_QP_OP = 0x02,
	SOFTHCA_LOCAL_PROT = 0x04,
	SOFTHCA_FLUSH = 0x05,
	SOFTHCA_MW_BIND = 0x06,
	SOFTHCA_BAD_RESP = 0x10,
	SOFTHCA_LOCAL_ACCESS = 0x11,
	SOFTHCA_REMOTE_INVAL_REQ = 0x12,
	SOFTHCA_REMOTE_ACCESS = 0x13,
	SOFTHCA_REMOTE_OP = 0x14,
	SOFTHCA_RETRY_EXC = 0x15,
	SOFTHCA_RNR_RETRY_EXC = 0x16,
	SOFTHCA_REMOTE_ABORTED = 0x22,
};
/* Vendor syndromes we have evidence for (reliability.md); others are 0. */
enum softhca_vendor {
	SOFTHCA_VENDOR_WQE_INDEX = 0x68,
	SOFTHCA_VENDOR_RETRY = 0x81,
	SOFTHCA_VENDOR_ACCESS = 0x88,
	SOFTHCA_VENDOR_PSN = 0x99,
	SOFTHCA_VENDOR_FLUSH = 0xf9,
};

/* softhca_lock_after_others: softhca_lock() for the device thread, which must starve nobody. */
void softhca_lock_after_others(void);

/* ---- application memory (copy.c) ---- */

/* Look again who handles SIGSEGV; softhca_lock() does it. */
void softhca_copy_refresh(void);
/* softhca_copy_refresh_soon: for who comes often: after a known change, else now and then. */
void softhca_copy_refresh_soon(void);
/* softhca_copy_never_blocks: the calling thread lets faults through, for ever. */
void softhca_copy_never_blocks(void);

/* ---- device, port ---- */

struct softhca_port {
	struct softhca_dev *dev;
	unsigned num; /* from 1 */
	enum softhca_link link;
	enum ibv_port_state state;
	enum ibv_mtu active_mtu;
	/* Filled in by softhca_wire_port_open() from the claimed address: */
	uint16_t lid;			 /* IB; 0 on RoCE */
	uint8_t mac[6];			 /* RoCE */
	uint32_t ipv4;			 /* claimed address, host order */
	union ibv_gid gid[SOFTHCA_GIDS]; /* all zero: empty */
	uint8_t gid_type[SOFTHCA_GIDS];	 /* 0 IB/RoCE v1, 1 RoCE v2 */
	uint16_t pkey[SOFTHCA_PKEYS];
	void *wire; /* wire/wire_priv.h */
	uint64_t events[SOFTHCA_COUNT_MAX];
	uint64_t link_downed;
	struct softhca_traffic cleared; /* as it was then */
	struct softhca_pause {
		struct softhca_held_frame *head, *last;
		uint64_t bytes, since; /* since when the first one waits; 0: not known yet */
	} pause;
};

struct softhca_dev {
	struct softhca_dev *next; /* list of live devices */
	struct softhca_config cfg;
	const struct softhca_ops *ops;
	void *ops_arg;
	bool fatal;
	uint64_t guid;
	struct softhca_port port[SOFTHCA_MAX_PORTS + 1]; /* [0] unused */
	struct softhca_table pds, xrcds, cqs, srqs, qps, rqs, uars, rwq_tables, reserved_qpns, psvs,
		deks, logins, scheds, mkeys; /* mkeys: by index, key >> 8 */
	struct softhca_look look;
	bool offload_keys; /* there are, or were, some that can have signatures or crypto */
	/* numbers of completion queues still to be looked at since one was armed, from which on */
	uint32_t arm_unseen, arm_at;
	struct softhca_mkey *null_mkey;
	struct softhca_qp
		*run_list; /* QPs whose send queue has something to do; through qp->run_next */
	struct softhca_qp *waiting; /* QPs held by a WAIT; through qp->wait.next */
	struct softhca_msg *msg_pool; /* free softhca_msg */
	struct softhca_referee *referee;
	uint64_t next_scan;	     /* referee: ns */
	struct softhca_qp *paced;    /* those that wait until they may send; through pace_next */
	uint8_t next_lag_port;
	unsigned held_events;	     /* CQs whose event moderation holds back */
	struct softhca_mcast *mcast; /* list of (gid, qp) */
	struct softhca_clock *clocks;
	struct softhca_steer *steer; /* rules, in the order in which they are asked */
	void *transport;	     /* its per-device state: timers, fault plan */
};

/* What this part keeps for the process. */
extern struct the_engine {
	struct softhca_dev *devs;
	/* See plugins.h; NULL: they are not linked. */
	const struct softhca_raw_plugin *raw;
	const struct softhca_offload_plugin *offload;
} the_engine;

/* ---- memory (mem.c) ---- */

struct softhca_pd {
	struct softhca_dev *dev;
	uint32_t pdn;
	unsigned refs;
};

struct softhca_xrcd {
	struct softhca_dev *dev;
	uint32_t num;
	unsigned refs;
};

/* What an access wants to do. One of READ.. plus the kind of key. */
enum softhca_right {
	SOFTHCA_LOCAL_READ,
	SOFTHCA_LOCAL_WRITE,
	SOFTHCA_REMOTE_READ,
	SOFTHCA_REMOTE_WRITE,
	SOFTHCA_REMOTE_ATOMIC,
};

/* On whose behalf memory is touched. */
struct softhca_access {
	struct softhca_dev *dev;
	struct softhca_pd *pd;
	struct softhca_qp
		*qp; /* for type 2 windows (bound to a QP) and for the referee; may be NULL */
	enum softhca_right right;
};

/*
 * All of these return an enum softhca_syndrome: SOFTHCA_OK, SOFTHCA_LOCAL_PROT (local rights), or
 * SOFTHCA_REMOTE_ACCESS (remote rights), whatever the reason: unknown key, foreign PD, missing
 * right, out of bounds, unmapped page. The referee is told the exact reason, once per (qp, reason).
 *
 * check: could [va, va + len) be accessed? Touches nothing. len 0 succeeds for any key (IBTA: not
 * checked). read/write: copy between `buf` and keyed memory.
 */
int softhca_mem_check(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len);
/* softhca_mem_whole: the same, and the range is all that a message has of the key. */
int softhca_mem_whole(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len);
int softhca_mem_read(const struct softhca_access *a, uint32_t key, uint64_t va, void *buf,
		     size_t len);
int softhca_mem_write(const struct softhca_access *a, uint32_t key, uint64_t va, const void *buf,
		      size_t len);

/* Operands in host order. size: 4 or 8 bytes. Plain CS and FA: 8, and the masks noted. */
struct softhca_atomic {
	uint8_t size;
	bool is_fadd; /* fetch and add; else compare and swap */
	bool masked;
	uint64_t swap_add;     /* swap value, or addend */
	uint64_t compare;      /* CS */
	uint64_t swap_mask;    /* masked CS: bits that are replaced; plain: ~0 */
	uint64_t compare_mask; /* masked CS: bits that are compared; plain: ~0 */
	uint64_t
		add_boundary; /* masked FA: a set bit ends a field (no carry out of it); plain: 0 */
};
/*
 * softhca_mem_atomic: performs it, gives the original value (host order). Misaligned:
 * SOFTHCA_REMOTE_INVAL_REQ. Uses right SOFTHCA_REMOTE_ATOMIC whatever a->right says. Duplicates
 * must not come here again: the responder keeps the result.
 */
int softhca_mem_atomic(const struct softhca_access *a, uint32_t rkey, uint64_t va,
		       const struct softhca_atomic *op, uint64_t *orig);
/*
 * softhca_mem_invalidate: SEND with invalidate at the responder, LOCAL_INV: makes an rkey free.
 * Only type 2 windows and UMR-able keys of the QP's PD; anything else gives SOFTHCA_REMOTE_ACCESS
 * (or SOFTHCA_MW_BIND when a->right is local).
 */
int softhca_mem_invalidate(const struct softhca_access *a, uint32_t rkey);

/* ---- work requests ---- */

enum softhca_kind {
	SOFTHCA_MSG_SEND,
	SOFTHCA_MSG_WRITE,
	SOFTHCA_MSG_READ,
	SOFTHCA_MSG_ATOMIC,
	SOFTHCA_MSG_LOCAL, /* NOP, UMR, ...: never reaches the requester */
};

/* A path: from ibv_ah_attr for connected QPs, from the datagram segment for UD and DCI. */
struct softhca_av {
	uint8_t port; /* our port */
	bool grh;
	union ibv_gid dgid;
	uint32_t flow_label;
	uint8_t sgid_index, hop_limit, tclass;
	uint16_t dlid;
	uint8_t sl, path_bits, static_rate;
	uint8_t rmac[6];    /* RoCE, from the datagram segment */
	uint16_t udp_sport; /* RoCE, 0 if not given */
};

struct softhca_dest {
	struct softhca_av av;
	uint32_t dqpn;	/* UD: QPN; DCI: DCT number */
	uint32_t qkey;	/* UD: already replaced by the QP's own if the MSB was set */
	uint64_t dckey; /* DCI */
};

struct softhca_span {
	uint64_t va;
	uint32_t len, lkey;
};

/* What the Ethernet segment asks for. */
struct softhca_eth_wqe {
	const uint8_t *inlined; /* the first bytes of the frame */
	uint16_t inline_len, mss, tci;
	uint8_t cs_flags;
	bool insert_tag, service_tag;
};

/* A rendezvous whose data the device reads (tm.c). */
struct softhca_tm_move {
	uint16_t info; /* the tag entry */
	uint32_t len;
	uint8_t tmh[16];
};

#define SOFTHCA_MAX_SPANS  63
#define SOFTHCA_MAX_INLINE 1008

/*
 * One send WQE, decoded. sq.c allocates and frees it. From softhca_req_post() to
 * softhca_sq_complete() (or softhca_req_stop()) it belongs to the requester, which may use `req`
 * and the first_psn/last_psn fields; everything else is read-only for it.
 */
struct softhca_msg {
	struct softhca_msg *next; /* sq.c's: the QP's messages in order */
	enum softhca_kind kind;
	uint8_t opcode;	  /* the WQE's opcode */
	uint8_t executes; /* and that of the request as which it is carried out */
	bool signalled, first_error_only;
	bool solicited, has_imm, has_inv;
	uint8_t fence;		  /* sq.c has already waited; information only */
	bool done;		  /* sq.c */
	bool watched, late;	  /* see watch.h */
	bool of_stream;		  /* sq.c: its error stops a DCI's stream, not the queue pair */
	uint8_t syndrome, vendor; /* sq.c */
	uint16_t wqe_index;	  /* counter of the first 64-byte block */
	uint16_t wqebbs;
	uint16_t stream;	    /* DCI */
	uint32_t imm;		    /* raw, as it lies in the WQE: network order */
	uint32_t inv_key;	    /* host order */
	uint64_t raddr;
	uint32_t rkey;
	uint32_t xrc_srqn; /* XRC */
	uint64_t length;   /* of the inline bytes and the spans */
	/* Posted by the device itself: in no ring, with no completion; called at its end. */
	void (*internal)(struct softhca_qp *qp, const struct softhca_tm_move *move, int syndrome);
	const struct softhca_dest
		*dest; /* UD, DCI: &dest_buf; connected: NULL, use qp->av, qp->attr */
	/* requester's: */
	uint32_t first_psn, last_psn;
	struct {
		struct softhca_msg *next;
		uint32_t retries, npkts;
	} req;
	unsigned nspans;
	uint32_t inline_len;
	/*
	 * What is before this is cleared for each message, what comes now is written by whom it is
	 * for. A plain message of one piece takes two cache lines: a full queue has thousands.
	 */
	struct {
		/* the gather or scatter list behind the inline bytes */
		struct softhca_span span[SOFTHCA_MAX_SPANS];
		uint8_t inline_data[SOFTHCA_MAX_INLINE];
	} u;
	struct softhca_watch watch;	/* with `watched`, `late` */
	struct softhca_eth_wqe eth;	/* raw packet: only while the WQE is executed */
	struct softhca_atomic atomic;	/* SOFTHCA_MSG_ATOMIC */
	struct softhca_tm_move move;	/* with `internal` */
	struct softhca_dest dest_buf;	/* with `dest` */
};

/*
 * Payload access for the requester; offset + len <= msg->length.
 * gather: SOFTHCA_OK or SOFTHCA_LOCAL_PROT. scatter (READ response, atomic result): likewise.
 */
int softhca_msg_gather(struct softhca_qp *qp, const struct softhca_msg *msg, uint64_t offset,
		       void *buf, size_t len);
int softhca_msg_scatter(struct softhca_qp *qp, struct softhca_msg *msg, uint64_t offset,
			const void *buf, size_t len);

/* One piece of a list, as a flat range; one of src (write memory) and dst (read) is set. */
struct softhca_range {
	uint64_t offset;
	size_t len;
	const uint8_t *src;
	uint8_t *dst;
};
/* softhca_spans_copy: the range must lie within the sum of the spans. */
int softhca_spans_copy(const struct softhca_access *a, const struct softhca_span *span, unsigned n,
		       const struct softhca_range *range);
/* softhca_spans_whole: may `len` bytes, for which there is room, go there? At a message's end. */
int softhca_spans_whole(const struct softhca_access *a, const struct softhca_span *span, unsigned n,
			uint64_t len);

/* ---- queue pair ---- */

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

/* ---- transport (transport/transport.c) ---- */

/* Per device: called from softhca_dev_create/destroy. port_open claims an address and fills in the
 * port's lid, mac, ipv4, gid[], gid_type[]. */
int softhca_transport_dev_init(struct softhca_dev *dev);
void softhca_transport_dev_fini(struct softhca_dev *dev);
/* Multicast memberships have changed; the first failure of those that want a socket. */
int softhca_transport_dev_groups(struct softhca_dev *dev);
int softhca_wire_port_open(struct softhca_port *port);
void softhca_wire_port_close(struct softhca_port *port);
/* In the child of fork(): forget sockets (close the child's copies) without telling anybody, and
 * what the parent's queue pairs wait for. */
void softhca_transport_fork_child(void);
/* Sockets to sleep on: fills up to `max` descriptors, returns how many. They must be readable
 * exactly when there is something to receive. */
int softhca_wire_fds(int *fds, int max);
/* Can `gid` (or `dlid` on IB without GRH) be addressed? 0 or -EHOSTUNREACH. mac may be NULL. */
int softhca_wire_resolve(const struct softhca_port *port, const struct softhca_av *av,
			 uint8_t mac[6]);

/*
 * One turn: receive and handle packets, own-process deliveries, run timers and retransmissions.
 * Bounded (a few hundred packets) so that the lock is released now and then. Returns the number of
 * things done. *next_ns becomes min(*next_ns, next timer).
 */
int softhca_transport_poll(uint64_t now_ns, uint64_t *next_ns);

/*
 * QP life cycle. init: after create (allocate qp->req, qp->resp), may fail with -ENOMEM. modify:
 * after the attributes of a legal transition have been stored; `from` is the old state (RESET->..:
 * take sq_psn, rq_psn when their bits are in mask; ->RESET: forget all). fini: before the QP is
 * freed; also called for QPs still busy: silently drop everything.
 */
int softhca_transport_qp_init(struct softhca_qp *qp);
void softhca_transport_qp_modify(struct softhca_qp *qp, enum ibv_qp_state from, int mask);
void softhca_transport_qp_fini(struct softhca_qp *qp);

/*
 * softhca_req_post: take over `msg`; called in ring order, in state RTS (or SQD for the rest).
 * Always succeeds: errors come through softhca_sq_complete(), which must NOT be called from within
 * softhca_req_post() (queue it for the next poll, or see below). Exception: unreliable sends (UC,
 * UD, raw) and messages that fail at once may complete inside softhca_req_post(). Local protection
 * errors are found by the requester when it gathers, and reported with syndrome SOFTHCA_LOCAL_PROT.
 */
void softhca_req_post(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_req_kick: after a batch of posts: send what may be sent now. */
void softhca_req_kick(struct softhca_qp *qp);
/* softhca_qp_set_path: the primary path from now on; the port is the caller's. */
void softhca_qp_set_path(struct softhca_qp *qp, const struct ibv_ah_attr *ah);

/* softhca_req_wake: may send again, after softhca_pace_ready() said no. */
void softhca_req_wake(struct softhca_qp *qp);
/* softhca_req_stop: forget all messages of the QP: they are being flushed by the caller. No
 * softhca_sq_complete() for them afterwards. */
void softhca_req_stop(struct softhca_qp *qp);
/* softhca_req_stop_stream: the same for one stream of a DCI; the other streams go on. */
void softhca_req_stop_stream(struct softhca_qp *qp, uint16_t stream);
/* softhca_resp_stop: forget partly received messages (their receive WQE, if taken, has been or will
 * be flushed by the responder via softhca_cq_push_recv_err(qp, rwqe, SOFTHCA_FLUSH,
 * SOFTHCA_VENDOR_FLUSH) from inside this call). */
void softhca_resp_stop(struct softhca_qp *qp);
/* softhca_resp_rq_posted: new receive WQEs are there (a doorbell record changed is not seen: only
 * for resumed RNR in the same process). Optional. */

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

/* ---- receive side (queue/rq.c, queue/srq.c) ---- */

struct softhca_rwqe {
	uint16_t counter;	 /* for the CQE */
	struct softhca_srq *srq; /* whence it came, or NULL */
	struct softhca_qp *qp;
	uint64_t length; /* bytes it can take */
	bool only;	 /* the whole message is in one packet: it may be scattered inline */
	/* set by the responder: what is scattered next is the end of the message */
	bool last;
	bool in_cqe;	 /* rq.c: the data is in inline_data, goes into the CQE */
	uint8_t inline_len;
	/* tag matching: op is enum tm_app_op, 0: not such a queue */
	struct {
		/* skip: bytes at the start of the message that are not scattered */
		uint8_t op, skip;
		bool matched;	  /* a tagged buffer, not an entry of the ring */
		uint16_t info;
		uint8_t tmh[16];
	} tm;
	unsigned nspans;
	uint8_t inline_data[64];
	struct softhca_span span[32];
};

/*
 * softhca_rq_take: the next receive WQE of the QP (its RQ, or its SRQ), or with xrc_srqn != 0 of
 * that SRQ (XRC target: it must be an XRC SRQ of the QP's domain). 0; -EAGAIN: none (RNR NAK, or
 * drop); -EINVAL: no such SRQ or malformed list (remote op error); The entry is consumed: it must
 * be completed by one of the push functions, exactly once.
 */
int softhca_rq_take(struct softhca_qp *qp, uint32_t xrc_srqn, struct softhca_rwqe *rwqe);
/* softhca_rq_read: an entry by its counter, taken or not. 0 or -EINVAL. */
int softhca_rq_read(struct softhca_qp *qp, uint16_t counter, struct softhca_rwqe *rwqe);
/* softhca_rq_avail: is there one, without taking it? */
bool softhca_rq_avail(struct softhca_qp *qp, uint32_t xrc_srqn);
/*
 * softhca_rq_scatter: writes message bytes at `offset`. SOFTHCA_OK, SOFTHCA_LOCAL_LENGTH (does not
 * fit: nothing written beyond the end) or SOFTHCA_LOCAL_PROT. UD: the responder writes the 40 bytes
 * of GRH at offset 0 itself (zeros/undefined when there was none).
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
	uint64_t bytes;	  /* for UD: including the 40 of the GRH */
	uint32_t imm_inv; /* immediate data or key, big-endian, as it will lie in the CQE */
	uint32_t src_qp;  /* UD, XRC */
	uint16_t slid;
	uint8_t sl, path_bits;
	bool grh;
	bool roce_v2_ip4; /* l3 type bits on RoCE */
	uint16_t pkey_index;
	bool solicited;
	uint32_t dctn;			    /* information only */
	const struct softhca_eth_info *eth; /* raw packets */
};

/* What a completion says of a frame besides. */
struct softhca_eth_info {
	const struct softhca_eth *hdr;
	uint32_t tag, hash;
	uint8_t hash_type;
	bool stripped;
	bool filler;	  /* striding: the strides carry no data */
	uint32_t strides; /* striding: how many it took; else 0 */
	uint16_t wqe_id;  /* striding: which entry */
};
void softhca_cq_push_recv(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
			  const struct softhca_recv_info *info);
void softhca_cq_push_recv_err(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
			      uint8_t syndrome, uint8_t vendor);
/* softhca_rq_flush: FLUSH completions for all posted receives (not SRQ). _reset: forget. */
void softhca_rq_flush(struct softhca_qp *qp);
/* softhca_rq_flush_late: for receives posted in ERR, which ring no doorbell; now and then. */
void softhca_rq_flush_late(struct softhca_dev *dev);
void softhca_rq_reset(struct softhca_qp *qp);

struct softhca_tm;

struct softhca_srq {
	struct softhca_dev *dev;
	uint32_t srqn;
	struct softhca_srq_attr attr;
	struct softhca_pd *pd;
	struct softhca_cq *cq;
	struct softhca_xrcd *xrcd;
	struct softhca_tm *tm; /* tag list, of type TM only */
	uint16_t head;	/* next entry to take (follows next_wqe_index) */
	uint16_t taken; /* counter of entries taken; producer is in the doorbell record */
	uint32_t limit; /* armed if != 0 */
	unsigned refs;
	uint64_t referee_told;
	bool dead;
	void *user;
};
/* softhca_srq_check_limit: raises SRQ_LIMIT_REACHED once when fewer entries than armed are left. */
void softhca_srq_check_limit(struct softhca_srq *srq);
/* Data segments of a receive entry; -EINVAL for anything else. */
int softhca_rwqe_parse(struct softhca_rwqe *rwqe, const uint8_t *raw, size_t size);
int softhca_srq_take(struct softhca_srq *srq, struct softhca_rwqe *rwqe);
uint32_t softhca_srq_posted(struct softhca_srq *srq);

/* ---- completion queue (cq.c) ---- */

struct softhca_cq {
	struct softhca_dev *dev;
	uint32_t cqn;
	struct softhca_cq_attr attr;
	uint32_t pi;	  /* entries written, 32 bits; owner bit is bit log2(cqes) of it */
	uint32_t last_ci; /* highest consumer index seen (24 bits) */
	bool armed, arm_solicited;
	uint32_t arm_sn;
	uint32_t last_arm; /* last arm record value acted upon; UINT32_MAX: none */
	bool overrun;	   /* dead: CQ_ERR was raised */
	uint64_t referee_told;
	uint32_t notified_pi;  /* producer index when the last event was raised */
	uint32_t hold_count;   /* moderation: an event waits for so many entries, */
	uint64_t hold_ns;      /* or for so long after the entry that would have raised it */
	uint64_t held_until;   /* an event is being held back; 0: none */
	uint32_t solicited_pi; /* producer index after the last solicited entry */
	uint32_t produced;     /* completions, compressed or not, and whether written or not */
	struct softhca_cq_session *session; /* a block to be; NULL: it does not compress */
	unsigned refs;
	void *user;
};

/* The variable part of a send CQE. */
struct softhca_send_info {
	uint8_t opcode; /* CQE opcode: REQ or REQ_ERR */
	uint8_t syndrome, vendor;
};
void softhca_cq_push_send(struct softhca_qp *qp, const struct softhca_msg *msg);
void softhca_cq_push_send_err(struct softhca_qp *qp, uint16_t wqe_index, uint8_t wqe_opcode,
			      uint8_t syndrome, uint8_t vendor);
struct segue_cqe_sig_err_cqe;
/* softhca_cq_push_sig_err: a signature error of a key that `qp` used, as requester or else as
 * responder; the rest of `cqe` is filled in. A queue pair that is to stop then does (requester). */
void softhca_cq_push_sig_err(struct softhca_qp *qp, bool local, struct segue_cqe_sig_err_cqe *cqe);
/* softhca_cq_produced: completions so far; a WAIT compares the lower 24 bits. */
uint32_t softhca_cq_produced(const struct softhca_cq *cq);
/* softhca_cq_close_all: writes blocks of compressed completions that are not complete: at the end
 * of each turn. softhca_cq_forget_all: in the child of fork(). */
void softhca_cq_close_all(void);
void softhca_cq_forget_all(void);
/* softhca_cq_check_consumer: has the consumer index gone backwards? For the referee. */
void softhca_cq_check_consumer(struct softhca_cq *cq);
/* softhca_cq_scan_arm: reads the arm record; used when a doorbell arrived or was overwritten. */
void softhca_cq_scan_arm(struct softhca_cq *cq);
/* softhca_cq_run_held: raises the events that were held back long enough; *next_ns becomes at most
 * the time of the next one. Returns how many there were. */
int softhca_cq_run_held(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns);

/* softhca_clock_tick - writes the clock pages; the time they show (clock.c). */
uint64_t softhca_clock_tick(const struct softhca_dev *dev);

/* softhca_clock_show - the same, for who does not need the time. */
static inline void softhca_clock_show(const struct softhca_dev *dev)
{
	if (dev->clocks)
		(void)softhca_clock_tick(dev);
}

/* ---- events (event.c) ---- */

void softhca_event_qp(struct softhca_qp *qp, enum ibv_event_type type);
void softhca_event_cq(struct softhca_cq *cq, enum ibv_event_type type);
void softhca_event_srq(struct softhca_srq *srq, enum ibv_event_type type);
void softhca_event_port(struct softhca_dev *dev, enum ibv_event_type type, unsigned port);

/* ---- multicast (dev.c) ---- */

struct softhca_mcast {
	struct softhca_mcast *next;
	union ibv_gid gid;
	struct softhca_qp *qp;
};
/* softhca_mcast_count: groups the QP is attached to. */
unsigned softhca_mcast_count(const struct softhca_qp *qp);

#endif
