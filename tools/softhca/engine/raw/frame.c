/* SPDX-License-Identifier: BSD-2-Clause */
/* Ethernet frames between ports: of this process, and of others. */
#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/engine/transport/transport.h"
#include "raw.h"

static bool local_address(uint32_t ip)
{
	for (const struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (unsigned int p = 1; p <= dev->cfg.nports; p++)
			if (dev->port[p].ipv4 == ip)
				return true;
	return false;
}

void softhca_frame_receive(struct softhca_port *port, const struct softhca_pkt *pkt)
{
	const struct softhca_frame frame = {
		.bytes = pkt->payload,
		.len = pkt->payload_len,
		.src_qpn = pkt->src_ip == port->ipv4 ? pkt->dqpn : 0,
	};

	/* Ports of this process got the frame one by one. */
	if (port->link != SOFTHCA_LINK_ROCE || frame.len < SOFTHCA_ETH_HDR ||
	    (pkt->dst_ip != port->ipv4 && local_address(pkt->src_ip)))
		return;
	softhca_pause_receive(port, pkt, &frame);
}

static bool wanted(const struct softhca_port *port)
{
	return port->link == SOFTHCA_LINK_ROCE && softhca_steer_wanted(port);
}

static void frame_to_local_ports(struct softhca_wire *wire, struct softhca_pkt *pkt)
{
	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (unsigned int p = 1; p <= dev->cfg.nports; p++) {
			if (!wanted(&dev->port[p]))
				continue;
			pkt->dst_ip = dev->port[p].ipv4;
			softhca_wire_send(wire, pkt);
		}
}

/*
 * Acts like a switch: a frame to a known address goes there, any other frame to all ports. Steering
 * rules decide about its reception, not addresses.
 */
void softhca_eth_to_wire(struct softhca_qp *qp, const uint8_t *frame, size_t len)
{
	struct softhca_wire *const wire = softhca_tp_wire(qp, qp->attr.port_num);
	const uint32_t to = softhca_mac_to_ip(frame);
	struct softhca_pkt pkt = {
		.transport = SOFTHCA_TR_PRIVATE,
		.op = SOFTHCA_OP_ETHERNET,
		.hdrs = softhca_pkt_hdrs(SOFTHCA_TR_PRIVATE, SOFTHCA_OP_ETHERNET),
		.pkey = 0xffff,
		.dqpn = qp->qpn,
		.payload = frame,
		.payload_len = (uint32_t)len,
	};

	if (!wire || qp->dev->port[qp->attr.port_num].link != SOFTHCA_LINK_ROCE)
		return;
	softhca_wire_capture(frame, (uint32_t)len);
	frame_to_local_ports(wire, &pkt);
	qp->raw_peer = 0;
	if (to && local_address(to))
		return;
	qp->raw_peer = pkt.dst_ip = to ? to : softhca_flood_ip();
	softhca_wire_send(wire, &pkt);
}

bool softhca_raw_ready(const struct softhca_qp *qp)
{
	struct softhca_wire *const wire = softhca_tp_wire(qp, qp->attr.port_num);

	if (!wire || (qp->raw_peer && !softhca_wire_eth_ready(wire, qp->raw_peer)))
		return !wire;
	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (unsigned int p = 1; p <= dev->cfg.nports; p++)
			if (wanted(&dev->port[p]) && dev->port[p].ipv4 &&
			    !softhca_wire_eth_ready(wire, dev->port[p].ipv4))
				return false;
	return true;
}
