/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The driver's view of the device's list of tagged buffers. Answers do not name their command but
 * come in order, and the command ring knows the oldest unanswered one.
 */
#ifndef SEGUE_RUNTIME_TAGS_H
#define SEGUE_RUNTIME_TAGS_H

#include "segue/cq.h"

#define SEGUEI_TAG_NONE 0xffffu

struct seguei_tag {
	uint64_t wr_id;
	uint16_t next; /* next free entry */
	/*
	 * completions still due: the answer to its append, and the end of its message. 0 means free
	 */
	uint8_t due;
};

/*
 * Entries are reused in the order in which they became free, because an append names the entry that
 * the next append will fill. One stays free. Source: rdma-core providers/mlx5/srq.c,
 * mlx5_tm_release_tag(); qp.c, mlx5_post_srq_ops().
 */
struct seguei_tags {
	struct segue_srq *srq;
	/* of commands. NULL before it exists */
	struct segue_rc_sq *queue;
	struct segue_sq *commands;
	void *context;
	struct seguei_tag *entries;
	uint16_t *of_command; /* entry of the append at each block of that queue */
	uint32_t most;	      /* commands that may be in flight */
	uint16_t last;	      /* last entry */
	uint16_t head, tail;  /* of the list of free entries */
	uint16_t count;	      /* unexpected messages polled */
	uint16_t told;	      /* of these, reported to the device */
	uint16_t seen;	      /* of these, acknowledged by the device */
};

/* Makes entries 0 to `last` free. `entries` has one more. */
void seguei_tags_init(struct seguei_tags *tags, struct seguei_tag *entries, uint32_t last);

/*
 * Attaches the list to a completion queue, which may have one: 0 or -EEXIST with a sentence.
 * Detaching it drops its entries that were not polled.
 */
int seguei_cq_attach_tags(struct segue_cq *cq, struct seguei_tags *tags);
void seguei_cq_detach_tags(struct segue_cq *cq);

/* True if the entry is a completion of this completion queue's tag list. */
bool seguei_tags_own(const struct segue_cq *cq, const uint8_t *cqe);

/* Handles such a completion: 1 and *wc, or a negative errno with a sentence. */
int seguei_tags_complete(struct segue_cq *cq, const uint8_t *cqe, struct segue_wc *wc);

#endif
