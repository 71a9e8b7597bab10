/* SPDX-License-Identifier: BSD-2-Clause */
/* Traffic and event counters of a port. */
#include "tools/softhca/engine/counters.h"

#include <string.h>

#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/wire/wire.h"

/* Bytes before the BTH: LRH, or Ethernet, IPv4 and UDP. */
#define HEAD_IB	  8u
#define HEAD_ROCE 42u

static const struct softhca_port *port_of(const struct softhca_dev *dev, unsigned int num)
{
	return num && num <= dev->cfg.nports ? &dev->port[num] : NULL;
}

void softhca_count(const struct softhca_qp *qp, enum softhca_event_counter what)
{
	const unsigned int num = qp->attr.port_num;

	if (num && num <= qp->dev->cfg.nports)
		qp->dev->port[num].events[what]++;
}

uint64_t softhca_event_count(const struct softhca_dev *dev, unsigned int num,
			     enum softhca_event_counter what)
{
	const struct softhca_port *const port = port_of(dev, num);

	return port ? port->events[what] : 0;
}

static void traffic_since_start(const struct softhca_port *port, struct softhca_traffic *t)
{
	const uint32_t head = port->link == SOFTHCA_LINK_ROCE ? HEAD_ROCE : HEAD_IB;
	const struct softhca_wire_stats *s;

	memset(t, 0, sizeof(*t));
	t->link_downed = port->link_downed;
	if (!port->wire)
		return;
	s = softhca_wire_stats(port->wire);
	t->xmit_data = (s->tx_bytes + s->tx_packets * head) / 4;
	t->rcv_data = (s->rx_bytes + s->rx_packets * head) / 4;
	t->unicast_xmit = s->tx_packets - s->tx_multicast;
	t->unicast_rcv = s->rx_packets - s->rx_multicast;
	t->multicast_xmit = s->tx_multicast;
	t->multicast_rcv = s->rx_multicast;
	t->rcv_errors = s->rx_bad;
	t->xmit_discards = s->tx_dropped;
}

#define COUNTERS (sizeof(struct softhca_traffic) / sizeof(uint64_t))

void softhca_traffic_of(const struct softhca_dev *dev, unsigned int num,
			struct softhca_traffic *out)
{
	const struct softhca_port *const port = port_of(dev, num);
	uint64_t now[COUNTERS], base[COUNTERS];

	memset(out, 0, sizeof(*out));
	if (!port)
		return;
	traffic_since_start(port, out);
	memcpy(now, out, sizeof(now));
	memcpy(base, &port->cleared, sizeof(base));
	for (size_t i = 0; i < COUNTERS; i++)
		now[i] -= base[i];
	memcpy(out, now, sizeof(now));
}

void softhca_traffic_clear(struct softhca_dev *dev, unsigned int num,
			   const struct softhca_traffic *which)
{
	const struct softhca_port *const port = port_of(dev, num);
	uint64_t now[COUNTERS], base[COUNTERS], mask[COUNTERS];
	struct softhca_traffic t;

	if (!port)
		return;
	traffic_since_start(port, &t);
	memcpy(now, &t, sizeof(now));
	memcpy(base, &port->cleared, sizeof(base));
	memcpy(mask, which, sizeof(mask));
	for (size_t i = 0; i < COUNTERS; i++)
		if (mask[i])
			base[i] = now[i];
	memcpy(&dev->port[num].cleared, base, sizeof(base));
}
