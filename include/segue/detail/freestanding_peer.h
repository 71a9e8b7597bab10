/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the library that posts and polls by peer call, for a program without the library:
 * see segue/freestanding.h.
 *
 * These serve peers that have queues already. The library alone makes a channel at the first
 * request, finds a DC initiator, repairs a queue and posts receives. If one of these is needed, the
 * calls return -ENOTCONN, -EAGAIN or -ENOTSUP, and the host does it.
 *
 * Owner: none.
 * Threads: that of the multi-channel.
 * Errors: negative errno. Only the library has sentences.
 * Source: Segue's own.
 */
#ifndef SEGUE_DETAIL_FREESTANDING_PEER_H
#define SEGUE_DETAIL_FREESTANDING_PEER_H

#include <errno.h>

#include "segue/peers/multi_channel.h"

#include "segue/detail/begin.h"

SEGUEI_OF_LIBRARY int seguei_by_peer_refuse(struct segue_multi_channel *multi, uint32_t index)
{
	return index < multi->count ? -ENOTCONN : -EINVAL;
}

SEGUEI_OF_LIBRARY int seguei_by_peer_unknown(const struct segue_multi_channel *multi,
					     const char *request)
{
	(void)multi;
	(void)request;
	return -ENOTSUP;
}

SEGUEI_OF_LIBRARY int seguei_dci_acquire(struct segue_channel *channel)
{
	(void)channel;
	return -EAGAIN;
}

SEGUEI_OF_LIBRARY struct segue_channel *seguei_by_peer_first(struct segue_multi_channel *multi,
							     uint32_t index)
{
	(void)multi;
	(void)index;
	return NULL;
}

SEGUEI_OF_LIBRARY void seguei_multi_post_receives(struct segue_multi_channel *multi)
{
	multi->due |= SEGUEI_DUE_RECEIVES; /* the host's next poll does it */
}

SEGUEI_OF_LIBRARY uint32_t seguei_multi_sender(const struct segue_multi_channel *multi,
					       const uint8_t *cqe, uint64_t wr_id)
{
	(void)multi;
	(void)cqe;
	(void)wr_id;
	return 0;
}

SEGUEI_OF_LIBRARY void seguei_multi_own(const struct segue_cq *cq, const uint8_t *cqe,
					uint64_t wr_id, uint32_t tag)
{
	(void)cq;
	(void)cqe;
	(void)wr_id;
	(void)tag;
}

SEGUEI_OF_LIBRARY int seguei_multi_catch_up(struct segue_multi_channel *multi, int ret, int max,
					    segue_wc_handler handler, void *arg)
{
	(void)multi;
	(void)max;
	(void)handler;
	(void)arg;
	return ret;
}

SEGUEI_OF_LIBRARY int seguei_multi_poll_on(struct segue_multi_channel *multi, struct segue_cq *cq,
					   int max, int count, segue_wc_handler handler, void *arg)
{
	const int ret = seguei_cq_poll_on(cq, max, count, handler, arg);

	(void)multi;
	return ret;
}

/* Only checked builds call it. */
SEGUEI_OF_LIBRARY void seguei_pool_check_pop(struct segue_pool *pool, const void *buffer)
{
	(void)pool;
	(void)buffer;
}

SEGUEI_OF_LIBRARY void seguei_pool_check_push(struct segue_pool *pool, const void *buffer)
{
	(void)pool;
	(void)buffer;
}

SEGUEI_OF_LIBRARY void seguei_pool_check_piece(const struct segue_pool *pool, const void *buffer,
					       uint32_t length)
{
	(void)pool;
	(void)buffer;
	(void)length;
}

#include "segue/detail/end.h"

#endif
