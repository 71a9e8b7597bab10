/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tag matching: a shared receive queue with a list of tagged buffers. The device compares each
 * message that begins with a tag matching header (struct segue_seg_tmh) with the list, and puts it
 * into the first buffer with a tag that fits. A message that fits none goes to a plain receive.
 *
 * segue_srq_open() makes the list if max_tags is set, and a queue pair of its own for
 * requests that change the list. All completions have SEGUE_WC_TAG in segue_wc.flags.
 * segue_wc_tag_op() distinguishes the answer to a command (APPEND, REMOVE, NOOP), a message for an
 * entry (CONSUMED, EXPECTED, CONSUMED_MSG, …) and one for a plain receive (UNEXPECTED, NO_TAG).
 * segue_wc_get_details() gives handle, tag and context.
 *
 * Owner: the list is its shared receive queue's. Buffers are the caller's until their completion,
 *   or the answer that removed them.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_create_srq_ex(3) (IBV_SRQT_TM), ibv_post_srq_ops(3), rdma-core providers/mlx5/qp.c
 *   (mlx5_post_srq_ops) and cq.c (handle_tag_matching).
 */
#ifndef SEGUE_TAGS_H
#define SEGUE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_srq;
struct segue_rc_sq;

/** A buffer that waits for a message. */
struct segue_tag {
	uint64_t wr_id;            /* wr_id of the completions of its message */
	uint64_t tag; /* value that the message's header must have in the bits of mask */
	uint64_t mask;
	/* memory for the data after the header. With length 0 it takes an empty message */
	struct segue_local_buf buffer;
};

/** Bookkeeping of an entry, for programs that build the request themselves. */
struct segue_tag_slot {
	uint16_t handle; /* handle of the entry, as completions name it */
	uint16_t next;   /* handle of the entry after it: the request's field `index` */
	uint16_t count;  /* unexpected messages polled so far: the request's field `sw_cnt` */
};

/**
 * segue_tag_append() - put a buffer at the end of the list.
 * @srq: with max_tags
 * @wr_id: of the answer (APPEND)
 * @tag: not kept, but its buffer is the device's until its completion
 * @handle: set to the entry's name in completions. NULL: not wanted
 *
 * Search the unexpected messages first: the device compares only messages that come later. It holds
 * the entry back while it has seen more unexpected messages than were polled
 * (segue_tag_needs_sync()). Rings the doorbell. Returns 0, -ENOSPC if the list is full, or too many
 * commands are under way, so that the program must poll first, or -EINVAL if the queue has no list.
 * Source: ibv_post_srq_ops(3), IBV_WR_TAG_ADD.
 */
SEGUEI_MUST_CHECK int segue_tag_append(struct segue_srq *srq, uint64_t wr_id,
				       const struct segue_tag *tag, uint16_t *handle);

/**
 * segue_tag_remove() - take a buffer off the list.
 * @srq: with max_tags
 * @wr_id: of the answer (REMOVE). With SEGUE_WC_TAG_REFUSED a message has matched before, and its
 *   own completions come
 * @handle: of segue_tag_append()
 *
 * Returns 0, -ENOENT if the entry's message has come, or -ENOSPC and -EINVAL as segue_tag_append().
 * Source: ibv_post_srq_ops(3), IBV_WR_TAG_DEL.
 */
SEGUEI_MUST_CHECK int segue_tag_remove(struct segue_srq *srq, uint64_t wr_id, uint16_t handle);

/**
 * segue_tag_sync() - report to the device how many unexpected messages were polled.
 * @srq: with max_tags
 * @wr_id: of the answer (NOOP)
 *
 * Needed if segue_tag_needs_sync() is true, and the messages polled since were compared with the
 * entries. Returns as segue_tag_append().
 * Source: ibv_post_srq_ops(3), IBV_WR_TAG_SYNC.
 */
SEGUEI_MUST_CHECK int segue_tag_sync(struct segue_srq *srq, uint64_t wr_id);

/**
 * segue_tag_needs_sync() is true if, by its last answer, the device has seen more unexpected
 * messages than were reported to it, so that entries wait for segue_tag_sync().
 */
bool segue_tag_needs_sync(const struct segue_srq *srq);

/**
 * segue_tag_sq() is the send queue of the list's commands, for requests by the builders
 * (segue_tm_append(), segue_tm_remove(), segue_tm_noop()). They must request their answer
 * (SEGUE_TM_FLAG_CQE_REQ). NULL with segue_errmsg() if the queue has no list.
 */
struct segue_rc_sq *segue_tag_sq(struct segue_srq *srq);

/**
 * segue_tag_reserve() - reserve the list's next entry for a segue_tm_append() that the program
 * builds, as the next request on that queue.
 * @tag: only wr_id is read
 * @place: set to fields of the request
 *
 * Returns as segue_tag_append(). If the request is not posted then, the list does not match the
 * device's.
 */
SEGUEI_MUST_CHECK int segue_tag_reserve(struct segue_srq *srq, const struct segue_tag *tag,
					struct segue_tag_slot *place);

#include "segue/detail/end.h"

#endif
