/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices and ports. */
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/memory/mem.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/engine/proc/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/gen/enums.h"

struct the_engine the_engine;

void softhca_config_init(struct softhca_config *cfg)
{
	*cfg = (struct softhca_config){
		.name = "mlx5_0",
		.nports = 1,
		.max_mtu = IBV_MTU_4096,
#define USUAL(type, name, usual) .name = usual,
		SOFTHCA_CAPS(USUAL)
#undef USUAL
	};
	for (unsigned i = 0; i < SOFTHCA_MAX_PORTS; i++)
		cfg->link[i] = SOFTHCA_LINK_IB;
}

/*
 * Each process starts at another number, so that packets for queues of a dead process reach no
 * queue.
 */
static uint32_t random_start(uint32_t below)
{
	uint64_t t = softhca_now_ns() ^ (uint64_t)getpid() << 32;

	t *= UINT64_C(0x9e3779b97f4a7c15);
	return 0x40 + (uint32_t)(t >> 40) % below;
}

/* Reserved numbers follow those of all queue pairs. Numbers of receive queues come last. */
#define FIRST_RESERVED_QPN 0xe00000u
#define FIRST_RQN	   0xf00000u

bool softhca_output_incomplete(void)
{
	return the_engine.incomplete;
}

static void init_tables(struct softhca_dev *dev)
{
	const struct softhca_config *cfg = &dev->cfg;

	dev->pds.max = cfg->max_pd;
	dev->cqs.max = cfg->max_cq;
	dev->srqs.max = cfg->max_srq;
	dev->qps.max = cfg->max_qp;
	dev->mkeys.max = cfg->max_mr > cfg->max_mw ? cfg->max_mr : cfg->max_mw; /* one pool */
	dev->psvs.max = cfg->max_mr;
	dev->deks.max = SOFTHCA_MAX_DEKS;
	dev->logins.max = 65535;
	dev->uars.max = 65535;
	dev->xrcds.max = 65535;
	dev->rwq_tables.max = SOFTHCA_MAX_TABLES;
	dev->scheds.max = SOFTHCA_MAX_SCHEDS;
	dev->cqs.base = 0x10;
	dev->srqs.base = 0x20;
	/* Values below 0x1000 are not keys, because opcodes and MLX5_INVALID_LKEY are there. */
	dev->mkeys.base = 0x10;
	dev->qps.base = random_start(0xc00000);
	dev->rqs.base = FIRST_RQN;
	dev->reserved_qpns.max = 32767;
}

int softhca_qpn_reserve(struct softhca_dev *dev, void *owner, uint32_t *first)
{
	uint32_t block;
	int err = softhca_table_add(&dev->reserved_qpns, owner, &block);

	*first = FIRST_RESERVED_QPN + (block << SOFTHCA_LOG_RESERVED_QPNS);
	return err;
}

void softhca_qpn_release(struct softhca_dev *dev, uint32_t first)
{
	softhca_table_del(&dev->reserved_qpns,
			  (first - FIRST_RESERVED_QPN) >> SOFTHCA_LOG_RESERVED_QPNS);
}

static int open_ports(struct softhca_dev *dev)
{
	for (unsigned i = 1; i <= dev->cfg.nports; i++) {
		struct softhca_port *port = &dev->port[i];
		int err;

		port->dev = dev;
		port->num = i;
		port->link = dev->cfg.link[i - 1];
		port->state = IBV_PORT_ACTIVE;
		port->active_mtu = dev->cfg.max_mtu;
		port->pkey[0] = 0xffff;
		err = softhca_wire_port_open(port);
		if (err) {
			while (--i)
				softhca_wire_port_close(&dev->port[i]);
			return err;
		}
	}
	return 0;
}

static void guid_from_port(struct softhca_dev *dev)
{
	dev->guid = dev->cfg.node_guid;
	if (!dev->guid)
		dev->guid = UINT64_C(0x5054000300000000) |
			    (uint64_t)(dev->port[1].ipv4 & 0xffffff) << 8 | (dev->cfg.index & 0xff);
}

int softhca_dev_create(const struct softhca_config *cfg, const struct softhca_ops *ops, void *arg,
		       struct softhca_dev **out)
{
	struct softhca_dev *dev, **p;
	int err;

	if (!cfg->nports || cfg->nports > SOFTHCA_MAX_PORTS || cfg->cqe_version > 1 ||
	    cfg->max_mtu < IBV_MTU_256 || cfg->max_mtu > IBV_MTU_4096)
		return softhca_fail(-EINVAL, "%s: impossible configuration", cfg->name);
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return softhca_fail(-ENOMEM, "out of memory");
	dev->cfg = *cfg;
	dev->ops = ops;
	dev->ops_arg = arg;
	init_tables(dev);
	err = -ENOMEM;
	dev->referee = softhca_referee_create(cfg);
	if (!dev->referee)
		goto err_free;
	err = softhca_null_key_create(dev);
	if (err)
		goto err_referee;
	err = softhca_transport_dev_init(dev);
	if (err)
		goto err_key;
	err = open_ports(dev);
	if (err)
		goto err_transport;
	guid_from_port(dev);
	for (p = &the_engine.devs; *p; p = &(*p)->next)
		;
	*p = dev;
	*out = dev;
	return 0;

err_transport:
	softhca_transport_dev_fini(dev);
err_key:
	softhca_mkey_destroy(dev->null_mkey);
	softhca_table_free(&dev->mkeys);
err_referee:
	softhca_referee_destroy(dev->referee);
err_free:
	free(dev);
	return err;
}

/* Removes all multicast memberships. */
static void mcast_drop_all(struct softhca_dev *dev)
{
	while (dev->mcast) {
		struct softhca_mcast *m = dev->mcast;

		dev->mcast = m->next;
		free(m);
	}
}

static void drop_key(struct softhca_mkey *mkey)
{
	mkey->refs = 0;
	softhca_mkey_destroy(mkey);
}

static void drop_windows(struct softhca_dev *dev)
{
	struct softhca_mkey *mkey;
	uint32_t n = 0;

	while ((mkey = softhca_table_iter(&dev->mkeys, &n)))
		softhca_mw_unbind(mkey);
}

static void drop_qp(struct softhca_qp *qp)
{
	qp->shares = 0;
	softhca_qp_destroy(qp);
}

void softhca_dev_destroy(struct softhca_dev *dev)
{
	struct softhca_dev **p;
	struct softhca_msg *msg;

	if (!dev)
		return;
	dev->fatal = true;
	mcast_drop_all(dev);
	if (the_engine.raw)
		the_engine.raw->forget(dev);
	SOFTHCA_DRAIN(dev, qps, struct softhca_qp, drop_qp);
	while (dev->scheds.used)
		SOFTHCA_DRAIN(dev, scheds, struct softhca_sched, softhca_sched_destroy);
	SOFTHCA_DRAIN(dev, srqs, struct softhca_srq, softhca_srq_destroy);
	SOFTHCA_DRAIN(dev, cqs, struct softhca_cq, softhca_cq_destroy);
	drop_windows(dev);
	SOFTHCA_DRAIN(dev, mkeys, struct softhca_mkey, drop_key);
	if (the_engine.offload)
		the_engine.offload->forget(dev);
	SOFTHCA_DRAIN(dev, uars, struct softhca_uar, softhca_uar_destroy);
	SOFTHCA_DRAIN(dev, xrcds, struct softhca_xrcd, softhca_xrcd_destroy);
	SOFTHCA_DRAIN(dev, pds, struct softhca_pd, softhca_pd_destroy);
	for (unsigned i = 1; i <= dev->cfg.nports; i++)
		softhca_wire_port_close(&dev->port[i]);
	while (dev->clocks)
		softhca_clock_remove(dev->clocks);
	softhca_transport_dev_fini(dev);
	for (p = &the_engine.devs; *p; p = &(*p)->next)
		if (*p == dev) {
			*p = dev->next;
			break;
		}
	while ((msg = dev->msg_pool)) {
		dev->msg_pool = msg->next;
		free(msg);
	}
	struct softhca_table *tables[] = {&dev->pds, &dev->xrcds, &dev->cqs,   &dev->srqs,
					  &dev->qps, &dev->uars,  &dev->mkeys, &dev->rwq_tables,
					  &dev->psvs, &dev->deks, &dev->logins, &dev->scheds,
					  &dev->reserved_qpns, &dev->rqs};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		softhca_table_free(tables[i]);
	softhca_look_fini(&dev->look);
	softhca_referee_destroy(dev->referee);
	free(dev);
}

const struct softhca_config *softhca_dev_config(const struct softhca_dev *dev)
{
	return &dev->cfg;
}

uint64_t softhca_dev_guid(const struct softhca_dev *dev)
{
	return dev->guid;
}

struct softhca_dev *softhca_dev_by_index(unsigned idx)
{
	struct softhca_dev *dev = the_engine.devs;

	while (dev && idx--)
		dev = dev->next;
	return dev;
}

void softhca_dev_fatal(struct softhca_dev *dev)
{
	struct softhca_qp *qp;
	uint32_t n = 0;

	if (dev->fatal)
		return;
	while ((qp = softhca_table_iter(&dev->qps, &n)))
		softhca_req_stop(qp);
	dev->fatal = true;
	softhca_dev_async(dev, IBV_EVENT_DEVICE_FATAL, 0, 0);
}

uint64_t softhca_dev_clock(const struct softhca_dev *dev)
{
	(void)dev;
	return softhca_now_ns();
}

/* ---- ports ---- */

static int no_port(const struct softhca_dev *dev, unsigned num)
{
	return softhca_fail(-EINVAL, "port %u; %s has %u", num, dev->cfg.name, dev->cfg.nports);
}

int softhca_port_query(struct softhca_dev *dev, unsigned num, struct softhca_port_attr *attr)
{
	struct softhca_port *port = softhca_port_find(dev, num);

	if (!port)
		return no_port(dev, num);
	*attr = (struct softhca_port_attr){
		.state = port->state,
		.max_mtu = dev->cfg.max_mtu,
		.active_mtu = port->active_mtu,
		.link = port->link,
		.lid = port->lid,
		.sm_lid = port->link == SOFTHCA_LINK_IB ? 1 : 0,
		.gid_len = SOFTHCA_GIDS,
		.pkey_len = SOFTHCA_PKEYS,
		.guid = be64toh(port->gid[0].global.interface_id),
	};
	memcpy(attr->mac, port->mac, sizeof(attr->mac));
	return 0;
}

int softhca_gid_query(struct softhca_dev *dev, unsigned num, unsigned index, union ibv_gid *gid,
		      unsigned *type)
{
	struct softhca_port *port = softhca_port_find(dev, num);

	if (!port)
		return no_port(dev, num);
	if (index >= SOFTHCA_GIDS)
		return softhca_fail(-EINVAL, "GID index %u; there are %u", index, SOFTHCA_GIDS);
	*gid = port->gid[index];
	*type = port->gid_type[index];
	return 0;
}

int softhca_pkey_query(struct softhca_dev *dev, unsigned num, unsigned index, uint16_t *pkey)
{
	struct softhca_port *port = softhca_port_find(dev, num);

	if (!port)
		return no_port(dev, num);
	if (index >= SOFTHCA_PKEYS)
		return softhca_fail(-EINVAL, "pkey index %u; there are %u", index, SOFTHCA_PKEYS);
	*pkey = port->pkey[index];
	return 0;
}

int softhca_pkey_set(struct softhca_dev *dev, unsigned num, unsigned index, uint16_t pkey)
{
	struct softhca_port *port = softhca_port_find(dev, num);

	if (!port)
		return no_port(dev, num);
	if (index >= SOFTHCA_PKEYS)
		return softhca_fail(-EINVAL, "pkey index %u; there are %u", index, SOFTHCA_PKEYS);
	port->pkey[index] = pkey;
	softhca_event_port(dev, IBV_EVENT_PKEY_CHANGE, num);
	return 0;
}

int softhca_port_set(struct softhca_dev *dev, unsigned num, enum ibv_port_state state)
{
	struct softhca_port *port = softhca_port_find(dev, num);

	if (!port)
		return no_port(dev, num);
	if (state != IBV_PORT_ACTIVE && state != IBV_PORT_DOWN)
		return softhca_fail(-EINVAL, "a port is ACTIVE or DOWN, not %d", (int)state);
	if (port->state == state)
		return 0;
	port->state = state;
	port->link_downed += state == IBV_PORT_DOWN;
	softhca_event_port(
		dev, state == IBV_PORT_ACTIVE ? IBV_EVENT_PORT_ACTIVE : IBV_EVENT_PORT_ERR, num);
	return 0;
}

int softhca_gid_set(struct softhca_dev *dev, unsigned num, unsigned index, const union ibv_gid *gid)
{
	struct softhca_port *port = softhca_port_find(dev, num);

	if (!port)
		return no_port(dev, num);
	if (index >= SOFTHCA_GIDS)
		return softhca_fail(-EINVAL, "GID index %u; there are %u", index, SOFTHCA_GIDS);
	port->gid[index] = *gid;
	softhca_event_port(dev, IBV_EVENT_GID_CHANGE, num);
	return 0;
}

/* ---- addresses ---- */

static bool gid_empty(const union ibv_gid *gid)
{
	static const union ibv_gid none;

	return !memcmp(gid, &none, sizeof(none));
}

int softhca_ah_check_source(struct softhca_dev *dev, const struct ibv_ah_attr *ah)
{
	struct softhca_port *port = softhca_port_find(dev, ah->port_num);

	if (!port)
		return no_port(dev, ah->port_num);
	if (!ah->is_global && port->link == SOFTHCA_LINK_ROCE)
		return softhca_fail(-EINVAL, "on RoCE an address needs is_global and a GID");
	if (ah->is_global && ah->grh.sgid_index >= SOFTHCA_GIDS)
		return softhca_fail(-EINVAL, "sgid_index %u; port %u has %u", ah->grh.sgid_index,
				    ah->port_num, SOFTHCA_GIDS);
	if (ah->is_global && gid_empty(&port->gid[ah->grh.sgid_index]))
		return softhca_fail(-ENODATA, "sgid_index %u of port %u is empty",
				    ah->grh.sgid_index, ah->port_num);
	return 0;
}

/*
 * The kernel takes the destination's MAC out of a link-local GID (rdma_get_ll_mac()). For others it
 * asks for the route from the source GID. rdma_resolve_ip() requires the same IP version of both.
 */
static bool route_possible(const struct softhca_port *port, const struct ibv_ah_attr *ah)
{
	const uint8_t *const dgid = ah->grh.dgid.raw;

	if (port->link != SOFTHCA_LINK_ROCE || softhca_gid_is_group(dgid) ||
	    (dgid[0] == 0xfe && (dgid[1] & 0xc0) == 0x80))
		return true;
	return softhca_gid_is_ipv4(dgid) == softhca_gid_is_ipv4(port->gid[ah->grh.sgid_index].raw);
}

int softhca_ah_check(struct softhca_dev *dev, const struct ibv_ah_attr *ah)
{
	const int err = softhca_ah_check_source(dev, ah);

	if (err)
		return err;
	if (!route_possible(&dev->port[ah->port_num], ah))
		return softhca_fail(-EINVAL,
				    "there is no route from sgid_index %u to that GID: one is "
				    "IPv4, the other IPv6",
				    ah->grh.sgid_index);
	if (!ah->is_global && !ah->dlid)
		return softhca_fail(-EINVAL, "an address without GRH needs a LID");
	if (ah->is_global && gid_empty(&ah->grh.dgid))
		return softhca_fail(-EINVAL, "the destination GID is all zero");
	return 0;
}

int softhca_mac_resolve(struct softhca_dev *dev, const struct ibv_ah_attr *ah, uint8_t mac[6])
{
	struct softhca_av av = {.port = ah->port_num,
				.grh = ah->is_global,
				.dgid = ah->grh.dgid,
				.sgid_index = ah->grh.sgid_index,
				.dlid = ah->dlid};
	int err = softhca_ah_check(dev, ah);

	return err ? err : softhca_wire_resolve(&dev->port[ah->port_num], &av, mac);
}

/* ---- multicast ---- */

unsigned softhca_mcast_count(const struct softhca_qp *qp)
{
	unsigned n = 0;

	for (struct softhca_mcast *m = qp->dev->mcast; m; m = m->next)
		n += m->qp == qp;
	return n;
}

void softhca_qp_mcast_leave(struct softhca_qp *qp)
{
	struct softhca_mcast **p = &qp->dev->mcast, *m;

	while ((m = *p)) {
		if (m->qp != qp) {
			p = &m->next;
			continue;
		}
		*p = m->next;
		free(m);
	}
}

/* Same as the kernel's is_valid_mcast_lid(). Ethernet has no LID. In RESET any port may do. */
static bool group_lid_ok(const struct softhca_qp *qp, uint16_t lid)
{
	const struct softhca_dev *const dev = qp->dev;
	const unsigned first = qp->attr.port_num ? qp->attr.port_num : 1;
	const unsigned last = qp->attr.port_num ? qp->attr.port_num : dev->cfg.nports;

	for (unsigned i = first; i <= last; i++)
		if (dev->port[i].link == SOFTHCA_LINK_ROCE)
			return true;
	return lid >= SEGUE_MULTICAST_LID_FIRST && lid <= SEGUE_MULTICAST_LID_LAST;
}

/* An attached queue pair must be able to receive, so attachments beyond the limit fail. */
static int group_room(const struct softhca_qp *qp, const union ibv_gid *gid)
{
	const struct softhca_dev *const dev = qp->dev;
	unsigned int groups = 0, members = 0;

	for (const struct softhca_mcast *m = dev->mcast; m; m = m->next) {
		const struct softhca_mcast *first = dev->mcast;

		while (memcmp(&first->gid, &m->gid, sizeof(m->gid)))
			first = first->next;
		groups += first == m;
		members += !memcmp(&m->gid, gid, sizeof(*gid));
	}
	if (members >= dev->cfg.max_mcast_qp)
		return softhca_fail(
			-ENOMEM, "%u queue pairs are in this group already: max_mcast_qp", members);
	if (!members && groups >= dev->cfg.max_mcast_grp)
		return softhca_fail(-ENOMEM, "queue pairs are in %u groups already: max_mcast_grp",
				    groups);
	return 0;
}

static int attach_group(struct softhca_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	struct softhca_dev *const dev = qp->dev;
	struct softhca_mcast **last = &dev->mcast, *m;
	int err = group_room(qp, gid);

	if (err)
		return err;
	m = calloc(1, sizeof(*m));
	if (!m)
		return softhca_fail(-ENOMEM, "out of memory");
	m->gid = *gid;
	m->lid = lid;
	m->qp = qp;
	while (*last)
		last = &(*last)->next;
	*last = m;
	err = softhca_transport_dev_groups(dev);
	if (err) {
		*last = NULL;
		free(m);
		softhca_transport_dev_groups(dev);
		return softhca_fail(err, "the group's packets cannot be received here: %s",
				    softhca_strerror(-err));
	}
	softhca_thread_kick(); /* it sleeps on the old sockets */
	return 0;
}

int softhca_qp_mcast(struct softhca_qp *qp, const union ibv_gid *gid, uint16_t lid, bool attach)
{
	struct softhca_dev *dev = qp->dev;
	struct softhca_mcast **p, *m;

	if (!group_lid_ok(qp, lid))
		return softhca_fail(-EINVAL, "0x%x is not the LID of a multicast group", lid);
	if (qp->type != SOFTHCA_QP_UD || !softhca_gid_is_group(gid->raw))
		return softhca_fail(-EINVAL, "%s",
				    qp->type != SOFTHCA_QP_UD
					    ? "only UD queue pairs join multicast groups"
					    : "this is no multicast GID");
	for (p = &dev->mcast; (m = *p); p = &m->next)
		if (m->qp == qp && (attach || m->lid == lid) && !memcmp(&m->gid, gid, sizeof(*gid)))
			break;
	if (attach)
		return m ? 0 : attach_group(qp, gid, lid);
	if (!m)
		return softhca_fail(-EINVAL, "QP 0x%x is not in this group", qp->qpn);
	*p = m->next;
	free(m);
	return 0;
}
