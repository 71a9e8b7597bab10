/* SPDX-License-Identifier: BSD-2-Clause */
/* The performance management agent of a port (IBTA volume 1, 16.1.3): the counters of sysfs. */

#include "tools/softhca/engine/counters.h"
#include "tools/softhca/umad/mad.h"

enum attribute { CLASS_PORT_INFO = 0x01, PORT_COUNTERS = 0x12, PORT_COUNTERS_EXT = 0x1d };

#define EXTENDED_WIDTH 0x0200 /* a capability */

static uint64_t at_most(uint64_t value, unsigned int bits)
{
	const uint64_t most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	return value < most ? value : most; /* they stop instead of wrapping */
}

static void counters(const struct softhca_traffic *t, uint8_t *p)
{
	p[7] = (uint8_t)at_most(t->link_downed, 8);
	put16(p + 8, (uint32_t)at_most(t->rcv_errors, 16));
	put16(p + 14, (uint32_t)at_most(t->xmit_discards, 16));
	put32(p + 24, (uint32_t)at_most(t->xmit_data, 32));
	put32(p + 28, (uint32_t)at_most(t->rcv_data, 32));
	put32(p + 32, (uint32_t)at_most(t->unicast_xmit + t->multicast_xmit, 32));
	put32(p + 36, (uint32_t)at_most(t->unicast_rcv + t->multicast_rcv, 32));
}

static void counters_ext(const struct softhca_traffic *t, uint8_t *p)
{
	const uint64_t values[] = {
		t->xmit_data,
		t->rcv_data,
		t->unicast_xmit + t->multicast_xmit,
		t->unicast_rcv + t->multicast_rcv,
		t->unicast_xmit,
		t->unicast_rcv,
		t->multicast_xmit,
		t->multicast_rcv,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		put64(p + 8 + 8 * i, values[i]);
}

/* Packets are counted by kind, so clearing their sum clears both kinds. */
static void clear(const struct mad_port *port, uint32_t select, bool extended)
{
	struct softhca_traffic t = {0};
	const unsigned int data = extended ? 0 : 12;

	t.xmit_data = select >> data & 1;
	t.rcv_data = select >> (data + 1) & 1;
	t.unicast_xmit = t.multicast_xmit = select >> (data + 2) & 1;
	t.unicast_rcv = t.multicast_rcv = select >> (data + 3) & 1;
	if (!extended) {
		t.link_downed = select >> 2 & 1;
		t.rcv_errors = select >> 3 & 1;
		t.xmit_discards = select >> 6 & 1;
	}
	softhca_traffic_clear(port->dev, port->num, &t);
}

static uint16_t port_counters(struct mad_port port, const uint8_t *request, uint8_t *data,
			      bool extended)
{
	const uint8_t *const in = request + MAD_DATA;
	struct softhca_traffic t;

	/* Access to all ports at once is a capability that is not reported. */
	if (!in[1] || in[1] > softhca_dev_config(port.dev)->nports)
		return MAD_BAD_VALUE;
	port.num = in[1];
	if (request[MAD_METHOD] == MAD_SET)
		clear(&port, get16(in + 2), extended);
	data[1] = in[1];
	put16(data + 2, get16(in + 2));
	softhca_traffic_of(port.dev, port.num, &t);
	if (extended)
		counters_ext(&t, data);
	else
		counters(&t, data);
	return MAD_OK;
}

uint16_t mad_perf(const struct mad_port *port, const uint8_t *request, uint8_t *data)
{
	const uint16_t attribute = (uint16_t)get16(request + MAD_ATTRIBUTE);

	if (request[2] != 1)
		return MAD_BAD_VERSION;
	if (request[MAD_METHOD] != MAD_GET && request[MAD_METHOD] != MAD_SET)
		return MAD_BAD_METHOD;
	if (attribute == PORT_COUNTERS || attribute == PORT_COUNTERS_EXT)
		return port_counters(*port, request, data, attribute == PORT_COUNTERS_EXT);
	if (attribute != CLASS_PORT_INFO || request[MAD_METHOD] == MAD_SET)
		return MAD_BAD_ATTRIBUTE;
	data[0] = data[1] = 1;
	put16(data + 2, EXTENDED_WIDTH);
	data[7] = 16; /* response time */
	return MAD_OK;
}
