/* SPDX-License-Identifier: BSD-2-Clause */
/* Failed completions: their effects on peers, and the repair of queues. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/peers/multi_channel.h"

/* One in so many receives may be held by datagrams of unknown senders. */
#define STRANGERS 4

void seguei_channel_note_change(struct segue_channel *channel)
{
	struct segue_multi_channel *multi = channel->multi;
	struct seguei_multi_more *more = multi->more;

	if (channel->more->changed)
		return;
	channel->more->changed = true;
	channel->more->next_changed = SEGUE_PEER_NONE;
	if (more->changes.first == SEGUE_PEER_NONE)
		more->changes.first = channel->index;
	else
		multi->channels[more->changes.last].more->next_changed = channel->index;
	more->changes.last = channel->index;
}

bool segue_multi_channel_next_change(struct segue_multi_channel *multi, struct segue_peer_id *peer,
				     enum segue_channel_state *state)
{
	struct seguei_multi_more *more = multi->more;
	struct segue_channel *channel;

	if (more->changes.first == SEGUE_PEER_NONE)
		return false;
	channel = &multi->channels[more->changes.first];
	more->changes.first = channel->more->next_changed;
	channel->more->changed = false;
	*peer = segue_channel_peer(channel);
	*state = segue_channel_state(channel);
	return true;
}

void seguei_channel_set_failed(struct segue_channel *channel, const char *why)
{
	if (channel->state == SEGUE_CHANNEL_FAILED)
		return;
	free(channel->more->reason);
	channel->more->reason = strdup(why);
	channel->state = SEGUE_CHANNEL_FAILED;
	seguei_channel_note_change(channel);
	channel->multi->more->changes.n_failed++;
	channel->sq = NULL;
	if (channel->multi->transport == SEGUE_TRANSPORT_DC)
		seguei_dci_forget(channel->multi, channel);
}

/*
 * Drops unread messages of the last generation, which would otherwise be taken for the next one's.
 * Results of its requests stay.
 */
static bool drop_kept(const struct segue_wc *wc, void *arg)
{
	const struct segue_channel *channel = arg;

	if (!segue_wc_is_receive(wc) || wc->peer.index != channel->index)
		return false;
	segue_multi_channel_give_back(channel->multi, wc);
	return true;
}

void seguei_channel_next_generation(struct segue_channel *channel)
{
	const uint32_t now = channel->tag >> SEGUEI_TAG_SHIFT;

	seguei_kept_take(channel->multi, drop_kept, channel);
	channel->multi->more->changes.n_failed -= channel->state == SEGUE_CHANNEL_FAILED;
	channel->tag = seguei_tag_of(channel->index, now < SEGUEI_GENERATION_MAX ? now + 1 : 1);
	channel->more->owner.first_error = 0;
	if (channel->multi->transport == SEGUE_TRANSPORT_RC) {
		channel->more->owner.tag = channel->tag;
		seguei_multi_tag_all(channel->more->owner.sq, channel->tag);
	}
	free(channel->more->reason);
	channel->more->reason = NULL;
	channel->state = SEGUE_CHANNEL_READY;
	if (channel->multi->transport == SEGUE_TRANSPORT_UD)
		seguei_senders_remove(channel->multi, channel->index);
	channel->number = 0; /* not connected yet */
}

/* The channel of a completion of its present generation. */
static struct segue_channel *channel_of(struct segue_multi_channel *multi,
					const struct segue_peer_id *peer)
{
	struct segue_channel *channel;

	if (peer->index >= multi->count)
		return NULL;
	channel = &multi->channels[peer->index];
	return channel->tag == seguei_tag_of(peer->index, peer->generation) ? channel : NULL;
}

static struct seguei_dci *dci_of(const struct seguei_owner *owner)
{
	return (struct seguei_dci *)(void *)((char *)(uintptr_t)owner -
					     offsetof(struct seguei_dci, context));
}

void seguei_dci_set_sick(struct segue_multi_channel *multi, struct seguei_dci *dci)
{
	dci->sick = true;
	dci->tag = 0;
	multi->due |= SEGUEI_DUE_MEND;
}

/* Marks the queue of the completion as failed until its repair. */
static void mark_sick(struct segue_multi_channel *multi, const struct seguei_owner *owner)
{
	if (multi->transport == SEGUE_TRANSPORT_UD)
		multi->due |= SEGUEI_DUE_MEND;
	if (multi->transport == SEGUE_TRANSPORT_DC && owner->sq)
		seguei_dci_set_sick(multi, dci_of(owner));
}

/*
 * True if the failure ends the channel. Over RC the queue pair is the peer's own. Over DC a refused
 * request does not end the peer. Only silence does.
 */
static bool ends_channel(const struct segue_multi_channel *multi, const struct segue_wc *wc)
{
	if (multi->transport == SEGUE_TRANSPORT_RC)
		return true;
	return multi->transport == SEGUE_TRANSPORT_DC &&
	       wc->syndrome == SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR;
}

void seguei_multi_explain(const struct segue_wc *wc, char *out, size_t size)
{
	const struct seguei_owner *owner = wc->context;
	const struct segue_qp *qp = owner->multi->more->queues.ud;

	if (owner->channel)
		qp = owner->channel->more->qp;
	else if (owner->multi->transport == SEGUE_TRANSPORT_DC)
		qp = owner->sq ? dci_of(owner)->qp : owner->multi->more->queues.dct;
	(void)segue_qp_explain(qp, wc, out, size);
}

const char *seguei_syndrome_name(uint8_t syndrome)
{
	const char *name = segue_cqe_syndrome_name(syndrome);

	return name ? name : "unknown syndrome";
}

/*
 * Explains silence after a request of keepalive, which has no address or key to show. False over DC
 * if the peer lives, as far as the world has heard.
 */
static bool explain_silence(struct segue_channel *channel, const struct segue_wc *wc, char *out,
			    size_t size)
{
	const enum seguei_word word = seguei_multi_hear_of(channel->multi, channel->index);

	if (word == SEGUEI_WORD_DEAD)
		(void)snprintf(out, size, "%s", segue_errmsg());
	else
		(void)snprintf(out, size,
			       "keepalive has found it silent: an empty WRITE was not acknowledged "
			       "by the end of its retries (%s). %s",
			       seguei_syndrome_name(wc->syndrome),
			       word == SEGUEI_WORD_LIVES
				       ? "Its process lives, as the world knows: look at the way "
					 "to it."
				       : "Is its process there, and the way to it?");
	return word != SEGUEI_WORD_LIVES || channel->multi->transport == SEGUE_TRANSPORT_RC;
}

void seguei_multi_failure(const struct segue_wc *wc)
{
	struct seguei_owner *owner = wc->context;
	struct segue_multi_channel *multi = owner->multi;
	struct segue_channel *channel = channel_of(multi, &wc->peer);
	char sentence[768], why[900];

	if (multi->more->scopes.innermost && !segue_wc_is_receive(wc) &&
	    wc->wr_id < SEGUE_WR_ID_LIMIT)
		seguei_scopes_note(multi, wc);
	if (wc->syndrome == SEGUE_WC_SIGNATURE_ERR)
		return; /* data is damaged, but no queue */
	if (!segue_wc_is_receive(wc)) {
		mark_sick(multi, owner);
		if (!owner->first_error && wc->syndrome != SEGUE_CQE_SYNDROME_WR_FLUSH_ERR)
			owner->first_error = wc->syndrome;
	}
	if (!channel || channel->state == SEGUE_CHANNEL_FAILED || !ends_channel(multi, wc))
		return;
	if (wc->wr_id != SEGUEI_KEEPALIVE_WR_ID)
		seguei_multi_explain(wc, sentence, sizeof(sentence));
	else if (!explain_silence(channel, wc, sentence, sizeof(sentence)))
		return;
	(void)snprintf(why, sizeof(why), "peer %u, generation %u: %s", wc->peer.index,
		       wc->peer.generation, sentence);
	seguei_channel_set_failed(channel, why);
}

static void drop(const struct segue_wc *wc, void *arg)
{
	(void)wc;
	(void)arg;
}

static bool mend_dci(struct segue_multi_channel *multi, struct seguei_dci *dci)
{
	if (!seguei_sq_is_idle(dci->sq)) /* requests after the failed one are still to be flushed */
		return false;
	if (segue_qp_reset(dci->qp, drop, NULL))
		return false;
	seguei_scopes_restarted(multi, dci->qp);
	if (seguei_dci_start(multi, dci))
		return false;
	dci->sick = false;
	dci->context.first_error = 0;
	return true;
}

/* Waits for the flush of the requests after the failed one, because the repair must come last. */
static bool mend_ud(struct seguei_multi_more *more)
{
	struct segue_qp_info info;

	if (!seguei_sq_is_idle(more->queues.ud_owner.sq) || segue_qp_query(more->queues.ud, &info))
		return false;
	if (info.state == SEGUE_QP_STATE_SQE && segue_qp_resume(more->queues.ud))
		return false;
	if (info.state != SEGUE_QP_STATE_SQE && info.state != SEGUE_QP_STATE_RTS)
		return false;
	more->queues.ud_owner.first_error = 0;
	return true;
}

static void mend(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	bool all = true;

	for (uint32_t i = 0; more->dcis.all && i < more->options.dcis; i++)
		if (more->dcis.all[i].sick)
			all &= mend_dci(multi, &more->dcis.all[i]);
	if (more->queues.ud)
		all = mend_ud(more);
	if (all)
		multi->due &= ~SEGUEI_DUE_MEND;
}

void seguei_multi_post_receives(struct segue_multi_channel *multi)
{
	multi->due &= ~SEGUEI_DUE_RECEIVES;
	(void)segue_pool_post_srq(multi->pool, multi->srq, UINT32_MAX);
}

void seguei_multi_see_to(struct segue_multi_channel *multi)
{
	if (multi->due & SEGUEI_DUE_RECEIVES)
		seguei_multi_post_receives(multi);
	if (multi->due & SEGUEI_DUE_MEND)
		mend(multi);
	if (multi->due & SEGUEI_DUE_CREDITS)
		seguei_credits_tell(multi);
}

void seguei_multi_hand_out(const struct segue_wc *wc, void *arg)
{
	/* on a shared queue it may differ from the one that polls */
	struct segue_multi_channel *multi = segue_multi_channel_of(wc);
	struct seguei_multi_more *more = multi->more;

	(void)arg;
	if (more->options.handler) {
		more->options.handler(wc, more->options.arg);
		return;
	}
	/*
	 * Datagrams of unknown senders are dropped, because otherwise they would take all buffers
	 * while no call polls.
	 */
	if (multi->transport == SEGUE_TRANSPORT_UD && segue_wc_is_receive(wc) &&
	    wc->peer.index >= multi->count &&
	    more->backlog.count >= more->options.receives / STRANGERS) {
		segue_multi_channel_give_back(multi, wc);
		return;
	}
	if (!seguei_kept_add(multi, wc))
		return;
	more->backlog.lost++;
	if (segue_wc_is_receive(wc))
		segue_multi_channel_give_back(multi, wc);
}

static enum segue_outcome end_of(uint8_t syndrome)
{
	switch (syndrome) {
	case 0:
		return SEGUE_OUTCOME_EXECUTED;
	case SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR:
	case SEGUE_CQE_SYNDROME_WR_FLUSH_ERR:
		return SEGUE_OUTCOME_UNKNOWN;
	case SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR:
		return SEGUE_OUTCOME_NOT_EXECUTED;
	default:
		return SEGUE_OUTCOME_FAILED;
	}
}

enum segue_outcome segue_multi_channel_outcome(const struct segue_multi_channel *multi,
					       const struct segue_wc *wc)
{
	const struct seguei_owner *owner = wc->context;

	(void)multi;
	if (wc->syndrome != SEGUE_CQE_SYNDROME_WR_FLUSH_ERR)
		return end_of(wc->syndrome);
	/*
	 * Flushed: the error that stopped the queue decides whether later packets may have been
	 * executed.
	 */
	switch (owner->first_error) {
	case 0: /* stopped by this side, or by an act of the peer */
	case SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR:
		return SEGUE_OUTCOME_UNKNOWN;
	default:
		return SEGUE_OUTCOME_NOT_EXECUTED;
	}
}

int segue_multi_channel_fail_peer(struct segue_multi_channel *multi, uint32_t index,
				  const char *why)
{
	struct segue_channel *channel;
	char sentence[512];
	int ret = seguei_multi_check_index(multi, "segue_multi_channel_fail_peer()", index);

	if (ret)
		return ret;
	ret = seguei_channel_make(multi, index, &channel);
	if (ret || channel->state == SEGUE_CHANNEL_FAILED)
		return ret;
	(void)snprintf(sentence, sizeof(sentence), "peer %u, generation %u: %s", index,
		       channel->tag >> SEGUEI_TAG_SHIFT, why);
	/* Ends its queue pair, or its wait for a DCI, at once. */
	if (multi->transport == SEGUE_TRANSPORT_RC && channel->state == SEGUE_CHANNEL_UP)
		ret = seguei_qp_fail(channel->more->qp);
	else if (multi->transport == SEGUE_TRANSPORT_DC && channel->dci->owner == channel->tag &&
		 !seguei_sq_is_idle(channel->dci->sq)) {
		ret = seguei_qp_fail(channel->dci->qp);
		/* if all requests are done, no flushed one would report it */
		seguei_dci_set_sick(multi, channel->dci);
	}
	seguei_channel_set_failed(channel, sentence);
	return ret;
}
