/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory windows bound by one call: a part of a region that peers reach by a key of its own, until
 * it is taken back.
 *
 * The builders (segue_bind_mw(), segue_bind_mw_type1(), segue_local_inv(), segue_unbind_mw_type1())
 * give every field. The two calls here know the request for the window's type, its next key, and
 * the rights that a region needs. The window is bound when the request has completed, or for
 * requests after it on the same queue that carry SEGUE_INITIATOR_SMALL_FENCE.
 *
 * Owner: only the device keeps the binding. Window and region stay open while the window is bound.
 * Threads: that of the queue pair.
 * Errors: negative errno with segue_errmsg(). Nothing is posted, and the window keeps its key.
 *   before.
 * Source: ibv_bind_mw(3), ibv_wr_post(3) (ibv_wr_bind_mw(), ibv_wr_local_inv()), rdma-core
 *   providers/mlx5/qp.c (mlx5_bind_mw, mlx5_send_wr_bind_mw, set_umr_mkey_seg).
 */
#ifndef SEGUE_WINDOW_H
#define SEGUE_WINDOW_H

#include <stdint.h>

#include "segue/detail/function.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_qp;

/** The part of a region that a window opens to peers. */
struct segue_mw_bind_options {
	uint64_t wr_id;
	uint32_t flags;       /* posting flags of enum segue_post_flag, or 0 */
	struct segue_mw *mw;  /* window in the queue pair's domain */
	struct segue_mr *mr;  /* region in that domain, too, opened with SEGUE_ACCESS_MW_BIND */
	uint64_t offset; /* bytes from the start of the region */
	uint64_t length; /* bytes, 1 to 2^31 */
	/* rights of enum segue_access: REMOTE_…, and ZERO_BASED, with which addresses begin at 0 */
	uint32_t access;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_qp_bind_mw() - give a window a part of a region and a new key.
 * @qp: RC, UC, XRC_INITIATOR or DCI. A window of type 2 is reached through it alone, one of type 1
 *   by all of the domain
 * @bind: not kept
 * @out: set to the piece for a peer, for segue_remote_buf_pack(). NULL: not wanted
 *
 * A window of type 2 must not be bound. One of type 1 may be, and leaves that part. The key given
 * out before becomes invalid. Rings the doorbell. Returns 0, -EINVAL naming the argument, -EACCES
 * if the region does not allow it, -ERANGE if the part is not within it, -ENOTSUP as
 * segue_qp_supports(), or -ENOSPC if the queue is full.
 */
SEGUEI_MUST_CHECK int segue_qp_bind_mw(struct segue_qp *qp,
				       const struct segue_mw_bind_options *bind,
				       struct segue_remote_buf *out);

/**
 * segue_qp_unbind_mw() - close a window to peers.
 * @qp: for a window of type 2, the queue pair that has bound it
 * @wr_id: of its completion
 * @flags: of enum segue_post_flag, or 0
 * @mw: bound, by segue_qp_bind_mw() or by a builder with segue_mw_rkey()
 *
 * From then on requests through its key fail, and it may be bound again. Returns as
 * segue_qp_bind_mw().
 */
SEGUEI_MUST_CHECK int segue_qp_unbind_mw(struct segue_qp *qp, uint64_t wr_id, uint32_t flags,
					 struct segue_mw *mw);

#include "segue/detail/end.h"

#endif
