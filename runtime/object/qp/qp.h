/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_QP_H
#define SEGUE_RUNTIME_QP_H

#include <stdatomic.h>

#include "runtime/object/cq/entries.h"
#include "runtime/object/seam/seam.h"
#include "runtime/object/tree/object.h"
#include "segue/gen/builders.h"
#include "segue/qp.h"

/*
 * A mark in a completion queue: the completions of that moment end at most `entries` after `from`.
 */
struct seguei_mark {
	uint32_t from, entries;
};

enum seguei_stop_step {
	SEGUEI_STOP_BEGUN,
	SEGUEI_STOP_LEFT, /* the device has stopped, and its last completions are not yet polled */
};

/* Progress of a queue pair that comes to rest. */
struct seguei_stop {
	enum segue_qp_stop how; /* SEGUE_QP_STOP_NONE if no call has asked for it */
	enum seguei_stop_step step;
	struct seguei_mark send, recv; /* marks in its completion queues */
	bool gone;		       /* the device is gone */
	bool handing;	    /* requests are being returned. Handlers may not close the queue pair
			 during that */
	bool looked;	    /* the tail of requests was checked */
	uint32_t looked_at; /* producer index at that check */
	uint64_t ask_at;    /* time of the next query of the device, CLOCK_MONOTONIC
					  in ns */
};

/* The peer, as in the last modify calls. */
struct seguei_peer {
	uint32_t qpn; /* 0 if not known, or none */
	uint16_t dlid;
	bool global;
	struct segue_gid gid;
	uint8_t rnr_retry;
	uint32_t psn;	 /* chosen at random for this peer. 0 means none */
	bool psn_used;	 /* a connection with it has begun */
	uint32_t rq_psn; /* of the last connection that got as far as RTR */
	bool lived;	 /* whether there was one */
};

/* The halves of its queues that another thread polls. */
struct seguei_halves {
	struct segue_sq sq;
	struct segue_rq rq;
};

/* Limits as libmlx5 computes them, and flags of each request, for runtime/verbs/. */
struct seguei_verbs_limits {
	uint32_t max_send_sge, max_recv_sge;
	uint32_t max_inline;
	uint32_t flags; /* SEGUE_SIGNALED if the queue pair was created with sq_sig_all */
	/* unsignaled requests may fill the queue, as with libmlx5. None is made to complete */
	bool may_fill;
	/* The rest is for runtime/verbs/send.h, which fills it at the first post. */
	const struct segue_machine *machine;
	uint32_t plain;	   /* number of opcodes that its fast path takes */
	uint32_t address;  /* bytes of the segments between control and remote address */
	ptrdiff_t vector_at; /* of libmlx5's address handles */
	uint32_t pieces;   /* of a request that is written in place, plus 1. 0: none is */
	/* first quadwords of control segments, with a piece. 0: of requests without pieces */
	uint64_t first[11];
	/* second quadwords, as in the ring, by enum ibv_send_flags below IBV_SEND_INLINE */
	uint64_t seconds[8];
	uint32_t in_block[11]; /* bytes of inline data that the first block takes, by opcode */
	/* raw packet: bytes of a frame that its Ethernet segment holds, and most bytes for TSO */
	uint32_t headers, max_tso_header;
	bool checksums; /* raw packet: the device computes them */
};

struct segue_qp {
	struct seguei_object object; /* first */
	struct ibv_qp *qp;
	struct seguei_cross *cross; /* NULL if libmlx5 created it (cross_channel.h) */
	enum segue_qp_type type;
	const struct segue_transport_table *transport;
	_Atomic uint32_t state; /* written by its owner's thread, as are its queues */
	/* set by the thread that reads events. The owner checks it with the device */
	atomic_bool failed;
	atomic_bool last_wqe; /* likewise: in ERR, it takes no more shared receives */
	bool may_receive;     /* it has been in RTR since the last RESET */
	bool adopted;
	/* as far as Segue knows, only Segue rings its doorbell register */
	bool counts_users;
	bool own_register;  /* by the program's promise, only its thread rings the register */
	bool device_memcpy; /* opened with that option */
	bool has_sq, has_rq;
	struct segue_cq *send_cq, *recv_cq; /* NULL if the queue pair has no such side */
	struct segue_srq *srq;
	void *context;
	bool names_indices;     /* completions carry one (CQEs of version 1) */
	/* raw packet, DCT: number by which completions of its receives name it */
	uint32_t receive_index;
	bool has_receive_index; /* that number is known */
	uint32_t attached; /* number under which its completion queues know it. 0 if they do not */
	union {
		struct segue_sq any;
		struct segue_rc_sq rc;
		struct segue_uc_sq uc;
		struct segue_ud_sq ud;
		struct segue_xrc_initiator_sq xrc_initiator;
		struct segue_dci_sq dci;
		struct segue_raw_packet_sq raw_packet;
	} sq;
	struct segue_rq rq;
	struct seguei_halves *halves; /* NULL if the posting thread also polls */
	volatile uint32_t *rq_record; /* doorbell record of its receives */
	/* value that is written there while the device must not see receives */
	uint32_t held_record;
	struct segue_sq_slot *slots;
	uint64_t *wr_ids;
	/* adopted queue pairs: the ring is filled to its end, as libmlx5 does */
	struct segue_sq_spare *spare;
	struct segue_rq_spare *recv_spare;
	struct segue_td *td;		  /* NULL if none */
	struct seguei_ring_domain *rings; /* source of its memory. NULL means libmlx5's own */
	struct seguei_uar *uar; /* its register, if it may copy to it */
	uint32_t max_wqe_units;
	uint32_t max_blocks; /* limit of blocks in flight, within the ring's size */
	uint32_t max_tso;    /* of its device */
	uint32_t max_recv_wr;
	/* on its completion queues, or one for both if they are the same */
	struct seguei_cq_claim claims[2];
	uint32_t streams; /* of a DCI. 0 if it has none */
	struct seguei_stop stop;
	struct seguei_peer peer;
	struct seguei_verbs_limits verbs;
};

extern const struct seguei_kind seguei_qp_kind;

/* Properties of a type of queue pairs. */
struct seguei_qp_kind_info {
	const char *name;
	const struct segue_transport_table *transport;
	int verbs; /* enum ibv_qp_type */
	bool sends;
	bool receives;		/* from a queue of its own, or from a shared one */
	bool shared_only;       /* from a shared one only */
	uint32_t address_bytes; /* size of the segments between control and remote address */
};

/* NULL if the type is not of the enum. */
const struct seguei_qp_kind_info *seguei_qp_info(enum segue_qp_type type);

/* The type that has this name in libibverbs. SEGUE_QP_NONE for a driver's own types. */
enum segue_qp_type seguei_qp_type_of(int verbs);

struct segue_pd;

/* Refuses options that the type or the device does not support: 0 or -EINVAL. */
int seguei_qp_check_options(struct segue_pd *pd, const struct segue_qp_options *options);

/*
 * The first given option beyond plain verbs, which device or libmlx5 may not support. NULL if there
 * is none.
 */
const char *seguei_qp_asked_for(const struct segue_qp_options *options);

/*
 * As segue_qp_open(), below a shared receive queue, for the commands to its tag list. Closing that
 * queue closes it.
 */
struct seguei_srq_object;
int seguei_qp_open_below(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_qp_options *options, struct segue_qp **out);

/*
 * As segue_qp_adopt(), but of the sides for which a completion queue is given: without recv_cq,
 * receives from a shared queue stay libmlx5's.
 */
int seguei_qp_adopt_sides(struct segue_pd *pd, struct ibv_qp *qp,
			  const struct segue_qp_options *options, struct segue_qp **out);

/* The automaton of its send queue, or NULL. */
const struct segue_machine *seguei_qp_machine(const struct segue_qp *qp);

/*
 * Creates a verbs object in a domain (or in a parent domain over it) with rings as large as the
 * options need. NULL with errno.
 */
struct ibv_qp *seguei_qp_create(struct ibv_pd *pd, const struct segue_qp_options *options);

/* Blocks that its send ring needs at least. */
uint32_t seguei_qp_ring_blocks(const struct segue_qp_options *options);

/* Units of 16 bytes of the largest request that the options allow. */
uint32_t seguei_qp_wqe_units(const struct segue_qp_options *options);

/*
 * Points the rings at the verbs object's memory. The indices start at the values of the doorbell
 * records.
 */
int seguei_qp_init_rings(struct segue_qp *qp);

/* Lets unsignaled requests fill the send queue, as with libmlx5, before and after each RESET. */
void seguei_qp_let_fill(struct segue_qp *qp);

/* Reads the progress of the polling thread, if that is another one. */
void seguei_qp_catch_up(struct segue_qp *qp);

/* Adds the queue pair to its completion queues, if it has a number yet. */
int seguei_qp_attach(struct segue_qp *qp);
void seguei_qp_detach(struct segue_qp *qp);

/*
 * The two halves of segue_qp_modify(): the device's transition, and the change of Segue's own
 * state. Between them, on the way to RESET, the rings still hold the requests that were in flight,
 * and the device does not touch them.
 */
struct ibv_qp_attr;
int seguei_qp_tell_device(struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t mask);
int seguei_qp_arrive(struct segue_qp *qp, uint32_t to);

/*
 * Begins a call of its owner: checks as seguei_object_check(), and takes note of events since the
 * last call.
 */
int seguei_qp_enter(struct segue_qp *qp, const char *call);

/*
 * The same for calls that may remove its completions: -EBUSY with a sentence from a handler of its
 * completion queues, where a poll holds entries.
 */
int seguei_qp_enter_unpolled(struct segue_qp *qp, const char *call);
int seguei_qp_check_unpolled(const struct segue_qp *qp, const char *call);

/* Records a state. The queues refuse or take posts by its table. */
void seguei_qp_set_state(struct segue_qp *qp, uint32_t state);

/* True if its state takes sends. */
bool seguei_qp_takes_sends(const struct segue_qp *qp);

/* Lets builders post if the state allows it, or makes them refuse with `why` (segue_sq.barred). */
void seguei_qp_bar_sends(struct segue_qp *qp, const char *why);

/*
 * Marks the present content of its completion queues. seguei_qp_passed() is true when all of that
 * has been polled.
 */
void seguei_qp_mark(struct segue_qp *qp);
bool seguei_qp_passed(const struct segue_qp *qp);

/* The locks of its completion queues that the caller holds. NULL means none. */
struct seguei_cq_locks {
	struct segue_cq *send, *recv;
};

/*
 * Releases the locks around a wait for the device, so that others can take the completion queues.
 */
struct seguei_cq_locks seguei_qp_unlock_cqs(const struct segue_qp *qp);
void seguei_qp_relock_cqs(const struct seguei_cq_locks *locks);

/* "queue pair 0x12 at LID 3", or empty if it has no fixed peer. */
#define SEGUEI_PEER_TEXT 96
void seguei_qp_peer_text(const struct segue_qp *qp, char *out, size_t outlen);

/* Name of a state for sentences. Never NULL, even for a state that only the kernel knows. */
const char *seguei_qp_state_name(const struct segue_qp *qp, uint32_t state);

#endif
