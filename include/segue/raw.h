/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Raw requests, in bytes that the program has made itself: a request without a builder, or a copy
 * of an earlier one.
 *
 * Owner: nothing is kept. The memory that the request names stays the program's, as with any
 *   request.
 * Threads: that of the queue pair.
 * Errors: negative errno with segue_errmsg(), and nothing is posted.
 * Source: mlx5dv_wr_post(3) (mlx5dv_wr_raw_wqe()).
 */
#ifndef SEGUE_RAW_H
#define SEGUE_RAW_H

#include <stddef.h>
#include <stdint.h>

#include "segue/detail/function.h"

#include "segue/detail/begin.h"

struct segue_qp;

/**
 * segue_qp_post_raw_wqe() - check a request as the validator does, post it and ring.
 * @qp: of a type that sends
 * @wr_id: of its completion, if its control segment asks for one
 * @wqe: the WQE from its control segment on. The queue's number, the index and the size are filled
 *   in. The rest goes to the device unchanged
 * @length: bytes, a multiple of 16
 *
 * It is slower than a builder, because the bytes are checked at run time and copied.
 * Returns 0, -EINVAL naming byte, segment and what was expected, -EMSGSIZE if it is longer than
 * max_wqe_units, or -ENOSPC if the queue is full.
 */
SEGUEI_MUST_CHECK int segue_qp_post_raw_wqe(struct segue_qp *qp, uint64_t wr_id, const void *wqe,
					    size_t length);

#include "segue/detail/end.h"

#endif
