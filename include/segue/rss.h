/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RSS spreads frames over several receive queues by a hash of their addresses and ports. Each flow
 * stays with one queue, in order, and several threads share a port.
 *
 * The hash (Toeplitz, with a key of 40 bytes) picks an entry of a table, by its last bits, and the
 * entry a queue. If fields of both ends are hashed, the driver makes the device hash both
 * directions of a flow alike, so a connection's two halves come to one queue. Frames without the
 * headers that are hashed come to the first entry's queue. segue_flow_open_to_rss() makes a rule
 * that leads frames here. Hash and table cannot be changed: make another object with its rules, and
 * close this one.
 *
 * Receives are posted to segue_rss_rq(), or, with strides (segue/striding.h), to segue_rss_mprq().
 * The hash of a frame is segue_wc_details.rss_hash.
 *
 * Owner: a child of its protection domain. The caller that opened it must close it. Closing the
 *   domain closes it, too.
 * Threads: opening and closing: one, while no other uses the queues. Each queue and its completion
 *   queue: one of its own.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_create_rwq_ind_table(3), ibv_create_qp_ex(3), Linux drivers/infiniband/hw/mlx5/qp.c
 *   (create_rss_raw_qp_tir()).
 */
#ifndef SEGUE_RSS_H
#define SEGUE_RSS_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/function.h"
#include "segue/pd.h"

#include "segue/detail/begin.h"

#define SEGUE_RSS_KEY_SIZE 40 /* bytes of a hash key */

struct ibv_qp;
struct segue_rss;

/** Fields that the hash covers. */
enum segue_rss_field {
	SEGUE_RSS_SRC_IP = 1,
	SEGUE_RSS_DST_IP = 2,
	SEGUE_RSS_SRC_PORT = 4,
	SEGUE_RSS_DST_PORT = 8,
};

/** Options of an RSS object. */
struct segue_rss_options {
	/* completion queue of each queue's frames, with no other receiver */
	struct segue_cq *const *cqs;
	/* context of each queue, returned as segue_wc.context. NULL means none */
	void *const *contexts;
	uint32_t queues;             /* number of queues, 1 or more */
	uint32_t max_wr;             /* receives that can be posted to each, 1 or more */
	uint32_t max_sge;            /* pieces of a receive, 1 or more */
	/*
	 * with strides as in struct segue_striding_options. If both are 0, a receive holds one
	 * frame
	 */
	uint32_t log_stride;
	uint32_t log_strides;
	bool shift;
	const uint32_t *table; /* queue of each entry, from 0. NULL means the queues in turn */
	/*
	 * a power of two up to segue_caps.rss_max_table. 0 means the smallest with an entry for
	 * each queue
	 */
	uint32_t table_entries;
	uint32_t fields;        /* fields that are hashed: enum segue_rss_field */
	uint8_t ip;             /* IP version of frames that are spread, 4 or 6 */
	uint8_t protocol;       /* IPPROTO_UDP or IPPROTO_TCP, if ports are hashed */
	/*
	 * SEGUE_RSS_KEY_SIZE bytes. NULL means the well-known one of Microsoft's RSS verification
	 * suite
	 */
	const uint8_t *key;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_rss_open() - make receive queues, and a raw packet queue pair that spreads frames over
 * them.
 * @pd: its owner
 * @options: not kept. The completion queues cannot be closed before it
 * @out: set on success
 *
 * Needs CAP_NET_RAW on a card. Returns 0, -EINVAL naming the option, -EEXIST if one of the
 * completion queues has a receiver already, -ENOTSUP if the device has no RSS, or another negative
 * errno from the kernel.
 */
SEGUEI_MUST_CHECK int segue_rss_open(struct segue_pd *pd, const struct segue_rss_options *options,
				     struct segue_rss **out);

/**
 * segue_rss_close() closes it with its rules. NULL is allowed. Returns 0, or -EBUSY if rules lead
 * here that Segue has not made.
 */
int segue_rss_close(struct segue_rss *rss);

/**
 * segue_rss_rq() is the queue of that number, from 0. NULL with segue_errmsg() if there is none, or
 * it has strides. It lives as long as the object.
 */
struct segue_rq *segue_rss_rq(struct segue_rss *rss, uint32_t queue);

/**
 * segue_rss_mprq() is the queue of that number, from 0, if queues have strides. NULL with
 * segue_errmsg() otherwise.
 */
struct segue_mprq *segue_rss_mprq(struct segue_rss *rss, uint32_t queue);

/**
 * segue_rss_ibv() is the queue pair that rules of other libraries name. Its state cannot be
 * modified.
 */
struct ibv_qp *segue_rss_ibv(struct segue_rss *rss);

#include "segue/detail/end.h"

#endif
