/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Credits: the number of messages that each peer may have in this side's receives (`credits` of a
 * multi-channel's options). A peer that sends much leaves the others their receives, and no message
 * arrives without a receive.
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
#ifndef SEGUE_CREDIT_H
#define SEGUE_CREDIT_H

#include "segue/detail/function.h"
#include "segue/multi_channel.h"

#include "segue/detail/begin.h"

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
