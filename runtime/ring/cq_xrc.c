/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the completion of a queue pair goes that is not attached.
 *
 * An XRC target may belong to another process, so its number says nothing here. The CQE names the shared receive queue instead,
 * and a second map finds that one. Where the device does not tell by what index, everything that is nobody's goes to one queue.
 */
#include <errno.h>

#include "runtime/ring/cq_map.h"
#include "segue/cq.h"
#include "segue/errmsg.h"

/* Those who are not attached are found at once only if all of them lead to the same queue. */
static int set_other(struct segue_cq *cq)
{
	const struct segue_cq_queue queue = {.srq = cq->xrc_srq, .context = cq->xrc_context};

	if (seguei_cq_map_set_other(&cq->queues, queue.srq && !cq->srqs.count ? &queue : NULL))
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for where XRC receives come from.", cq->cqn);
	return 0;
}

int segue_cq_attach_srq(struct segue_cq *cq, uint32_t index, struct segue_srq *srq, void *context)
{
	const struct segue_cq_queue queue = {.srq = srq, .context = context};

	if (index > SEGUEI_CQ_NUMBER_MAX || !srq)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: cannot attach a shared receive queue as 0x%x; expected a queue and an "
				   "index of at most 0x%x.",
				   cq->cqn, index, SEGUEI_CQ_NUMBER_MAX);
	if (seguei_cq_map_has(&cq->srqs, index))
		return seguei_fail(EEXIST,
				   "Completion queue 0x%x: shared receive queue 0x%x is attached already; detach it first.",
				   cq->cqn, index);
	if (seguei_cq_map_put(&cq->srqs, index, &queue))
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for shared receive queue 0x%x.", cq->cqn, index);
	return cq->srqs.count == 1 ? set_other(cq) : 0; /* which takes, and cannot fail */
}

int segue_cq_detach_srq(struct segue_cq *cq, uint32_t index)
{
	if (index > SEGUEI_CQ_NUMBER_MAX || !seguei_cq_map_has(&cq->srqs, index))
		return seguei_fail(ENOENT, "Completion queue 0x%x: shared receive queue 0x%x is not attached.", cq->cqn, index);
	seguei_cq_map_remove(&cq->srqs, index);
	if (!cq->srqs.count)
		(void)set_other(cq); /* else by a longer way */
	return 0;
}

int segue_cq_set_xrc_srq(struct segue_cq *cq, struct segue_srq *srq, void *context)
{
	const struct segue_cq_queue queue = {.srq = srq, .context = context};

	if (seguei_cq_map_set_other(&cq->srqs, srq ? &queue : NULL))
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for where XRC receives come from.", cq->cqn);
	cq->xrc_srq = srq;
	cq->xrc_context = context;
	return set_other(cq);
}

struct seguei_cq_route seguei_cq_find(const struct segue_cq *cq, const uint8_t *cqe)
{
	struct segue_cqe_cqe64 fields; /* one that tells of an error has these two at the same place */
	struct seguei_cq_route route;

	(void)segue_cqe_cqe64_unpack(&fields, cqe);
	route = seguei_cq_map_route(&cq->queues, fields.qpn);
	return seguei_cq_route_leads(route) ? route : seguei_cq_map_route(&cq->srqs, fields.srqn_uidx);
}
