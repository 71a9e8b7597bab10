/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the queue of a receive if its completion does not name it by number.
 *
 * An XRC target may belong to another process. A raw packet queue's completion holds the flow tag
 * of the rule that matched the frame, which may equal any number. But such CQEs also hold a user
 * index, which the driver assigned to the receiver, and a second map finds the queue by that index.
 * If the device does not report the index, one queue takes all completions of unknown receivers.
 *
 * An XRC shared queue gets its user index from the device (QUERY_XRC_SRQ). CQEs of version 0 hold
 * its number instead. Receives of a raw packet queue pair are looked up by user index (QUERY_SQ)
 * before any number. If nothing else receives on the completion queue, all unknown numbers lead to
 * that queue on the fast path. Otherwise each completion of that queue takes the slow path.
 *
 * Receives of tag lists and of striding queues also lack the number of their queue. They need a
 * completion queue for their receives alone. Without DEVX a completion queue serves one XRC shared
 * queue.
 */
#include "runtime/ring/cq/receivers.h"

#include <errno.h>

#include "runtime/ring/cq/map.h"
#include "segue/base.h"

/*
 * The one queue that takes all receives, or NULL. The numbers of other queues do not lead to it,
 * which would cost the fast path.
 */
static const struct segue_cq_queue *only_one(const struct segue_cq *cq)
{
	const struct seguei_cq_receivers *r = &cq->receivers;

	if (r->others.srq && !r->by_index.count && !r->tagged)
		return &r->others;
	if (r->others.rq)
		return &r->others;
	if (r->first_tagged.rq && r->tagged == 1 && r->by_index.count == 1 && !r->numbered &&
	    !r->others.srq)
		return &r->first_tagged;
	return NULL;
}

void seguei_cq_arrange(struct segue_cq *cq)
{
	/* Without memory for the map, receives take the longer way. */
	if (seguei_cq_map_set_other(&cq->queues, only_one(cq)))
		(void)seguei_cq_map_set_other(&cq->queues, NULL);
	seguei_cq_set_last(cq);
}

bool seguei_cq_is_straight(const struct segue_cq *cq)
{
	const struct seguei_cq_receivers *r = &cq->receivers;

	return !cq->ring.enhanced && !(r->tagged && r->numbered) && !cq->tags && !cq->strides;
}

/* No other queue may receive beside a queue without a known index. */
static int refuse_beside_others(const struct segue_cq *cq)
{
	return seguei_fail(EEXIST,
			   "Completion queue 0x%x: completions of the receive queue that is "
			   "attached name a flow tag, and its index is not known, so it takes all "
			   "receives; give each queue a recv_cq of its own.",
			   cq->cqn);
}

static int refuse_beside_strides(const struct segue_cq *cq)
{
	return seguei_fail(EEXIST,
			   "Completion queue 0x%x: a striding receive queue completes here, and "
			   "takes all receives; give each queue a completion queue of its own.",
			   cq->cqn);
}

bool seguei_cq_has_receivers(const struct segue_cq *cq)
{
	return cq->receivers.numbered || cq->receivers.by_index.count || cq->receivers.others.srq;
}

int seguei_cq_check_receiver(const struct segue_cq *cq)
{
	if (cq->strides)
		return refuse_beside_strides(cq);
	return cq->receivers.others.rq ? refuse_beside_others(cq) : 0;
}

/* Of a receiver, for sentences. */
static const char *kind_of(const struct segue_cq_queue *queue)
{
	return queue->rq ? "receive queue" : "shared receive queue";
}

static int put(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	const uint32_t index = queue->number;

	if (seguei_cq_map_has(&cq->receivers.by_index, index))
		return seguei_fail(
			EEXIST,
			"Completion queue 0x%x: %s 0x%x is attached already; detach it first.",
			cq->cqn, kind_of(queue), index);
	if (seguei_cq_map_put(&cq->receivers.by_index, index, queue))
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for %s 0x%x.", cq->cqn,
				   kind_of(queue), index);
	return 0;
}

/*
 * Sets the queue of all unknown receives. 0 or -ENOMEM. It cannot fail for a queue without rq and
 * srq.
 */
static int set_others(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	if (seguei_cq_map_set_other(&cq->receivers.by_index,
				    queue->srq || queue->rq ? queue : NULL))
		return seguei_fail(ENOMEM,
				   "Completion queue 0x%x: no memory for the map of receivers.",
				   cq->cqn);
	cq->receivers.others = *queue;
	return 0;
}

/* A receive queue with an unknown index takes all, so there must be no other. */
static int set_default(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	if (queue->rq && seguei_cq_has_receivers(cq))
		return seguei_fail(EEXIST,
				   "Completion queue 0x%x: others receive here, and completions of "
				   "this receive queue name a flow tag and an index that is "
				   "not known; give each a recv_cq of its own.",
				   cq->cqn);
	if (cq->receivers.others.srq)
		return seguei_fail(EEXIST,
				   "Completion queue 0x%x: a shared receive queue takes all "
				   "receives that name no other queue; detach it first.",
				   cq->cqn);
	return set_others(cq, queue);
}

int seguei_cq_attach_receiver(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	const bool by_index = queue->key == SEGUE_CQ_BY_USER_INDEX;
	int ret;

	if (queue->sq || !queue->rq == !queue->srq ||
	    (by_index && queue->number > SEGUEI_CQ_NUMBER_MAX))
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: cannot attach a %s as 0x%x; expected a "
				   "receive queue or a shared receive queue alone, and an index of "
				   "at most 0x%x.",
				   cq->cqn, kind_of(queue), queue->number, SEGUEI_CQ_NUMBER_MAX);
	ret = seguei_cq_check_receiver(cq);
	if (!ret)
		ret = by_index ? put(cq, queue) : set_default(cq, queue);
	if (ret)
		return ret;
	if (queue->rq && cq->receivers.tagged++ == 0)
		cq->receivers.first_tagged = *queue;
	seguei_cq_arrange(cq);
	return 0;
}

/* Forgets a receiver that CQEs name by flow tags, and drops its CQEs in the ring. */
static void drop_tagged(struct segue_cq *cq, struct seguei_cq_route route,
			const struct segue_rq *rq)
{
	seguei_cq_drop_entries(cq, route);
	cq->receivers.tagged--;
	if (cq->receivers.first_tagged.rq == rq)
		cq->receivers.first_tagged = (struct segue_cq_queue){.rq = NULL};
}

int seguei_cq_detach_receiver(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	const bool by_index = queue->key == SEGUE_CQ_BY_USER_INDEX;
	const struct segue_cq_queue nobody = {.rq = NULL};
	struct seguei_cq_route route;

	if (by_index ? queue->number > SEGUEI_CQ_NUMBER_MAX ||
			       !seguei_cq_map_has(&cq->receivers.by_index, queue->number)
		     : !cq->receivers.others.rq && !cq->receivers.others.srq)
		return seguei_fail(ENOENT, "Completion queue 0x%x: receiver 0x%x is not attached.",
				   cq->cqn, queue->number);
	route = seguei_cq_map_route(&cq->receivers.by_index, by_index ? queue->number : 0);
	if (by_index ? seguei_cq_route_has_rq(route) : cq->receivers.others.rq != NULL)
		drop_tagged(cq, route,
			    by_index ? route.page->rq[route.at] : cq->receivers.others.rq);
	if (by_index)
		seguei_cq_map_remove(&cq->receivers.by_index, queue->number);
	else
		(void)set_others(cq, &nobody); /* cannot fail */
	seguei_cq_arrange(cq);
	return 0;
}

static bool is_of_receive(uint32_t opcode)
{
	return opcode != SEGUE_CQE_OPCODE_REQ && opcode != SEGUE_CQE_OPCODE_REQ_ERR &&
	       opcode != SEGUE_CQE_OPCODE_SIG_ERR;
}

struct seguei_cq_route seguei_cq_find(const struct segue_cq *cq, const uint8_t *cqe)
{
	/* an error CQE has these two fields at the same offsets */
	struct segue_cqe64 fields;
	struct seguei_cq_route route;

	(void)segue_cqe64_unpack(&fields, cqe);
	if (cq->receivers.tagged && is_of_receive(fields.opcode)) {
		route = seguei_cq_map_route(&cq->receivers.by_index, fields.srqn_uidx);
		if (seguei_cq_route_leads(route))
			return route;
	}
	route = seguei_cq_map_route(&cq->queues, fields.qpn);
	return seguei_cq_route_leads(route)
		       ? route
		       : seguei_cq_map_route(&cq->receivers.by_index, fields.srqn_uidx);
}

bool seguei_cq_same_route(const struct segue_cq *cq, struct seguei_cq_route a,
			  struct seguei_cq_route b)
{
	return a.page == b.page && (a.at == b.at || a.page == cq->receivers.by_index.other);
}
