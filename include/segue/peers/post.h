/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Posts by peer that take pieces of memory from segue_mr_local_buf() and segue_mr_remote_buf(), one
 * piece each. Otherwise they are as in segue/gen/peers.h, which has the other requests and more
 * pieces.
 *
 * Owner: nothing is kept but the memory named, until the request has completed.
 * Threads: that of the multi-channel.
 * Errors: as in segue/gen/peers.h. Bounds are checked not here, but by the peer's card.
 * Source: Segue's own.
 */
#ifndef SEGUE_POST_H
#define SEGUE_POST_H

#include <string.h>

#include "segue/detail/declaration.h"
#include "segue/gen/peers.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

SEGUEI_HOT_FUNCTION struct segue_seg_data seguei_piece_entry(const struct segue_local_buf *piece)
{
	struct segue_seg_data entry;

	memset(&entry, 0, sizeof(entry));
	entry.byte_count = piece->length;
	entry.lkey = piece->key.lkey;
	entry.addr = piece->addr;
	return entry;
}

/**
 * segue_peer_write_buf() - post a WRITE of local memory to a peer's.
 * @multi: multi-channel
 * @peer: index
 * @wr_id: below SEGUE_WR_ID_LIMIT
 * @flags: of enum segue_post_flag, or 0
 * @from: local. With 0 bytes it is an empty WRITE
 * @to: of the peer, at least as long
 *
 * Returns as segue_peer_rdma_write().
 */
SEGUEI_BUILD int segue_peer_write_buf(struct segue_multi_channel *multi, uint32_t peer,
				      uint64_t wr_id, uint32_t flags,
				      const struct segue_local_buf *from,
				      const struct segue_remote_buf *to)
{
	const struct segue_seg_data entry = seguei_piece_entry(from);
	struct segue_peer_rdma_write_args args;

	memset(&args, 0, sizeof(args));
	args.wr_id = wr_id;
	args.flags = flags;
	args.remote_addr = to->addr;
	args.rkey = to->key.rkey;
	args.sges = &entry;
	args.sge_count = from->length != 0; /* an entry of length 0 would be 2^31 bytes */
	return segue_peer_rdma_write(multi, peer, &args);
}

/**
 * segue_peer_read_buf() - post a READ of a peer's memory into local memory.
 * @multi: multi-channel
 * @peer: index
 * @wr_id: below SEGUE_WR_ID_LIMIT
 * @flags: of enum segue_post_flag, or 0
 * @to: local, not of 0 bytes
 * @from: of the peer, at least as long
 *
 * Returns as segue_peer_rdma_read().
 */
SEGUEI_BUILD int segue_peer_read_buf(struct segue_multi_channel *multi, uint32_t peer,
				     uint64_t wr_id, uint32_t flags,
				     const struct segue_local_buf *to,
				     const struct segue_remote_buf *from)
{
	const struct segue_seg_data entry = seguei_piece_entry(to);
	struct segue_peer_rdma_read_args args;

	memset(&args, 0, sizeof(args));
	args.wr_id = wr_id;
	args.flags = flags;
	args.remote_addr = from->addr;
	args.rkey = from->key.rkey;
	args.sges = &entry;
	args.sge_count = 1;
	return segue_peer_rdma_read(multi, peer, &args);
}

/**
 * segue_peer_send_buf() - post a message that identifies its sender to a peer.
 * @multi: multi-channel
 * @peer: index
 * @wr_id: below SEGUE_WR_ID_LIMIT
 * @flags: of enum segue_post_flag, or 0
 * @from: local, may have 0 bytes
 *
 * Its immediate is segue_multi_channel_imm(). Returns as segue_peer_send_imm().
 */
SEGUEI_BUILD int segue_peer_send_buf(struct segue_multi_channel *multi, uint32_t peer,
				     uint64_t wr_id, uint32_t flags,
				     const struct segue_local_buf *from)
{
	const struct segue_seg_data entry = seguei_piece_entry(from);
	struct segue_peer_send_imm_args args;

	memset(&args, 0, sizeof(args));
	args.wr_id = wr_id;
	args.flags = flags;
	args.imm = segue_multi_channel_imm(multi);
	args.sges = &entry;
	args.sge_count = from->length != 0;
	return segue_peer_send_imm(multi, peer, &args);
}

#include "segue/detail/end.h"

#endif
