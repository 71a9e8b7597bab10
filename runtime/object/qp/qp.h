/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_QP_H
#define SEGUE_RUNTIME_QP_H

#include <stdatomic.h>

#include "runtime/object/cq/entries.h"
#include "runtime/object/tree/object.h"
#include "segue/gen/builders.h"
#include "segue/qp.h"

/*
 * A place in a completion queue: what was there at a moment ends at most `entries` behind `from`.
 */
struct seguei_mark {
	uint32_t from, entries;
};

enum seguei_stop_step {
	SEGUEI_STOP_BEGUN,
	SEGUEI_STOP_LEFT, /* the device has stopped; what it wrote is still to be polled */
};

/* How far a queue pair is on its way to rest. */
struct seguei_stop {
	enum segue_qp_stop how; /* SEGUE_QP_STOP_NONE: nobody asked */
	enum seguei_stop_step step;
	struct seguei_mark send, recv; /* in its completion queues */
	bool gone;                     /* the device is */
	bool handing; /* requests are being handed back: handlers may not close it then, either */
	bool looked;                   /* the tail of requests was looked at */
	uint32_t looked_at;            /* when the producer index was this */
	uint64_t ask_at;               /* CLOCK_MONOTONIC, ns: the device is asked again then */
};

/* The peer, as the last modify calls named it. */
struct seguei_peer {
	uint32_t qpn; /* 0: not known, or none */
	uint16_t dlid;
	bool global;
	struct segue_gid gid;
	uint8_t rnr_retry;
	uint32_t psn;    /* that was drawn for it; 0: none */
	bool psn_used;   /* it has begun a life with it */
	uint32_t rq_psn; /* with which the last life that got as far as RTR began, */
	bool lived;      /* if there was one */
};

/* The halves of its queues that another thread polls. */
struct seguei_halves {
	struct segue_sq sq;
	struct segue_rq rq;
};

/* Limits as libmlx5 has them, and flags that each request gets, for runtime/verbs/. */
struct seguei_verbs_limits {
	uint32_t max_send_sge, max_recv_sge;
	uint32_t max_inline;
	uint32_t flags; /* SEGUE_SIGNALED if the queue pair was made with sq_sig_all; else 0 */
	/* unsignaled requests may fill the queue, as with libmlx5: none is made to complete */
	bool may_fill;
};

struct segue_qp {
	struct seguei_object object; /* first */
	struct ibv_qp *qp;
	struct seguei_cross *cross; /* NULL: libmlx5 made it (qp_cross.h) */
	enum segue_qp_type type;
	const struct segue_transport_table *transport;
	_Atomic uint32_t state; /* its owner's thread writes it, and its queues, */
	/*
	 * and the thread that reads an event says so here. The owner asks the device before it
	 * believes it
	 */
	atomic_bool failed;
	atomic_bool last_wqe;   /* likewise: in ERR, it takes no shared receive any more */
	bool may_receive;       /* it was in RTR since it was in RESET */
	bool adopted;
	/* nobody but Segue rings its doorbell register, as far as Segue can know */
	bool counts_users;
	bool own_register;  /* the program says that its thread alone rings that */
	bool device_memcpy; /* it was opened with that option */
	bool has_sq, has_rq;
	struct segue_cq *send_cq, *recv_cq; /* NULL where there is no such side */
	struct segue_srq *srq;
	void *context;
	bool names_indices;     /* completions carry one (CQEs of version 1) */
	/* raw packet: by what completions of its receives name it, or SEGUE_CQ_NO_INDEX */
	uint32_t receive_index;
	uint32_t attached; /* number under which its completion queues know it; 0: they do not */
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
	struct seguei_halves *halves; /* NULL: the thread that posts also polls */
	volatile uint32_t *rq_record; /* its doorbell record, */
	/* and what is written in its place while the device must not see receives */
	uint32_t held_record;
	struct segue_sq_slot *slots;
	uint64_t *wr_ids;
	/* adopted: libmlx5's rings are filled to the end, as libmlx5 does */
	struct segue_sq_spare *spare;
	struct segue_rq_spare *recv_spare;
	struct segue_td *td;    /* NULL: none */
	struct seguei_ring_domain *rings; /* where its memory is from; NULL: libmlx5's own */
	struct seguei_uar *uar; /* its register, if it may copy to it */
	uint32_t max_wqe_units;
	uint32_t max_blocks; /* of sends that may be in flight, if its ring has so many */
	uint32_t max_tso;    /* of the device */
	uint32_t max_recv_wr;
	/* on its completion queues: both as one, if they are the same */
	struct seguei_cq_claim claims[2];
	uint32_t streams; /* of a DCI; 0: it has none */
	struct seguei_stop stop;
	struct seguei_peer peer;
	struct seguei_verbs_limits verbs;
};

extern const struct seguei_kind seguei_qp_kind;

/* What the types have. */
struct seguei_qp_kind_info {
	const char *name;
	const struct segue_transport_table *transport;
	int verbs; /* enum ibv_qp_type */
	bool sends;
	bool receives;          /* in a queue of its own, or from a shared one */
	bool shared_only;       /* from a shared one only */
	uint32_t address_bytes; /* segments between control and remote address */
};

/* NULL for no type of the enum. */
const struct seguei_qp_kind_info *seguei_qp_info(enum segue_qp_type type);

/* Refuses what the type or the device does not have: 0 or -EINVAL. */
struct segue_pd;
int seguei_qp_check_options(struct segue_pd *pd, const struct segue_qp_options *options);

/*
 * An option beyond plain verbs that the device or libmlx5 may not know, the first that is given;
 * NULL if none is.
 */
const char *seguei_qp_asked_for(const struct segue_qp_options *options);

/*
 * As segue_qp_open(), below a shared receive queue whose tag list it changes, and which closes it.
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
 * A verbs object of a domain (or of a parent domain over it) with rings as large as the options
 * need; NULL with errno.
 */
struct ibv_qp *seguei_qp_create(struct ibv_pd *pd, const struct segue_qp_options *options);

/* Blocks that its send ring has at least. */
uint32_t seguei_qp_ring_blocks(const struct segue_qp_options *options);

/* Units of 16 bytes of the largest request that the options speak of. */
uint32_t seguei_qp_wqe_units(const struct segue_qp_options *options);

/* Entries of a completion queue for all sends that the options allow: a block each. */
uint32_t seguei_qp_send_entries(const struct segue_qp_options *options);

/*
 * Points the rings at the verbs object's memory; the queue indices start where the doorbell records
 * say.
 */
int seguei_qp_init_rings(struct segue_qp *qp);

/* Has unsignaled requests fill the send queue as with libmlx5, before and after each RESET. */
void seguei_qp_let_fill(struct segue_qp *qp);

/* Takes note of how far the thread that polls has come, if that is another one. */
void seguei_qp_catch_up(struct segue_qp *qp);

/* Tells the completion queues of it, if it has a number by now. */
int seguei_qp_attach(struct segue_qp *qp);
void seguei_qp_detach(struct segue_qp *qp);

/*
 * The two halves of segue_qp_modify(): the device goes to another state, and what Segue keeps
 * follows it there. Between the two, on the way to RESET, the rings still say what was in flight,
 * and the device does not touch it any more.
 */
struct ibv_qp_attr;
int seguei_qp_tell_device(struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t mask);
int seguei_qp_arrive(struct segue_qp *qp, uint32_t to);

/*
 * For the calls of its owner: refuses as seguei_object_check(), and takes note of what events have
 * said since.
 */
int seguei_qp_enter(struct segue_qp *qp, const char *call);

/*
 * The same for calls that may change what its completion queues know of it: -EBUSY with a sentence
 * from a handler of theirs, where a poll has entries in hand.
 */
int seguei_qp_enter_unpolled(struct segue_qp *qp, const char *call);
int seguei_qp_check_unpolled(const struct segue_qp *qp, const char *call);

/* To ERR, from a handler, too: its completion queues do not notice. */
int seguei_qp_fail(struct segue_qp *qp);

/*
 * Behind a tail of silent requests posts one that completes, for nobody but Segue. Costs little to
 * call again and again.
 */
void seguei_qp_end_tail(struct segue_qp *qp);

/* Takes note of a state: queues refuse or take posts as its table says. */
void seguei_qp_set_state(struct segue_qp *qp, uint32_t state);

/*
 * ece.c: for two sides that tell each other at once. The first is what a new queue pair offers,
 * or of no vendor if it cannot be asked; the second agrees, before RTR, to what both offer.
 */
int seguei_qp_offer_ece(struct segue_qp *qp, struct segue_ece *offer);
int seguei_qp_agree_ece(struct segue_qp *qp, const struct segue_ece *mine,
			const struct segue_ece *theirs);

/*
 * Marks what its completion queues hold now; seguei_qp_passed() is true when all of that has been
 * polled.
 */
void seguei_qp_mark(struct segue_qp *qp);
bool seguei_qp_passed(const struct segue_qp *qp);

/* Those of its completion queues' locks that the caller has; NULL: none. */
struct seguei_cq_locks {
	struct segue_cq *send, *recv;
};

/* Around a wait for the device: others have the completion queues meanwhile. */
struct seguei_cq_locks seguei_qp_unlock_cqs(const struct segue_qp *qp);
void seguei_qp_relock_cqs(const struct seguei_cq_locks *locks);

/* "queue pair 0x12 at LID 3"; empty if it has no peer of its own. */
#define SEGUEI_PEER_TEXT 96
void seguei_qp_peer_text(const struct segue_qp *qp, char *out, size_t outlen);

/* For sentences; never NULL, whatever the kernel calls a state. */
const char *seguei_qp_state_name(const struct segue_qp *qp, uint32_t state);

#endif
