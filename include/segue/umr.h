/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Indirect keys made by one call: a list of pieces, or pieces that are walked in turn with a
 * stride.
 *
 * The builders (segue_umr_list(), segue_umr_interleaved()) give every field. The two calls here
 * fill masks, sizes and padding and know the limits. The key can be used when the request has
 * completed, or by requests after it on the same queue that carry SEGUE_INITIATOR_SMALL_FENCE.
 *
 * Owner: only the device keeps the list. The memory stays registered while the key is used.
 * Threads: that of the send queue.
 * Errors: negative errno with segue_errmsg(), and nothing is posted.
 * Source: mlx5dv_wr_post(3) (mlx5dv_wr_mr_list(), mlx5dv_wr_mr_interleaved()), rdma-core
 *   providers/mlx5/qp.c (mlx5_send_wr_mr, umr_sg_list_create, umr_strided_seg_create).
 */
#ifndef SEGUE_UMR_H
#define SEGUE_UMR_H

#include <stdint.h>

#include "segue/detail/function.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_rc_sq;

/** The key to change, and its rights. */
struct segue_mkey_layout {
	uint64_t wr_id;
	uint32_t flags;          /* posting flags of enum segue_post_flag, or 0 */
	struct segue_mkey *mkey; /* key in the queue pair's domain */
	/*
	 * of enum segue_access: LOCAL_WRITE, REMOTE_… and RELAXED_ORDERING. It replaces the key's
	 * rights of before. RELAXED_ORDERING: the device may move the key's data over PCIe in any
	 * order (writes and reads, or those that it can), and memory is valid only after the
	 * completion. libmlx5 takes it for regions only. Source: ibv_reg_mr(3), Linux
	 * drivers/infiniband/hw/mlx5/umr.c (get_umr_update_access_mask).
	 */
	uint32_t access;
};

/** Equal blocks at equal distances, for example the column of a matrix. */
struct segue_strided_buf {
	struct segue_local_buf block; /* the first one, 1 to 65,535 bytes */
	/* bytes between the end of one and the start of the next. With the block at most 65,535 */
	uint32_t skip;
};

/**
 * segue_mkey_post_list() - make a key of pieces of memory, one after the other.
 * @sq: of an RC queue pair with enough max_wqe_units for the list, see segue_mkey_list_max()
 * @umr: not kept
 * @pieces: in the order of the key's addresses, which begin at 0
 * @count: number of pieces, 1 or more
 *
 * Rings the doorbell. Returns 0, -ENOSPC if the queue is full, or -EINVAL naming the argument, for
 * example if the key or the queue takes fewer pieces. Returns -ENOTSUP if RELAXED_ORDERING is set
 * and the device cannot change it (segue_caps.umr_relaxed_writes, umr_relaxed_reads). Source:
 * mlx5dv_wr_post(3).
 */
SEGUEI_MUST_CHECK int segue_mkey_post_list(struct segue_rc_sq *sq,
					   const struct segue_mkey_layout *umr,
					   const struct segue_local_buf *pieces, uint32_t count);

/**
 * segue_mkey_post_interleaved() - make a key that takes a block of each piece in turn, again and
 * again.
 * @sq: as segue_mkey_post_list(), see segue_mkey_interleaved_max()
 * @umr: not kept
 * @repeat: number of blocks taken of each piece, 1 or more
 * @pieces: sources of the key's bytes: a block of the first, one of the second, …
 * @count: number of pieces, 1 or more
 *
 * A column of a matrix is one piece with the row's length less the element's as skip, and as many
 * repetitions as rows. The key's addresses begin at 0. Returns as segue_mkey_post_list().
 */
SEGUEI_MUST_CHECK int segue_mkey_post_interleaved(struct segue_rc_sq *sq,
						  const struct segue_mkey_layout *umr,
						  uint32_t repeat,
						  const struct segue_strided_buf *pieces,
						  uint32_t count);

/**
 * segue_mkey_list_max() is the number of pieces that segue_mkey_post_list() takes, by the room of
 * the key and of the queue's largest request. 0 if none.
 */
uint32_t segue_mkey_list_max(const struct segue_rc_sq *sq, const struct segue_mkey *mkey);

/**
 * segue_mkey_interleaved_max() is the same for segue_mkey_post_interleaved(): one less, for the
 * head of the list.
 */
uint32_t segue_mkey_interleaved_max(const struct segue_rc_sq *sq, const struct segue_mkey *mkey);

#include "segue/detail/end.h"

#endif
