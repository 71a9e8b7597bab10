/* SPDX-License-Identifier: BSD-2-Clause */
/* What the events of the fault plan do to the devices of this process. */
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "transport.h"

static void change_gids(struct softhca_dev *dev, unsigned int port)
{
	union ibv_gid gid;
	unsigned int type;

	/* The address stays, its routable entries move up: what a re-addressed host looks like. */
	for (unsigned int i = SOFTHCA_GIDS - 1; i >= 3; i--) {
		if (softhca_gid_query(dev, port, i - 1, &gid, &type))
			return;
		softhca_gid_set(dev, port, i, &gid);
	}
	memset(&gid, 0, sizeof(gid));
	softhca_gid_set(dev, port, 2, &gid);
}

static void port_event(struct softhca_dev *dev, const struct softhca_fault_event *e,
		       unsigned int port)
{
	switch (e->kind) {
	case SOFTHCA_FAULT_PORT_DOWN:
		softhca_port_set(dev, port, IBV_PORT_DOWN);
		return;
	case SOFTHCA_FAULT_PORT_UP:
		softhca_port_set(dev, port, IBV_PORT_ACTIVE);
		return;
	case SOFTHCA_FAULT_GID_CHANGE:
		change_gids(dev, port);
		return;
	case SOFTHCA_FAULT_LID_CHANGE:
		softhca_dev_async(dev, IBV_EVENT_LID_CHANGE, 0, port);
		return;
	case SOFTHCA_FAULT_PKEY_CHANGE:
		softhca_dev_async(dev, IBV_EVENT_PKEY_CHANGE, 0, port);
		return;
	default:
		return;
	}
}

static void overrun(struct softhca_dev *dev, uint32_t number)
{
	struct softhca_cq *cq;

	for (uint32_t n = 0; (cq = softhca_table_iter(&dev->cqs, &n));)
		if (!number || number == softhca_cq_num(cq))
			softhca_cq_overrun(cq);
}

/* Raise `type` for one numbered object, or for each one in the table. */
static void each_object(struct softhca_dev *dev, const struct softhca_table *table,
			enum ibv_event_type type, uint32_t number)
{
	for (uint32_t n = 0; softhca_table_iter(table, &n);)
		if (!number || number == n)
			softhca_dev_async(dev, type, n, 0);
}

static void device_event(struct softhca_dev *dev, const struct softhca_fault_event *e)
{
	switch (e->kind) {
	case SOFTHCA_FAULT_DEVICE_FATAL:
		softhca_dev_fatal(dev);
		return;
	case SOFTHCA_FAULT_CQ_OVERRUN:
		overrun(dev, e->object);
		return;
	case SOFTHCA_FAULT_CQ_ERROR:
		each_object(dev, &dev->cqs, IBV_EVENT_CQ_ERR, e->object);
		return;
	case SOFTHCA_FAULT_SRQ_LIMIT:
		each_object(dev, &dev->srqs, IBV_EVENT_SRQ_LIMIT_REACHED, e->object);
		return;
	case SOFTHCA_FAULT_QP_FATAL:
		each_object(dev, &dev->qps, IBV_EVENT_QP_FATAL, e->object);
		return;
	default:
		for (unsigned int p = 1; p <= dev->cfg.nports; p++)
			if (!e->port || e->port == p)
				port_event(dev, e, p);
		return;
	}
}

void softhca_fault_run(uint64_t now_ns)
{
	struct softhca_fault_event e;

	while (softhca_fault_due(now_ns, &e)) {
		/* Like kill -9: nothing is flushed, nobody is told. */
		if (e.kind == SOFTHCA_FAULT_KILL)
			_exit(137);
		for (struct softhca_dev *dev = softhca_devs; dev; dev = dev->next)
			if (e.device == ~0u || e.device == dev->cfg.index)
				device_event(dev, &e);
	}
}
