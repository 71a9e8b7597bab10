/* SPDX-License-Identifier: BSD-2-Clause */
/* Effects of the fault plan's events on the devices of this process. */
#include <unistd.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/wire/wire.h"

/*
 * RoCE: moves the routable GIDs two places on, as if an address was removed and added again.
 * InfiniBand: changes the subnet prefix.
 */
static void change_gids(struct softhca_dev *dev, unsigned int number)
{
	struct softhca_port *const port = &dev->port[number];
	const union ibv_gid none = {.raw = {0}};

	if (port->link == SOFTHCA_LINK_IB) {
		union ibv_gid gid = port->gid[0];

		gid.raw[1] ^= 0x40; /* fe80 to fec0 and back */
		softhca_gid_set(dev, number, 0, &gid);
		return;
	}
	for (unsigned int i = 2; i < SOFTHCA_GIDS - 2; i++) {
		const union ibv_gid gid = port->gid[i];

		if (softhca_gid_to_ip(gid.raw) != port->ipv4)
			continue;
		softhca_gid_set(dev, number, i, &none);
		port->gid_type[i + 2] = port->gid_type[i];
		softhca_gid_set(dev, number, i + 2, &gid);
		/*
		 * An address has two GIDs, for v1 and v2. Both have moved when the one for v2 has.
		 */
		if (port->gid_type[i + 2])
			return;
	}
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

/* Calls `what` for one numbered completion queue, or for each one. */
static void each_cq(struct softhca_dev *dev, void (*what)(struct softhca_cq *cq), uint32_t number)
{
	struct softhca_cq *cq;

	for (uint32_t n = 0; (cq = softhca_table_iter(&dev->cqs, &n));)
		if (!number || number == softhca_cq_num(cq))
			what(cq);
}

/* Raises `type` for one numbered object, or for each one in the table. */
static void each_object(struct softhca_dev *dev, const struct softhca_table *table,
			enum ibv_event_type type, uint32_t number)
{
	for (uint32_t n = 0; softhca_table_iter(table, &n);)
		if (!number || number == n)
			softhca_dev_async(dev, type, n, 0);
}

static const struct softhca_table *table_of(struct softhca_dev *dev, int type)
{
	switch (type) {
	case IBV_EVENT_SRQ_ERR:
		return &dev->srqs;
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_PORT_ERR:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
		return NULL;
	default:
		return &dev->qps;
	}
}

static void announce(struct softhca_dev *dev, const struct softhca_fault_event *e)
{
	const enum ibv_event_type type = (enum ibv_event_type)e->type;
	const struct softhca_table *table = table_of(dev, e->type);

	if (table) {
		each_object(dev, table, type, e->object);
		return;
	}
	for (unsigned int p = 1; p <= dev->cfg.nports; p++)
		if (!e->port || e->port == p)
			softhca_dev_async(dev, type, 0, p);
}

static void device_event(struct softhca_dev *dev, const struct softhca_fault_event *e)
{
	switch (e->kind) {
	case SOFTHCA_FAULT_DEVICE_FATAL:
		softhca_dev_fatal(dev);
		return;
	case SOFTHCA_FAULT_CQ_OVERRUN:
		each_cq(dev, softhca_cq_overrun, e->object);
		return;
	case SOFTHCA_FAULT_CQ_WRAP:
		each_cq(dev, softhca_cq_wrap, e->object);
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
	case SOFTHCA_FAULT_ASYNC:
		announce(dev, e);
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
		/* Acts like kill -9, without flushing and without a notification. */
		if (e.kind == SOFTHCA_FAULT_KILL)
			_exit(137);
		for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
			if (e.device == ~0u || e.device == dev->cfg.index)
				device_event(dev, &e);
	}
}
