/* SPDX-License-Identifier: BSD-2-Clause */
/* Asynchronous events, of objects and on request. */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/scheduler.h"

#include <errno.h>

static void raise_event(struct softhca_dev *dev, enum ibv_event_type type, void *obj, unsigned port)
{
	if (dev->ops && dev->ops->async_event)
		dev->ops->async_event(dev->ops_arg, type, obj, port);
}

void softhca_event_qp(struct softhca_qp *qp, enum ibv_event_type type)
{
	/* A receive work queue has one event only. */
	if (qp->type == SOFTHCA_QP_RWQ && type != IBV_EVENT_WQ_FATAL)
		type = IBV_EVENT_WQ_FATAL;
	raise_event(qp->dev, type, qp, 0);
}

void softhca_event_cq(struct softhca_cq *cq, enum ibv_event_type type)
{
	raise_event(cq->dev, type, cq, 0);
}

void softhca_event_srq(struct softhca_srq *srq, enum ibv_event_type type)
{
	raise_event(srq->dev, type, srq, 0);
}

void softhca_event_port(struct softhca_dev *dev, enum ibv_event_type type, unsigned port)
{
	raise_event(dev, type, NULL, port);
}

static int of_qp(struct softhca_dev *dev, enum ibv_event_type type, uint32_t num)
{
	struct softhca_qp *qp = softhca_qp_find(dev, num);

	if (!qp || (type == IBV_EVENT_WQ_FATAL && qp->type != SOFTHCA_QP_RWQ))
		return softhca_fail(-ENOENT, "event %d: %s has no such queue 0x%x", (int)type,
				    dev->cfg.name, num);
	softhca_event_qp(qp, type);
	return 0;
}

int softhca_dev_async(struct softhca_dev *dev, enum ibv_event_type type, uint32_t num,
		      unsigned port)
{
	void *obj = NULL;

	switch (type) {
	case IBV_EVENT_CQ_ERR:
		obj = softhca_cq_find(dev, num);
		break;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		obj = softhca_srq_find(dev, num);
		break;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
	case IBV_EVENT_WQ_FATAL:
		return of_qp(dev, type, num);
	case IBV_EVENT_DEVICE_FATAL:
		raise_event(dev, type, NULL, 0);
		return 0;
	default:
		if (!port || port > dev->cfg.nports)
			return softhca_fail(-EINVAL, "event %d needs a port of %s", (int)type,
					    dev->cfg.name);
		raise_event(dev, type, NULL, port);
		return 0;
	}
	if (!obj)
		return softhca_fail(-ENOENT, "event %d: %s has no such object 0x%x", (int)type,
				    dev->cfg.name, num);
	raise_event(dev, type, obj, 0);
	return 0;
}
