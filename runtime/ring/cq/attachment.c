/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion rings: initialization, attaching and detaching queues, arming, and polls into an
 * array.
 */
#include "segue/cq.h"

#include <errno.h>

#include "runtime/ring/cq/geometry.h"
#include "runtime/ring/cq/map.h"
#include "runtime/ring/cq/receivers.h"
#include "runtime/ring/strides.h"
#include "runtime/ring/tags.h"
#include "segue/base.h"
#include "segue/detail/check.h"
#include "segue/gen/segments.h"

#define ENTRIES_MIN	2u
#define ENTRIES_MAX	(1u << 22)
#define NUMBER_MAX	SEGUEI_CQ_NUMBER_MAX /* also the limit of completion queues' numbers */

static int check_attr(const struct segue_cq_init_options *attr)
{
	if (seguei_check_reserved(attr->reserved, "Completion queue"))
		return -EINVAL;
	if (!attr->buf || (uintptr_t)attr->buf % SEGUE_CQE_SIZE)
		return seguei_fail(
			EINVAL, "Completion queue: buf is %p, expected a ring aligned to %u bytes.",
			attr->buf, (unsigned int)SEGUE_CQE_SIZE);
	if (!seguei_is_power_of_two(attr->cqe_cnt) || attr->cqe_cnt < ENTRIES_MIN ||
	    attr->cqe_cnt > ENTRIES_MAX)
		return seguei_fail(
			EINVAL,
			"Completion queue: cqe_cnt is %u, expected a power of two from %u to %u.",
			attr->cqe_cnt, ENTRIES_MIN, ENTRIES_MAX);
	if (attr->cqe_size != SEGUE_CQE_SIZE && attr->cqe_size != SEGUE_CQE_SIZE_128)
		return seguei_fail(EINVAL,
				   "Completion queue: cqe_size is %u, expected %u or %u bytes.",
				   attr->cqe_size, (unsigned int)SEGUE_CQE_SIZE,
				   (unsigned int)SEGUE_CQE_SIZE_128);
	if (!attr->dbrec)
		return seguei_fail(EINVAL,
				   "Completion queue: dbrec is NULL, expected its address.");
	if (attr->cqn > NUMBER_MAX)
		return seguei_fail(
			EINVAL, "Completion queue: cqn is 0x%x, expected a number of at most 0x%x.",
			attr->cqn, NUMBER_MAX);
	return 0;
}

void seguei_cq_set_last(struct segue_cq *cq)
{
	const uint32_t to_end = ~seguei_cq_ci(cq) &
				(cq->ring.cqe_cnt - 1); /* entries after the next one */
	const uint32_t ahead = cq->stretch - 1 < to_end ? cq->stretch - 1 : to_end;

	/* With the enhanced layout every entry may be a block's title. */
	cq->last = seguei_cq_is_straight(cq)
			   ? seguei_cq_ring_entry(&cq->ring, seguei_cq_ci(cq) + ahead)
			   : NULL;
}

/* RESIZE_CQ belongs to no queue, so it takes the slow path on every ring. */
static void set_busy(struct segue_cq *cq)
{
	const uint32_t last = seguei_cq_narrow(cq->own) |
			      segue_be32((uint32_t)SEGUE_CQE_OPCODE_RESIZE_CQ << 4);

	memcpy(cq->busy + SEGUEI_CQE_LAST, &last, sizeof(last));
}

/*
 * A poll notifies the device when it ends, so entries that the device was not notified of belong to
 * a poll.
 */
bool seguei_cq_is_polled(const struct segue_cq *cq)
{
	uint32_t untold;

	if (!cq)
		return false;
	untold = segue_be32(cq->dbrec[SEGUE_CQ_DBREC_SET_CI]) ^ cq->ci;
	return cq->entry == cq->busy || cq->slow || (untold & SEGUE_SEG_CQ_ARM_CI_MAX);
}

int seguei_cq_check_unpolled(const struct segue_cq *cq, const char *call)
{
	return seguei_cq_is_polled(cq) ? seguei_cq_refuse_polled(cq, call) : 0;
}

int seguei_cq_refuse_polled(const struct segue_cq *cq, const char *call)
{
	if (cq->barred)
		return seguei_fail(EBUSY, "%s: completion queue 0x%x %s.", call, cq->cqn,
				   cq->barred);
	return seguei_fail(
		EBUSY,
		"%s: completion queue 0x%x is being polled, so this comes from a "
		"handler, or from before segue_cq_end_poll(); make the call when the poll is over.",
		call, cq->cqn);
}

void seguei_cq_seek(struct segue_cq *cq)
{
	const uint32_t mask = SEGUE_SEG_CQ_ARM_CI_MAX; /* of the index in the doorbell record */

	/* The record's 24 bits wrap only here, because the ring ends where they do. */
	cq->ci_upper += cq->ci & ~mask;
	cq->ci &= mask;
	cq->entry = seguei_cq_ring_entry(&cq->ring, seguei_cq_ci(cq));
	cq->own = seguei_cq_widen(seguei_cq_ring_own(&cq->ring, seguei_cq_ci(cq)));
	set_busy(cq);
	seguei_cq_set_last(cq);
}

void seguei_cq_bar(struct segue_cq *cq, const char *why)
{
	cq->barred = why;
	/* polls, and calls that change the queue, then find a poll under way */
	cq->entry = cq->busy;
}

void seguei_cq_unbar(struct segue_cq *cq, uint32_t ci)
{
	cq->barred = NULL;
	cq->ci_upper = 0;
	cq->ci = ci;
	seguei_cq_seek(cq);
	seguei_cq_give_back(cq);
}

void seguei_cq_set_stretch(struct segue_cq *cq, uint32_t stretch)
{
	cq->stretch = stretch;
	seguei_cq_give_back(cq);
	seguei_cq_set_last(cq);
}

void seguei_cq_set_ring(struct segue_cq *cq, uint8_t *buf, uint32_t cqe_cnt, uint32_t ci)
{
	struct seguei_cq_ring *ring = &cq->ring;

	ring->buf = buf;
	ring->cqe_cnt = cqe_cnt;
	ring->log_cnt = 0;
	while (1u << ring->log_cnt < cqe_cnt)
		ring->log_cnt++;
	cq->ci_upper = 0;
	cq->ci = ci;
	cq->stretch = cqe_cnt;
	cq->block.title_ci = ci - 1;
	seguei_cq_seek(cq);
}

int segue_cq_init(struct segue_cq *cq, const struct segue_cq_init_options *attr)
{
	const int ret = check_attr(attr);
	uint32_t i;

	if (ret)
		return ret;
	memset(cq, 0, sizeof(*cq));
	cq->entry_size = attr->cqe_size;
	cq->ring.entry_size = attr->cqe_size;
	cq->ring.enhanced = attr->enhanced;
	cq->ring.minis = attr->minis;
	cq->own_mask = seguei_cq_ring_own_mask(&cq->ring);
	seguei_cq_map_init(&cq->queues);
	seguei_cq_map_init(&cq->receivers.by_index);
	cq->dbrec = attr->dbrec;
	cq->cqn = attr->cqn;
	seguei_store32(&cq->dbrec[SEGUE_CQ_DBREC_SET_CI], segue_be32(attr->first_index));
	cq->null_key = SEGUE_LKEY_INVALID; /* none */
	cq->uar = (uintptr_t)attr->uar;
	seguei_cq_set_ring(cq, (uint8_t *)attr->buf, attr->cqe_cnt, attr->first_index);
	for (i = 0; i < attr->cqe_cnt; i++)
		if (seguei_cq_ring_entry(&cq->ring, seguei_cq_ci(cq) + i)[SEGUEI_CQE_OP_OWN] >> 4 ==
		    SEGUE_CQE_OPCODE_INVALID)
			seguei_cq_ring_make_old(&cq->ring, seguei_cq_ci(cq) + i);
	seguei_order_memory_stores(); /* before the doorbell record, which a first poll may write */
	return 0;
}

void segue_cq_fini(struct segue_cq *cq)
{
	seguei_cq_map_fini(&cq->queues);
	seguei_cq_map_fini(&cq->receivers.by_index);
}

/* By the number of its queue pair. */
static int attach_numbered(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	const bool receives = queue->rq || queue->srq;

	if (seguei_cq_map_has(&cq->queues, queue->number))
		return seguei_fail(
			EEXIST,
			"Completion queue 0x%x: QP 0x%x is attached already; detach it first.",
			cq->cqn, queue->number);
	if (receives && seguei_cq_check_receiver(cq))
		return -EEXIST;
	if (seguei_cq_map_put(&cq->queues, queue->number, queue))
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for QP 0x%x.", cq->cqn,
				   queue->number);
	if (receives && cq->receivers.numbered++ == 0)
		seguei_cq_arrange(cq);
	return 0;
}

int segue_cq_attach(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	const int ret = seguei_cq_check_unpolled(cq, "segue_cq_attach()");

	if (ret)
		return ret;
	if (queue->key != SEGUE_CQ_BY_QPN)
		return seguei_cq_attach_receiver(cq, queue);
	if (queue->number > NUMBER_MAX || (!queue->sq && !queue->rq && !queue->srq) ||
	    (queue->rq && queue->srq))
		return seguei_fail(
			EINVAL,
			"Completion queue 0x%x: cannot attach QP 0x%x; expected a number of at "
			"most 0x%x and a send queue, a receive queue or a shared receive queue, "
			"not both of the latter.",
			cq->cqn, queue->number, NUMBER_MAX);
	return attach_numbered(cq, queue);
}

int seguei_cq_attach_tags(struct segue_cq *cq, struct seguei_tags *tags)
{
	if (cq->strides)
		return seguei_cq_check_receiver(cq);
	if (cq->tags)
		return seguei_fail(EEXIST,
				   "Completion queue 0x%x: the tag list of shared receive queue "
				   "0x%x completes here already, and completions do not name their "
				   "list; give this one a completion queue of its own.",
				   cq->cqn, cq->tags->srq->ring.qpn);
	cq->tags = tags;
	seguei_cq_set_last(cq);
	return 0;
}

int seguei_cq_attach_strides(struct segue_cq *cq, struct seguei_strides *strides)
{
	const int ret = seguei_cq_check_receiver(cq);

	if (ret)
		return ret;
	if (seguei_cq_has_receivers(cq) || cq->tags)
		return seguei_fail(EEXIST,
				   "Completion queue 0x%x: others receive here, and completions of "
				   "a striding receive queue name a flow tag; give it a "
				   "completion queue of its own.",
				   cq->cqn);
	cq->strides = strides;
	seguei_cq_set_last(cq);
	return 0;
}

static int detach_numbered(struct segue_cq *cq, uint32_t qpn)
{
	struct seguei_cq_route route;
	bool received;

	if (qpn > NUMBER_MAX || !seguei_cq_map_has(&cq->queues, qpn))
		return seguei_fail(ENOENT, "Completion queue 0x%x: QP 0x%x is not attached.",
				   cq->cqn, qpn);
	route = seguei_cq_map_route(&cq->queues, qpn);
	received = seguei_cq_route_has_rq(route) || seguei_cq_route_has_srq(route);
	seguei_cq_drop_entries(cq, route);
	seguei_cq_map_remove(&cq->queues, qpn);
	if (received && --cq->receivers.numbered == 0)
		seguei_cq_arrange(cq);
	return 0;
}

int segue_cq_detach(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	const int ret = seguei_cq_check_unpolled(cq, "segue_cq_detach()");

	if (ret)
		return ret;
	return queue->key == SEGUE_CQ_BY_QPN ? detach_numbered(cq, queue->number)
					     : seguei_cq_detach_receiver(cq, queue);
}

int segue_cq_arm(struct segue_cq *cq, enum segue_cq_arm_cmd cmd)
{
	struct segue_seg_cq_arm arm;
	uint8_t bytes[SEGUE_SEG_CQ_ARM_SIZE];
	uint64_t doorbell;
	uint32_t record;

	if (!cq->uar)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: it has no UAR to be armed through; give "
				   "segue_cq_init() one.",
				   cq->cqn);
	memset(&arm, 0, sizeof(arm));
	arm.arm_sn = __atomic_load_n(&cq->arm_sn, __ATOMIC_RELAXED) %
		     (SEGUE_SEG_CQ_ARM_ARM_SN_MAX + 1);
	arm.cmd = (uint8_t)cmd;
	arm.ci = seguei_cq_ci(cq) & SEGUE_SEG_CQ_ARM_CI_MAX;
	arm.cqn = cq->cqn;
	segue_seg_cq_arm_pack(bytes, &arm);
	memcpy(&record, bytes, sizeof(record));
	memcpy(&doorbell, bytes, sizeof(doorbell));
	seguei_store32(&cq->dbrec[SEGUE_CQ_DBREC_ARM], record);
	seguei_order_memory_before_register();
	seguei_store64((volatile void *)(cq->uar + SEGUE_UAR_CQ_DOORBELL), doorbell);
	seguei_flush_register_stores();
	return 0;
}

/* The array that a poll fills. */
struct filling {
	struct segue_wc *to;
	struct segue_wc_details *details; /* or NULL */
};

static void fill(const struct segue_wc *wc, void *arg)
{
	struct filling *filling = (struct filling *)arg;

	*filling->to = *wc;
	filling->to->byte_len = segue_wc_byte_len(wc);
	filling->to++->cqe = NULL; /* the entry is overwritten before the array is read */
	if (filling->details)
		segue_wc_get_details(wc, filling->details++);
}

int seguei_cq_fill_on(struct segue_cq *cq, int max, int count, struct segue_wc *wc)
{
	struct seguei_cq_progress progress = {count, false};

	do {
		struct filling filling = {wc + progress.count, NULL};

		progress = seguei_cq_poll_slow(cq, max - progress.count, progress.count, fill,
					       &filling);
		if (!progress.over)
			progress.count += seguei_cq_fill(cq, max - progress.count,
							 wc + progress.count);
	} while (!progress.over && progress.count < max &&
		 seguei_cq_new(cq, seguei_cq_look(cq)));
	if (!progress.over)
		seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return progress.count;
}

int segue_cq_poll_details(struct segue_cq *cq, int max, struct segue_wc *wc,
			  struct segue_wc_details *details)
{
	struct filling filling = {wc, details};

	if (max < 1)
		return 0;
	return segue_cq_poll_each(cq, max, fill, &filling);
}
