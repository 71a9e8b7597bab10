/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A list of tagged buffers, as the driver of the device keeps it. Answers to commands name none,
 * but come in order: the ring of the commands has the oldest unanswered one.
 */
#ifndef SEGUE_RUNTIME_TAGS_H
#define SEGUE_RUNTIME_TAGS_H

#include "segue/cq.h"

#define SEGUEI_TAG_NONE 0xffffu

struct seguei_tag {
	uint64_t wr_id;
	uint16_t next; /* free: the one behind it */
	/*
	 * completions to come: the answer to its append, and the end of its message. 0: it is free
	 */
	uint8_t due;
};

/*
 * Entries are given out in the order in which they became free, because an append names the one
 * that the next append will fill. One stays free.
 * Source: rdma-core providers/mlx5/srq.c, mlx5_tm_release_tag(); qp.c, mlx5_post_srq_ops().
 */
struct seguei_tags {
	struct segue_srq *srq;
	/* of commands; NULL until there is one. The next is what it has in common with others */
	struct segue_rc_sq *queue;
	struct segue_sq *commands;
	void *context;
	struct seguei_tag *entries;
	uint16_t *of_command; /* entry of the append at a block of that queue */
	uint32_t most;        /* commands that may be under way */
	uint16_t last;        /* entry */
	uint16_t head, tail;  /* of the free ones */
	uint16_t count;       /* unexpected messages polled, */
	uint16_t told;        /* that the device knows of, */
	uint16_t seen;        /* and that it said it had seen */
};

/* Makes entries 0 to `last` free; `entries` has one more. */
void seguei_tags_init(struct seguei_tags *tags, struct seguei_tag *entries, uint32_t last);

/*
 * Tells a completion queue of its list, the only one: 0 or -EEXIST with a sentence. Forgets it,
 * with its entries that were not polled.
 */
int seguei_cq_attach_tags(struct segue_cq *cq, struct seguei_tags *tags);
void seguei_cq_detach_tags(struct segue_cq *cq);

/* True if the entry is a completion about the tag list of this completion queue. */
bool seguei_tags_own(const struct segue_cq *cq, const uint8_t *cqe);

/* Such a completion: 1 and *wc, or a negative errno with a sentence. */
int seguei_tags_complete(struct segue_cq *cq, const uint8_t *cqe, struct segue_wc *wc);

#endif
