/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rails: several ways to the same peers, for example over several ports of a device or several GIDs
 * of a port. Each rail is a multi-channel of its own, with its path, over one protection domain, so
 * memory is registered once and a key is good on every rail. They share a completion queue, and may
 * share receives: see the multi-channel's options. Over a world each meets by a name of its own.
 *
 * A peer's rail is number (own index + its index) modulo the number of rails. It is the same at
 * both ends, so that peers are spread evenly and messages to one peer stay in order. While its
 * channel on that rail is not up, the next rail with a channel that is up takes its place. A rail
 * that fails takes no other one with it, and segue_channel_reason() of its channels names it.
 * Requests in flight there have ends of their own (segue_multi_channel_outcome()), and the library
 * repeats none on another rail. A rail that works again takes its peers back when they are renewed
 * on it (segue_multi_channel_meet_peer()). If order matters, drain the other rail first.
 *
 * Owner: the program's. Multi-channels keep their owners.
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
 * segue_rails_pick() - choose the rail of a peer's next request.
 * @rails: rails
 * @peer: its index
 *
 * Used as in segue_peer_rdma_write(segue_rails_pick(&rails, peer), peer, &args). In the request's
 * completion, segue_multi_channel_of() finds the rail, and wc.peer is the peer. Returns a
 * multi-channel on which the peer is up. If it is up on none, returns the peer's own rail, which
 * refuses a request with the reason. Cannot fail.
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
