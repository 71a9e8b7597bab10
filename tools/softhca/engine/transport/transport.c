/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device's side of the transport: ports on the wire, one turn of work, the states of a queue
 * pair, and the lists of work for this turn.
 */
#include "transport.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gsi.h"
#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/migration.h"
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/proc/file.h"
#include "tools/softhca/engine/scheduler.h"

#include "segue/gen/enums.h"

/* Longest sleep of a sender without room at its receiver. */
#define LATER_NS     500000u

/* Bytes of a packet around its payload (Linux, include/rdma/ib_addr.h, iboe_get_mtu()). */
#define ROCE_HEADERS 96u

struct the_transport the_transport = {
	.tx_list = {&the_transport.tx_list, &the_transport.tx_list},
	.later_list = {&the_transport.later_list, &the_transport.later_list},
	.ack_list = {&the_transport.ack_list, &the_transport.ack_list},
	.later_due = SOFTHCA_NEVER,
};

void softhca_list_add(struct softhca_link_node *head, struct softhca_link_node *n)
{
	if (n->next)
		return; /* it is on the list already */
	n->prev = head->prev;
	n->next = head;
	head->prev->next = n;
	head->prev = n;
}

void softhca_list_del(struct softhca_link_node *n)
{
	if (!n->next)
		return;
	n->prev->next = n->next;
	n->next->prev = n->prev;
	n->next = n->prev = NULL;
}

uint64_t softhca_tp_now(void)
{
	/* Work that starts outside a turn (a doorbell) reads the time itself. */
	return the_transport.turn_now ? the_transport.turn_now : softhca_now_ns();
}

void softhca_tp_want_tx(struct softhca_flow *f)
{
	softhca_list_add(&the_transport.tx_list, &f->tx);
}

void softhca_tp_want_tx_later(struct softhca_flow *f)
{
	f->no_room = true;
	softhca_list_add(&the_transport.later_list, &f->tx);
}

void softhca_tp_want_tx_at(struct softhca_flow *f, uint64_t when)
{
	softhca_list_del(&f->tx);
	softhca_tp_want_tx_later(f);
	the_transport.later_due = when < the_transport.later_due ? when : the_transport.later_due;
}

void softhca_tp_want_ack(struct softhca_resp *r)
{
	softhca_list_add(&the_transport.ack_list, &r->ack);
}

/* The contents of the lists and their timers are the parent's. */
void softhca_transport_fork_child(void)
{
	struct softhca_link_node *const lists[] = {
		&the_transport.tx_list, &the_transport.later_list, &the_transport.ack_list};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		lists[i]->next = lists[i]->prev = lists[i];
	memset(&the_transport.timers, 0, sizeof(the_transport.timers));
}

/* ---- queries of queue pairs ---- */

struct softhca_wire *softhca_tp_wire(const struct softhca_qp *qp, unsigned int port)
{
	if (!port || port > qp->dev->cfg.nports)
		return NULL;
	return qp->dev->port[port].wire;
}

uint32_t softhca_tp_mtu(const struct softhca_qp *qp)
{
	const enum ibv_mtu mtu = qp->type == SOFTHCA_QP_UD
					 ? qp->dev->port[qp->attr.port_num].active_mtu
					 : qp->attr.path_mtu;

	return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128u << mtu : 256;
}

uint8_t softhca_tp_dscp(const struct softhca_qp *qp, const struct softhca_av *av)
{
	if (qp->dev->port[qp->attr.port_num].link == SOFTHCA_LINK_ROCE)
		return av->tclass >> 2;
	return (uint8_t)((av->sl & 0xf) << 2 | (av->grh ? SOFTHCA_DSCP_GRH : 0));
}

uint8_t softhca_tp_net(const struct softhca_qp *qp, const struct softhca_av *av)
{
	const struct softhca_port *const port = &qp->dev->port[qp->attr.port_num];

	/* On InfiniBand a GRH matters only to receivers of datagrams, and is that of RoCE v1. */
	if (port->link != SOFTHCA_LINK_ROCE)
		return qp->type == SOFTHCA_QP_UD && av->grh ? SOFTHCA_NET_V1 : 0;
	if (av->sgid_index >= SOFTHCA_GIDS)
		return 0;
	if (!port->gid_type[av->sgid_index])
		return SOFTHCA_NET_V1;
	return softhca_gid_is_ipv4(port->gid[av->sgid_index].raw) ? SOFTHCA_NET_V2_IPV4
								  : SOFTHCA_NET_V2_IPV6;
}

/* On RoCE the kind of packet, which only datagrams and DC packets may choose individually. */
uint8_t softhca_tp_cqe_sl(const struct softhca_port *port, const struct softhca_pkt *pkt)
{
	static const uint8_t kind[] = {
		[SOFTHCA_NET_V2_IPV4] = SEGUE_CQE_ROCE_PACKET_V2_IPV4,
		[SOFTHCA_NET_V2_IPV6] = SEGUE_CQE_ROCE_PACKET_V2_IPV6,
		[SOFTHCA_NET_V1] = SEGUE_CQE_ROCE_PACKET_V1,
		[SOFTHCA_NET_MASK] = SEGUE_CQE_ROCE_PACKET_V1,
	};

	if (port->link != SOFTHCA_LINK_ROCE)
		return pkt->dscp >> 2;
	if (pkt->transport != SOFTHCA_TR_UD && pkt->transport != SOFTHCA_TR_DC)
		return 0;
	return kind[pkt->net & SOFTHCA_NET_MASK];
}

void softhca_tp_fill_path(const struct softhca_qp *qp, const struct softhca_av *av,
			  struct softhca_pkt *pkt)
{
	const struct softhca_port *const port = &qp->dev->port[qp->attr.port_num];

	pkt->has_hop_limit = true;
	pkt->hop_limit = av->hop_limit;
	pkt->tclass = av->tclass;
	pkt->flow_label = av->flow_label;
	pkt->src_is_ipv4 = av->sgid_index < SOFTHCA_GIDS &&
			   softhca_gid_is_ipv4(port->gid[av->sgid_index].raw);
	pkt->dst_is_ipv4 = softhca_gid_is_ipv4(av->dgid.raw);
}

uint16_t softhca_tp_pkey(const struct softhca_qp *qp)
{
	const struct softhca_port *const port = &qp->dev->port[qp->attr.port_num];

	return qp->attr.pkey_index < SOFTHCA_PKEYS ? port->pkey[qp->attr.pkey_index] : 0xffff;
}

/* Checks that the partition is the same, and at least one of the two is a full member. */
static bool pkey_ok(const struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	const uint16_t own = softhca_tp_pkey(qp);

	return own & 0x7fff && ((own ^ pkt->pkey) & 0x7fff) == 0 && (own | pkt->pkey) & 0x8000;
}

uint32_t softhca_rd_depth(uint8_t rd_atomic)
{
	uint32_t n = rd_atomic != 0;

	while (n < rd_atomic)
		n *= 2;
	return n;
}

uint8_t softhca_tp_transport(const struct softhca_qp *qp)
{
	switch (qp->type) {
	case SOFTHCA_QP_UC:
		return SOFTHCA_TR_UC;
	case SOFTHCA_QP_UD:
		return SOFTHCA_TR_UD;
	case SOFTHCA_QP_XRC_INI:
	case SOFTHCA_QP_XRC_TGT:
		return SOFTHCA_TR_XRC;
	case SOFTHCA_QP_DCI:
	case SOFTHCA_QP_DCT:
		return SOFTHCA_TR_DC;
	default:
		return SOFTHCA_TR_RC;
	}
}

uint32_t softhca_tp_av_ip(const struct softhca_port *port, const struct softhca_av *av)
{
	if (port->link == SOFTHCA_LINK_ROCE)
		return softhca_gid_to_ip(av->dgid.raw);
	return av->dlid && av->dlid <= SOFTHCA_LID_LAST ? softhca_lid_to_ip(av->dlid) : 0;
}

int softhca_wire_resolve(const struct softhca_port *port, const struct softhca_av *av,
			 uint8_t mac[6])
{
	const uint32_t ip = softhca_tp_av_ip(port, av);

	if (port->link == SOFTHCA_LINK_ROCE && softhca_gid_is_group(av->dgid.raw)) {
		/* Mapped like Ethernet's IPv6 groups. softhca does not use it. */
		if (mac) {
			mac[0] = mac[1] = 0x33;
			memcpy(mac + 2, av->dgid.raw + 12, 4);
		}
		return 0;
	}
	if (!ip)
		return -EHOSTUNREACH;
	if (mac)
		softhca_ip_to_mac(ip, mac);
	return 0;
}

/* ---- ports ---- */

/* Delivers to every queue pair of the group on this port, except the sender. */
static void deliver_group(struct softhca_port *port, const struct softhca_pkt *pkt)
{
	struct softhca_mcast *next;

	for (struct softhca_mcast *m = port->dev->mcast; m; m = next) {
		next = m->next;
		if (m->qp->attr.port_num != port->num ||
		    softhca_mgid_to_ip(m->gid.raw) != pkt->dst_ip ||
		    (pkt->src_ip == port->ipv4 && pkt->sqpn == m->qp->qpn) || !pkey_ok(m->qp, pkt))
			continue;
		softhca_resp_datagram(port, m->qp, pkt, &m->gid);
	}
}

/*
 * Packets of other hosts to a connected queue pair are not a mistake of this program. A queue pair
 * for datagrams may get packets from any host.
 */
static bool is_peers(const struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	const struct softhca_port *const port = &qp->dev->port[qp->attr.port_num];

	return qp->type == SOFTHCA_QP_UD || qp->type == SOFTHCA_QP_DCI ||
	       qp->type == SOFTHCA_QP_DCT || pkt->src_ip == softhca_tp_av_ip(port, &qp->av);
}

/* A packet of another partition is dropped, and no completion of either end reports it. */
static bool same_partition(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	const struct softhca_peer peer = {
		pkt->src_ip,
		pkt->hdrs & (SOFTHCA_H_DETH | SOFTHCA_H_DCETH) ? pkt->sqpn : qp->attr.dest_qp_num};

	if (pkey_ok(qp, pkt))
		return true;
	if (softhca_qp_can_recv(qp) && is_peers(qp, pkt))
		softhca_tell_pkey(qp, &peer, pkt->pkey, softhca_tp_pkey(qp));
	return false;
}

/*
 * IBTA annexes A16 and A17: RoCE v1 and v2 are different packets, and those of v2 over IPv4 and
 * over IPv6 differ as well. A connection has one kind. A queue pair for datagrams takes all kinds
 * that its port has GIDs for. Each message of a DCI has its own kind, which the target answers or
 * drops. A peer that migrates uses its other address first.
 */
static bool same_net(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	const struct softhca_peer peer = {
		pkt->src_ip, pkt->hdrs & SOFTHCA_H_DCETH ? pkt->sqpn : qp->attr.dest_qp_num};
	const uint8_t own = softhca_tp_net(qp, &qp->av);
	const bool any = qp->type == SOFTHCA_QP_UD || qp->type == SOFTHCA_QP_DCI;

	if (any || pkt->net == own || (pkt->migreq && qp->attr.path_mig_state == IBV_MIG_ARMED))
		return true;
	if (softhca_qp_can_recv(qp) && is_peers(qp, pkt))
		softhca_tell_net(qp, &peer, pkt->net, own);
	return false;
}

static void deliver(struct softhca_port *port, const struct softhca_pkt *pkt)
{
	struct softhca_qp *const qp = softhca_qp_find(port->dev, pkt->dqpn);

	if (pkt->dqpn <= SOFTHCA_GSI_QPN) {
		softhca_gsi_receive(port, pkt);
		return;
	}
	if (!qp || qp->type == SOFTHCA_QP_RAW ||
	    (qp->attr.port_num != port->num && !softhca_mig_accepts(qp, port, pkt)) ||
	    !same_partition(qp, pkt) || !same_net(qp, pkt))
		return;
	if (qp->attr.path_mig_state != IBV_MIG_MIGRATED &&
	    pkt->src_ip == softhca_tp_av_ip(port, &qp->av))
		softhca_mig_see(qp, pkt);
	if (pkt->transport == SOFTHCA_TR_UD)
		softhca_resp_datagram(port, qp, pkt, NULL);
	else if (pkt->transport != softhca_tp_transport(qp))
		return;
	else if (pkt->hdrs & SOFTHCA_H_RESPONSE)
		softhca_req_response(qp, pkt);
	else if (qp->type != SOFTHCA_QP_DCI && qp->type != SOFTHCA_QP_XRC_INI)
		softhca_resp_request(qp, pkt);
}

static void receive(void *arg, const struct softhca_pkt *pkt)
{
	struct softhca_port *const port = arg;

	if (port->dev->fatal || port->state != IBV_PORT_ACTIVE)
		return;
	if (pkt->hdrs & SOFTHCA_H_ETHERNET) {
		if (the_engine.raw)
			the_engine.raw->receive(port, pkt);
		return;
	}
	if (pkt->dst_ip != port->ipv4) {
		if (pkt->transport == SOFTHCA_TR_UD && pkt->dqpn == SEGUE_MULTICAST_QPN)
			deliver_group(port, pkt);
		return;
	}
	deliver(port, pkt);
}

/*
 * A datagram is lost with any of its fragments. On a bad wire, fragments that wait for the rest
 * fill the kernel's memory.
 */
static void fit_mtu(struct softhca_port *port)
{
	const uint32_t carried = softhca_wire_mtu(port->wire);

	while (port->active_mtu > IBV_MTU_256 && carried && !port->dev->cfg.mtu_asked &&
	       carried < (128u << port->active_mtu) + ROCE_HEADERS)
		port->active_mtu--;
}

int softhca_wire_port_open(struct softhca_port *port)
{
	struct softhca_wire *wire;
	uint64_t guid;
	int err = softhca_wire_open(&wire, 0, receive, port);

	if (err)
		return softhca_fail(err,
				    "No loopback address 127.x.y.z, or with SOFTHCA_HOST no "
				    "address of it, with a free UDP port %u could "
				    "be claimed: %s. Each process needs one for each port.",
				    SOFTHCA_ROCE_PORT, softhca_strerror(-err));
	port->wire = wire;
	fit_mtu(port);
	port->ipv4 = softhca_wire_ip(wire);
	softhca_ip_to_mac(port->ipv4, port->mac);
	memset(port->gid, 0, sizeof(port->gid));
	/* The link-local GID is present on both links. On RoCE the routable one follows it. */
	guid = htobe64(softhca_wire_guid(wire));
	port->gid[0].raw[0] = 0xfe;
	port->gid[0].raw[1] = 0x80;
	memcpy(port->gid[0].raw + 8, &guid, sizeof(guid));
	port->lid = 0;
	if (port->link == SOFTHCA_LINK_IB) {
		port->lid = softhca_wire_lid(wire);
		if (port->lid && port->lid <= SOFTHCA_LID_LAST)
			return 0;
		softhca_wire_port_close(port);
		return softhca_fail(-EADDRNOTAVAIL,
				    "The lower half of an InfiniBand port's address is its LID, "
				    "from 0.1 to 191.255; "
				    "give SOFTHCA_HOST another address, or use SOFTHCA_LINK=roce.");
	}
	/* Like mlx5: each address once as RoCE v1 and once as v2. */
	port->gid[1] = port->gid[0];
	port->gid_type[0] = 0;
	port->gid_type[1] = 1;
	softhca_ip_to_gid(port->ipv4, port->gid[2].raw);
	port->gid[3] = port->gid[2];
	port->gid_type[2] = 0;
	port->gid_type[3] = 1;
	return 0;
}

void softhca_wire_port_close(struct softhca_port *port)
{
	softhca_wire_close(port->wire);
	port->wire = NULL;
}

int softhca_wire_fds(int *fds, int max)
{
	int n = 0;

	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (unsigned int p = 1; p <= dev->cfg.nports && n < max; p++)
			if (dev->port[p].wire)
				fds[n++] = softhca_wire_fd(dev->port[p].wire);
	n += softhca_wire_ring_fds(fds + n, max - n);
	return n + softhca_wire_mcast_fds(fds + n, max - n);
}

/* dev->transport: list of multicast memberships that the sockets have. */
struct membership {
	uint64_t fingerprint;
};

int softhca_transport_dev_init(struct softhca_dev *dev)
{
	dev->transport = calloc(1, sizeof(struct membership));
	return dev->transport ? 0 : -ENOMEM;
}

void softhca_transport_dev_fini(struct softhca_dev *dev)
{
	free(dev->transport);
	dev->transport = NULL;
}

static bool wants_frames(const struct softhca_port *port)
{
	return the_engine.raw && the_engine.raw->wanted(port);
}

static int add_group(uint32_t *ips, int *count, uint32_t ip)
{
	for (int i = 0; i < *count; i++)
		if (ips[i] == ip)
			return 0;
	if (*count == SOFTHCA_WIRE_GROUPS)
		return -ENOMEM;
	ips[(*count)++] = ip;
	return 0;
}

/* A queue pair in RESET has no port. It attaches on each port, so that nothing is refused later. */
static bool is_on(const struct softhca_mcast *m, const struct softhca_port *port)
{
	return !m->qp->attr.port_num || m->qp->attr.port_num == port->num;
}

static int set_groups(const struct softhca_port *port)
{
	uint32_t ips[SOFTHCA_WIRE_GROUPS];
	int count = 0, err = 0, failed;

	if (!port->wire)
		return 0;
	if (wants_frames(port))
		add_group(ips, &count, softhca_flood_ip());
	for (const struct softhca_mcast *m = port->dev->mcast; m; m = m->next)
		if (is_on(m, port) && add_group(ips, &count, softhca_mgid_to_ip(m->gid.raw)))
			err = -ENOMEM;
	failed = softhca_wire_set_groups(port->wire, ips, count);
	return err ? err : failed;
}

/*
 * Attaching and detaching change a list, and the sockets follow here. They follow at once when a
 * queue pair attaches, because a peer that learns of it sends. Other changes, of its port or its
 * existence, follow in each turn.
 */
int softhca_transport_dev_groups(struct softhca_dev *dev)
{
	struct membership *const have = dev->transport;
	uint64_t want = 0;
	int err = 0;

	for (const struct softhca_mcast *m = dev->mcast; m; m = m->next)
		want = want * 31 + (softhca_mgid_to_ip(m->gid.raw) ^ m->qp->attr.port_num << 16);
	for (unsigned int p = 1; p <= dev->cfg.nports; p++)
		want = want * 31 + wants_frames(&dev->port[p]);
	if (!have || want == have->fingerprint)
		return 0;
	have->fingerprint = want;
	for (unsigned int p = 1; p <= dev->cfg.nports; p++) {
		const int failed = set_groups(&dev->port[p]);

		err = err ? err : failed;
	}
	return err;
}

/* ---- one turn ---- */

static int send_acks(void)
{
	int n = 0;

	while (the_transport.ack_list.next != &the_transport.ack_list) {
		struct softhca_resp *const r = CONTAINER(the_transport.ack_list.next,
							 struct softhca_resp, ack);

		softhca_list_del(&r->ack);
		softhca_resp_send_ack(r);
		n++;
	}
	return n;
}

static void move_all(struct softhca_link_node *to, struct softhca_link_node *from)
{
	while (from->next != from) {
		struct softhca_link_node *const node = from->next;

		softhca_list_del(node);
		softhca_list_add(to, node);
	}
}

static int transmit_all(void)
{
	struct softhca_link_node todo = {&todo, &todo};
	int n = 0;

	/* Each flow once. A flow that needs more asks for the next turn. */
	the_transport.later_due = SOFTHCA_NEVER;
	move_all(&todo, &the_transport.later_list); /* flows that had to wait come first */
	move_all(&todo, &the_transport.tx_list);
	while (todo.next != &todo) {
		struct softhca_flow *const f = CONTAINER(todo.next, struct softhca_flow, tx);

		softhca_list_del(&f->tx);
		f->no_room = false;
		softhca_flow_transmit(f);
		n += !f->no_room;
	}
	return n;
}

static int poll_wires(uint64_t now)
{
	int n = 0;

	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next) {
		softhca_transport_dev_groups(dev);
		for (unsigned int p = 1; p <= dev->cfg.nports; p++) {
			struct softhca_port *const port = &dev->port[p];

			if (!port->wire)
				continue;
			softhca_wire_set_link(port->wire, port->state == IBV_PORT_ACTIVE);
			n += softhca_wire_poll(port->wire, now);
		}
	}
	return n + softhca_wire_mcast_poll();
}

static void finish_wires(uint64_t now, uint64_t *next_ns)
{
	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next) {
		for (unsigned int p = 1; p <= dev->cfg.nports; p++) {
			struct softhca_wire *const wire = dev->port[p].wire;
			uint64_t deadline;

			if (!wire)
				continue;
			softhca_wire_pong(wire);
			softhca_wire_flush(wire);
			deadline = softhca_wire_pending(wire) ? now : softhca_wire_deadline(wire);
			if (next_ns && deadline < *next_ns)
				*next_ns = deadline;
		}
	}
	softhca_wire_answered();
}

int softhca_transport_poll(uint64_t now_ns, uint64_t *next_ns)
{
	uint64_t unused = SOFTHCA_NEVER;
	int n;

	the_transport.turn_now = now_ns;
	softhca_fault_run(now_ns);
	n = poll_wires(now_ns);
	n += softhca_timers_run(now_ns);
	n += softhca_gsi_run(now_ns, next_ns ? next_ns : &unused);
	n += transmit_all();
	n += send_acks();
	finish_wires(now_ns, next_ns);
	the_transport.turn_now = 0;
	if (!next_ns)
		return n;
	if (softhca_timers_next() < *next_ns)
		*next_ns = softhca_timers_next();
	if (softhca_fault_deadline() < *next_ns)
		*next_ns = softhca_fault_deadline();
	/* Credits come as packets. This is for lost ones. */
	if (the_transport.later_list.next != &the_transport.later_list &&
	    now_ns + LATER_NS < *next_ns)
		*next_ns = now_ns + LATER_NS;
	if (the_transport.later_due < *next_ns)
		*next_ns = the_transport.later_due;
	if (the_transport.tx_list.next != &the_transport.tx_list)
		*next_ns = now_ns;
	return n;
}

/* ---- queue pairs ---- */

int softhca_transport_qp_init(struct softhca_qp *qp)
{
	struct softhca_requester *req = calloc(1, sizeof(*req));
	struct softhca_responder *resp = calloc(1, sizeof(*resp));

	qp->req = req;
	qp->resp = resp;
	if (!req || !resp || !softhca_flow_new(qp, 0))
		goto err_free;
	req->streams = qp->type == SOFTHCA_QP_DCI && qp->create.log_dci_streams;
	resp->one.qp = qp;
	return 0;

err_free:
	free(req);
	free(resp);
	qp->req = qp->resp = NULL;
	return -ENOMEM;
}

static void set_sq_psn(struct softhca_qp *qp)
{
	struct softhca_requester *const r = qp->req;

	for (struct softhca_flow *f = r->all; f; f = f->next) {
		f->post_psn = qp->attr.sq_psn & SOFTHCA_PSN_MASK;
		softhca_flow_reset(f);
	}
}

static void start_responder(struct softhca_qp *qp)
{
	struct softhca_resp *const r = &((struct softhca_responder *)qp->resp)->one;

	softhca_resp_clear(r);
	r->epsn = r->told = qp->attr.rq_psn & SOFTHCA_PSN_MASK;
	r->peer_qpn = qp->attr.dest_qp_num;
	r->peer_ip = softhca_tp_av_ip(&qp->dev->port[qp->attr.port_num], &qp->av);
}

static void forget_all(struct softhca_qp *qp)
{
	struct softhca_responder *const s = qp->resp;
	struct softhca_requester *const r = qp->req;

	for (struct softhca_flow *f = r->all; f; f = f->next) {
		f->post_psn = 0;
		softhca_flow_reset(f);
	}
	softhca_resp_settle(&s->one);
	s->one.has_rwqe = false;
	softhca_resp_clear(&s->one);
	for (uint32_t b = 0; b < SOFTHCA_DC_BUCKETS; b++)
		for (struct softhca_resp *c = s->dc[b]; c; c = c->hash_next)
			c->has_rwqe = false;
	softhca_dct_forget(qp);
}

/*
 * A card's command takes longer than a packet on its way to it. So answers from before a reset,
 * which may have packet numbers that are valid after it, meet the queue pair in RESET. The
 * number of packets is bounded, because others may send without end.
 */
void softhca_let_arrive(void)
{
	int rounds = 32;

	softhca_wire_look();
	while (rounds-- && poll_wires(softhca_now_ns()))
		;
}

void softhca_transport_qp_modify(struct softhca_qp *qp, enum ibv_qp_state from, int mask)
{
	struct softhca_requester *const r = qp->req;

	if (!r || !qp->resp)
		return;
	if (qp->state == IBV_QPS_RESET) {
		forget_all(qp);
		if (from != IBV_QPS_RESET)
			softhca_let_arrive();
		return;
	}
	if (qp->state == IBV_QPS_RTR && from != IBV_QPS_RTR)
		start_responder(qp);
	if (mask & IBV_QP_SQ_PSN || (qp->state == IBV_QPS_RTS && from == IBV_QPS_RTR))
		set_sq_psn(qp);
	softhca_req_wake(qp);
}

void softhca_resp_stop(struct softhca_qp *qp)
{
	struct softhca_responder *const s = qp->resp;

	if (!s)
		return;
	softhca_resp_settle(&s->one);
	softhca_list_del(&s->one.ack);
	softhca_resp_drop_message(&s->one);
	softhca_dct_forget(qp);
}

void softhca_transport_goodbye(void)
{
	uint32_t n = 0;
	struct softhca_qp *qp;

	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next, n = 0)
		while ((qp = softhca_table_iter(&dev->qps, &n)))
			if (qp->resp) {
				softhca_resp_settle(&((struct softhca_responder *)qp->resp)->one);
				softhca_dct_settle(qp);
			}
}

void softhca_transport_qp_fini(struct softhca_qp *qp)
{
	struct softhca_requester *const r = qp->req;

	if (!r)
		return;
	forget_all(qp);
	while (r->all) {
		struct softhca_flow *const next = r->all->next;

		softhca_flow_free(r->all);
		r->all = next;
	}
	free(r);
	free(qp->resp);
	qp->req = qp->resp = NULL;
}
