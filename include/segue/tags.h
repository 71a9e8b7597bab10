/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tag matching: a shared receive queue with a list of tagged buffers. The device compares each
 * message that begins with a tag matching header (struct segue_seg_tmh) with the list, and puts it
 * into the first buffer whose tag fits; what fits none goes to a plain receive.
 *
 * The list is made by segue_srq_open() with max_tags, and changed by requests on a queue pair of
 * its own, which segue_srq_open() makes, too. All completions have SEGUE_WC_TAG in segue_wc.flags,
 * and segue_wc_tag_op() says of what: the answer to a command (APPEND, REMOVE, NOOP), a message for
 * an entry (CONSUMED, EXPECTED, CONSUMED_MSG, …) or for a plain receive (UNEXPECTED, NO_TAG).
 * segue_wc_get_details() gives handle, tag and context.
 *
 * Owner: the list is its shared receive queue's; buffers are the caller's until their completion,
 *   or the answer that removed them.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
 * Source: ibv_create_srq_ex(3) (IBV_SRQT_TM), ibv_post_srq_ops(3), rdma-core providers/mlx5/qp.c
 *   (mlx5_post_srq_ops) and cq.c (handle_tag_matching).
 */
#ifndef SEGUE_TAGS_H
#define SEGUE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/function.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_srq;
struct segue_rc_sq;

/** A buffer that waits for a message. */
struct segue_tag {
	uint64_t wr_id;            /* of the completions of its message */
	uint64_t tag;              /* that the message's header must have, */
	uint64_t mask;             /* in these bits */
	/* for what follows the header; of length 0 it takes an empty message */
	struct segue_local_buf buffer;
};

/** Where the device counts an entry, for those who build the request themselves. */
struct segue_tag_slot {
	uint16_t handle; /* of the entry: what completions name */
	uint16_t next;   /* of the entry that comes behind it: the request's field `index` */
	uint16_t count;  /* unexpected messages polled so far: the request's field `sw_cnt` */
};

/**
 * segue_tag_append() - put a buffer at the end of the list.
 * @srq: with max_tags
 * @wr_id: of the answer (APPEND)
 * @tag: not kept, but its buffer is the device's until its completion
 * @handle: set to what completions name the entry by; NULL: not wanted
 *
 * Look among the unexpected messages first: the device looks at those that come later only, and
 * holds the entry back while it has seen more of them than were polled (segue_tag_needs_sync()).
 * Rings the doorbell. Returns 0; -ENOSPC if the list is full, or so many commands are under way
 * that one has to poll first; -EINVAL if the queue has no list. Source: ibv_post_srq_ops(3),
 * IBV_WR_TAG_ADD.
 */
SEGUEI_MUST_CHECK int segue_tag_append(struct segue_srq *srq, uint64_t wr_id,
				       const struct segue_tag *tag, uint16_t *handle);

/**
 * segue_tag_remove() - take a buffer off the list.
 * @srq: with max_tags
 * @wr_id: of the answer (REMOVE); with SEGUE_WC_TAG_REFUSED a message has matched meanwhile, and
 *   its own completions come
 * @handle: of segue_tag_append()
 *
 * Returns 0; -ENOENT if the entry's message has come; -ENOSPC and -EINVAL as segue_tag_append().
 * Source: ibv_post_srq_ops(3), IBV_WR_TAG_DEL.
 */
SEGUEI_MUST_CHECK int segue_tag_remove(struct segue_srq *srq, uint64_t wr_id, uint16_t handle);

/**
 * segue_tag_sync() - tell the device how many unexpected messages were polled.
 * @srq: with max_tags
 * @wr_id: of the answer (NOOP)
 *
 * Due when segue_tag_needs_sync() says so, and the messages polled since were compared with the
 * entries. Returns as segue_tag_append().
 * Source: ibv_post_srq_ops(3), IBV_WR_TAG_SYNC.
 */
SEGUEI_MUST_CHECK int segue_tag_sync(struct segue_srq *srq, uint64_t wr_id);

/**
 * segue_tag_needs_sync() is true if, by its last answer, the device has seen more unexpected
 * messages than it was told of: entries wait for segue_tag_sync().
 */
bool segue_tag_needs_sync(const struct segue_srq *srq);

/**
 * segue_tag_sq() is the send queue of the list's commands, for requests by the builders
 * (segue_tm_append(), segue_tm_remove(), segue_tm_noop()); they must ask for their answer
 * (SEGUE_TM_FLAG_CQE_REQ). NULL with segue_errmsg() if the queue has no list.
 */
struct segue_rc_sq *segue_tag_sq(struct segue_srq *srq);

/**
 * segue_tag_reserve() - reserve the list's next entry for a segue_tm_append() that the program
 * builds, as the next request on that queue.
 * @tag: only wr_id counts
 * @place: what goes into the request
 *
 * Returns as segue_tag_append(). A request that is not posted then leaves the list out of step with
 * the device.
 */
SEGUEI_MUST_CHECK int segue_tag_reserve(struct segue_srq *srq, const struct segue_tag *tag,
					struct segue_tag_slot *place);

#include "segue/detail/end.h"

#endif
