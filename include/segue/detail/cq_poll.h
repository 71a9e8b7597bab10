/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inline half of segue/cq.h: polls that hand completions to a function.
 *
 * Owner: the caller's. Nothing is kept.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg().
 * Source: ibv_poll_cq(3), ibv_start_poll(3).
 */
#ifndef SEGUE_DETAIL_CQ_POLL_H
#define SEGUE_DETAIL_CQ_POLL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/cq.h"

#include "segue/detail/begin.h"

/* Entries consumed, a counter that wraps. */
SEGUE_FUNCTION uint32_t seguei_cq_ci(const struct segue_cq *cq)
{
	return cq->ci_upper + cq->ci;
}

/*
 * Checked builds: test that one thread polls, that it is the thread which posts to the queues, and
 * that no handler polls.
 */
SEGUEI_OF_LIBRARY void seguei_cq_check_begin(struct segue_cq *cq);
SEGUEI_OF_LIBRARY void seguei_cq_check_end(struct segue_cq *cq);
SEGUEI_OF_LIBRARY void seguei_cq_check_route(struct seguei_cq_route route);

/*
 * Route of the completion in a CQE: to its queue pair, to the shared receive queue that it names,
 * or to none.
 */
struct seguei_cq_route seguei_cq_find(const struct segue_cq *cq, const uint8_t *cqe);

/* Points `entry` and `own` at the entry that `ci` counts to, and `last` after it. */
void seguei_cq_seek(struct segue_cq *cq);

/* Sets `stretch`, between 1 and the ring's entries. */
void seguei_cq_set_stretch(struct segue_cq *cq, uint32_t stretch);

/* Gives consumed entries back to the device, and keeps what is needed of them. */
SEGUEI_OF_LIBRARY void seguei_cq_give_back(struct segue_cq *cq);

/*
 * The next completion, on any path. Gives no entries back. Returns 0 and *wc, -ENOENT if there is
 * none, or another negative errno with segue_errmsg() for an entry that makes no sense, which it
 * steps over.
 */
SEGUEI_OF_LIBRARY int seguei_cq_take_one(struct segue_cq *cq, struct segue_wc *wc);

/* As seguei_cq_take_one(), but does not step over an entry that makes no sense. */
SEGUEI_OF_LIBRARY int seguei_cq_take_or_leave(struct segue_cq *cq, struct segue_wc *wc);

/*
 * Continues a poll that has handed out `count` completions to its end, from an entry that is not
 * for the fast path. Returns as segue_cq_poll_each().
 */
SEGUEI_OF_LIBRARY int seguei_cq_poll_on(struct segue_cq *cq, int max, int count,
					segue_wc_handler handler, void *arg);

/* Progress of a poll. */
struct seguei_cq_progress {
	int count; /* completions handed out, or, if it is over, the poll's result */
	bool over; /* the poll has ended, and given consumed entries back */
};

/* As seguei_cq_poll_on(), but stops at an entry that may be for the fast path. */
SEGUEI_OF_LIBRARY struct seguei_cq_progress seguei_cq_poll_slow(struct segue_cq *cq, int max,
								int count, segue_wc_handler handler,
								void *arg);

/* Sets the ring and the next entry. Writes nothing to the ring. */
void seguei_cq_set_ring(struct segue_cq *cq, uint8_t *buf, uint32_t cqe_cnt, uint32_t ci);

/*
 * Parts of the CQE's last dword (wqe_counter 31:16, signature 15:8, op_own 7:0), as they lie in
 * memory.
 */
#define SEGUEI_CQE_LAST	  (SEGUE_CQE64_SIZE - 4) /* offset of the last dword */
#define SEGUEI_CQE_OP_OWN (SEGUE_CQE64_SIZE - 1)
#define SEGUEI_CQE_QPN \
	(SEGUE_CQE64_SIZE - 7) /* in the dword before it: s_wqe_opcode 31:24, qpn 23:0 */
#define SEGUEI_CQE_OPCODE	segue_be32(0xf0u)
#define SEGUEI_CQE_OPCODE_UPPER \
	segue_be32(0xc0u) /* set in SEND_INV, in errors, and in entries of no receive */
#define SEGUEI_CQE_SEND_INV	segue_be32((uint32_t)SEGUE_CQE_OPCODE_RESP_SEND_INV << 4)
#define SEGUEI_CQE_FORMAT	segue_be32(SEGUE_CQE_OP_OWN_FORMAT_MASK)
#define SEGUEI_CQE_OWNER	segue_be32(SEGUE_CQE_OP_OWN_OWNER_MASK)

/* Conversion of a dword to the second half of a quadword, and back, both as stored in memory. */
SEGUEI_HOT_FUNCTION uint64_t seguei_cq_widen(uint32_t last)
{
	return SEGUEI_LITTLE_ENDIAN ? (uint64_t)last << 32 : last;
}

SEGUEI_HOT_FUNCTION uint32_t seguei_cq_narrow(uint64_t ids)
{
	return SEGUEI_LITTLE_ENDIAN ? (uint32_t)(ids >> 32) : (uint32_t)ids;
}

/*
 * The last dword of the next entry. If the entry is new, the bits that mark it as new are cleared.
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
 * True if the device has written the entry. @last: from seguei_cq_look(). The assembly keeps gcc
 * from loading the mask into a register before the test.
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

/* Begins a poll. False if the next entry is not new: the poll is over. @last: of that entry */
SEGUEI_HOT_FUNCTION bool seguei_cq_poll_begin(struct segue_cq *cq, uint32_t last)
{
	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	if (seguei_cq_new(cq, last))
		return true;
	SEGUEI_COUNT(cq->counts.empty);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return false;
}

/*
 * True if the entry is new, and a good send without payload. On the fast path the owner bit marks
 * new entries, so one comparison covers it, the opcode and the format.
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_is_send(uint32_t last)
{
	return (last & (SEGUEI_CQE_OWNER | SEGUEI_CQE_OPCODE | SEGUEI_CQE_FORMAT)) == 0;
}

/* True if the entry is new, and a good receive. The entry must not be a good send. */
SEGUEI_HOT_FUNCTION bool seguei_cq_is_receive(uint32_t last)
{
	const uint32_t usual = SEGUEI_CQE_OWNER | SEGUEI_CQE_OPCODE_UPPER | SEGUEI_CQE_FORMAT;

	if (SEGUEI_LIKELY((last & usual) == 0))
		return true;
	if (last & SEGUEI_CQE_OWNER)
		return false;
	SEGUEI_OWN_REGISTER(last); /* keeps clang from preparing this comparison on every path */
	return (last & (SEGUEI_CQE_OPCODE | SEGUEI_CQE_FORMAT)) == SEGUEI_CQE_SEND_INV;
}

/*
 * Fills wc from a good completion, except wr_id and context. @send: whether it is a send, if known
 */
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

/* Gives consumed entries back to the device. */
SEGUEI_HOT_FUNCTION void seguei_cq_tell_consumed(struct segue_cq *cq)
{
	seguei_order_memory_loads(); /* an entry that is given back is not read any more */
	seguei_store32(&cq->dbrec[SEGUE_CQ_DBREC_SET_CI], segue_be32(cq->ci));
}

/* Sets of receive queues: a queue pair's own, and shared ones. */
#define SEGUEI_CQ_OWN	 1u
#define SEGUEI_CQ_SHARED 2u
#define SEGUEI_CQ_ANY	 (SEGUEI_CQ_OWN | SEGUEI_CQ_SHARED)

/* Tag (segue/wc.h) of the sender of a receive's message, or 0. @context: of the queue. */
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

/* Takes a good send on the fast path. Returns false if it is not one, and nothing has changed. */
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
 * Takes a receive if its queue is of the kinds in `queue`. Returns false if it is of
 * another kind, and then nothing has changed.
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
 * Takes the new entry on the fast path. Returns false if that is not possible, and nothing has
 * changed.
 * @sender: visible to the compiler, or NULL
 * @tag: tag of the peer. It comes from the slot of a send, and from `sender` for a receive
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_from(struct segue_cq *cq, const uint8_t *bytes,
					     uint32_t last, struct segue_wc *wc,
					     seguei_cq_sender *sender, uint32_t *tag)
{
	return seguei_cq_is_send(last) ? seguei_cq_take_send(cq, bytes, last, wc, tag)
				       : seguei_cq_take_receive(cq, bytes, last, wc, sender, tag);
}

/* The same without a tag. */
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

/*
 * A function that takes entries which the fast path does not, as seguei_cq_take_at(). Visible to
 * the compiler, or NULL.
 */
typedef bool seguei_cq_taker(struct segue_cq *cq, const uint8_t *bytes, uint32_t last,
			     struct segue_wc *wc);

SEGUEI_HOT_FUNCTION bool seguei_cq_look_again(const struct segue_cq *cq, const uint8_t *bytes,
					      uint32_t *last)
{
	*last = seguei_cq_look_at(cq, bytes);
	return true;
}

/* A poll for one completion. It takes entries of the fast path, and those of `also`, in line. */
SEGUEI_HOT_FUNCTION int seguei_cq_poll_single(struct segue_cq *cq, segue_wc_handler handler,
					      void *arg, seguei_cq_taker *also)
{
	const uint8_t *bytes = cq->entry;
	const uint32_t last = seguei_cq_look_at(cq, bytes);
	struct segue_wc wc;
	uint32_t tag;

	if (!seguei_cq_poll_begin(cq, last))
		return 0;
#ifndef __clang__
	SEGUEI_OWN_REGISTER(arg); /* keeps gcc from moving it to one before the return above */
#endif
	/* A receive needs one comparison more, so the send has the jump. */
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
 * A poll for many completions. Its progress is stored only when it ends or takes the slow path.
 * Until then `entry` is one that no poll can take. The control path and other polls recognise by it
 * that a handler has called them.
 */
SEGUEI_HOT_FUNCTION int seguei_cq_poll_many(struct segue_cq *cq, int max, segue_wc_handler handler,
					    void *arg, seguei_cq_taker *also)
{
	const uint8_t *bytes = cq->entry; /* the next entry */
	uint32_t last = seguei_cq_look_at(cq, bytes), ci;
	struct seguei_cq_progress progress = {0, false};
	struct segue_wc wc;

	if (!seguei_cq_poll_begin(cq, last))
		return 0;
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

/* A poll that takes the entries of the fast path, and those of `also`, in line. */
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
 * A handler may post, ring doorbells, give buffers back, and read and explain its completion. While
 * entries are in hand, calls that change this queue return -EBUSY: to open, adopt, close, modify,
 * query, reset, drain or flush an object that completes here, to resize or to close the queue, and
 * to wait. Another poll also returns -EBUSY if it would do harm. The program takes a note, and
 * makes the call when the poll is over. Checked builds stop at a poll from a handler.
 *
 * A failed completion arrives like others, with wc->syndrome set. Completions that a send queue
 * asked for itself are not handed out, unless they failed. Returns the number of completions handed
 * out, 0 if there was nothing new, or a negative errno with segue_errmsg() if a CQE belongs to no
 * queue that is attached, or to no request in flight. Such a CQE is stepped over, and polling may
 * continue. Completions handed out before it are counted first, and the next call reports it. No
 * exception and no longjmp() may leave the handler.
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
 * The threads synchronise among themselves. Only checked builds need the call.
 */
SEGUE_FUNCTION void segue_cq_hand_over(struct segue_cq *cq)
{
	cq->checked_owner = 0;
}

#include "segue/detail/end.h"

#include "segue/detail/cq_array.h" /* the same into arrays */
#include "segue/detail/cq_next.h"  /* and one after the other */

#endif
