/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receive work queues, which have no queue pair of their own, and the queue pair without queues
 * that spreads frames over some of them: what striding receive queues and RSS are made of.
 */
#ifndef SEGUE_RUNTIME_WQ_H
#define SEGUE_RUNTIME_WQ_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/object/cq/entries.h"
#include "runtime/object/tree/object.h"
#include "runtime/ring/strides.h"
#include "segue/pd.h"
#include "segue/recv.h"

struct ibv_qp;
struct ibv_rwq_ind_table;
struct ibv_wq;

/* What one should be. */
struct seguei_wq_options {
	const char *what; /* "striding receive queue" */
	struct segue_cq *cq;
	uint32_t max_wr, max_sge;
	uint32_t log_stride, log_strides; /* both 0: a receive holds one frame */
	bool shift;
	void *context;
};

struct seguei_wq {
	struct segue_rq rq;            /* where a receive holds one frame, */
	struct seguei_strides strides; /* or several */
	struct ibv_wq *verbs;
	struct segue_cq *cq;
	uint64_t *wr_ids;
	uint16_t *next;
	struct seguei_cq_claim claim;
	bool striding, attached;
};

/* How frames are spread. */
struct seguei_spread_options {
	struct ibv_wq **table;
	uint32_t log_entries;
	uint64_t fields; /* enum ibv_rx_hash_fields */
	const uint8_t *key;
};

#define SEGUEI_HASH_KEY \
	40 /* bytes. Source: Linux drivers/infiniband/hw/mlx5/qp.c, create_rss_raw_qp_tir() */

struct seguei_spread {
	struct ibv_rwq_ind_table *table;
	struct ibv_qp *qp;
};

/* True if a receive of such a queue serves several frames. */
static inline bool seguei_wq_strides(const struct seguei_wq_options *options)
{
	return options->log_stride || options->log_strides;
}

/*
 * 0, or a negative errno with a sentence: what the device does not have, an option that does not
 * fit.
 */
int seguei_wq_check(struct segue_pd *pd, const struct seguei_wq_options *options);

/*
 * Makes one that was zeroed, ready to receive and known to its completion queue. 0, or a negative
 * errno with a sentence; either way it is taken apart with the next two.
 */
int seguei_wq_open(struct seguei_wq *wq, struct segue_pd *pd,
		   const struct seguei_wq_options *options);

/*
 * Gives it back to the kernel: 0 or the error number; EIO: the device is gone, and nothing more can
 * be done. Then frees what hangs on it.
 */
int seguei_wq_destroy(struct seguei_wq *wq);
void seguei_wq_free(struct seguei_wq *wq);

/* Likewise; the sentence is the caller's. */
int seguei_spread_open(struct seguei_spread *spread, struct segue_pd *pd,
		       const struct seguei_spread_options *options);
int seguei_spread_destroy(struct seguei_spread *spread);

/* The negative errno, with a sentence: the object that has it stays open. */
int seguei_spread_not_closed(const struct seguei_object *object, int err);

#endif
