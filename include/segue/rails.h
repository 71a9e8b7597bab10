/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rails: several ways to the same peers, as over several ports of a device or several GIDs of a
 * port. Each rail is a multi-channel of its own, with its path, over one protection domain: so
 * memory is registered once and a key is good on every rail. They share a completion queue, and may
 * share receives: see the multi-channel's options. Over a world each meets by a name of its own.
 *
 * The rule: a peer's rail is number (own index + its index) modulo the number of rails, the same at
 * both ends, so that peers are spread evenly and what one is sent stays in order. While its channel
 * on that one is not up, it is the next rail on which it is. So a rail that fails takes no other
 * one with it, and is named: segue_channel_reason() of its channels. What was in flight there has
 * ends of its own (segue_multi_channel_outcome()); the library repeats nothing on another rail. A
 * rail that works again takes its peers back when they are renewed on it
 * (segue_multi_channel_meet_peer()): drain the other one first where order counts.
 *
 * Owner: the program's; multi-channels stay what they are.
 * Threads: that of the multi-channels.
 * Errors: cannot fail.
 * Source: Segue's own.
 */
#ifndef SEGUE_RAILS_H
#define SEGUE_RAILS_H

#include "segue/detail/function.h"
#include "segue/multi_channel.h"

#include "segue/detail/begin.h"

/** Multi-channels with the same peers. */
struct segue_rails {
	struct segue_multi_channel *const *multis;
	uint32_t count; /* 1 or more */
};

/**
 * segue_rails_pick() - where a peer's next request goes.
 * @rails: rails
 * @peer: its index
 *
 * As in segue_peer_rdma_write(segue_rails_pick(&rails, peer), peer, &args). Its completion says
 * which it was by segue_multi_channel_of(), and by wc.peer whose. Returns a multi-channel on which
 * the peer is up; the peer's own rail if it is up on none, where a request is refused with the
 * reason. Cannot fail.
 */
SEGUEI_HOT_FUNCTION struct segue_multi_channel *segue_rails_pick(const struct segue_rails *rails,
								 uint32_t peer)
{
	const uint32_t self = segue_multi_channel_imm(rails->multis[0]) & SEGUEI_TAG_INDEX,
		       home = (self + peer) % rails->count;
	uint32_t rail = home;

	do {
		if (SEGUEI_LIKELY(seguei_by_peer(rails->multis[rail], peer) != NULL))
			return rails->multis[rail];
		rail = rail + 1 < rails->count ? rail + 1 : 0;
	} while (rail != home);
	return rails->multis[home];
}

#include "segue/detail/end.h"

#endif
