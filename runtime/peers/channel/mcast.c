/* SPDX-License-Identifier: BSD-2-Clause */
/* A multi-channel's datagrams to multicast groups. */
#include "segue/peers/multi_channel.h"

#include <errno.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/gen/builders.h"

static int check_over(const struct segue_multi_channel *multi, const char *call)
{
	if (multi->transport == SEGUE_TRANSPORT_UD)
		return 0;
	return seguei_fail(ENOTSUP, "%s: %s has no groups; use UD, or segue_fan_send_same().", call,
			   seguei_over_name(multi->transport));
}

int segue_multi_channel_join_mcast(struct segue_multi_channel *multi,
				   const struct segue_mcast_options *options,
				   struct segue_mcast **out)
{
	int ret = check_over(multi, "segue_multi_channel_join_mcast()");

	if (!ret && multi->more->queues.own_qkey)
		ret = seguei_fail(EINVAL,
				  "segue_multi_channel_join_mcast(): the multi-channel has drawn "
				  "a queue key that only its peers know; give it the "
				  "group's in path.qkey of its options.");
	return ret ? ret
		   : segue_mcast_join(multi->more->queues.ud, &multi->more->path, options, out);
}

static int post(struct segue_multi_channel *multi, struct segue_mcast *group,
		const struct segue_local_buf *from, uint64_t wr_id)
{
	const struct segue_ud_sender to = segue_mcast_sender(group);

	return segue_post(
		segue_sge(segue_av(segue_send_imm(to.sq, wr_id, SEGUE_SIGNALED, multi->imm), to.ah,
				   to.qpn, to.qkey),
			  from->addr, from->length, from->key.lkey));
}

int segue_multi_channel_send_mcast(struct segue_multi_channel *multi, struct segue_mcast *group,
				   const struct segue_local_buf *from, segue_deadline deadline)
{
	struct segue_request request;
	int ret = check_over(multi, "segue_multi_channel_send_mcast()");

	if (!ret && from->length > multi->more->path.mtu)
		ret = seguei_fail(EINVAL,
				  "segue_multi_channel_send_mcast(): %u bytes are no datagram, "
				  "expected at most %u.",
				  from->length, multi->more->path.mtu);
	if (!ret)
		ret = seguei_request_open(&request, multi, SEGUE_PEER_NONE, NULL);
	if (ret)
		return ret;
	while ((ret = post(multi, group, from, request.wr_id)) == -ENOSPC) {
		if (!segue_deadline_left_ms(deadline))
			ret = seguei_fail(ETIMEDOUT, "A datagram to a group found the queue full "
						     "until the deadline; nothing was posted.");
		else
			ret = seguei_multi_turn(multi);
		if (ret)
			break;
	}
	if (!ret)
		ret = segue_request_wait(&request, deadline);
	segue_request_forget(&request);
	return ret;
}
