/* SPDX-License-Identifier: BSD-2-Clause */
/* Binding, resolving and listening. conn_setup.c has connecting. */
#include "tools/softhca/rdmacm/id.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/rdmacm/announcement.h"
#include "tools/softhca/rdmacm/rdmacm.h"

#define UDP_QKEY      0x01234567u
#define IPOIB_QKEY    0x00000b1bu
#define PATH_LIFE     18 /* value of OpenSM and Linux's RoCE */
#define RATE_100G     16 /* IB_RATE_100_GBPS */
#define ROCE_HOPS     64

#define MS	      UINT64_C(1000000)
/*
 * A client for "localhost" may come a little before the server listens, or between two of its
 * listeners. Until then the meant host is unknown, so the resolution waits.
 */
#define LOOK_INTERVAL (10 * MS)
#define LOOK_LONGEST  (1500 * MS)
#define DEVICE_CHECK  (100 * MS)

struct rcm_id *rcm_ids(void)
{
	return the_rdmacm.ids;
}

struct rcm_id *rcm_id_new(struct rcm_ctx *ctx, uint16_t ps, uint8_t qp_type)
{
	struct rcm_id *const id = calloc(1, sizeof(*id));

	if (!id)
		return NULL;
	id->ctx = ctx;
	id->ps = ps;
	id->qp_type = qp_type;
	id->announced = -1;
	if (getrandom(&id->psn, sizeof(id->psn), GRND_NONBLOCK) < 0)
		id->psn = (uint32_t)softhca_now_ns();
	id->psn &= SOFTHCA_PSN_MASK;
	id->next = the_rdmacm.ids;
	the_rdmacm.ids = id;
	return id;
}

void rcm_id_free(struct rcm_id *id)
{
	for (struct rcm_id **p = &the_rdmacm.ids; *p; p = &(*p)->next) {
		if (*p == id) {
			*p = id->next;
			break;
		}
	}
	if (id->conn)
		rcm_conn_release(id->conn);
	if (id->announced >= 0)
		rcm_announce_end(id->announced);
	free(id);
}

void rcm_ids_forget(void)
{
	the_rdmacm.ids = NULL;
}

static void tell(struct rcm_id *id, enum rcm_event_type type, int status)
{
	const struct rdma_ucm_event_resp event = {
		.event = type,
		.status = (uint32_t)status,
	};

	rcm_ctx_event(id->ctx, &event, NULL);
}

/* ---- devices ---- */

void rdmacm_guids_seen(void)
{
	struct softhca_dev *dev;

	softhca_lock();
	for (unsigned int i = 0; i < RCM_GUIDS && (dev = softhca_dev_by_index(i)); i++)
		if (!the_rdmacm.guids[i])
			the_rdmacm.guids[i] = softhca_dev_guid(dev);
	softhca_unlock();
}

uint64_t rcm_id_guid(const struct rcm_id *id)
{
	const unsigned int i = id->dev ? softhca_dev_config(id->dev)->index : RCM_GUIDS;

	if (!id->dev)
		return 0;
	return i < RCM_GUIDS && the_rdmacm.guids[i] ? the_rdmacm.guids[i]
						    : softhca_dev_guid(id->dev);
}

static bool is_roce(const struct softhca_dev *dev, unsigned int port)
{
	return softhca_dev_config(dev)->link[port - 1] == SOFTHCA_LINK_ROCE;
}

static bool own_port(uint32_t ip, struct softhca_dev **dev, unsigned int *port)
{
	for (unsigned int i = 0; (*dev = softhca_dev_by_index(i)); i++)
		for (*port = 1; *port <= softhca_dev_config(*dev)->nports; ++*port)
			if (softhca_gsi_port_ip(*dev, *port) == ip)
				return true;
	return false;
}

static bool usable(struct softhca_dev *dev, unsigned int port)
{
	struct softhca_port_attr attr;

	return !softhca_gsi_fatal(dev) && !softhca_port_query(dev, port, &attr) &&
	       attr.state == IBV_PORT_ACTIVE;
}

/* First active port, or the first one at all. */
static bool any_own_port(struct softhca_dev **dev, unsigned int *port)
{
	for (unsigned int i = 0; (*dev = softhca_dev_by_index(i)); i++)
		for (*port = 1; *port <= softhca_dev_config(*dev)->nports; ++*port)
			if (usable(*dev, *port))
				return true;
	*port = 1;
	*dev = softhca_dev_by_index(0);
	return *dev;
}

static int attach(struct rcm_id *id, struct softhca_dev *dev, unsigned int port)
{
	/* IP over InfiniBand has its own port space, which Ethernet cannot serve. */
	if (id->ps == RDMA_PS_IPOIB && is_roce(dev, port))
		return -EINVAL;
	/* GIDs as addresses exist on InfiniBand only. */
	if (id->src.sa.sa_family == AF_IB && is_roce(dev, port))
		return -ENODEV;
	id->dev = dev;
	id->port = port;
	return 0;
}

/* ---- bind ---- */

static int bind_device(struct rcm_id *id)
{
	const uint32_t ip = rcm_addr_host(&id->src);
	struct softhca_dev *dev;
	unsigned int port;

	id->wild = rcm_addr_any(&id->src);
	if (id->wild)
		return 0;
	if (ip)
		return own_port(ip, &dev, &port) ? attach(id, dev, port) : -EADDRNOTAVAIL;
	if (id->src.sa.sa_family == AF_IB)
		return -ENODEV;
	/* The address is the machine's, but no port's. Any host with a device may answer. */
	if (!rcm_addr_on_machine(&id->src))
		return -EADDRNOTAVAIL;
	id->wild = true;
	return any_own_port(&dev, &port) ? attach(id, dev, port) : -ENODEV;
}

/*
 * Datagrams need no listener. A peer must find an identifier that is bound to a port of the
 * machine's address. Datagram rsockets use this, since their addresses are those of the kernel's
 * UDP.
 */
static void announce_bound(struct rcm_id *id)
{
	if (id->bound_ps == RDMA_PS_UDP && id->wild && id->dev)
		id->announced = rcm_announce(id->bound_ps, rcm_addr_port(&id->src),
					     softhca_gsi_port_ip(id->dev, id->port), RCM_BOUND);
}

int rcm_id_bind(struct rcm_id *id, const union rcm_addr *addr)
{
	const union rcm_addr before = id->src;
	const bool asks_for_port = rcm_addr_port(addr);
	int err;

	if (!rcm_addr_size(addr))
		return -EAFNOSUPPORT;
	if (id->state != RCM_ID_IDLE)
		return -EINVAL;
	if (&id->src != addr)
		memcpy(&id->src, addr, rcm_addr_size(addr));
	err = bind_device(id);
	if (err)
		goto err_address;
	if (!id->afonly_set)
		id->afonly = id->src.sa.sa_family == AF_INET;
	err = rcm_port_take(id);
	if (err)
		goto err_device;
	id->dst.sa.sa_family = id->src.sa.sa_family;
	id->state = RCM_ID_BOUND;
	if (asks_for_port)
		announce_bound(id);
	return 0;

err_device:
	id->dev = NULL;
	id->port = 0;
err_address:
	id->src = before;
	return err;
}

/* ---- resolve ---- */

/* Host for an address that names no particular host. 0: there is no listener. */
static uint32_t some_host(const struct rcm_id *id)
{
	const uint16_t ps = (uint16_t)(rcm_id_service(id, &id->dst) >> 16);
	const uint16_t port = rcm_addr_port(&id->dst);
	const struct rcm_id *own = NULL;
	uint32_t ip;

	while ((own = rcm_port_next_listener(own, ps, port)))
		if (own->wild)
			return softhca_gsi_port_ip(id->dev, id->port);
	ip = rcm_announce_find(ps, port, RCM_LISTENS_ANY);
	return ip ? ip : rcm_announce_find(ps, port, RCM_BOUND);
}

static int find_source(struct rcm_id *id, const union rcm_addr *dst)
{
	struct softhca_dev *dev;
	unsigned int port;
	int err;

	if (id->dev)
		return 0;
	if (!own_port(rcm_addr_host(dst), &dev, &port) && !any_own_port(&dev, &port))
		return -ENODEV;
	err = attach(id, dev, port);
	if (err)
		return err;
	id->wild = false;
	if (id->src.sa.sa_family == AF_IB) {
		union ibv_gid gid;
		unsigned int type;

		err = softhca_gid_query(dev, port, 0, &gid, &type);
		if (!err)
			memcpy(id->src.ib.addr, gid.raw, 16);
		return err;
	}
	rcm_addr_set_host(&id->src, softhca_gsi_port_ip(dev, port));
	return 0;
}

/*
 * Finds what the kernel's address resolution would, and returns the status of ADDR_ERROR. peer_ip
 * stays 0 if the address names no particular host.
 */
static int find_peer(struct rcm_id *id)
{
	const union rcm_addr *const dst = &id->dst;
	int err = find_source(id, dst);

	id->peer_ip = 0;
	if (err)
		return err;
	id->peer_ip = rcm_addr_host(dst);
	/* LIDs do not lead outside of the subnet. */
	if (id->peer_ip && !is_roce(id->dev, id->port) &&
	    id->peer_ip != softhca_lid_to_ip((uint16_t)id->peer_ip))
		return -ENODEV;
	if (id->peer_ip || rcm_addr_any(dst) || rcm_addr_on_machine(dst))
		return 0;
	return -ENODEV; /* the way there does not lead over a device of ours */
}

static int bind_source(struct rcm_id *id, const union rcm_addr *src, const union rcm_addr *dst)
{
	union rcm_addr any;

	if (src && src->sa.sa_family)
		return rcm_id_bind(id, src);
	memset(&any, 0, sizeof(any));
	any.sa.sa_family = dst->sa.sa_family;
	if (dst->sa.sa_family == AF_IB)
		any.ib.pkey = dst->ib.pkey;
	return rcm_id_bind(id, &any);
}

static void resolved(struct rcm_id *id, int status)
{
	id->state = status ? RCM_ID_BOUND : RCM_ID_RESOLVED;
	tell(id, status ? RCM_EVENT_ADDR_ERROR : RCM_EVENT_ADDR_RESOLVED, status);
}

/*
 * Looks for a host that listens. After the time-out it takes this host, which answers that there is
 * no listener.
 */
static void look_for_host(struct rcm_id *id, uint64_t now)
{
	id->peer_ip = some_host(id);
	id->look_at = now + LOOK_INTERVAL;
	if (!id->peer_ip && now >= id->resolve_until)
		id->peer_ip = softhca_gsi_port_ip(id->dev, id->port);
	if (id->peer_ip)
		resolved(id, 0);
}

int rcm_id_resolve(struct rcm_id *id, const union rcm_addr *src, const union rcm_addr *dst,
		   uint32_t timeout_ms)
{
	const uint64_t now = softhca_now_ns(), wait = timeout_ms * MS;
	int err;

	if (id->state == RCM_ID_IDLE) {
		err = bind_source(id, src, dst);
		if (err)
			return err;
	}
	if (id->state != RCM_ID_BOUND || id->src.sa.sa_family != dst->sa.sa_family)
		return -EINVAL;
	memcpy(&id->dst, dst, rcm_addr_size(dst));
	if (rcm_addr_multicast(dst)) {
		/* There is no peer to connect to, but a device to send with. */
		resolved(id, find_source(id, dst));
		return 0;
	}
	err = find_peer(id);
	if (err || id->peer_ip) {
		resolved(id, err);
		return 0;
	}
	id->state = RCM_ID_RESOLVING;
	id->resolve_until = now + (wait < LOOK_LONGEST ? wait : LOOK_LONGEST);
	look_for_host(id, now);
	return 0;
}

/* ---- timers ---- */

static bool check_device(struct rcm_id *id)
{
	if (!id->dev || id->removed || !softhca_gsi_fatal(id->dev))
		return false;
	id->removed = true;
	tell(id, RCM_EVENT_DEVICE_REMOVAL, 0);
	return true;
}

int rcm_ids_run(uint64_t now, uint64_t *next)
{
	const bool check = now >= the_rdmacm.next_device_check;
	int n = 0;

	if (check)
		the_rdmacm.next_device_check = now + DEVICE_CHECK;
	for (struct rcm_id *id = the_rdmacm.ids; id; id = id->next) {
		n += check && check_device(id);
		if (id->state != RCM_ID_RESOLVING)
			continue;
		if (now >= id->look_at)
			look_for_host(id, now);
		if (id->state == RCM_ID_RESOLVING && id->look_at < *next)
			*next = id->look_at;
	}
	if (the_rdmacm.ids && the_rdmacm.next_device_check < *next)
		*next = the_rdmacm.next_device_check;
	return n;
}

/* ---- route ---- */

static void ib_gid(const struct rcm_id *id, uint32_t ip, uint8_t gid[16])
{
	union ibv_gid own = {{0}};
	unsigned int type;

	/* Port GUIDs end in the address, so the peer's GID is ours with the peer's address. */
	(void)softhca_gid_query(id->dev, id->port, 0, &own, &type);
	memcpy(gid, own.raw, 16);
	for (int i = 0; i < 4; i++)
		gid[12 + i] = (uint8_t)(ip >> (24 - 8 * i));
}

int rcm_id_route(struct rcm_id *id)
{
	const uint32_t own_ip = id->dev ? softhca_gsi_port_ip(id->dev, id->port) : 0;
	struct rcm_path *const p = &id->path;
	struct softhca_port_attr attr;

	if (id->state != RCM_ID_RESOLVED || softhca_port_query(id->dev, id->port, &attr))
		return -EINVAL;
	*p = (struct rcm_path){
		.pkey = 0xffff,
		.rate = RATE_100G,
		.life = PATH_LIFE,
		.mtu = (uint8_t)attr.active_mtu,
	};
	if (attr.link == SOFTHCA_LINK_ROCE) {
		softhca_ip_to_gid(own_ip, p->sgid);
		softhca_ip_to_gid(id->peer_ip, p->dgid);
		p->hop_limit = ROCE_HOPS;
		p->tclass = id->tos;
	} else {
		ib_gid(id, own_ip, p->sgid);
		ib_gid(id, id->peer_ip, p->dgid);
		p->slid = attr.lid;
		p->dlid = (uint16_t)id->peer_ip;
	}
	id->has_path = true;
	id->state = RCM_ID_ROUTED;
	tell(id, RCM_EVENT_ROUTE_RESOLVED, 0);
	return 0;
}

int rcm_id_set_path(struct rcm_id *id, const struct rcm_path *path)
{
	if (id->state != RCM_ID_RESOLVED)
		return -EINVAL;
	id->path = *path;
	id->has_path = true;
	id->state = RCM_ID_ROUTED;
	tell(id, RCM_EVENT_ROUTE_RESOLVED, 0);
	return 0;
}

/* ---- listen ---- */

int rcm_id_listen(struct rcm_id *id)
{
	struct softhca_dev *dev = id->dev;
	unsigned int port = id->port;
	int err;

	if (id->state == RCM_ID_IDLE) {
		const union rcm_addr any = {.v4 = {.sin_family = AF_INET}};

		err = rcm_id_bind(id, &any);
		if (err)
			return err;
		dev = id->dev;
		port = id->port;
	}
	if (id->state != RCM_ID_BOUND)
		return -EINVAL;
	if (id->reuseaddr) {
		err = rcm_port_check_listen(id);
		if (err)
			return err;
	}
	id->state = RCM_ID_LISTEN;
	if (id->announced >= 0)
		rcm_announce_end(id->announced);
	if (dev || any_own_port(&dev, &port))
		id->announced = rcm_announce(id->bound_ps, rcm_addr_port(&id->src),
					     softhca_gsi_port_ip(dev, port),
					     id->wild ? RCM_LISTENS_ANY : RCM_LISTENS_ONLY);
	return 0;
}

uint64_t rcm_id_service(const struct rcm_id *id, const union rcm_addr *addr)
{
	if (addr->sa.sa_family == AF_IB)
		return be64toh(addr->ib.sid);
	return (uint64_t)id->ps << 16 | rcm_addr_port(addr);
}

int rcm_id_set_qkey(struct rcm_id *id, uint32_t qkey)
{
	if (id->qkey)
		return qkey && qkey != id->qkey ? -EINVAL : 0;
	if (qkey)
		id->qkey = qkey;
	else if (id->ps == RDMA_PS_UDP || id->ps == RDMA_PS_IB)
		id->qkey = UDP_QKEY;
	else if (id->ps == RDMA_PS_IPOIB)
		id->qkey = IPOIB_QKEY;
	return 0;
}
