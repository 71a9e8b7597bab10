/* SPDX-License-Identifier: BSD-2-Clause */
/* The subnet management agent of a port (IBTA volume 1, 14.2.5). */
#include <stdio.h>
#include <string.h>

#include "tools/softhca/umad/mad.h"

enum attribute {
	NODE_DESCRIPTION = 0x10,
	NODE_INFO = 0x11,
	GUID_INFO = 0x14,
	PORT_INFO = 0x15,
	PKEY_TABLE = 0x16,
};

#define OUI		0x0002c9u
#define PART		0x1021u
#define GUIDS		8u
#define PKEYS_PER_BLOCK 32u
#define LINK_PREFIX	0xfe80000000000000u

void mad_node_info(const struct mad_port *port, uint8_t *p)
{
	const uint64_t guid = softhca_dev_guid(port->dev);

	p[0] = p[1] = 1; /* versions */
	p[2] = 1;	 /* a channel adapter */
	p[3] = (uint8_t)softhca_dev_config(port->dev)->nports;
	put64(p + 4, guid);
	put64(p + 12, guid);
	put64(p + 20, port->attr.guid);
	put16(p + 28, SOFTHCA_PKEYS);
	put16(p + 30, PART);
	put32(p + 32, 0); /* revision */
	put32(p + 36, port->num << 24 | OUI);
}

void mad_node_description(const struct mad_port *port, uint8_t p[64])
{
	snprintf((char *)p, 64, "softhca %s", softhca_dev_config(port->dev)->name);
}

/* 100 Gb/s are four lanes of EDR, for the extended fields only. The old ones stop at QDR. */
static void link_fields(const struct softhca_port_attr *a, uint8_t *p)
{
	p[29] = p[30] = 3; /* widths 1x and 4x */
	p[31] = 2;	   /* 4x */
	p[32] = (uint8_t)(7 << 4 | (a->state & 0xf));
	p[33] = (uint8_t)((a->state == IBV_PORT_DOWN ? 3 : 5) << 4 | 2);
	p[34] = a->lmc & 7;
	p[35] = 4 << 4 | 7;
	p[62] = 2 << 4 | 3;
	p[63] = 3;
}

void mad_port_info(const struct mad_port *port, unsigned int num, uint8_t *p)
{
	struct softhca_port_attr a;

	if (softhca_port_query(port->dev, num, &a))
		return;
	put64(p + 8, LINK_PREFIX);
	put16(p + 16, a.lid);
	put16(p + 18, a.sm_lid);
	put32(p + 20, SOFTHCA_PORT_CAPS_IB);
	p[28] = (uint8_t)port->num;
	link_fields(&a, p);
	p[36] = (uint8_t)(a.active_mtu << 4);
	p[37] = 3 << 4; /* four virtual lanes */
	p[41] = (uint8_t)a.max_mtu & 0xf;
	p[43] = 3 << 4;
	p[50] = GUIDS;
	p[51] = 18; /* subnet time-out */
	p[52] = 16; /* response time */
}

static uint16_t guid_info(const struct mad_port *port, uint32_t block, uint8_t *data)
{
	if (block >= GUIDS / 8)
		return MAD_BAD_VALUE;
	put64(data, port->attr.guid);
	return MAD_OK;
}

static uint16_t pkey_table(const struct mad_port *port, uint32_t block, uint8_t *data)
{
	if (block & 0xffff)
		return MAD_BAD_VALUE;
	for (unsigned int i = 0; i < SOFTHCA_PKEYS && i < PKEYS_PER_BLOCK; i++) {
		uint16_t pkey;

		if (!softhca_pkey_query(port->dev, port->num, i, &pkey))
			put16(data + (size_t)2 * i, pkey);
	}
	return MAD_OK;
}

static uint16_t port_info(const struct mad_port *port, uint32_t num, uint8_t *data)
{
	const unsigned int nports = softhca_dev_config(port->dev)->nports;

	if (num > nports)
		return MAD_BAD_VALUE;
	mad_port_info(port, num ? num : port->num, data);
	return MAD_OK;
}

uint16_t mad_subnet(const struct mad_port *port, const uint8_t *request, uint8_t *data)
{
	const uint32_t modifier = get32(request + MAD_MODIFIER);

	if (request[2] != 1)
		return MAD_BAD_VERSION;
	/* There is no subnet manager that would set attributes. */
	if (request[MAD_METHOD] != MAD_GET)
		return request[MAD_METHOD] == MAD_SET ? MAD_BAD_ATTRIBUTE : MAD_BAD_METHOD;
	switch (get16(request + MAD_ATTRIBUTE)) {
	case NODE_DESCRIPTION:
		mad_node_description(port, data);
		return MAD_OK;
	case NODE_INFO:
		mad_node_info(port, data);
		return MAD_OK;
	case GUID_INFO:
		return guid_info(port, modifier, data);
	case PORT_INFO:
		return port_info(port, modifier & 0xff, data);
	case PKEY_TABLE:
		return pkey_table(port, modifier, data);
	default:
		return MAD_BAD_ATTRIBUTE;
	}
}

bool mad_answer(struct softhca_dev *dev, unsigned int num, const uint8_t *request,
		uint8_t answer[SOFTHCA_MAD_SIZE])
{
	struct mad_port port = {.dev = dev, .num = num};
	const uint8_t class = request[1];
	uint16_t status;

	if (mad_is_response(request) || softhca_port_query(dev, num, &port.attr))
		return false;
	if (class != MAD_SUBN_LID && class != MAD_SUBN_DIRECTED && class != MAD_PERF)
		return false;
	/* Only InfiniBand has subnets, and our port leads to no other one. */
	if (class != MAD_PERF && port.attr.link != SOFTHCA_LINK_IB)
		return false;
	if (class == MAD_SUBN_DIRECTED && request[MAD_HOP_COUNT])
		return false;
	memcpy(answer, request, SOFTHCA_MAD_SIZE);
	memset(answer + MAD_DATA, 0, class == MAD_PERF ? SOFTHCA_MAD_SIZE - MAD_DATA : 64);
	status = class == MAD_PERF ? mad_perf(&port, request, answer + MAD_DATA)
				   : mad_subnet(&port, request, answer + MAD_DATA);
	answer[MAD_METHOD] = MAD_GET | MAD_RESPONSE;
	if (class == MAD_SUBN_DIRECTED)
		status |= MAD_DIRECTION;
	put16(answer + MAD_STATUS, status);
	return true;
}
