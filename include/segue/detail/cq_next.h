/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Polls that hand out one completion after the other, in the manner of ibv_start_poll(3).
 *
 * Owner: completions are the caller's. segue_wc.cqe points to a CQE of the completion queue.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), as segue_cq_poll_each().
 * Source: mlx5dv.h (struct mlx5_cqe64).
 */
#ifndef SEGUE_DETAIL_CQ_NEXT_H
#define SEGUE_DETAIL_CQ_NEXT_H

#include <errno.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/compiler.h"
#include "segue/wc.h"

#include "segue/detail/begin.h"

/* As segue_cq_next_poll(), but an entry that makes no sense is left for the next poll. */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int seguei_cq_next_or_leave(struct segue_cq *cq,
								  struct segue_wc *wc)
{
	const uint32_t last = seguei_cq_look(cq);
	uint32_t tag;

	if (!seguei_cq_new(cq, last))
		return -ENOENT;
	return SEGUEI_LIKELY(seguei_cq_take_of(cq, last, wc, NULL, &tag))
		       ? 0
		       : seguei_cq_take_or_leave(cq, wc);
}

/**
 * segue_cq_next_poll() - advance to the next completion.
 * @cq: completion queue, between segue_cq_start_poll() and segue_cq_end_poll()
 * @wc: set to it. @wc->cqe is valid until the next of these three calls
 *
 * Returns 0, -ENOENT without a sentence if there is none, or -EINVAL with segue_errmsg() as
 * segue_cq_poll_each(). After an error the poll may continue.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_cq_next_poll(struct segue_cq *cq,
							     struct segue_wc *wc)
{
	const uint32_t last = seguei_cq_look(cq);
	uint32_t tag;

	if (!seguei_cq_new(cq, last))
		return -ENOENT;
	return SEGUEI_LIKELY(seguei_cq_take_of(cq, last, wc, NULL, &tag))
		       ? 0
		       : seguei_cq_take_one(cq, wc);
}

/**
 * segue_cq_end_poll() - give the entries back to the device. Cannot fail.
 * @cq: completion queue on which segue_cq_start_poll() returned 0 or -EINVAL
 */
SEGUEI_HOT_FUNCTION void segue_cq_end_poll(struct segue_cq *cq)
{
	if (SEGUEI_UNLIKELY(!cq->last))
		seguei_cq_give_back(cq);
	else
		seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
}

/**
 * segue_cq_start_poll() - poll completions one by one, in the manner of ibv_start_poll(3).
 * @cq: completion queue
 * @wc: set to the first
 *
 * Between this and segue_cq_end_poll() the queue is polled by segue_cq_next_poll() only. Posting is
 * allowed. Completions that a send queue asked for itself are left out, as in segue_cq_poll_each().
 * After 0, and after -EINVAL with segue_errmsg() as segue_cq_poll_each(), segue_cq_end_poll() must
 * follow. After -ENOENT, which means that there is no completion and has no sentence, it must not.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_cq_start_poll(struct segue_cq *cq,
							      struct segue_wc *wc)
{
	int ret;

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	ret = segue_cq_next_poll(cq, wc);
	if (SEGUEI_UNLIKELY(ret == -ENOENT)) {
		SEGUEI_COUNT(cq->counts.empty);
		segue_cq_end_poll(cq); /* gives back unsignaled ones, if any */
	}
	return ret;
}

#include "segue/detail/end.h"

#endif
