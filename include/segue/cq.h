/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queue: a ring of entries (CQEs) that the device fills, polled in line.
 *
 * As with send queues the ring is described by plain addresses, so that a completion queue needs no
 * device. A map from queue pair numbers to queues (cq_map.h) makes one completion queue serve any
 * number of queue pairs at constant cost.
 *
 * How a new entry is told from an old one: the device flips a bit of each entry, or counts up a
 * byte of it (enhanced compression), each time it passes the end of the ring. Both lie in the
 * entry's last dword, as do the opcode, the format and the WQE's index, so one load answers all
 * questions of the straight path. Everything else (errors, payload inside the CQE, compressed
 * entries, the last entry of the ring, a queue that is not found at once) leaves it by one call,
 * and polling goes on in a function that is not inlined and calls the handler through its pointer.
 *
 * A completion queue belongs to one thread at a time, together with the queues attached to it. One
 * that is shared (segue_cq_enable_lock()) belongs to whoever has its lock, and queues that are
 * split (segue_sq_split()) belong to it with the half that polls.
 *
 * Owner: ring and doorbell record are the caller's; the map of queues is the queue's own,
 *   freed by segue_cq_fini().
 * Threads: one at a time, that which owns the queues attached, or their halves.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
 * Source: mlx5dv.h (struct mlx5_cqe64), rdma-core providers/mlx5/cq.c.
 */
#ifndef SEGUE_CQ_H
#define SEGUE_CQ_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/bytes.h"
#include "segue/detail/compiler.h"
#include "segue/detail/count.h"
#include "segue/detail/cq_map.h"
#include "segue/detail/mmio.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/peer.h"
#include "segue/recv.h"
#include "segue/sq.h"
#include "segue/wc.h"

#include "segue/detail/begin.h"

/**
 * What is called for each completion. If the compiler sees its body, it becomes part of the loop.
 *
 * No exception may leave it: what a poll has in hand would be handed out twice. C++17 holds that by
 * the type, so a lambda says noexcept; earlier standards leave it to the program. segue.hpp takes
 * handlers that throw.
 */
typedef void (*segue_wc_handler)(const struct segue_wc *wc, void *arg) SEGUEI_NOEXCEPT;

/** What a CQE names the queues by. */
enum segue_cq_key {
	SEGUE_CQ_BY_QPN,	/* a queue pair, or an SRQ that completes under its own number */
	SEGUE_CQ_BY_USER_INDEX, /* a receiver that CQEs name by srqn_uidx: XRC SRQ, raw packet */
	SEGUE_CQ_BY_DEFAULT,	/* the one receiver of all CQEs that name nobody else */
};

/**
 * Queues that complete on a completion queue, as segue_cq_attach() takes them.
 *
 * The user index of a receiver is the one that the device reports. With CQEs of version 0 that of
 * an XRC SRQ is its number, and that of a raw packet queue is not known.
 */
struct segue_cq_queue {
	enum segue_cq_key key;
	uint32_t number; /* 24 bits: queue pair number, or user index; not read BY_DEFAULT */
	/*
	 * of the segments between control and raddr (XRC 16, DC 48), for payload in CQEs of sends
	 */
	uint32_t address_bytes;
	struct segue_sq *sq;	/* whose completions come here, or NULL; BY_QPN only */
	struct segue_rq *rq;	/* likewise, by any key */
	struct segue_srq *srq;  /* likewise; in place of rq */
	void *context;          /* for segue_wc.context */
};

/* A compressed block that is being given out. */
struct seguei_cq_block {
	uint8_t title[SEGUE_CQE64_SIZE];     /* what all its completions have in common */
	uint8_t minis[SEGUE_CQE64_SIZE];     /* the array in hand */
	uint32_t left;                       /* completions not given out yet */
	uint32_t given;
	uint32_t entries;     /* ring entries that the block takes */
	uint32_t title_ci;    /* enhanced: consumer counter when the title was kept */
	uint16_t wqe_counter; /* of the next receive */
};

struct seguei_strides;
struct seguei_tags;

/* Where the entries are. */
struct seguei_cq_ring {
	uint8_t *buf;
	uint32_t cqe_cnt;
	uint32_t log_cnt;
	uint32_t entry_size; /* bytes */
	bool enhanced;       /* layout of compressed blocks, and what tells old from new */
	uint32_t minis;      /* what their entries keep: enum segue_mini_cqe_format */
};

/*
 * Receivers, and how a CQE finds them:
 *
 *   key             receiver                found by
 *   BY_QPN          a queue pair, an SRQ    its number: segue_cq.queues
 *   BY_USER_INDEX   an XRC SRQ              its index
 *   BY_USER_INDEX   a raw packet's queue    its index, before any number, which is a tag
 *   BY_DEFAULT      a raw packet's queue    whatever nobody else has
 *   BY_DEFAULT      an SRQ                  likewise
 */
struct seguei_cq_receivers {
	uint32_t numbered;            /* how many of the first row */
	uint32_t tagged;              /* of the third and the fourth */
	struct seguei_cq_map by_index;
	struct segue_cq_queue others; /* of the last two rows */
	/* the first one of the third, while it is there: alone it is found on the straight path */
	struct segue_cq_queue first_tagged;
};

/** Not to be copied or moved after segue_cq_init(): it holds addresses of its own parts. */
struct segue_cq {
	/* Read by every poll. */
	/* the CQE to look at next: its last 64 bytes; `busy` while a poll is among plain ones */
	const uint8_t *entry;
	/* of its last quadword: what tells old from new, as it is in a new entry */
	uint64_t own;
	uint32_t own_mask;    /* which bits of the last dword that are. Both as stored in memory */
	size_t entry_size;    /* bytes */
	/*
	 * the next entry that takes the slow path: the ring's last one, or one before (stretch);
	 * NULL if all do
	 */
	const uint8_t *last;
	/* entries consumed: the lower 24 bits. Others join `ci_upper` where the ring ends */
	uint32_t ci;
	volatile uint32_t *dbrec; /* doorbell record: consumer counter, arm */
	struct seguei_cq_map queues;  /* queue pairs, by number */

	/* Not on the straight path. */
	struct seguei_cq_ring ring;
	/*
	 * entries after which the device is told what it may overwrite, though the poll is not
	 * over. A handler posts, so that more completes meanwhile: it must not come to need those.
	 * As many as the ring has: never
	 */
	uint32_t stretch;
	uint32_t ci_upper; /* see seguei_cq_ci() */
	uint32_t cqn;
	uint32_t null_key; /* memory key behind which nothing is: payload for it goes nowhere */
	uint32_t arm_sn;   /* events so far: written by the thread that waits for them */
	uintptr_t uar;   /* doorbell register, or 0 */
	uint64_t checked_owner; /* checked builds: thread that polls, 0 if none yet */
	bool checked_polling;   /* checked builds: a poll is under way */
	bool slow;		/* a poll with a handler is on the slow path */
	uint32_t lock;          /* of one that is shared */
	struct seguei_cq_receivers receivers;
	/* the striding receive queue whose frames complete here, or NULL */
	struct seguei_strides *strides;
	struct seguei_tags *tags;        /* the tag list whose completions come here, or NULL */
	struct seguei_cq_block block;
	/* a CQE out of a compressed block, which polls read in quadwords */
	uint8_t made[SEGUE_CQE64_SIZE] __attribute__((aligned(8)));
	/* an entry that is always new, and never for a queue */
	uint8_t busy[SEGUE_CQE64_SIZE] __attribute__((aligned(8)));
	struct seguei_poll_counts counts;
	/* NULL, or why nobody may poll it: what follows "completion queue 0x12 " */
	const char *barred;
};

/** Where a completion queue lives. All memory belongs to the caller and outlives the queue. */
struct segue_cq_init_options {
	void *buf;            /* ring, 64-byte aligned, cqe_cnt * cqe_size bytes */
	uint32_t cqe_cnt;     /* entries: a power of two, 2 to 2^22 */
	uint32_t cqe_size;    /* bytes of an entry: 64 or 128 */
	uint32_t *dbrec;      /* doorbell record (8 bytes) */
	void *uar;            /* UAR page, for arming; NULL if the queue is only polled */
	uint32_t cqn;         /* completion queue number, 24 bits */
	uint32_t first_index; /* consumer counter to start from, normally 0 */
	/* compressed blocks have the enhanced layout: validity counts in place of owner bits */
	bool enhanced;
	/*
	 * what entries of compressed blocks keep of receives: enum segue_mini_cqe_format, HASH,
	 * CSUM or CSUM_STRIDX
	 */
	uint32_t minis;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_cq_init() - describe a ring to a completion queue.
 * @cq: queue to fill
 * @attr: where the ring lives
 *
 * Entries that the device has not written yet (INVALID) are marked as old. Do this before the first
 * work request that completes here is posted. Returns 0, or -EINVAL with segue_errmsg() naming the
 * attribute; *cq is untouched then.
 */
SEGUEI_MUST_CHECK int segue_cq_init(struct segue_cq *cq, const struct segue_cq_init_options *attr);

/**
 * segue_cq_fini() - forget the queues.
 * @cq: completion queue, from segue_cq_init()
 *
 * The ring, and the queues that were attached, are the caller's. May be called twice.
 */
void segue_cq_fini(struct segue_cq *cq);

/**
 * segue_cq_attach() - tell a completion queue of queues that complete here.
 * @cq: completion queue
 * @queue: copied; the queues it names outlive the attachment
 *
 * Control path: may allocate. Attach before the first post. segue_qp_open() and segue_srq_open() do
 * this themselves. CQEs name a receiver by one of three keys:
 *
 * - BY_QPN: the queue pair's number. Any number of them is found at constant cost.
 * - BY_USER_INDEX: an XRC SRQ, or the receive queue of a raw packet queue pair. The latter's CQEs
 *   have the tag of the flow rule that brought the frame in place of the queue pair's number, and
 *   in segue_wc.qpn. As the only receiver here it costs what others cost. Beside others every
 *   completion takes a longer way, because a tag may equal the number of a queue pair.
 * - BY_DEFAULT: a receiver whose index is not known. As an SRQ it receives for queue pairs that are
 *   not attached: XRC targets, and DCTs, whose peers' numbers nobody knows beforehand; indices go
 *   before it. As a receive queue it must be the only receiver.
 *
 * Returns 0, -EEXIST if that key and number are attached already or one of two receivers has no
 * index, -EINVAL if @queue makes no sense, -ENOMEM, -EBUSY from a handler; all with segue_errmsg().
 * Source: rdma-core providers/mlx5/cq.c, mlx5_cq_read_flow_tag(), get_cur_rsc().
 */
SEGUEI_MUST_CHECK int segue_cq_attach(struct segue_cq *cq, const struct segue_cq_queue *queue);

/**
 * segue_cq_detach() - forget queues.
 * @cq: completion queue
 * @queue: of which key and number are read
 *
 * CQEs of a queue pair and of a raw packet's receive queue that are still in the ring are dropped,
 * as ibv_destroy_qp() does. Poll until the queue is empty before an SRQ is detached: a CQE that
 * still names it would be reported as a stray. Returns 0; -ENOENT if it is not attached; -EBUSY
 * from a handler.
 */
SEGUEI_MUST_CHECK int segue_cq_detach(struct segue_cq *cq, const struct segue_cq_queue *queue);

/**
 * segue_cq_arm() - ask for an event at the next completion.
 * @cq: completion queue
 * @cmd: SEGUE_CQ_ARM_CMD_ANY, or _SOLICITED for one that is solicited or failed
 *
 * One command, one event. Poll once more afterwards: a completion that came before the arming
 * raises no event, whatever its type. Each event is consumed by segue_cq_ack_event(). Returns 0,
 * or -EINVAL if the queue has no UAR.
 */
SEGUEI_MUST_CHECK int segue_cq_arm(struct segue_cq *cq, enum segue_cq_arm_cmd cmd);

/**
 * segue_cq_ack_event() says that an event of this queue was read from its channel: the next arming
 * is a new request. By any thread.
 */
SEGUE_FUNCTION void segue_cq_ack_event(struct segue_cq *cq)
{
	(void)__atomic_fetch_add(&cq->arm_sn, 1, __ATOMIC_RELAXED);
}

/* Entries consumed; runs freely. */
SEGUE_FUNCTION uint32_t seguei_cq_ci(const struct segue_cq *cq)
{
	return cq->ci_upper + cq->ci;
}

/*
 * Checked builds: one thread polls, not within a handler, and it is the one that posts to the
 * queues.
 */
SEGUEI_OF_LIBRARY void seguei_cq_check_begin(struct segue_cq *cq);
SEGUEI_OF_LIBRARY void seguei_cq_check_end(struct segue_cq *cq);
SEGUEI_OF_LIBRARY void seguei_cq_check_route(struct seguei_cq_route route);

/*
 * Where the completion in a CQE goes: to its queue pair, or to the shared receive queue that it
 * names, or nowhere.
 */
struct seguei_cq_route seguei_cq_find(const struct segue_cq *cq, const uint8_t *cqe);

/* Points `entry` and `own` at the entry that `ci` counts to, and `last` behind it. */
void seguei_cq_seek(struct segue_cq *cq);

/* Sets `stretch`, 1 to the ring's entries. */
void seguei_cq_set_stretch(struct segue_cq *cq, uint32_t stretch);

/* Tells the device which entries it may overwrite, and keeps what is needed of them. */
SEGUEI_OF_LIBRARY void seguei_cq_give_back(struct segue_cq *cq);

/*
 * The next completion, on whatever path; gives nothing back. 0 and *wc, -ENOENT if there is none,
 * or another negative errno with segue_errmsg() for an entry that makes no sense: it is stepped
 * over.
 */
SEGUEI_OF_LIBRARY int seguei_cq_take_one(struct segue_cq *cq, struct segue_wc *wc);

/* The same, but an entry that makes no sense is left where it is. */
SEGUEI_OF_LIBRARY int seguei_cq_take_or_leave(struct segue_cq *cq, struct segue_wc *wc);

/*
 * Goes on with a poll that has handed out `count` completions, at an entry that is not for the
 * straight path, to the end. As segue_cq_poll_each().
 */
SEGUEI_OF_LIBRARY int seguei_cq_poll_on(struct segue_cq *cq, int max, int count,
					segue_wc_handler handler, void *arg);

/* How far a poll has come. */
struct seguei_cq_progress {
	int count; /* completions handed out; over: or what the poll returns */
	bool over; /* and the device has been told */
};

/* The same up to an entry that may be for the straight path. */
SEGUEI_OF_LIBRARY struct seguei_cq_progress seguei_cq_poll_slow(struct segue_cq *cq, int max,
								int count, segue_wc_handler handler,
								void *arg);

/* Where the ring is, and the entry to look at next. Writes nothing to the ring. */
void seguei_cq_set_ring(struct segue_cq *cq, uint8_t *buf, uint32_t cqe_cnt, uint32_t ci);

/*
 * Parts of the CQE's last dword (wqe_counter 31:16, signature 15:8, op_own 7:0), as they lie in
 * memory.
 */
#define SEGUEI_CQE_LAST	  (SEGUE_CQE64_SIZE - 4) /* its offset */
#define SEGUEI_CQE_OP_OWN (SEGUE_CQE64_SIZE - 1)
#define SEGUEI_CQE_QPN \
	(SEGUE_CQE64_SIZE - 7) /* in the dword before it: s_wqe_opcode 31:24, qpn 23:0 */
#define SEGUEI_CQE_OPCODE	segue_be32(0xf0u)
#define SEGUEI_CQE_OPCODE_UPPER \
	segue_be32(0xc0u) /* set in SEND_INV, in errors, and in what is no receive */
#define SEGUEI_CQE_SEND_INV	segue_be32((uint32_t)SEGUE_CQE_OPCODE_RESP_SEND_INV << 4)
#define SEGUEI_CQE_FORMAT	segue_be32(SEGUE_CQE_OP_OWN_FORMAT_MASK)
#define SEGUEI_CQE_OWNER	segue_be32(SEGUE_CQE_OP_OWN_OWNER_MASK)

/* A dword as the second half of a quadword, and the other way round; both as stored in memory. */
SEGUEI_HOT_FUNCTION uint64_t seguei_cq_widen(uint32_t last)
{
	return SEGUEI_LITTLE_ENDIAN ? (uint64_t)last << 32 : last;
}

SEGUEI_HOT_FUNCTION uint32_t seguei_cq_narrow(uint64_t ids)
{
	return SEGUEI_LITTLE_ENDIAN ? (uint32_t)(ids >> 32) : (uint32_t)ids;
}

/*
 * The last dword of the entry to look at next, with the bits that tell old from new cleared if it
 * is new.
 */
SEGUEI_HOT_FUNCTION uint32_t seguei_cq_look_at(const struct segue_cq *cq, const uint8_t *entry)
{
	return *(const volatile uint32_t *)(const void *)(entry + SEGUEI_CQE_LAST) ^
	       seguei_cq_narrow(cq->own);
}

SEGUEI_HOT_FUNCTION uint32_t seguei_cq_look(const struct segue_cq *cq)
{
	return seguei_cq_look_at(cq, cq->entry);
}

/*
 * True if the device has written the entry. @last: from seguei_cq_look(). gcc by itself loads what
 * it tests a register against.
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_new(const struct segue_cq *cq, uint32_t last)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && !defined(__clang__) && !SEGUEI_NVCC
	bool is_new;

	__asm__("testl %1, %2" : "=@ccz"(is_new) : "r"(last), "m"(cq->own_mask));
	return is_new;
#else
	return (last & cq->own_mask) == 0;
#endif
}

/*
 * On the straight path the owner's bit tells old from new, so one comparison answers for that, for
 * opcode and format. True if the entry is new, and a good send without payload.
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_is_send(uint32_t last)
{
	return (last & (SEGUEI_CQE_OWNER | SEGUEI_CQE_OPCODE | SEGUEI_CQE_FORMAT)) == 0;
}

/* Likewise for a good receive, given that it is no good send. */
SEGUEI_HOT_FUNCTION bool seguei_cq_is_receive(uint32_t last)
{
	const uint32_t usual = SEGUEI_CQE_OWNER | SEGUEI_CQE_OPCODE_UPPER | SEGUEI_CQE_FORMAT;

	if (SEGUEI_LIKELY((last & usual) == 0))
		return true;
	if (last & SEGUEI_CQE_OWNER)
		return false;
	SEGUEI_OWN_REGISTER(last); /* else clang prepares this comparison in everybody's way */
	return (last & (SEGUEI_CQE_OPCODE | SEGUEI_CQE_FORMAT)) == SEGUEI_CQE_SEND_INV;
}

/* What a good completion says, apart from its wr_id and its context. @send: what is known of it */
SEGUEI_HOT_FUNCTION void seguei_cq_parse(const uint8_t *bytes, uint32_t last, bool send,
					 struct segue_wc *wc)
{
	struct segue_cqe64 cqe;

	(void)segue_cqe64_unpack(&cqe, bytes);
	last = segue_be32(last);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->byte_len = cqe.byte_cnt;
	wc->imm = cqe.imm_inval_pkey;
	wc->wqe_counter = (uint16_t)(last >> 16);
	wc->opcode = send ? (uint8_t)SEGUE_CQE_OPCODE_REQ : (uint8_t)(last >> 4 & 0xf);
	wc->flags = (uint8_t)seguei_wc_flags(wc->opcode);
	wc->s_wqe_opcode = cqe.s_wqe_opcode;
	wc->syndrome = 0;
	wc->vendor_syndrome = 0;
	wc->peer = seguei_peer_nobody();
}

/* Tells the device which entries it may overwrite. */
SEGUEI_HOT_FUNCTION void seguei_cq_tell_consumed(struct segue_cq *cq)
{
	seguei_order_memory_loads(); /* an entry that is given back is not read any more */
	seguei_store32(&cq->dbrec[SEGUE_CQ_DBREC_SET_CI], segue_be32(cq->ci));
}

/* Receive queues: of one queue pair, shared ones. */
#define SEGUEI_CQ_OWN	 1u
#define SEGUEI_CQ_SHARED 2u
#define SEGUEI_CQ_ANY	 (SEGUEI_CQ_OWN | SEGUEI_CQ_SHARED)

/* Who has sent what a receive holds, as a tag (segue/peer.h), or 0. @context: of the queue. */
typedef uint32_t seguei_cq_sender(const void *context, const uint8_t *cqe, uint64_t wr_id);

/* The queues of a new entry. */
SEGUEI_HOT_FUNCTION struct seguei_cq_route seguei_cq_route_of(const struct seguei_cq_map *queues,
							      const uint8_t *bytes)
{
	struct seguei_cq_route route;

	seguei_order_memory_loads(); /* nothing of the entry is read before its owner */
	route = seguei_cq_map_find(queues, bytes + SEGUEI_CQE_QPN);
	if (SEGUE_CHECKED)
		seguei_cq_check_route(route);
	return route;
}

/* Takes a good send if it is a plain case; else returns false, and nothing has changed. */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_send(struct segue_cq *cq, const uint8_t *bytes,
					     uint32_t last, struct segue_wc *wc, uint32_t *tag)
{
	const struct seguei_cq_route route = seguei_cq_route_of(&cq->queues, bytes);

	if (SEGUEI_UNLIKELY(!seguei_sq_retire_plain(route.page->sq[route.at], segue_be32(last),
						    &wc->wr_id, tag)))
		return false;
	wc->context = route.page->context[route.at];
	seguei_cq_parse(bytes, last, true, wc);
	return true;
}

/*
 * Takes a receive from the queue that it came from, if that is one of those asked for; else returns
 * false, and nothing has changed.
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_claim_receive(const struct seguei_cq_map *queues,
						 const uint8_t *bytes, uint32_t last,
						 uint32_t queue, struct segue_wc *wc)
{
	const struct seguei_cq_route route = seguei_cq_route_of(queues, bytes);

	if (!(queue & SEGUEI_CQ_OWN &&
	      SEGUEI_LIKELY(seguei_rq_retire_plain(route.page->rq[route.at], &wc->wr_id))) &&
	    !(queue & SEGUEI_CQ_SHARED &&
	      seguei_srq_retire_plain(route.page->srq[route.at], segue_be32(last) >> 16,
				      &wc->wr_id)))
		return false;
	wc->context = route.page->context[route.at];
	return true;
}

SEGUEI_HOT_FUNCTION bool seguei_cq_take_receive(struct segue_cq *cq, const uint8_t *bytes,
						uint32_t last, struct segue_wc *wc,
						seguei_cq_sender *sender, uint32_t *tag)
{
	if (!seguei_cq_is_receive(last) ||
	    !seguei_cq_claim_receive(&cq->queues, bytes, last, SEGUEI_CQ_ANY, wc))
		return false;
	*tag = sender ? sender(wc->context, bytes, wc->wr_id) : 0;
	seguei_cq_parse(bytes, last, false, wc);
	return true;
}

/*
 * Takes the new entry if it is a plain case; else returns false, and nothing has changed. @sender:
 * seen by the compiler, or NULL; @tag: whose the completion is: of a send as in its slot, of a
 * receive as the sender says
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_from(struct segue_cq *cq, const uint8_t *bytes,
					     uint32_t last, struct segue_wc *wc,
					     seguei_cq_sender *sender, uint32_t *tag)
{
	return seguei_cq_is_send(last) ? seguei_cq_take_send(cq, bytes, last, wc, tag)
				       : seguei_cq_take_receive(cq, bytes, last, wc, sender, tag);
}

/* The same, for whoever does not ask whose it is. */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_at(struct segue_cq *cq, const uint8_t *bytes, uint32_t last,
					   struct segue_wc *wc)
{
	uint32_t tag;

	return seguei_cq_take_from(cq, bytes, last, wc, NULL, &tag);
}

/* As seguei_cq_take_from(), and steps over the entry. */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_of(struct segue_cq *cq, uint32_t last, struct segue_wc *wc,
					   seguei_cq_sender *sender, uint32_t *tag)
{
	const uint8_t *bytes = cq->entry;

	if (SEGUEI_UNLIKELY(bytes >= cq->last) ||
	    !seguei_cq_take_from(cq, bytes, last, wc, sender, tag))
		return false;
	cq->ci++;
	cq->entry = bytes + cq->entry_size;
	return true;
}

/* A way to take entries that are no plain case, as seguei_cq_take_at(): known here, or NULL. */
typedef bool seguei_cq_taker(struct segue_cq *cq, const uint8_t *bytes, uint32_t last,
			     struct segue_wc *wc);

SEGUEI_HOT_FUNCTION bool seguei_cq_look_again(const struct segue_cq *cq, const uint8_t *bytes,
					      uint32_t *last)
{
	*last = seguei_cq_look_at(cq, bytes);
	return true;
}

/* A poll for one completion that takes plain cases, and what `also` takes, in line. */
SEGUEI_HOT_FUNCTION int seguei_cq_poll_single(struct segue_cq *cq, segue_wc_handler handler,
					      void *arg, seguei_cq_taker *also)
{
	const uint8_t *bytes = cq->entry;
	const uint32_t last = seguei_cq_look_at(cq, bytes);
	struct segue_wc wc;
	uint32_t tag;

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	if (!seguei_cq_new(cq, last)) {
		SEGUEI_COUNT(cq->counts.empty);
		if (SEGUE_CHECKED)
			seguei_cq_check_end(cq);
		return 0;
	}
#ifndef __clang__
	SEGUEI_OWN_REGISTER(arg); /* else gcc moves it to one before the return above */
#endif
	/* A receive needs a comparison more, so what a send needs is a jump. */
	if (SEGUEI_UNLIKELY(bytes >= cq->last) ||
	    (SEGUEI_UNLIKELY(
		     !(SEGUEI_UNLIKELY(seguei_cq_is_send(last))
			       ? seguei_cq_take_send(cq, bytes, last, &wc, &tag)
			       : seguei_cq_take_receive(cq, bytes, last, &wc, NULL, &tag))) &&
	     !(also && also(cq, bytes, last, &wc))))
		return seguei_cq_poll_on(cq, 1, 0, handler, arg);
	cq->ci++;
	cq->entry += cq->entry_size;
	handler(&wc, arg);
	seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return 1;
}

/*
 * The same for as many as there are. How far it has come is written down when it ends or takes the
 * slow path. Until then `entry` is one that no poll can take, by which the control path and another
 * poll know that a handler has called them.
 */
SEGUEI_HOT_FUNCTION int seguei_cq_poll_many(struct segue_cq *cq, int max, segue_wc_handler handler,
					    void *arg, seguei_cq_taker *also)
{
	const uint8_t *bytes = cq->entry; /* the next entry */
	uint32_t last = seguei_cq_look_at(cq, bytes), ci;
	struct seguei_cq_progress progress = {0, false};
	struct segue_wc wc;

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	if (!seguei_cq_new(cq, last)) {
		SEGUEI_COUNT(cq->counts.empty);
		if (SEGUE_CHECKED)
			seguei_cq_check_end(cq);
		return 0;
	}
	ci = cq->ci; /* less the completions handed out */
	cq->entry = cq->busy;
	do {
		if (SEGUEI_LIKELY(bytes < cq->last)) {
			if (SEGUEI_LIKELY(seguei_cq_take_at(cq, bytes, last, &wc)) ||
			    (also && also(cq, bytes, last, &wc))) {
				bytes += cq->entry_size;
				progress.count++;
				handler(&wc, arg);
				continue;
			}
			if (last & SEGUEI_CQE_OWNER)
				break;
		} else if (!seguei_cq_new(cq, last)) {
			break;
		}
		cq->entry = bytes;
		cq->ci = ci + (uint32_t)progress.count;
		progress = seguei_cq_poll_slow(cq, max - progress.count, progress.count, handler,
					       arg);
		if (progress.over)
			goto over;
		bytes = cq->entry;
		ci = cq->ci - (uint32_t)progress.count;
		cq->entry = cq->busy;
	} while (progress.count < max && seguei_cq_look_again(cq, bytes, &last));
	cq->entry = bytes;
	cq->ci = ci + (uint32_t)progress.count;
	seguei_cq_tell_consumed(cq);
over:
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return progress.count;
}

/* A poll that takes plain cases, and what `also` takes, in line. */
SEGUEI_HOT_FUNCTION int seguei_cq_poll_with(struct segue_cq *cq, int max, segue_wc_handler handler,
					    void *arg, seguei_cq_taker *also)
{
	if (SEGUEI_UNLIKELY(max < 1))
		return 0;
	if (SEGUEI_KNOWN(max) && max == 1)
		return seguei_cq_poll_single(cq, handler, arg, also);
	return seguei_cq_poll_many(cq, max, handler, arg, also);
}

/**
 * segue_cq_poll_each() - hand new completions to a function.
 * @cq: completion queue
 * @max: completions to hand out in this call, at most
 * @handler: called for each completion, in order
 * @arg: for the handler
 *
 * A handler may post, ring doorbells, give buffers back, and read and explain its completion. What
 * changes this queue while entries of it are in hand is refused with -EBUSY: to open, adopt, close,
 * modify, query, reset, drain or flush what completes here, to resize or to close the queue, and to
 * wait. So is another poll, where it would do harm. The program takes note, and does it when the
 * poll is over. Checked builds stop at a poll from a handler.
 *
 * A failed completion arrives like others, with wc->syndrome set. Completions that a send queue
 * asked for itself are not handed out, unless they failed. Returns how many were, 0 if there was
 * nothing new, or a negative errno with segue_errmsg() if a CQE belongs to no queue that is
 * attached, or to no request in flight: it is stepped over, and polling may go on. Completions
 * handed out before such a CQE are counted first; the next call reports it. No exception and no
 * longjmp() may leave the handler.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_cq_poll_each(struct segue_cq *cq, int max,
							     segue_wc_handler handler, void *arg)
{
	return seguei_cq_poll_with(cq, max, handler, arg, NULL);
}

/**
 * segue_cq_hand_over() - let another thread poll from now on.
 * @cq: completion queue
 *
 * The threads synchronise among themselves. Only checked builds look at it.
 */
SEGUE_FUNCTION void segue_cq_hand_over(struct segue_cq *cq)
{
	cq->checked_owner = 0;
}

#include "segue/detail/end.h"

#include "segue/cq_array.h" /* the same into arrays */
#include "segue/cq_next.h"  /* and one after the other */

#endif
