/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A queue pair with nothing in flight notices nothing when its peer dies. So a peer with which
 * nothing has happened for a while is written nothing to, which has to be acknowledged. The peers
 * take turns, spread over the period.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/gen/peers.h"

#define NS_PER_MS 1000000u

/* In a period: the first may see that something happened, the second tries the peer then. */
#define LOOKS 2

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * What is in flight is repeated until it is answered, and what was posted since the last look was,
 * or is in flight.
 */
static bool was_idle(struct segue_channel *channel)
{
	const struct segue_sq *sq = channel->more->owner.sq;
	bool idle;

	if (channel->multi->over !=
	    SEGUE_TRANSPORT_RC) /* DCIs change hands: nobody counts what was for whom */
		return channel->dci->owner != channel->tag || seguei_sq_is_idle(channel->dci->sq);
	idle = seguei_sq_is_idle(sq) && sq->pi == channel->more->seen_pi;
	channel->more->seen_pi = sq->pi;
	return idle;
}

static void try_peer(struct segue_multi_channel *multi, struct segue_channel *channel)
{
	const struct segue_peer_rdma_write_args args = {.wr_id = SEGUEI_KEEPALIVE_WR_ID,
						      .flags = SEGUE_SIGNALED};

	if (channel->state != SEGUE_CHANNEL_UP || channel->index == multi->more->options.self ||
	    !was_idle(channel))
		return;
	if (multi->more->n_waiting) /* those with something to say come first */
		return;
	if (segue_peer_rdma_write(multi, channel->index, &args) == -EAGAIN)
		seguei_dci_forget(multi, channel); /* it need not wait for one */
	if (multi->over == SEGUE_TRANSPORT_RC)
		channel->more->seen_pi = channel->more->owner.sq->pi;
}

uint32_t segue_multi_channel_keepalive(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	const uint64_t turn = (uint64_t)more->options.keepalive_ms * NS_PER_MS / LOOKS /
			      multi->count,
		       now = now_ns();
	uint32_t tried;

	if (!multi->keeps_alive)
		return 0;
	if (!more->tried_at)
		more->tried_at = now;
	for (tried = 0; tried < multi->count && now - more->tried_at >= turn; tried++) {
		try_peer(multi, &multi->channels[more->next_tried]);
		more->next_tried = (more->next_tried + 1) % multi->count;
		more->tried_at += turn;
	}
	if (tried == multi->count) /* nobody called for longer than a period */
		more->tried_at = now;
	return (uint32_t)((more->tried_at + turn - now) / NS_PER_MS) + 1;
}
