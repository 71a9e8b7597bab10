/* SPDX-License-Identifier: BSD-2-Clause */
/* One request to one peer, and its end. */
#include <errno.h>

#include "runtime/channel/multi.h"
#include "segue/errmsg.h"
#include "segue/gen/by_peer.h"

struct pieces {
	const struct segue_local *local;
	const struct segue_remote *remote;
};

static struct segue_seg_data entry_of(const struct segue_local *piece)
{
	const struct segue_seg_data entry = {.byte_count = piece->length, .lkey = piece->key.lkey, .addr = piece->addr};

	return entry;
}

static int post_write(struct segue_channel *channel, uint64_t wr_id, const void *what)
{
	const struct pieces *pieces = what;
	const struct segue_seg_data entry = entry_of(pieces->local);
	const struct segue_to_rdma_write_args args = {.wr_id = wr_id,
						      .flags = SEGUE_SIGNALED,
						      .remote_addr = pieces->remote->addr,
						      .rkey = pieces->remote->key.rkey,
						      .sges = &entry,
						      .sge_count = 1};

	return segue_to_rdma_write(channel->multi, channel->index, &args);
}

static int post_read(struct segue_channel *channel, uint64_t wr_id, const void *what)
{
	const struct pieces *pieces = what;
	const struct segue_seg_data entry = entry_of(pieces->local);
	const struct segue_to_rdma_read_args args = {.wr_id = wr_id,
						     .flags = SEGUE_SIGNALED,
						     .remote_addr = pieces->remote->addr,
						     .rkey = pieces->remote->key.rkey,
						     .sges = &entry,
						     .sge_count = 1};

	return segue_to_rdma_read(channel->multi, channel->index, &args);
}

static int post_send(struct segue_channel *channel, uint64_t wr_id, const void *what)
{
	const struct segue_seg_data entry = entry_of(what);
	const struct segue_to_send_imm_args args = {.wr_id = wr_id,
						    .flags = SEGUE_SIGNALED,
						    .imm = channel->multi->imm,
						    .sges = &entry,
						    .sge_count = 1};

	return segue_to_send_imm(channel->multi, channel->index, &args);
}

static int check_lengths(const char *call, const struct segue_local *local, const struct segue_remote *remote)
{
	if (local->length <= remote->length)
		return 0;
	return seguei_fail(ERANGE, "%s: %u bytes are local, but the peer's piece has %llu.", call, local->length,
			   (unsigned long long)remote->length);
}

int segue_channel_write(struct segue_channel *channel, const struct segue_local *from, const struct segue_remote *to,
			segue_deadline deadline)
{
	const struct pieces pieces = {from, to};
	const int ret = check_lengths("segue_channel_write()", from, to);

	return ret ? ret : seguei_channel_do(channel, post_write, &pieces, deadline);
}

int segue_channel_read(struct segue_channel *channel, const struct segue_local *to, const struct segue_remote *from,
		       segue_deadline deadline)
{
	const struct pieces pieces = {to, from};
	const int ret = check_lengths("segue_channel_read()", to, from);

	return ret ? ret : seguei_channel_do(channel, post_read, &pieces, deadline);
}

int segue_channel_send(struct segue_channel *channel, const struct segue_local *from, segue_deadline deadline)
{
	return seguei_channel_do(channel, post_send, from, deadline);
}
