/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receives of a multi-channel: a shared queue and a pool of its own, or those that several share.
 */
#include <errno.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

/* Receives are posted again by eighths of their number, so seven eighths must suffice. */
#define BATCHES 8

static uint32_t header_of(const struct segue_multi_channel_options *options)
{
	return options->transport == SEGUE_TRANSPORT_UD ? SEGUE_GRH_SIZE : 0;
}

static int check_given(const struct segue_multi_channel_options *options, const struct segue_pd *pd)
{
	if (!options->srq != !options->pool)
		return seguei_fail(EINVAL,
				   "Multi-channel: %s is NULL, expected both srq and pool, whose "
				   "buffers are its receives, or neither.",
				   options->srq ? "pool" : "srq");
	if (options->receives || options->receive_size)
		return seguei_fail(EINVAL,
				   "Multi-channel: %s is given, but srq and pool are, too, and "
				   "determine it; expected 0.",
				   options->receives ? "receives" : "receive_size");
	if (seguei_object_of(seguei_srq_object_of(options->srq))->parent != seguei_object_of(pd) ||
	    seguei_pool_object_of(options->pool)->parent != seguei_object_of(pd))
		return seguei_fail(EINVAL, "Multi-channel: its srq or pool is of another "
					   "protection domain; expected both of its own.");
	if (options->pool->size <= header_of(options))
		return seguei_fail(EINVAL,
				   "Multi-channel: the pool's buffers have %u bytes, and over UD a "
				   "header takes %u of them.",
				   options->pool->size, header_of(options));
	return 0;
}

int seguei_receives_check(struct segue_multi_channel_options *options, const struct segue_pd *pd)
{
	int ret;

	if (!options->srq && !options->pool)
		return 0;
	ret = check_given(options, pd);
	if (ret)
		return ret;
	options->receives = options->pool->count;
	options->receive_size = options->pool->size - header_of(options);
	return 0;
}

uint32_t seguei_receives_entries(const struct segue_multi_channel_options *options)
{
	return options->srq ? options->srq->ring.most + 1 : options->receives;
}

static int open_own(struct seguei_multi_more *more)
{
	const struct segue_multi_channel_options *options = &more->options;
	const struct segue_srq_options srq = {.max_wr = options->receives,
					      .max_sge = 1,
					      .huge_pages = options->huge_pages,
					      .near_device = options->near_device};
	const struct segue_pool_options pool = {
		.count = options->receives,
		.size = options->receive_size + header_of(options),
		.huge_pages = options->huge_pages,
		.near_device = options->near_device,
	};
	const int ret = segue_srq_open(more->pd, &srq, &more->receives.srq);

	return ret ? ret : segue_pool_open(more->pd, &pool, &more->receives.pool);
}

int seguei_receives_open(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	const struct segue_multi_channel_options *options = &more->options;
	int ret = 0;

	if (!options->srq)
		ret = open_own(more);
	if (ret)
		return ret;
	if (options->srq) { /* not closed before */
		seguei_object_use(&more->object,
				  seguei_object_of(seguei_srq_object_of(options->srq)));
		seguei_object_use(&more->object, seguei_pool_object_of(options->pool));
	}
	multi->srq = options->srq ? options->srq : more->receives.srq;
	multi->pool = options->pool ? options->pool : more->receives.pool;
	multi->batch = options->receives / BATCHES + 1;
	seguei_multi_post_receives(multi);
	return 0;
}

/*
 * Closing a queue pair drops its unpolled completions. It frees their entries of the shared queue
 * after those that were free before. The buffers of these entries go back to the pool.
 */
int seguei_receives_close_qp(const struct segue_multi_channel *multi, struct segue_qp *qp)
{
	const struct segue_srq *srq = multi->srq;
	uint32_t at = srq ? srq->tail : 0;
	int lost = 0;
	const int ret = segue_qp_close(qp);

	for (; !ret && srq && at != srq->tail; lost++) {
		at = srq->next[at];
		segue_pool_push(multi->pool, (void *)(uintptr_t)srq->ring.wr_ids[at]);
	}
	return ret ? ret : lost;
}

static bool give_back(const struct segue_wc *wc, void *arg)
{
	struct segue_multi_channel *multi = arg;

	if (segue_wc_is_receive(wc))
		segue_pool_push(multi->pool, (void *)(uintptr_t)wc->wr_id);
	return true;
}

void seguei_receives_give_back(struct segue_multi_channel *multi)
{
	if (!multi->more->options.srq || !multi->pool)
		return;
	seguei_kept_take(multi, give_back, multi);
	seguei_multi_post_receives(multi);
}
