/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of a multi-channel: per peer, and independent of their number. */
#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"

/* With the ring, which libmlx5 allocates, and an entry in a completion queue's map. */
static uint64_t queue_bytes(const struct segue_sq *sq)
{
	return seguei_qp_size +
	       ((uint64_t)sq->mask + 1) * (SEGUE_WQE_BLOCK_SIZE + sizeof(struct segue_sq_slot)) +
	       sizeof(struct seguei_cq_page) / SEGUEI_CQ_PAGE;
}

static uint64_t cq_bytes(const struct segue_multi_channel *multi)
{
	const struct seguei_cq_ring *ring = &multi->more->queues.cq->ring;

	return multi->more->queues.own_cq ? (uint64_t)ring->cqe_cnt * ring->entry_size : 0;
}

/* Over RC, of the existing queues. */
static uint64_t queues_bytes(const struct segue_multi_channel *multi)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < multi->count; i++)
		if (multi->channels[i].more->qp)
			bytes += queue_bytes(multi->channels[i].more->owner.sq);
	return bytes;
}

uint64_t segue_multi_channel_bytes_per_peer(const struct segue_multi_channel *multi)
{
	const uint64_t channel = sizeof(struct segue_channel) + sizeof(struct seguei_channel_more);

	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC: /* only here the completion queue grows with the peers */
		return channel + (queues_bytes(multi) + cq_bytes(multi)) / multi->count;
	case SEGUE_TRANSPORT_DC: /* channels of used peers, and records of the others */
		return sizeof(struct seguei_known) +
		       (channel + seguei_ah_size) * multi->more->directory.n_made / multi->count;
	default:
		return channel + seguei_ah_size +
		       (uint64_t)seguei_senders_bytes(multi) / multi->count;
	}
}

static uint64_t receive_bytes(const struct seguei_multi_more *more)
{
	const uint64_t own = more->receives.pool
				     ? more->receives.pool->stride +
					       sizeof(*more->receives.pool->free) + sizeof(uint64_t)
				     : 0;

	return more->options.receives * own + more->backlog.room * sizeof(*more->backlog.kept) +
	       SEGUEI_FLAGS_COUNT * sizeof(*more->barriers.flags);
}

uint64_t segue_multi_channel_bytes_shared(const struct segue_multi_channel *multi)
{
	const struct seguei_multi_more *more = multi->more;
	const uint64_t bytes = sizeof(*more) + receive_bytes(more);

	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC:
		return bytes;
	case SEGUE_TRANSPORT_DC:
		return bytes + cq_bytes(multi) + seguei_qp_size +
		       more->options.dcis *
			       (sizeof(struct seguei_dci) + queue_bytes(more->dcis.all[0].sq));
	default:
		return bytes + cq_bytes(multi) + queue_bytes(more->queues.ud_owner.sq);
	}
}
