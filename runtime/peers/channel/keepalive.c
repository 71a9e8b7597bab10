/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes idle peers, because a queue pair with nothing in flight does not notice its peer's death.
 * The world is asked first. If it knows nothing, an empty WRITE must be acknowledged. Peers take
 * turns, spread over the period. A period has a constant number of turns, because N ranks that
 * probed N peers each would be N squared messages.
 *
 * Keepalive relies on a TCP world. A rank with an open control connection has a process, even if
 * that process gets no processor for seconds. An empty WRITE without an answer would end its RC
 * queue pair, and nothing could repair that. So only peers of which the world knows nothing are
 * probed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/gen/peers.h"

#define NS_PER_MS   1000000u

/* RC: turns of a peer in a period. The first one may find traffic, the second one probes. */
#define LOOKS	    2

/* Limit of peers that one turn skips. */
#define PASSED_OVER 1024

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * True if nothing happened since the last look. Requests in flight are repeated until they are
 * answered.
 */
static bool was_idle(struct segue_channel *channel)
{
	const struct segue_sq *sq = channel->more->owner.sq;
	bool idle;

	if (channel->multi->transport !=
	    SEGUE_TRANSPORT_RC) /* DCIs change hands, so requests are not counted by peer */
		return channel->dci->owner != channel->tag || seguei_sq_is_idle(channel->dci->sq);
	idle = seguei_sq_is_idle(sq) && sq->pi == channel->more->seen_pi;
	channel->more->seen_pi = sq->pi;
	return idle;
}

static void write_nothing(struct segue_multi_channel *multi, struct segue_channel *channel)
{
	const struct segue_peer_rdma_write_args args = {.wr_id = SEGUEI_KEEPALIVE_WR_ID,
							.flags = SEGUE_SIGNALED};

	if (multi->more->dcis.n_waiting) /* peers with requests of their own come first */
		return;
	if (segue_peer_rdma_write(multi, channel->index, &args) == -EAGAIN)
		seguei_dci_forget(multi, channel); /* the peer need not wait for a DCI */
}

static void try_peer(struct segue_multi_channel *multi, struct segue_channel *channel)
{
	if (was_idle(channel) &&
	    seguei_multi_ask_peer(multi, channel->index) == SEGUEI_WORD_NOTHING)
		write_nothing(multi, channel);
}

/* The next peer that may be probed. NULL if there is none among those that a turn may skip. */
static struct segue_channel *next_peer(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t passed;

	for (passed = 0; passed < multi->count && passed < PASSED_OVER; passed++) {
		struct segue_channel *channel = &multi->channels[more->keepalive.next];

		more->keepalive.next = (more->keepalive.next + 1) % multi->count;
		if (channel->state == SEGUE_CHANNEL_UP &&
		    !seguei_multi_is_self(multi, channel->index))
			return channel;
	}
	return NULL;
}

static uint32_t turns_of(const struct segue_multi_channel *multi)
{
	const uint64_t turns = (multi->transport == SEGUE_TRANSPORT_RC ? LOOKS : 1) *
			       (uint64_t)multi->count;

	return turns < SEGUE_KEEPALIVE_MAX ? (uint32_t)turns : SEGUE_KEEPALIVE_MAX;
}

uint32_t segue_multi_channel_keepalive(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	const uint32_t turns = turns_of(multi);
	const uint64_t turn = (uint64_t)more->options.keepalive_ms * NS_PER_MS / turns,
		       now = now_ns();
	uint32_t taken;

	if (!multi->keeps_alive)
		return 0;
	if (!more->keepalive.tried_at) {
		more->keepalive.tried_at = now;
		more->keepalive.next = (more->options.self + 1) %
				       multi->count; /* differs by rank */
	}
	for (taken = 0; taken < turns && now - more->keepalive.tried_at >= turn; taken++) {
		struct segue_channel *channel = next_peer(multi);

		if (channel)
			try_peer(multi, channel);
		more->keepalive.tried_at += turn;
	}
	if (taken == turns) /* turns that were missed are not made up for */
		more->keepalive.tried_at = now;
	return (uint32_t)((more->keepalive.tried_at + turn - now) / NS_PER_MS) + 1;
}
