/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queue: a ring of entries (CQEs) that the device fills, polled in line.
 *
 * As with send queues the ring is described by plain addresses, so that a completion queue needs no device. A table from
 * queue pair numbers to queues makes one completion queue serve any number of queue pairs at constant cost.
 *
 * How a new entry is told from an old one: the device flips a bit of each entry, or counts up a byte of it (enhanced
 * compression), each time it passes the end of the ring. Both lie in the entry's last two bytes, so one comparison under a
 * mask serves both. What differs from a plain good completion (errors, payload inside the CQE, compressed entries) shows in
 * the same two bytes and leaves the straight path by one branch.
 *
 * A completion queue belongs to one thread at a time, together with the queues attached to it.
 */
#ifndef SEGUE_CQ_H
#define SEGUE_CQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/bytes.h"
#include "segue/compiler.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/mmio.h"
#include "segue/recv.h"
#include "segue/sq.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One completion, as a handler sees it. */
struct segue_wc {
	uint64_t wr_id;
	void *context;           /* of the queue, as given to segue_cq_attach() */
	const uint8_t *cqe;      /* 64 bytes, for fields that are not here (segue_cqe_cqe64_unpack()); valid in the handler only */
	uint32_t qpn;            /* queue pair */
	uint32_t byte_len;       /* bytes received, read or returned by an atomic */
	uint32_t imm;            /* receives: immediate data, or the remote key that was invalidated */
	uint16_t wqe_counter;
	uint8_t opcode;          /* enum segue_cqe_opcode */
	uint8_t s_wqe_opcode;    /* sends: enum segue_opcode of the request */
	uint8_t syndrome;        /* 0: success; else enum segue_cqe_syndrome. Then only wr_id, context, qpn and wqe_counter hold */
	uint8_t vendor_syndrome; /* enum segue_vendor_syndrome, where it is known */
};

/** What is called for each completion. If the compiler sees its body, it becomes part of the loop. */
typedef void segue_wc_handler(const struct segue_wc *wc, void *arg);

/** The queues of one queue pair, as their completion queue knows them. */
struct segue_cq_queue {
	uint32_t qpn;           /* 24 bits */
	uint32_t address_bytes; /* of the segments between control and raddr (XRC 16, DC 48), for payload in CQEs of sends */
	struct segue_sq *sq;    /* whose completions come here, or NULL */
	struct segue_rq *rq;    /* likewise */
	struct segue_srq *srq;  /* likewise; in place of rq */
	void *context;          /* for segue_wc.context */
};

/* Number of no queue pair: an empty place in the table. */
#define SEGUEI_NO_QPN UINT32_MAX

/* A compressed block that is being given out. */
struct seguei_cq_block {
	uint8_t title[SEGUE_CQE_CQE64_SIZE]; /* what all its completions have in common */
	uint8_t minis[SEGUE_CQE_CQE64_SIZE]; /* the array in hand */
	uint32_t left;                       /* completions not given out yet */
	uint32_t given;
	uint32_t entries;     /* ring entries that the block takes */
	uint32_t title_ci;    /* enhanced: consumer counter when the title was kept */
	uint16_t wqe_counter; /* of the next receive */
};

struct segue_cq {
	/* Read by every poll. */
	const uint8_t *entry; /* the CQE to look at next: its last 64 bytes */
	uint16_t own_mask;    /* bits of its last two bytes that tell old from new */
	uint16_t own;         /* what they are in a new entry, as stored in memory */
	uint16_t entry_size;  /* bytes */
	bool enhanced;        /* layout of compressed blocks */
	uint32_t ci;          /* entries consumed; runs freely */

	struct segue_cq_queue *table;
	uint32_t table_mask;

	const uint8_t *end;       /* where `entry` wraps */
	volatile uint32_t *dbrec; /* doorbell record: consumer counter, arm */

	/* Not on the straight path. */
	uint8_t *buf;
	uint32_t cqe_cnt;
	uint32_t log_cnt;
	uint32_t cqn;
	uint32_t n_queues;
	uintptr_t uar;   /* doorbell register, or 0 */
	uint32_t arm_sn; /* events so far */
	struct segue_srq *xrc_srq;
	void *xrc_context;
	struct seguei_cq_block block;
	uint8_t made[SEGUE_CQE_CQE64_SIZE]; /* a CQE out of a compressed block */
};

/** Where a completion queue lives. All memory belongs to the caller and outlives the queue. */
struct segue_cq_attr {
	void *buf;            /* ring, 64-byte aligned, cqe_cnt * cqe_size bytes */
	uint32_t cqe_cnt;     /* entries: a power of two, 2 to 2^22 */
	uint32_t cqe_size;    /* bytes of an entry: 64 or 128 */
	uint32_t *dbrec;      /* doorbell record (8 bytes) */
	void *uar;            /* UAR page, for arming; NULL if the queue is only polled */
	uint32_t cqn;         /* completion queue number, 24 bits */
	uint32_t first_index; /* consumer counter to start from, normally 0 */
	bool enhanced;        /* compressed blocks have the enhanced layout: validity counts in place of owner bits */
};

/**
 * segue_cq_init() - describe a ring to a completion queue.
 * @cq: queue to fill
 * @attr: where the ring lives
 *
 * Entries that the device has not written yet (INVALID) are marked as old. Do this before the first work request that
 * completes here is posted. Returns 0, or -EINVAL with segue_errmsg() naming the attribute; *cq is untouched then.
 */
int segue_cq_init(struct segue_cq *cq, const struct segue_cq_attr *attr);

/**
 * segue_cq_fini() - free the table of queues.
 * @cq: completion queue, from segue_cq_init()
 *
 * The ring, and the queues that were attached, are the caller's. May be called twice.
 */
void segue_cq_fini(struct segue_cq *cq);

/**
 * segue_cq_attach() - tell a completion queue of a queue pair that completes here.
 * @cq: completion queue
 * @queue: copied; the queues it names outlive the attachment
 *
 * Control path: may allocate. Attach before the first post. Returns 0, -EEXIST if that queue pair is attached already,
 * -EINVAL if @queue makes no sense, -ENOMEM; all with segue_errmsg().
 */
int segue_cq_attach(struct segue_cq *cq, const struct segue_cq_queue *queue);

/**
 * segue_cq_detach() - forget a queue pair. Its CQEs that are still in the ring are dropped, as ibv_destroy_qp() does.
 * @cq: completion queue
 * @qpn: queue pair number
 *
 * Returns 0, or -ENOENT if no such queue pair is attached. Not to be called from a handler.
 */
int segue_cq_detach(struct segue_cq *cq, uint32_t qpn);

/**
 * segue_cq_set_xrc_srq() - where receives of queue pairs that are not attached come from: XRC targets, DCTs.
 * @cq: completion queue
 * @srq: the shared receive queue, or NULL
 * @context: for segue_wc.context
 *
 * The number of an XRC target or of a DCT's peer is not known to the receiver beforehand.
 */
void segue_cq_set_xrc_srq(struct segue_cq *cq, struct segue_srq *srq, void *context);

/**
 * segue_cq_arm() - ask for an event at the next completion.
 * @cq: completion queue
 * @cmd: SEGUE_CQ_ARM_CMD_ANY, or _SOLICITED for one that is solicited or failed
 *
 * Poll once more afterwards: a completion that came before the arming raises no event. Each event is consumed by
 * segue_cq_event_seen(). Returns 0, or -EINVAL if the queue has no UAR.
 */
int segue_cq_arm(struct segue_cq *cq, uint32_t cmd);

/* An event of this queue was read from its channel: the next arming is a new request. */
static inline void segue_cq_event_seen(struct segue_cq *cq)
{
	cq->arm_sn++;
}

/* Finds an attached queue pair that is not where its number says, or returns NULL. */
SEGUE_COLD const struct segue_cq_queue *seguei_cq_find(const struct segue_cq *cq, uint32_t qpn);

/*
 * Deals with an entry that is not a plain good completion, or whose queue would not have it. Returns 1 if *wc holds a
 * completion for the handler, 0 if the entry was none, -EAGAIN if there is no new entry, another negative errno with
 * segue_errmsg() if the CQE makes no sense: it is stepped over only if `step_over`.
 */
SEGUE_COLD int seguei_cq_special(struct segue_cq *cq, struct segue_wc *wc, bool step_over);

/* Enhanced layout: keeps the last entry that was consumed, which may be the title of a block yet to come. */
SEGUE_COLD void seguei_cq_keep_title(struct segue_cq *cq);

/* At the end of the ring: back to its start, and new entries look different. */
SEGUE_COLD void seguei_cq_wrap(struct segue_cq *cq);

/* Where the ring is, and the entry to look at next. Writes nothing to the ring. */
void seguei_cq_set_ring(struct segue_cq *cq, uint8_t *buf, uint32_t cqe_cnt, uint32_t ci);

/* True if the device has written the entry to look at next. */
SEGUE_INLINE bool seguei_cq_new(const struct segue_cq *cq)
{
	const uint16_t last = *(const volatile uint16_t *)(cq->entry + SEGUE_CQE_CQE64_SIZE - 2);

	return ((last ^ cq->own) & cq->own_mask) == 0;
}

SEGUE_INLINE void seguei_cq_advance(struct segue_cq *cq)
{
	cq->ci++;
	cq->entry += cq->entry_size;
	if (SEGUE_UNLIKELY(cq->entry >= cq->end))
		seguei_cq_wrap(cq);
}

/* In an entry's last byte: errors and INVALID have the opcode's upper bit, payload and compression a format. */
#define SEGUEI_CQE_NOT_PLAIN (SEGUE_CQE_OP_OWN_FORMAT_MASK | (8u << 4))

SEGUE_INLINE const struct segue_cq_queue *seguei_cq_queue(const struct segue_cq *cq, uint32_t qpn)
{
	const struct segue_cq_queue *queue = &cq->table[qpn & cq->table_mask];

	return SEGUE_LIKELY(queue->qpn == qpn) ? queue : seguei_cq_find(cq, qpn);
}

/* In place of an errno: the CQE's queue is not attached. */
#define SEGUEI_STRAY (-4096)

/* Takes a receive from the queue that it came from. */
SEGUE_INLINE int seguei_cq_retire_receive(const struct segue_cq *cq, const struct segue_cq_queue *queue, struct segue_wc *wc)
{
	struct segue_srq *srq;

	if (SEGUE_LIKELY(queue != NULL)) {
		wc->context = queue->context;
		if (queue->rq)
			return segue_rq_retire(queue->rq, &wc->wr_id);
		srq = queue->srq;
	} else {
		wc->context = cq->xrc_context;
		srq = cq->xrc_srq;
	}
	if (SEGUE_UNLIKELY(!srq))
		return SEGUEI_STRAY;
	return segue_srq_retire(srq, wc->wqe_counter, &wc->wr_id);
}

/* As seguei_cq_special(), for the plain good completion at the entry to look at next; does not step over it. */
SEGUE_INLINE int seguei_cq_plain(const struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	const struct segue_cq_queue *queue;
	struct segue_cqe_cqe64 cqe;
	int ret;

	(void)segue_cqe_cqe64_unpack(&cqe, bytes);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->byte_len = cqe.byte_cnt;
	wc->imm = cqe.imm_inval_pkey;
	wc->wqe_counter = cqe.wqe_counter;
	wc->opcode = cqe.opcode;
	wc->s_wqe_opcode = cqe.s_wqe_opcode;
	wc->syndrome = 0;
	wc->vendor_syndrome = 0;
	wc->wr_id = 0;
	wc->context = NULL;
	queue = seguei_cq_queue(cq, cqe.qpn);
	if (cqe.opcode == SEGUE_CQE_OPCODE_REQ) {
		if (SEGUE_UNLIKELY(!queue || !queue->sq))
			return SEGUEI_STRAY;
		wc->context = queue->context;
		return segue_sq_retire(queue->sq, cqe.wqe_counter, &wc->wr_id);
	}
	ret = seguei_cq_retire_receive(cq, queue, wc);
	return SEGUE_LIKELY(!ret) ? 1 : ret;
}

/* Gives a value a register of its own. */
#define SEGUEI_OWN_REGISTER(value) __asm__("" : "+r"(value))

/* Tells the device which entries it may overwrite. */
SEGUE_INLINE void seguei_cq_tell_consumed(struct segue_cq *cq)
{
	if (SEGUE_UNLIKELY(cq->enhanced))
		seguei_cq_keep_title(cq);
	seguei_order_memory_loads(); /* an entry that is given back is not read any more */
	seguei_store32(&cq->dbrec[SEGUE_CQ_DBREC_SET_CI], segue_be32(cq->ci & 0xffffff));
}

/* One entry: 1 if the handler got a completion, 0 if there was none in it, negative as seguei_cq_special(). */
SEGUE_INLINE int seguei_cq_step(struct segue_cq *cq, bool first, segue_wc_handler *handler, void *arg)
{
	const uint8_t *bytes = cq->entry;
	struct segue_wc special; /* its address is taken, wc's is not: that one stays in registers */
	struct segue_wc wc;
	int ret;

	seguei_order_memory_loads(); /* nothing of the entry is read before its owner */
	if (SEGUE_LIKELY(!(bytes[SEGUE_CQE_CQE64_SIZE - 1] & SEGUEI_CQE_NOT_PLAIN))) {
		ret = seguei_cq_plain(cq, bytes, &wc);
		if (SEGUE_LIKELY(ret >= 0)) {
			seguei_cq_advance(cq);
			if (SEGUE_LIKELY(ret > 0))
				handler(&wc, arg);
			return ret;
		}
	}
	ret = seguei_cq_special(cq, &special, first);
	if (ret > 0)
		handler(&special, arg);
	return ret;
}

/**
 * segue_cq_poll() - hand new completions to a function.
 * @cq: completion queue
 * @max: entries to look at in this call, 1 or more
 * @handler: called for each completion, in order; may post, may not poll this queue
 * @arg: for the handler
 *
 * A failed completion arrives like others, with wc->syndrome set. Completions that a send queue asked for itself are not
 * handed out, unless they failed. Returns how many were, 0 if there was nothing new, or a negative errno with segue_errmsg()
 * if a CQE belongs to no queue that is attached, or to no request in flight: it is stepped over, and polling may go on.
 * Completions handed out before such a CQE are counted first; the next call reports it.
 */
SEGUE_INLINE int segue_cq_poll(struct segue_cq *cq, int max, segue_wc_handler *handler, void *arg)
{
	int count = 0, ret;

	if (!seguei_cq_new(cq))
		return 0;
	do {
		ret = seguei_cq_step(cq, count == 0, handler, arg);
		if (SEGUE_UNLIKELY(ret < 0)) {
			if (count == 0 && ret != -EAGAIN)
				count = ret;
			break;
		}
		count += ret;
	} while (--max > 0 && seguei_cq_new(cq));
	seguei_cq_tell_consumed(cq);
	ret = count;
	SEGUEI_OWN_REGISTER(ret); /* else an empty poll would save the registers that the loop uses */
	return ret;
}

/**
 * segue_cq_poll_wc() - fill an array with new completions.
 * @cq: completion queue
 * @max: entries of @wc
 * @wc: filled from the front; the cqe members are not valid and NULL
 *
 * Returns how many were filled, or as segue_cq_poll().
 */
int segue_cq_poll_wc(struct segue_cq *cq, int max, struct segue_wc *wc);

#ifdef __cplusplus
}
#endif

#endif
