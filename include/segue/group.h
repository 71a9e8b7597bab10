/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multicast groups of a multi-channel over UD, made of the groups of segue/mcast.h.
 *
 * Owner: a group is a child of the multi-channel's queue pair. Closing the multi-channel leaves it.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg().
 * Source: ibv_attach_mcast(3); IBTA vol. 1, 4.1.1 and 10.5.2.
 */
#ifndef SEGUE_GROUP_H
#define SEGUE_GROUP_H

#include "segue/detail/function.h"
#include "segue/mcast.h"
#include "segue/multi_channel.h"

#include "segue/detail/begin.h"

/**
 * segue_multi_channel_join_mcast() - segue_mcast_join() for a multi-channel over UD.
 * @multi: with a completion queue of its own or not
 * @options: not kept
 * @out: set on success
 *
 * Its options must have the group's queue key in path.qkey, the same for all members. Messages name
 * their sender, as others do, if it is a peer. Returns as segue_mcast_join(), -EINVAL without that
 * key, or -ENOTSUP over RC and DC.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_join_mcast(struct segue_multi_channel *multi,
						     const struct segue_mcast_options *options,
						     struct segue_mcast **out);

/**
 * segue_multi_channel_send_mcast() - send one datagram to all members, and wait until the card has
 * sent it.
 * @multi: has joined the group
 * @group: joined with it
 * @from: local memory, at most the path's MTU
 * @deadline: when to give up
 *
 * Its immediate is this side's own index. Returns 0, -EINVAL naming the length, or -EIO. After
 * -ETIMEDOUT it is still under way.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_send_mcast(struct segue_multi_channel *multi,
						     struct segue_mcast *group,
						     const struct segue_local_buf *from,
						     segue_deadline deadline);

#include "segue/detail/end.h"

#endif
