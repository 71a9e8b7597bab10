/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Credits. A receiver writes to its peer's memory how many of the peer's messages it has given back
 * in this generation. The number only grows, so a late write is covered by the next one.
 */
#include "segue/peers/multi_channel.h"

#include <errno.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

int seguei_credits_check(const struct segue_multi_channel_options *options)
{
	if (options->credits && options->transport == SEGUE_TRANSPORT_UD)
		return seguei_fail(EINVAL,
				   "Multi-channel: credits is %u, but over UD there is no RDMA "
				   "WRITE that would return them; expected 0.",
				   options->credits);
	if (options->credits > UINT16_MAX ||
	    (uint64_t)options->credits * options->peers > options->receives)
		return seguei_fail(EINVAL,
				   "Multi-channel: credits is %u for each of %u peers, but there "
				   "are %u receives; all peers together cannot have more.",
				   options->credits, options->peers, options->receives);
	return 0;
}

void seguei_credits_begin(struct segue_channel *channel, const struct seguei_peer_note *note)
{
	struct seguei_multi_more *more = channel->multi->more;

	if (!more->options.credits)
		return;
	more->barriers.flags[SEGUEI_FLAGS_COUNT + channel->index] = 0;
	channel->taken = &more->barriers.flags[SEGUEI_FLAGS_COUNT + channel->index];
	channel->credits = note->credits;
	channel->sent = 0;
	channel->more->given = channel->more->told = 0;
	channel->more->place = more->options.own_numbers ? note->to & SEGUEI_TAG_INDEX
							 : more->options.self;
}

/*
 * Writes the number to the peer. A peer that cannot be written to now gets it later, and a failed
 * one never.
 */
static bool tell(struct segue_channel *channel)
{
	struct seguei_channel_more *more = channel->more;
	const uint32_t given = more->given;
	int ret;

	/* The peer's next message must find a receive, not a buffer that waits to be posted. */
	if (channel->multi->due & SEGUEI_DUE_RECEIVES)
		seguei_multi_post_receives(channel->multi);
	ret = seguei_channel_write_word(channel, SEGUEI_FLAGS_COUNT + more->place, given);
	if (!ret)
		more->told = given;
	return ret != -EAGAIN && ret != -ENOSPC;
}

static void join_list(struct segue_channel *channel)
{
	struct seguei_multi_more *more = channel->multi->more;

	channel->multi->due |= SEGUEI_DUE_CREDITS;
	if (channel->more->owes)
		return;
	channel->more->owes = true;
	channel->more->next_owing = more->first_owing;
	more->first_owing = channel->index;
}

void seguei_credit_return(struct segue_multi_channel *multi, const struct segue_peer_id *peer)
{
	const uint32_t credits = multi->more->options.credits;
	struct segue_channel *channel;

	if (peer->index >= multi->count ||
	    seguei_channel_make(multi, peer->index, &channel) || !channel->sq ||
	    channel->tag != seguei_tag_of(peer->index, peer->generation))
		return;
	channel->more->given++;
	if (channel->more->given - channel->more->told >= (credits + 1) / 2 && !tell(channel))
		join_list(channel);
}

void seguei_credits_tell(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t index = more->first_owing;

	multi->due &= ~SEGUEI_DUE_CREDITS;
	more->first_owing = SEGUE_PEER_NONE;
	while (index != SEGUE_PEER_NONE) {
		struct segue_channel *channel = &multi->channels[index];

		index = channel->more->next_owing;
		channel->more->owes = false;
		if (channel->sq && !tell(channel))
			join_list(channel);
	}
}
