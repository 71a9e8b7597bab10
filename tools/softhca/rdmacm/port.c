/* SPDX-License-Identifier: BSD-2-Clause */
/* Port spaces: owners and sharing of ports. Each process is a host with its own ports. */
#include <endian.h>
#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

#include "tools/softhca/rdmacm/id.h"

/* Default of Linux's ip_local_port_range. */
#define PORT_FIRST  32768u
#define PORT_LAST   60999u
#define PORT_ROOT   1024u

/* AF_IB addresses name the port space in their service ID. */
#define SID_PS_MASK UINT64_C(0xffffffffffff0000)
#define SID_PS(ps)  ((uint64_t)(ps) << 16)

static bool shares_port(const struct rcm_id *id, const struct rcm_id *other)
{
	return other != id && other->bound_ps == id->bound_ps &&
	       rcm_addr_port(&other->src) == rcm_addr_port(&id->src);
}

/* Checks that `id` may share the port with others. */
static int check_port(const struct rcm_id *id, bool reuse)
{
	for (const struct rcm_id *o = rcm_ids(); o; o = o->next) {
		if (!shares_port(id, o))
			continue;
		if (o->state != RCM_ID_LISTEN && reuse && o->reuseaddr)
			continue;
		if (id->afonly && o->afonly && id->src.sa.sa_family != o->src.sa.sa_family)
			continue;
		if (id->wild || o->wild)
			return -EADDRNOTAVAIL;
		if (rcm_addr_same(&id->src, &o->src))
			return -EADDRINUSE;
	}
	return 0;
}

static bool port_free(const struct rcm_id *id)
{
	for (const struct rcm_id *o = rcm_ids(); o; o = o->next)
		if (shares_port(id, o))
			return false;
	return true;
}

static int any_port(struct rcm_id *id)
{
	uint16_t start = 0;

	if (getrandom(&start, sizeof(start), GRND_NONBLOCK) < 0)
		start = the_rdmacm.last_port;
	for (unsigned int i = 0; i <= PORT_LAST - PORT_FIRST; i++) {
		const uint16_t port = (uint16_t)(PORT_FIRST +
						 (start + i) % (PORT_LAST - PORT_FIRST + 1));

		/* Not the port that was released a moment ago. */
		if (port == the_rdmacm.last_port)
			continue;
		rcm_addr_set_port(&id->src, port);
		if (!port_free(id))
			continue;
		the_rdmacm.last_port = port;
		return 0;
	}
	return -EADDRNOTAVAIL;
}

/* Port space of an AF_IB address, as far as the identifier's own allows it. 0: none. */
static uint16_t ib_port_space(struct rcm_id *id)
{
	static const uint16_t spaces[] = {RDMA_PS_IB, RDMA_PS_TCP, RDMA_PS_UDP};
	struct rcm_sockaddr_ib *const ib = &id->src.ib;
	const uint64_t mask = be64toh(ib->sid_mask) & SID_PS_MASK;
	const uint64_t sid = be64toh(ib->sid) & mask;

	for (unsigned int i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
		if ((id->ps != RDMA_PS_IB && id->ps != spaces[i]) ||
		    sid != (SID_PS(spaces[i]) & mask))
			continue;
		ib->sid = htobe64(SID_PS(spaces[i]) | rcm_addr_port(&id->src));
		ib->sid_mask = htobe64(SID_PS_MASK | be64toh(ib->sid_mask));
		return spaces[i];
	}
	return 0;
}

int rcm_port_take(struct rcm_id *id)
{
	const uint16_t ps = id->src.sa.sa_family == AF_IB ? ib_port_space(id) : id->ps;
	const uint16_t port = rcm_addr_port(&id->src);
	int err;

	if (!ps)
		return -EPROTONOSUPPORT;
	id->bound_ps = ps;
	if (!port)
		err = any_port(id);
	else if (port < PORT_ROOT && geteuid())
		err = -EACCES;
	else
		err = check_port(id, id->reuseaddr);
	if (err)
		id->bound_ps = 0;
	else
		rcm_addr_set_port(&id->src, rcm_addr_port(&id->src));
	return err;
}

int rcm_port_check_listen(const struct rcm_id *id)
{
	return check_port(id, false);
}

struct rcm_id *rcm_port_next_listener(const struct rcm_id *after, uint16_t ps, uint16_t port)
{
	for (struct rcm_id *id = after ? after->next : rcm_ids(); id; id = id->next)
		if (id->state == RCM_ID_LISTEN && id->bound_ps == ps &&
		    rcm_addr_port(&id->src) == port)
			return id;
	return NULL;
}
