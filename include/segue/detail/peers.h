/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inline half of segue/peers/multi_channel.h: credits, polls, and the start of posts by peer.
 *
 * Owner: the multi-channel's. Nothing is kept.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own.
 */
#ifndef SEGUE_DETAIL_PEERS_H
#define SEGUE_DETAIL_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/peers/multi_channel.h"

#include "segue/detail/begin.h"

/* Posts all free buffers. */
SEGUEI_OF_LIBRARY void seguei_multi_post_receives(struct segue_multi_channel *multi);

/* Gives a message's sender its credit back, after the message's buffer was given back. */
SEGUEI_OF_LIBRARY void seguei_credit_return(struct segue_multi_channel *multi,
					    const struct segue_peer_id *peer);

/**
 * segue_multi_channel_give_back() returns a receive's buffer, wc->wr_id. It is posted again
 * together with others: when an eighth of the buffers was given back, or by the next poll that
 * finds nothing. With credits the message's sender has one more. Cannot fail.
 */
SEGUEI_HOT_FUNCTION void segue_multi_channel_give_back(struct segue_multi_channel *multi,
						       const struct segue_wc *wc)
{
	segue_pool_push(multi->pool, (void *)(uintptr_t)wc->wr_id);
	multi->due |= SEGUEI_DUE_RECEIVES;
	if (SEGUEI_UNLIKELY(segue_pool_available(multi->pool) >= multi->batch))
		seguei_multi_post_receives(multi);
	if (SEGUEI_UNLIKELY(multi->counts_credits))
		seguei_credit_return(multi, &wc->peer);
}

/* Owner of a completion's queue: context of every queue pair of a multi-channel. */
struct seguei_owner {
	struct segue_multi_channel *multi;
	struct segue_channel *channel; /* RC */
	uint32_t tag;                  /* RC: its peer's */
	/* its slots name the peer. NULL: a DCT, which only receives */
	struct segue_sq *sq;
	/* enum segue_cqe_syndrome that stopped the queue. 0: none, or this side stopped it */
	uint8_t first_error;
};

/**
 * segue_multi_channel_of() is the multi-channel that a completion belongs to, if several share a
 * completion queue. Call it in the handler. Cannot fail.
 */
SEGUEI_HOT_FUNCTION struct segue_multi_channel *segue_multi_channel_of(const struct segue_wc *wc)
{
	return ((const struct seguei_owner *)wc->context)->multi;
}

/*
 * Tag of the sender of a datagram or, with imm_names_sender, of a DC message, or 0. @cqe: of a good
 * receive into the buffer @wr_id. These functions do not take the whole completion, so that a poll
 * keeps unused parts out of memory.
 */
SEGUEI_OF_LIBRARY uint32_t seguei_multi_sender(const struct segue_multi_channel *multi,
					       const uint8_t *cqe, uint64_t wr_id);

/* Notes a failure, after the peer is known and before the handler is called. */
SEGUEI_COLD void seguei_multi_failure(const struct segue_wc *wc);

void seguei_multi_see_to(struct segue_multi_channel *multi);

/* Does due work after a poll has found nothing, or an error, @ret. Returns the poll's result. */
SEGUEI_COLD int seguei_multi_catch_up(struct segue_multi_channel *multi, int ret, int max,
				      segue_wc_handler handler, void *arg);

/* As seguei_multi_sender(), over any transport. */
SEGUE_FUNCTION uint32_t seguei_multi_sender_of(const void *context, const uint8_t *cqe,
					       uint64_t wr_id)
{
	const struct seguei_owner *owner = (const struct seguei_owner *)context;

	return SEGUEI_LIKELY(owner->tag != 0) ? owner->tag
					      : seguei_multi_sender(owner->multi, cqe, wr_id);
}

/* Sets the tag of a queue's requests, except those that have a tag of their own. */
void seguei_multi_tag_all(struct segue_sq *sq, uint32_t tag);

/* A request of the library's own has completed. @cq: as it was polled. @cqe: of the request */
SEGUEI_OF_LIBRARY void seguei_multi_own(const struct segue_cq *cq, const uint8_t *cqe,
					uint64_t wr_id, uint32_t tag);

/* Continues a poll at an entry that is not for the fast path, for example a failure. */
SEGUEI_COLD int seguei_multi_poll_on(struct segue_multi_channel *multi, struct segue_cq *cq,
				     int max, int count, segue_wc_handler handler, void *arg);

/* As segue_cq_poll_each(), with the peer named. @cq: its own, or the one without entries */
SEGUEI_HOT_FUNCTION int seguei_multi_poll(struct segue_multi_channel *multi, struct segue_cq *cq,
					  int max, segue_wc_handler handler, void *arg)
{
	uint32_t last = seguei_cq_look(cq);
	int count = 0;

	if (!seguei_cq_poll_begin(cq, last))
		return 0;
	do {
		struct segue_wc wc;
		uint32_t tag;

		if (SEGUEI_UNLIKELY(
			    !seguei_cq_take_of(cq, last, &wc, seguei_multi_sender_of, &tag)))
			return seguei_multi_poll_on(multi, cq, max - count, count, handler, arg);
		wc.peer = seguei_peer_of_tag(tag);
		if (SEGUEI_LIKELY(wc.wr_id < SEGUE_WR_ID_LIMIT))
			handler(&wc, arg);
		else
			seguei_multi_own(cq, wc.cqe, wc.wr_id, tag);
	} while (++count < max && seguei_cq_new(cq, last = seguei_cq_look(cq)));
	seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return count;
}

/**
 * segue_multi_channel_poll_each() - hand new completions to a function.
 * @multi: multi-channel. If others share its completion queue, their completions come too
 * (segue_multi_channel_of()). Poll each from time to time, because only that serves its own
 * receives and queues
 * @max: most completions
 * @handler: as for segue_cq_poll_each(). wc->peer names the peer. May post, but not poll
 * @arg: for the handler
 *
 * Without options.handler, completions that were kept while a call waited come first. Polls that
 * find nothing post the buffers that were given back, and from time to time do the work of
 * keepalive_ms. Polls that find failures repair queues. Returns as segue_cq_poll_each(), or, once,
 * -ENOMEM if a completion could not be kept.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_multi_channel_poll_each(
	struct segue_multi_channel *multi, int max, segue_wc_handler handler, void *arg)
{
	int ret;

	if (SEGUEI_UNLIKELY(max < 1))
		return 0;
	ret = seguei_multi_poll(multi, multi->cq, max, handler, arg);
	if (SEGUEI_LIKELY(ret > 0))
		return ret;
	if (multi->due)
		ret = seguei_multi_catch_up(multi, ret, max, handler, arg);
#ifndef SEGUE_FREESTANDING /* the host's polls do it */
	if (SEGUEI_UNLIKELY(multi->keeps_alive && ++multi->empty % SEGUEI_EMPTY_POLLS == 0))
		(void)segue_multi_channel_keepalive(multi);
#endif
	return ret;
}

/* A DC initiator. */
struct seguei_dci {
	struct segue_sq *sq;
	uint32_t tag;   /* tag of the peer that may post now. 0: none, the DCI runs dry */
	uint32_t taken; /* sq->pi when it changed hands */
	uint32_t owner; /* tag of the peer with work on it, or of the last one */
	bool sick;      /* failed: repaired when it is empty */
	uint32_t seen_ci;	    /* consumer index of sq when a peer was refused */
	segue_deadline stuck_until; /* when it may be taken away, if sq is still at that index */
	struct segue_qp *qp;
	struct seguei_owner context;
};

/* The reason why a post by peer is refused: -EINVAL, -ENOTCONN, -ENOTSUP. */
SEGUEI_COLD int seguei_by_peer_refuse(struct segue_multi_channel *multi, uint32_t index);
SEGUEI_COLD int seguei_by_peer_unknown(const struct segue_multi_channel *multi,
				       const char *request);

/* Finds a DCI for a peer: 0, or -EAGAIN. */
SEGUEI_COLD int seguei_dci_acquire(struct segue_channel *channel);

/* The channel of a peer that takes requests, or NULL. Makes it at the first use. */
SEGUEI_COLD struct segue_channel *seguei_by_peer_first(struct segue_multi_channel *multi,
						       uint32_t index);

/* The channel of a peer that takes requests, or NULL. */
SEGUEI_HOT_FUNCTION struct segue_channel *seguei_by_peer(struct segue_multi_channel *multi,
							 uint32_t index)
{
	struct segue_channel *channel;

	if (SEGUEI_UNLIKELY(index >= multi->count))
		return NULL;
	channel = &multi->channels[index];
	return SEGUEI_LIKELY(channel->sq != NULL) ? channel : seguei_by_peer_first(multi, index);
}

/* Writes the peer's tag beside the next request. UD and DC. */
SEGUEI_HOT_FUNCTION void seguei_by_peer_tag(struct segue_sq *sq, uint32_t tag)
{
	sq->slots[sq->pi & sq->mask].tag = tag;
}

/* DC: tests whether the peer has a DCI, and may post on it. Returns 0 or -EAGAIN. */
SEGUEI_HOT_FUNCTION int seguei_by_peer_dci(struct segue_channel *channel)
{
	if (SEGUEI_UNLIKELY(channel->dci->tag != channel->tag))
		return seguei_dci_acquire(channel);
	return 0;
}

/*
 * DC: makes an unsignaled request complete, so that Segue knows when the DCI is free, but hides its
 * completion from the handler. @pi: before it was posted.
 */
SEGUEI_HOT_FUNCTION void seguei_by_peer_hush(struct segue_sq *sq, uint32_t pi, uint32_t flags)
{
	struct segue_sq_slot *slot = &sq->slots[pi & sq->mask];

	if (!(flags & SEGUE_SIGNALED) && seguei_sq_in_flight(sq, slot->next))
		slot->next += SEGUEI_SLOT_FORCED;
}

/*
 * Credits: the number of messages that each peer may have in this side's receives (`credits` of a
 * multi-channel's options). A peer that sends many messages cannot use up the receives of others,
 * and each message finds a receive.
 *
 *	if (segue_channel_credits(channel) && !segue_peer_send_imm(multi, peer, &args))
 *		segue_channel_spend_credit(channel);
 *
 * Calls that wait, fans and segue_request_begin() do that by themselves. A receiver gives messages
 * back by segue_multi_channel_give_back(). When half of its credits can be returned, an RDMA WRITE
 * notifies the sender.
 *
 * Owner: values. Nothing is owned.
 * Threads: that of the multi-channel.
 * Errors: cannot fail.
 * Source: Segue's own.
 */

/**
 * segue_channel_credits() is the number of messages that may be sent to a peer now. UINT32_MAX if
 * the peer does not count them. It grows by polls of the peer, not of this side. Cannot fail.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_channel_credits(const struct segue_channel *channel)
{
	if (!channel->credits)
		return UINT32_MAX;
	return (channel->credits - channel->sent + *channel->taken) & UINT32_MAX;
}

/** segue_channel_spend_credit() notes that one message was posted to the peer. Cannot fail. */
SEGUEI_HOT_FUNCTION void segue_channel_spend_credit(struct segue_channel *channel)
{
	channel->sent++;
}

#include "segue/detail/end.h"

#endif
