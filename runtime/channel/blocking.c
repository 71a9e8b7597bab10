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

/* A piece of no bytes is a request without pieces: one of length 0 would be 2^31 bytes. */
struct entry {
	struct segue_seg_data data;
	uint32_t count;
};

static struct entry entry_of(const struct segue_local *piece)
{
	const struct entry entry = {
		.data = {.byte_count = piece->length, .lkey = piece->key.lkey, .addr = piece->addr},
		.count = piece->length != 0};

	return entry;
}

int seguei_channel_post_write(struct segue_channel *channel, uint64_t wr_id,
			      const struct segue_local *from, const struct segue_remote *to)
{
	const struct entry entry = entry_of(from);
	const struct segue_to_rdma_write_args args = {.wr_id = wr_id,
						      .flags = SEGUE_SIGNALED,
						      .remote_addr = to->addr,
						      .rkey = to->key.rkey,
						      .sges = &entry.data,
						      .sge_count = entry.count};

	return segue_to_rdma_write(channel->multi, channel->index, &args);
}

int seguei_channel_post_read(struct segue_channel *channel, uint64_t wr_id,
			     const struct segue_local *to, const struct segue_remote *from)
{
	const struct entry entry = entry_of(to);
	const struct segue_to_rdma_read_args args = {.wr_id = wr_id,
						     .flags = SEGUE_SIGNALED,
						     .remote_addr = from->addr,
						     .rkey = from->key.rkey,
						     .sges = &entry.data,
						     .sge_count = entry.count};

	if (!entry.count) /* nothing to read, but the peer has to be there */
		return seguei_channel_post_write(channel, wr_id, to, from);
	return segue_to_rdma_read(channel->multi, channel->index, &args);
}

int seguei_channel_post_send(struct segue_channel *channel, uint64_t wr_id,
			     const struct segue_local *from)
{
	const struct entry entry = entry_of(from);
	const struct segue_to_send_imm_args args = {.wr_id = wr_id,
						    .flags = SEGUE_SIGNALED,
						    .imm = channel->multi->imm,
						    .sges = &entry.data,
						    .sge_count = entry.count};

	return segue_to_send_imm(channel->multi, channel->index, &args);
}

static int post_write(struct segue_channel *channel, uint64_t wr_id, const void *what)
{
	const struct pieces *pieces = what;

	return seguei_channel_post_write(channel, wr_id, pieces->local, pieces->remote);
}

static int post_read(struct segue_channel *channel, uint64_t wr_id, const void *what)
{
	const struct pieces *pieces = what;

	return seguei_channel_post_read(channel, wr_id, pieces->local, pieces->remote);
}

static int post_send(struct segue_channel *channel, uint64_t wr_id, const void *what)
{
	return seguei_channel_post_send(channel, wr_id, what);
}

static int check_lengths(const char *call, const struct segue_local *local,
			 const struct segue_remote *remote)
{
	if (local->length <= remote->length)
		return 0;
	return seguei_fail(ERANGE, "%s: %u bytes are local, but the peer's piece has %llu.", call,
			   local->length, (unsigned long long)remote->length);
}

int segue_channel_write(struct segue_channel *channel, const struct segue_local *from,
			const struct segue_remote *to, segue_deadline deadline)
{
	const struct pieces pieces = {from, to};
	const int ret = check_lengths("segue_channel_write()", from, to);

	return ret ? ret : seguei_channel_do(channel, post_write, &pieces, deadline);
}

int segue_channel_read(struct segue_channel *channel, const struct segue_local *to,
		       const struct segue_remote *from, segue_deadline deadline)
{
	const struct pieces pieces = {to, from};
	const int ret = check_lengths("segue_channel_read()", to, from);

	return ret ? ret : seguei_channel_do(channel, post_read, &pieces, deadline);
}

int segue_channel_send(struct segue_channel *channel, const struct segue_local *from,
		       segue_deadline deadline)
{
	return seguei_channel_do(channel, post_send, from, deadline);
}
