/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receive work queues without a queue pair of their own, and the queue pair without queues that
 * spreads frames over them. Striding receive queues and RSS consist of these.
 */
#ifndef SEGUE_RUNTIME_WQ_H
#define SEGUE_RUNTIME_WQ_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/object/cq/entries.h"
#include "runtime/object/tree/object.h"
#include "runtime/ring/strides.h"
#include "segue/pd.h"
#include "segue/rq.h"

struct ibv_qp;
struct ibv_rwq_ind_table;
struct ibv_wq;

/* Options of a receive work queue. */
struct seguei_wq_options {
	const char *what; /* "striding receive queue" */
	struct segue_cq *cq;
	uint32_t max_wr, max_sge;
	uint32_t log_stride, log_strides; /* both are 0 if a receive holds one frame */
	bool shift;
	void *context;
};

struct seguei_wq {
	struct segue_rq rq;	       /* used if a receive holds one frame */
	struct seguei_strides strides; /* used if a receive holds several frames */
	struct ibv_wq *verbs;
	struct segue_cq *cq;
	uint64_t *wr_ids;
	uint16_t *next;
	struct seguei_cq_claim claim;
	bool striding, attached;
};

/* Options of the spread over queues. */
struct seguei_spread_options {
	struct ibv_wq **table;
	uint32_t log_entries;
	uint64_t fields; /* enum ibv_rx_hash_fields */
	const uint8_t *key;
};

#define SEGUEI_HASH_KEY \
	40 /* bytes. Source: Linux drivers/infiniband/hw/mlx5/qp.c, create_rss_raw_qp_tir() */

/* Queues and the spread over them: a struct segue_rss or a struct segue_striding, which has one. */
struct seguei_spread {
	struct seguei_object object; /* first */
	struct ibv_rwq_ind_table *table;
	struct ibv_qp *qp;
	uint32_t queues; /* number for which creation has begun */
	struct seguei_wq wqs[];
};

/* True if a receive of such a queue holds several frames. */
static inline bool seguei_wq_strides(const struct seguei_wq_options *options)
{
	return options->log_stride || options->log_strides;
}

/* Allocates a spread for so many queues. NULL after a sentence, which begins with `whose`. */
struct seguei_spread *seguei_spread_alloc(const char *whose, uint32_t queues);

/*
 * Creates its next queue, ready to receive, and attaches it to its completion queue. 0, or a
 * negative errno with a sentence.
 */
int seguei_spread_add(struct seguei_spread *spread, struct segue_pd *pd,
		      const struct seguei_wq_options *options);

/* Creates table and queue pair: 0 or a negative errno. The sentence is left to the caller. */
int seguei_spread_make(struct seguei_spread *spread, struct segue_pd *pd,
		       const struct seguei_spread_options *options);

/* Makes it an open object, which uses the completion queues of its queues. */
void seguei_spread_open(struct seguei_spread *spread, struct segue_pd *pd,
			const struct seguei_kind *kind, uint32_t number);

/* Frees what was created of one that was not opened. */
void seguei_spread_undo(struct seguei_spread *spread);

/* Its kinds' release. */
int seguei_spread_release(struct seguei_object *object);

#endif
