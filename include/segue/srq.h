/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared receive queues: opening, limits, closing. Receives are posted with segue_recv() as on any
 * receive queue; struct segue_srq and what is posted to are in segue/rq.h.
 *
 * Owner: a queue is a child of its protection domain. The caller that opened it must close it.
 *   Closing the domain closes it, too.
 * Threads: any for different queues, but one at a time for one.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_create_srq_ex(3), ibv_modify_srq(3), mlx5dv_init_obj(3).
 */
#ifndef SEGUE_SRQ_H
#define SEGUE_SRQ_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/declaration.h"
#include "segue/pd.h"
#include "segue/rq.h"

#include "segue/detail/begin.h"

struct ibv_srq;

/** Options of a shared receive queue. */
struct segue_srq_options {
	uint32_t max_wr;         /* receives that can be posted, 1 or more */
	uint32_t max_sge;        /* pieces of memory of a receive, 1 or more */
	struct segue_xrcd *xrcd; /* XRC domain, with cq. NULL for other queues */
	struct segue_cq *cq;	 /* completions of XRC or max_tags. Otherwise NULL */
	void *context;           /* XRC and max_tags: returned as segue_wc.context */
	/*
	 * several threads post to it, or poll its completions, between segue_srq_lock() and
	 * segue_srq_unlock() (segue/lock.h). Not with max_tags
	 */
	bool locked;
	/*
	 * entries of a tag list (segue/tags.h). All its completions come to cq. Not with xrcd. 0:
	 * no list
	 */
	uint32_t max_tags;
	uint32_t max_tag_commands; /* changes of the list that may be in flight. 0 means 32 */
	/*
	 * its ring and doorbell record lie on huge pages (see segue_pool_options), which such rings
	 * of the device share
	 */
	bool huge_pages;
	/*
	 * its ring and doorbell record lie on the device's NUMA node. With xrcd or max_tags the
	 * record stays where libmlx5 has it
	 */
	bool near_device;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_srq_open() - make a shared receive queue.
 * @pd: its owner
 * @options: not kept. xrcd and cq cannot be closed before it
 * @out: set on success
 *
 * With max_tags, cq has one such queue at most, and queue pairs that name this srq complete their
 * receives there, too. libmlx5 makes such queues on InfiniBand ports only, and the list's own queue
 * pair, which is made here as well, is on port 1. Returns 0, -EINVAL naming the option, or -ENOTSUP
 * if the device does not match tags. With huge_pages or near_device, returns -ENOMEM or -ENOTSUP
 * naming the missing memory. Other negative errnos are the kernel's.
 * Source: ibv_create_srq_ex(3), mlx5dv_init_obj(3), ibv_alloc_parent_domain(3), rdma-core
 *   providers/mlx5/verbs.c (create_cmd_qp()), srq.c.
 */
SEGUEI_MUST_CHECK int segue_srq_open(struct segue_pd *pd, const struct segue_srq_options *options,
				     struct segue_srq **out);

/**
 * segue_srq_adopt() - post on an existing shared receive queue.
 * @srq: stays the caller's. It is empty and has never been used. From now on only Segue posts to it
 *
 * Returns 0, -EINVAL if it has been used or is on another verbs context, -ENOMEM, or -ENOTSUP if it
 * matches tags (IBV_SRQT_TM), because its completions name tags and not receives.
 */
SEGUEI_MUST_CHECK int segue_srq_adopt(struct segue_pd *pd, struct ibv_srq *srq,
				      struct segue_srq **out);

/**
 * segue_srq_close() closes it. NULL is allowed. Returns -EBUSY, with the user's name, while queue
 * pairs use it.
 */
int segue_srq_close(struct segue_srq *srq);

/** segue_srq_ibv() is the verbs object below. Do not post on it. */
struct ibv_srq *segue_srq_ibv(struct segue_srq *srq);

/** segue_srq_number() is the number that XRC requests name, and 0 for other queues. */
uint32_t segue_srq_number(const struct segue_srq *srq);

/**
 * segue_srq_arm_limit() - request one event (IBV_EVENT_SRQ_LIMIT_REACHED) when fewer receives than
 * this are left.
 * @limit: 1 to max_wr. 0 disarms
 *
 * Returns 0 or a negative errno from the kernel. Arm it again after each event.
 */
SEGUEI_MUST_CHECK int segue_srq_arm_limit(struct segue_srq *srq, uint32_t limit);

#include "segue/detail/end.h"

#endif
