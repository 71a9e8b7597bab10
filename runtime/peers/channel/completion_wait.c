/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Posts a request of the library's own and waits for it. Completions of other requests go to their
 * handler.
 *
 * Calls that wait yield the processor after some microseconds of empty polls, because ranks may
 * share processors. The program's own polls never yield.
 *
 * A call that waits in vain asks the world which peers have died, if the program allows it. A world
 * belongs to one thread, which may be another than the multi-channel's. Without that permission,
 * keepalive or the deadline finds a dead peer with nothing in flight.
 */
#include <errno.h>
#include <sched.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

/*
 * Empty polls in a row, some microseconds, after which a waiting call yields the processor, because
 * its peer may need it.
 */
#define PATIENCE    128

/* Polls of a waiting call, empty or not, between two reads of the clock for keepalive. */
#define LOOKS	    32

/* Peers that the world is asked about in one go. The others follow. */
#define ASK_AT_ONCE 4096

void seguei_multi_own(const struct segue_cq *cq, const uint8_t *cqe, uint64_t wr_id, uint32_t tag)
{
	const struct seguei_cq_route route = seguei_cq_map_find(&cq->queues, cqe + SEGUEI_CQE_QPN);
	const struct seguei_owner *owner = route.page->context[route.at];
	struct segue_request *request = seguei_request_of(owner->multi, wr_id);

	(void)tag;
	if (request)
		seguei_request_over(request, 0, SEGUE_OUTCOME_EXECUTED);
}

/*
 * Asks the world about a peer now and then, while nothing is there to poll. A wait for a dead peer
 * with nothing in flight would otherwise last until its deadline.
 */
static int ask_of(struct segue_multi_channel *multi, uint32_t index, bool *dead)
{
	uint32_t life;
	int ret;

	*dead = index >= segue_world_size(multi->more->rendezvous.world);
	if (*dead) {
		(void)seguei_fail(0, "it has retired, and the world has shrunk");
		return 0;
	}
	ret = segue_world_query_gone(multi->more->rendezvous.world, index, dead, &life);
	if (!ret && !*dead && life > seguei_peer_life(multi, index)) {
		*dead = true;
		(void)seguei_fail(0, "it has died, and another process has taken its place");
	}
	return ret;
}

enum seguei_word seguei_multi_hear_of(struct segue_multi_channel *multi, uint32_t index)
{
	const struct seguei_multi_more *more = multi->more;
	bool dead;

	if (!more->options.ask_world_ms || !more->rendezvous.world || ask_of(multi, index, &dead))
		return SEGUEI_WORD_NOTHING;
	if (dead)
		return SEGUEI_WORD_DEAD;
	return seguei_world_vouches(more->rendezvous.world, index) ? SEGUEI_WORD_LIVES
								   : SEGUEI_WORD_NOTHING;
}

enum seguei_word seguei_multi_ask_peer(struct segue_multi_channel *multi, uint32_t index)
{
	const enum seguei_word word = seguei_multi_hear_of(multi, index);

	if (word == SEGUEI_WORD_DEAD)
		(void)segue_multi_channel_fail_peer(multi, index, segue_errmsg());
	return word;
}

/* For a peer that is up and is not this side: 0, or the error of the world. */
static int fail_if_dead(struct segue_multi_channel *multi, uint32_t index)
{
	bool dead = false;
	int ret = 0;

	if (!seguei_multi_is_self(multi, index) &&
	    seguei_peer_state(multi, index) == SEGUE_CHANNEL_UP)
		ret = ask_of(multi, index, &dead);
	if (!ret && dead)
		(void)segue_multi_channel_fail_peer(multi, index, segue_errmsg());
	return ret;
}

int seguei_multi_ask_world(struct segue_multi_channel *multi)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < multi->count && !ret; i++)
		ret = fail_if_dead(multi, i);
	return ret;
}

static void ask_world(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t asked;

	if (!more->options.ask_world_ms || !more->rendezvous.world ||
	    segue_deadline_left_ms(more->rendezvous.ask_at))
		return;
	more->rendezvous.ask_at = segue_deadline_in_ms(more->options.ask_world_ms);
	for (asked = 0; asked < multi->count && asked < ASK_AT_ONCE; asked++)
		(void)fail_if_dead(multi, more->rendezvous.next_asked++ % multi->count);
}

/* Yields after an empty poll. */
static void rest(struct segue_multi_channel *multi, int taken)
{
	struct seguei_multi_more *more = multi->more;

	more->turns.empty = taken ? 0 : more->turns.empty + 1;
	if (more->turns.empty <= PATIENCE)
		return;
	(void)sched_yield();
	ask_world(multi);
}

int seguei_multi_refuse_turn(void)
{
	return seguei_fail(EBUSY, "Multi-channel: a handler may post, but not wait or poll; a poll "
				  "is under way already.");
}

int seguei_multi_poll_for(struct segue_multi_channel *multi, segue_wc_handler handler, void *arg)
{
	struct seguei_multi_more *more = multi->more;
	int ret;

	if (more->turns.in_turn || seguei_cq_is_polled(more->queues.cq))
		return seguei_multi_refuse_turn();
	more->turns.in_turn = true;
	ret = seguei_multi_poll(multi, more->queues.cq, SEGUEI_TURN, handler, arg);
	more->turns.in_turn = false;
	if (ret < 0)
		return ret;
	if (multi->due & ~SEGUEI_DUE_KEPT)
		seguei_multi_see_to(multi);
	if (multi->keeps_alive && ++multi->empty % LOOKS == 0)
		(void)segue_multi_channel_keepalive(multi);
	rest(multi, ret);
	return ret;
}

int seguei_multi_turn(struct segue_multi_channel *multi)
{
	const int ret = seguei_multi_poll_for(multi, seguei_multi_hand_out, multi);

	return ret < 0 ? ret : 0;
}

struct naming {
	segue_wc_handler handler;
	void *arg;
};

/* The tag of a completion, even of a failed request, or 0. */
static uint32_t tag_of(const struct segue_wc *wc)
{
	const struct seguei_owner *owner = wc->context;

	if (owner->sq && !segue_wc_is_receive(wc))
		return owner->sq->slots[wc->wqe_counter & owner->sq->mask].tag;
	return wc->syndrome ? owner->tag : seguei_multi_sender_of(owner, wc->cqe, wc->wr_id);
}

/*
 * Wraps a handler: finds the completion's peer, handles failures, and keeps the library's own
 * requests from the handler.
 */
static void name(const struct segue_wc *wc, void *arg)
{
	const struct naming *naming = arg;
	const uint32_t tag = tag_of(wc);
	struct segue_wc named = *wc;
	struct segue_request *request;

	named.peer = seguei_peer_of_tag(tag);
	if (named.syndrome)
		seguei_multi_failure(&named);
	if (named.wr_id < SEGUE_WR_ID_LIMIT) {
		naming->handler(&named, naming->arg);
		return;
	}
	request = seguei_request_of(segue_multi_channel_of(&named), named.wr_id);
	if (request)
		seguei_request_over(request, named.syndrome,
				    segue_multi_channel_outcome(request->multi, &named));
}

int seguei_multi_poll_on(struct segue_multi_channel *multi, struct segue_cq *cq, int max, int count,
			 segue_wc_handler handler, void *arg)
{
	struct naming naming = {handler, arg};
	const int ret = seguei_cq_poll_on(cq, max, count, name, &naming);

	if (multi->due & (SEGUEI_DUE_MEND | SEGUEI_DUE_CREDITS))
		seguei_multi_see_to(multi);
	/* Runs once in each round of the completion queue, so that busy programs get here, too. */
	if (multi->keeps_alive)
		(void)segue_multi_channel_keepalive(multi);
	return ret;
}

void seguei_multi_reset_handler(const struct segue_wc *wc, void *arg)
{
	struct naming naming = {seguei_multi_hand_out, arg};

	name(wc, &naming);
}

bool seguei_channel_is_quiet(const struct segue_channel *channel)
{
	const struct segue_sq *sq;

	if (!channel->more)
		return true;
	switch (channel->multi->transport) {
	case SEGUE_TRANSPORT_RC:
		sq = channel->more->owner.sq;
		break;
	case SEGUE_TRANSPORT_DC:
		sq = channel->dci->owner == channel->tag ? channel->dci->sq : NULL;
		break;
	default:
		sq = channel->multi->more->queues.ud_owner.sq;
		break;
	}
	return !sq || seguei_sq_is_idle(sq);
}

static bool is_busy(const void *arg, uint32_t index)
{
	return !seguei_channel_is_quiet(
		&((const struct segue_multi_channel *)arg)->channels[index]);
}

int segue_multi_channel_drain(struct segue_multi_channel *multi, segue_deadline deadline)
{
	char names[160];
	int ret;

	for (;;) {
		const bool late = !segue_deadline_left_ms(deadline);

		if (!seguei_posted_drive(multi))
			return 0;
		if (late) {
			(void)seguei_world_name_ranks(names, sizeof(names), multi->count, is_busy,
						      multi);
			return seguei_fail(ETIMEDOUT,
					   "Multi-channel: requests are outstanding to %s.", names);
		}
		ret = seguei_multi_turn(multi);
		if (ret)
			return ret;
	}
}
