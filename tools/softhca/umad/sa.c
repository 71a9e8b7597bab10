/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The subnet administrator (IBTA volume 1, 15.2). No process is the subnet manager, so each device
 * answers in its place, by arithmetic. It knows its own ports, and paths to every address in use.
 */
#include <string.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/umad/mad.h"

enum attribute {
	CLASS_PORT_INFO = 0x01,
	NODE_RECORD = 0x11,
	PORT_INFO_RECORD = 0x12,
	PATH_RECORD = 0x35,
	MEMBER_RECORD = 0x38, /* of a multicast group */
};

#define RMPP	       24 /* header of the reliable multi-packet protocol */
#define RMPP_DATA      1
#define RMPP_WHOLE     7 /* active, first and last */
#define ATTR_OFFSET    44
#define COMPONENTS     48
#define RECORDS	       56u

#define PATH_SIZE      64u
#define NODE_SIZE      112u
#define PORT_INFO_SIZE 72u
#define MEMBER_SIZE    56u

/* Components of a path that a query may name. */
#define BY_DGID	       (1u << 2)
#define BY_SGID	       (1u << 3)
#define BY_DLID	       (1u << 4)
#define BY_SLID	       (1u << 5)

struct table {
	uint8_t *at, *end;
	size_t size; /* of a record */
	unsigned int count;
};

static uint8_t *next_record(struct table *t)
{
	uint8_t *const p = t->at;

	if (t->at + t->size > t->end)
		return NULL;
	t->at += t->size;
	t->count++;
	return p;
}

static void gid_of(uint32_t ip, uint8_t gid[16])
{
	memset(gid, 0, 8);
	gid[0] = 0xfe;
	gid[1] = 0x80;
	put64(gid + 8, softhca_ip_to_guid(ip));
}

static void path(const struct mad_port *port, uint32_t from, uint32_t to, struct table *t)
{
	uint8_t *const p = next_record(t);

	if (!p)
		return;
	gid_of(to, p + 8);
	gid_of(from, p + 24);
	put16(p + 40, to & 0xffff);
	put16(p + 42, from & 0xffff);
	p[49] = 0x80 | 1; /* reversible, one path */
	put16(p + 50, 0xffff);
	p[54] = (uint8_t)(2 << 6 | port->attr.active_mtu); /* exactly */
	p[55] = 2 << 6 | 16;				   /* 100 Gb/s */
	p[56] = 2 << 6 | 14;				   /* packet life time */
}

static uint32_t end_of_path(const uint8_t *gid, bool by_gid, uint32_t lid, bool by_lid)
{
	if (by_gid)
		return softhca_gid_to_ip(gid);
	return by_lid && lid && lid <= 0xbfff ? softhca_lid_to_ip((uint16_t)lid) : 0;
}

static uint16_t paths(const struct mad_port *port, const uint8_t *request, struct table *t)
{
	const uint64_t by = get64(request + COMPONENTS);
	const uint8_t *const in = request + RECORDS;
	const uint32_t own = softhca_gsi_port_ip(port->dev, port->num);
	uint32_t to = end_of_path(in + 8, by & BY_DGID, get16(in + 40), by & BY_DLID);
	uint32_t from = end_of_path(in + 24, by & BY_SGID, get16(in + 42), by & BY_SLID);

	if (request[MAD_METHOD] == MAD_GET && !(by & (BY_DGID | BY_DLID)))
		return MAD_SA_TOO_FEW_COMPONENTS;
	if (!(by & (BY_SGID | BY_SLID)))
		from = own;
	if (!(by & (BY_DGID | BY_DLID)))
		to = own;
	if ((from == own || (from && softhca_wire_claimed(from))) &&
	    (to == own || (to && softhca_wire_claimed(to))))
		path(port, from, to, t);
	return MAD_OK;
}

static void node_record(const struct mad_port *port, struct table *t)
{
	uint8_t *const p = next_record(t);

	if (!p)
		return;
	put16(p, port->attr.lid);
	mad_node_info(port, p + 4);
	mad_node_description(port, p + 4 + MAD_NODE_INFO);
}

static void port_info_record(const struct mad_port *port, struct table *t)
{
	uint8_t *const p = next_record(t);

	if (!p)
		return;
	put16(p, port->attr.lid);
	p[2] = (uint8_t)port->num;
	mad_port_info(port, port->num, p + 4);
}

/* Records of this device's ports, of all or of the one with the requested LID. */
static uint16_t own_ports(const struct mad_port *asked, const uint8_t *request, struct table *t)
{
	const unsigned int nports = softhca_dev_config(asked->dev)->nports;
	const uint16_t lid = (uint16_t)get16(request + RECORDS);
	const bool by_lid = get64(request + COMPONENTS) & 1;

	for (unsigned int n = 1; n <= nports; n++) {
		struct mad_port port = {.dev = asked->dev, .num = n};

		if (softhca_port_query(port.dev, n, &port.attr) ||
		    port.attr.link != SOFTHCA_LINK_IB || (by_lid && port.attr.lid != lid))
			continue;
		if (get16(request + MAD_ATTRIBUTE) == NODE_RECORD)
			node_record(&port, t);
		else
			port_info_record(&port, t);
	}
	return MAD_OK;
}

/* Joining and leaving only: the LID follows from the GID, and there is no list of members. */
static uint16_t member(const struct mad_port *port, const uint8_t *request, struct table *t)
{
	const uint8_t *const gid = request + RECORDS;
	uint8_t *p;

	if (request[MAD_METHOD] != MAD_SET && request[MAD_METHOD] != MAD_DELETE)
		return MAD_BAD_ATTRIBUTE;
	if (!softhca_gid_is_group(gid))
		return MAD_SA_INVALID;
	p = next_record(t);
	memcpy(p, gid, MEMBER_SIZE);
	put16(p + 36, softhca_mgid_to_lid(gid));
	p[38] = (uint8_t)(2 << 6 | port->attr.active_mtu); /* as in a path */
	p[42] = 2 << 6 | 16;
	p[43] = 2 << 6 | 14;
	return MAD_OK;
}

static uint16_t records(const struct mad_port *port, const uint8_t *request, struct table *t)
{
	switch (get16(request + MAD_ATTRIBUTE)) {
	case PATH_RECORD:
		t->size = PATH_SIZE;
		return paths(port, request, t);
	case NODE_RECORD:
		t->size = NODE_SIZE;
		return own_ports(port, request, t);
	case PORT_INFO_RECORD:
		t->size = PORT_INFO_SIZE;
		return own_ports(port, request, t);
	case MEMBER_RECORD:
		t->size = MEMBER_SIZE;
		return member(port, request, t);
	default:
		return MAD_BAD_ATTRIBUTE;
	}
}

static uint16_t look_up(const struct mad_port *port, const uint8_t *request, struct table *t)
{
	const bool changes = request[MAD_METHOD] == MAD_SET || request[MAD_METHOD] == MAD_DELETE;
	uint8_t *const data = t->at;
	uint16_t status;

	if (request[2] != 2)
		return MAD_BAD_VERSION;
	if (changes && get16(request + MAD_ATTRIBUTE) != MEMBER_RECORD)
		return MAD_BAD_ATTRIBUTE;
	if (!changes && request[MAD_METHOD] != MAD_GET && request[MAD_METHOD] != MAD_GET_TABLE)
		return MAD_BAD_METHOD;
	if (get16(request + MAD_ATTRIBUTE) == CLASS_PORT_INFO) {
		data[0] = 1;
		data[1] = 2;
		data[7] = 16; /* response time */
		return MAD_OK;
	}
	status = records(port, request, t);
	/* An empty table is a valid answer, but no record is an error. */
	if (!status && !t->count && request[MAD_METHOD] == MAD_GET)
		return MAD_SA_NO_RECORDS;
	return status;
}

size_t mad_sa(struct softhca_dev *dev, unsigned int num, const uint8_t *request,
	      uint8_t answer[MAD_SA_MAX])
{
	struct mad_port port = {.dev = dev, .num = num};
	struct table t = {answer + RECORDS, answer + MAD_SA_MAX, PATH_SIZE, 0};
	uint16_t status;

	if (mad_is_response(request) || softhca_port_query(dev, num, &port.attr) ||
	    port.attr.link != SOFTHCA_LINK_IB)
		return 0;
	memset(answer, 0, MAD_SA_MAX);
	memcpy(answer, request, RECORDS);
	status = look_up(&port, request, &t);
	answer[MAD_METHOD] = request[MAD_METHOD] | MAD_RESPONSE;
	if (request[MAD_METHOD] == MAD_SET)
		answer[MAD_METHOD] = MAD_GET | MAD_RESPONSE;
	put16(answer + MAD_STATUS, status);
	put16(answer + ATTR_OFFSET, (uint32_t)(t.size / 8));
	memset(answer + RMPP, 0, 12);
	if (request[MAD_METHOD] != MAD_GET_TABLE || status)
		return SOFTHCA_MAD_SIZE;
	answer[RMPP] = 1;
	answer[RMPP + 1] = RMPP_DATA;
	answer[RMPP + 2] = RMPP_WHOLE;
	put32(answer + RMPP + 4, 1);
	put32(answer + RMPP + 8, (uint32_t)(20 + t.count * t.size));
	return RECORDS + t.count * t.size;
}
