/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Striding receive queues for frames. A posted buffer is cut into strides of one size, and each
 * frame takes as many of them as it needs, so that one receive serves many frames.
 *
 * Receives are posted with segue_recv() on segue_striding_mprq(). A completion names the buffer
 * (wr_id) and the stride at which its frame begins (segue_wc.wqe_counter). After
 * SEGUE_WC_LAST_STRIDE the buffer is used up, and the program's again. SEGUE_WC_FILLER means that
 * the next frame did not fit into the rest of the buffer, which is skipped, so that there are no
 * data. A failed completion may leave strides of its buffer to further frames: SEGUE_WC_LAST_STRIDE
 * counts there, too.
 *
 * Queue pairs cannot share such a queue, for the reason in docs/reference/requests/recv_mprq.md.
 * Queue pairs that share receives have a segue_srq (segue/srq_object.h).
 *
 * Owner: a child of its protection domain. The caller that opened it must close it. Closing the
 *   domain closes it, too.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: mlx5dv_create_wq(3), ibv_create_rwq_ind_table(3), ibv_create_qp_ex(3), rdma-core
 *   providers/mlx5/verbs.c (mlx5_calc_rwq_size(), create_wq()), DPDK drivers/net/mlx5/mlx5_rx.c
 *   (mlx5_rx_burst_mprq()).
 */
#ifndef SEGUE_STRIDING_H
#define SEGUE_STRIDING_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/function.h"
#include "segue/pd.h"

#include "segue/detail/begin.h"

struct ibv_qp;
struct segue_striding;

/** Options of a striding receive queue. */
struct segue_striding_options {
	struct segue_cq *cq;  /* completion queue of its frames, without other receivers */
	uint32_t max_wr;      /* buffers that can be posted, 1 or more */
	uint32_t max_sge;     /* pieces of a buffer, 1 or more */
	/*
	 * log2 of the bytes of a stride. segue_caps.striding_min_log_bytes and _max_ are its limits
	 */
	uint32_t log_stride;
	/*
	 * log2 of the strides of a buffer. segue_caps.striding_min_log_strides and _max_ are its
	 * limits
	 */
	uint32_t log_strides;
	/*
	 * frames begin two bytes after the start of their stride, so that their IP headers are
	 * aligned
	 */
	bool shift;
	/* sharing by queue pairs, for their messages. Refused, with the reason */
	bool shared;
	void *context;        /* returned as segue_wc.context */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_striding_open() - make a striding receive queue, and a raw packet queue pair in front of
 * it.
 * @pd: its owner
 * @options: not kept. cq cannot be closed before it
 * @out: set on success
 *
 * Needs CAP_NET_RAW on a card. Frames come when a rule leads them there:
 * segue_flow_open_to_striding(). Returns 0, -EINVAL naming the option, -EEXIST if cq has a receiver
 * already, -ENOTSUP if the device has none, or another negative errno from the kernel. Source:
 * mlx5dv_create_wq(3).
 */
SEGUEI_MUST_CHECK int segue_striding_open(struct segue_pd *pd,
					  const struct segue_striding_options *options,
					  struct segue_striding **out);

/**
 * segue_striding_close() closes it with its rules. NULL is allowed. Returns 0, or -EBUSY if rules
 * lead here that Segue has not made.
 */
int segue_striding_close(struct segue_striding *striding);

/**
 * segue_striding_mprq() is the queue that buffers are posted to. It lives as long as the object.
 */
struct segue_mprq *segue_striding_mprq(struct segue_striding *striding);

/**
 * segue_striding_ibv() is the queue pair that rules of other libraries name: mlx5dv_create_flow(3).
 * Its state cannot be modified.
 */
struct ibv_qp *segue_striding_ibv(struct segue_striding *striding);

#include "segue/detail/end.h"

#endif
