/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive rings: initialization, refusals, and room. */
#include "segue/rq.h"

#include <errno.h>
#include <inttypes.h>

#include "runtime/ring/split.h"
#include "segue/base.h"

#define STRIDES_MIN      2u
#define STRIDES_MAX      32768u
#define STRIDE_BYTES_MIN 16u

/* True if builders write to spare memory. */
static bool is_full(const struct seguei_recv_ring *ring)
{
	return ring->buf != ring->base;
}

void seguei_recv_set_postable(struct seguei_recv_ring *ring, bool postable)
{
	ring->limit -= ring->room;
	ring->room = !postable ? UINT32_MAX : is_full(ring) ? SEGUEI_RECV_FULL : ring->most;
	ring->limit += ring->room;
}

/* The stride at the producer index. */
static uint8_t *stride_at(const struct seguei_recv_ring *ring)
{
	return ring->base + (size_t)(ring->pi & ring->mask) * ring->stride;
}

/*
 * Chooses where the next receive is built: in the ring at the producer index, or in spare memory if
 * no stride is free. The producer index stays while the queue is full.
 */
static void settle(struct seguei_recv_ring *ring)
{
	const size_t at = (size_t)(ring->pi & ring->mask) * ring->stride;
	const bool full = ring->spare && ring->pi - seguei_recv_ci(ring) > ring->mask;

	ring->buf = full ? (uint8_t *)((uintptr_t)ring->spare->stride - at) : ring->base;
	seguei_recv_set_postable(ring, seguei_recv_is_postable(ring));
}

static int ring_init(struct seguei_recv_ring *ring, const struct segue_rq_init_options *attr,
		     const char *kind)
{
	const uint32_t least = attr->spare ? 1 : STRIDES_MIN;

	if (seguei_check_reserved(attr->reserved, kind))
		return -EINVAL;
	if (!attr->buf || (uintptr_t)attr->buf % STRIDE_BYTES_MIN)
		return seguei_fail(EINVAL, "%s: buf is %p, expected a ring aligned to %u bytes.",
				   kind, attr->buf, STRIDE_BYTES_MIN);
	if (!seguei_is_power_of_two(attr->wqe_cnt) || attr->wqe_cnt < least ||
	    attr->wqe_cnt > STRIDES_MAX)
		return seguei_fail(EINVAL,
				   "%s: wqe_cnt is %u, expected a power of two from %u to %u.",
				   kind, attr->wqe_cnt, least, STRIDES_MAX);
	if (!seguei_is_power_of_two(attr->stride) || attr->stride < STRIDE_BYTES_MIN ||
	    attr->stride > SEGUEI_STRIDE_MAX)
		return seguei_fail(EINVAL,
				   "%s: stride is %u, expected a power of two from %u to %u bytes.",
				   kind, attr->stride, STRIDE_BYTES_MIN, SEGUEI_STRIDE_MAX);
	if (!attr->dbrec || !attr->wr_ids)
		return seguei_fail(EINVAL, "%s: %s is NULL, expected its address.", kind,
				   attr->dbrec ? "wr_ids" : "dbrec");

	if (attr->max_posted >= attr->wqe_cnt && attr->max_posted)
		return seguei_fail(EINVAL,
				   "%s: max_posted is %u, expected less than its %u strides.", kind,
				   attr->max_posted, attr->wqe_cnt);

	memset(ring, 0, sizeof(*ring));
	ring->buf = ring->base = (uint8_t *)attr->buf;
	ring->wr_ids = attr->wr_ids;
	ring->dbrec = attr->dbrec;
	ring->mask = attr->wqe_cnt - 1;
	ring->stride = attr->stride;
	ring->pi = attr->first_index;
	ring->limit = attr->first_index; /* because room is still 0 */
	ring->spare = attr->max_posted ? NULL : attr->spare;
	/* one stays free for the builder, or is checked before its use */
	ring->most = (attr->max_posted ? attr->max_posted : ring->mask) - 1;
	if (ring->spare && !ring->mask) /* the only stride is also the last */
		ring->most = SEGUEI_RECV_FULL;
	ring->qpn = attr->qpn;
	seguei_recv_set_postable(ring, true);
	settle(ring);
	return 0;
}

int segue_rq_init(struct segue_rq *rq, const struct segue_rq_init_options *attr)
{
	return ring_init(&rq->ring, attr, "Receive queue");
}

int segue_srq_init(struct segue_srq *srq, const struct segue_rq_init_options *attr)
{
	uint32_t i;
	int ret;

	if (!attr->next)
		return seguei_fail(EINVAL, "Shared receive queue: next is NULL, expected an array "
					   "of wqe_cnt entries.");
	if (attr->stride < 2 * STRIDE_BYTES_MIN)
		return seguei_fail(EINVAL,
				   "Shared receive queue: stride is %u, expected at least %u bytes "
				   "(link and one SGE).",
				   attr->stride, 2 * STRIDE_BYTES_MIN);
	ret = ring_init(&srq->ring, attr, "Shared receive queue");
	if (ret)
		return ret;
	srq->front = srq->behind = NULL;
	srq->lock = 0;
	srq->next = attr->next;
	for (i = 0; i < attr->wqe_cnt; i++)
		srq->next[i] = (uint16_t)((i + 1) & srq->ring.mask);
	srq->head = 0;
	srq->tail = attr->wqe_cnt - 1;
	return 0;
}

int segue_mprq_init(struct segue_mprq *mprq, const struct segue_rq_init_options *attr)
{
	mprq->link_mask = attr->unlinked ? 0 : UINT16_MAX;
	mprq->least = attr->least;
	return segue_srq_init(&mprq->srq, attr);
}

int seguei_rq_bad_completion(const struct seguei_recv_ring *ring)
{
	return seguei_fail(EINVAL,
			   "Receive queue of QP 0x%x: a completion arrived with no receive posted; "
			   "the CQE belongs to another "
			   "queue or was read twice.",
			   ring->qpn);
}

int seguei_srq_bad_completion(const struct seguei_recv_ring *ring, uint16_t wqe_counter)
{
	return seguei_fail(EINVAL,
			   "Shared receive queue 0x%x: a completion names entry %u, expected one "
			   "of %u posted entries below "
			   "%u; the CQE belongs to another queue or was read twice.",
			   ring->qpn, wqe_counter, ring->pi - seguei_recv_ci(ring), ring->mask + 1);
}

int seguei_recv_refuse(const struct seguei_recv_ring *ring, int32_t bad, bool too_long)
{
	const int refusal = seguei_ring_refusal(bad, too_long, seguei_recv_is_postable(ring));

	if (refusal == EMSGSIZE)
		return seguei_fail(refusal,
				   "Receive queue 0x%x: the request has more SGEs than its stride "
				   "of %u bytes holds; post fewer "
				   "or create the queue with more.",
				   ring->qpn, ring->stride);
	if (refusal == ERANGE)
		return seguei_fail(refusal,
				   "Receive queue 0x%x: a value of the request does not fit its "
				   "field; check the arguments.",
				   ring->qpn);
	if (refusal == EINVAL)
		return seguei_fail(refusal,
				   "Receive queue 0x%x: the queue pair is in a state that takes no "
				   "receives; move it to INIT first.",
				   ring->qpn);
	return seguei_fail(refusal,
			   "Receive queue 0x%x: all its %u receives are posted; poll the "
			   "completion queue and post again.",
			   ring->qpn, ring->pi - seguei_recv_ci(ring));
}

int seguei_mprq_refuse_short(const struct seguei_recv_ring *ring, int64_t spare)
{
	const int64_t least = (int64_t)((const struct segue_mprq *)ring)->least;

	return seguei_fail(ERANGE,
			   "Receive queue 0x%x: the buffer has %" PRId64 " bytes, expected %" PRId64
			   " or more, which all of its strides have; post a larger "
			   "one, or open the queue with fewer strides (log_strides) or smaller "
			   "ones (log_stride).",
			   ring->qpn, least + spare, least);
}

int seguei_recv_refused(const struct seguei_recv_ring *ring, uint8_t *start, uint32_t bytes,
			uint32_t reason, const struct segue_machine *machine, int32_t bad)
{
	struct segue_seg_data_end end;
	char why[320];

	if (bad >= 0 || reason & SEGUEI_TOO_LONG)
		return seguei_recv_refuse(ring, bad, reason & SEGUEI_TOO_LONG);
	memset(&end, 0, sizeof(end));
	if (bytes < ring->stride)
		segue_seg_data_end_pack(start + bytes, &end);
	if (reason & SEGUEI_NULL)
		(void)seguei_null_print(why, sizeof(why));
	else
		(void)seguei_refusal_print(machine, start, ring->stride, why, sizeof(why));
	return seguei_fail(ERANGE, "Receive queue 0x%x: %s; correct the argument and post again.",
			   ring->qpn, why);
}

/* Recomputes the room, from completions polled and the last stride. Not for a closed queue. */
static bool has_room(struct seguei_recv_ring *ring)
{
	if (!seguei_recv_is_postable(ring))
		return false;
	seguei_recv_catch_up(ring);
	if (ring->spare)
		return ring->pi - seguei_recv_ci(ring) <= ring->mask;
	return (int32_t)(ring->limit - ring->pi) >= 0;
}

int seguei_rq_refused(struct seguei_recv_ring *ring, uint64_t wr_id, uint32_t bytes, uint32_t why,
		      const struct segue_machine *machine, int32_t bad)
{
	const uint32_t slot = ring->pi & ring->mask;
	struct seguei_recv b = {.sq = ring, .wr_id = wr_id, .pi = ring->pi, .slot = slot};

	b.start = ring->buf + (size_t)slot * ring->stride;
	b.bytes = bytes;
	if (bad < 0 || !has_room(ring))
		return seguei_recv_refused(ring, b.start, bytes, why, machine, bad);
	b.start = stride_at(ring);
	if (is_full(ring))
		memcpy(b.start, ring->spare->stride, bytes);
	seguei_recv_finish(&b, machine);
	if (ring->spare)
		settle(ring);
	if (why & SEGUEI_RUNG)
		seguei_recv_ring_doorbell(ring, ring->pi);
	return 0;
}

int seguei_srq_post_again(struct segue_srq *srq, uint16_t wqe_counter)
{
	struct seguei_recv_ring *ring = &srq->ring;
	struct segue_seg_srq_next link;
	uint8_t *from, *to;
	uint64_t wr_id;
	uint32_t slot;

	if (!seguei_srq_retire_plain(srq, wqe_counter, &wr_id))
		return seguei_srq_bad_completion(ring, wqe_counter);
	ring->checked_step++; /* a receive begun earlier has lost its place */
	slot = srq->head;
	from = ring->buf + (size_t)wqe_counter * ring->stride;
	to = ring->buf + (size_t)slot * ring->stride;
	memset(&link, 0, sizeof(link));
	link.next_wqe_index = srq->next[slot];
	segue_seg_srq_next_pack(to, &link);
	memcpy(to + SEGUE_SEG_SRQ_NEXT_SIZE, from + SEGUE_SEG_SRQ_NEXT_SIZE,
	       ring->stride - SEGUE_SEG_SRQ_NEXT_SIZE);
	ring->wr_ids[slot] = wr_id;
	ring->pi++;
	seguei_srq_take_head(srq, slot);
	seguei_recv_ring_doorbell(ring, ring->pi);
	return 0;
}
