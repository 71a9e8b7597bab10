/* SPDX-License-Identifier: BSD-2-Clause */
/* Begins a peer's next generation, when nothing of the last one is in flight or unread. */
#include <errno.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

/*
 * Waits until nothing is outstanding to the peer, and its messages have been polled: over DC and UD
 * they are in queues that go on. While others fill the completion queue, it may never be empty. It
 * counts as polled when its consumer index has gone round.
 */
static int settle(struct segue_channel *channel, segue_deadline deadline)
{
	struct segue_multi_channel *multi = channel->multi;
	const struct segue_cq *cq = multi->more->queues.cq;
	const uint32_t from = seguei_cq_ci(cq);
	bool empty = false;
	int ret;

	while (!seguei_channel_is_quiet(channel) ||
	       (!empty && seguei_cq_ci(cq) - from < cq->ring.cqe_cnt)) {
		const uint32_t before = seguei_cq_ci(cq);
		const bool late = !segue_deadline_left_ms(deadline);

		ret = seguei_multi_turn(multi);
		if (ret)
			return ret;
		empty = seguei_cq_ci(cq) == before;
		if (late && !seguei_channel_is_quiet(channel))
			return seguei_fail(ETIMEDOUT,
					   "Peer %u: requests in flight to its former process have "
					   "not come back in time.",
					   channel->index);
	}
	return 0;
}

/* Hands out the completions that came, and then those that will not come any more. */
static int start_anew(struct segue_channel *channel)
{
	const int ret = segue_qp_reset(channel->more->qp, seguei_multi_reset_handler,
				       channel->multi);

	if (!ret)
		seguei_scopes_restarted(channel->multi, channel->more->qp);
	return ret;
}

int segue_multi_channel_restart_peer(struct segue_multi_channel *multi, uint32_t index,
				     segue_deadline deadline)
{
	struct segue_channel *channel;
	int ret = seguei_multi_check_index(multi, "segue_multi_channel_restart_peer()", index);

	if (!ret)
		ret = seguei_channel_make(multi, index, &channel);
	if (ret)
		return ret;
	if (channel->state == SEGUE_CHANNEL_MADE) /* the first */
		return seguei_channel_open_qp(channel);
	ret = segue_multi_channel_fail_peer(multi, index, "its next generation begins");
	if (!ret && multi->transport == SEGUE_TRANSPORT_RC &&
	    !channel->more->qp) /* it failed before its first use */
		ret = seguei_channel_open_qp(channel);
	if (ret)
		return ret;
	if (multi->transport == SEGUE_TRANSPORT_RC)
		ret = start_anew(channel);
	else
		ret = settle(channel, deadline);
	if (!ret)
		seguei_channel_next_generation(channel);
	return ret;
}
