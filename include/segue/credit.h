/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Credits: how many messages each peer may have in this side's receives (`credits` of a
 * multi-channel's options). So one that sends much leaves the others theirs, and no message comes
 * that finds no receive.
 *
 *	if (segue_channel_credits(channel) && !segue_peer_send_imm(multi, peer, &args))
 *		segue_channel_spend_credit(channel);
 *
 * Calls that wait, fans and segue_request_begin() do that by themselves. A receiver gives messages
 * back by segue_multi_channel_give_back(). When half of its credits are to be returned, their
 * sender is notified by an RDMA WRITE.
 *
 * Owner: values; nothing is owned.
 * Threads: that of the multi-channel.
 * Errors: cannot fail.
 * Source: Segue's own.
 */
#ifndef SEGUE_CREDIT_H
#define SEGUE_CREDIT_H

#include "segue/detail/function.h"
#include "segue/multi_channel.h"

#include "segue/detail/begin.h"

/**
 * segue_channel_credits() is how many messages may be sent to a peer now; UINT32_MAX if it counts
 * none. Polls of the peer let it grow, not this side's. Cannot fail.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_channel_credits(const struct segue_channel *channel)
{
	if (!channel->credits)
		return UINT32_MAX;
	return (channel->credits - channel->sent + *channel->taken) & UINT32_MAX;
}

/** segue_channel_spend_credit() says that one message was posted to the peer. Cannot fail. */
SEGUEI_HOT_FUNCTION void segue_channel_spend_credit(struct segue_channel *channel)
{
	channel->sent++;
}

#include "segue/detail/end.h"

#endif
