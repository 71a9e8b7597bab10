/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue pair 1: management datagrams, for the connection manager and the subnet. */
#include "gsi.h"

#include "transport.h"

void softhca_gsi_register(const struct softhca_gsi_ops *ops)
{
	softhca_gsi_unregister(ops);
	for (int i = 0; i < SOFTHCA_AGENTS; i++) {
		if (the_transport.agents[i])
			continue;
		the_transport.agents[i] = ops;
		return;
	}
}

void softhca_gsi_unregister(const struct softhca_gsi_ops *ops)
{
	for (int i = 0; i < SOFTHCA_AGENTS; i++)
		if (the_transport.agents[i] == ops)
			the_transport.agents[i] = NULL;
}

bool softhca_gsi_is_subnet(const uint8_t *mad)
{
	return mad[1] == 0x01 || mad[1] == 0x81; /* LID routed, directed route */
}

void softhca_gsi_send(struct softhca_dev *dev, unsigned int num, uint32_t dst_ip,
		      const uint8_t mad[SOFTHCA_MAD_SIZE])
{
	struct softhca_port *const port = softhca_port_find(dev, num);
	const bool subnet = softhca_gsi_is_subnet(mad);
	struct softhca_pkt pkt = {
		.dst_ip = dst_ip,
		.transport = SOFTHCA_TR_UD,
		.op = SOFTHCA_OP_SEND_ONLY,
		.hdrs = softhca_pkt_hdrs(SOFTHCA_TR_UD, SOFTHCA_OP_SEND_ONLY),
		.pkey = 0xffff,
		.dqpn = subnet ? 0 : SOFTHCA_GSI_QPN,
		.qkey = subnet ? 0 : SOFTHCA_GSI_QKEY,
		.sqpn = subnet ? 0 : SOFTHCA_GSI_QPN,
		.payload = mad,
		.payload_len = SOFTHCA_MAD_SIZE,
	};

	if (!port || !port->wire || dev->fatal)
		return;
	softhca_wire_send(port->wire, &pkt);
	/* A program may end as soon as its command has returned. */
	softhca_wire_flush(port->wire);
}

uint32_t softhca_gsi_port_ip(const struct softhca_dev *dev, unsigned int num)
{
	return num && num <= dev->cfg.nports ? dev->port[num].ipv4 : 0;
}

bool softhca_gsi_fatal(const struct softhca_dev *dev)
{
	return dev->fatal;
}

void softhca_gsi_receive(struct softhca_port *port, const struct softhca_pkt *pkt)
{
	const struct softhca_gsi_from from = {
		.dev = port->dev,
		.port = port->num,
		.ip = pkt->src_ip,
	};

	if (pkt->transport != SOFTHCA_TR_UD || pkt->payload_len != SOFTHCA_MAD_SIZE ||
	    pkt->sqpn != pkt->dqpn || pkt->qkey != (pkt->dqpn ? SOFTHCA_GSI_QKEY : 0) ||
	    softhca_gsi_is_subnet(pkt->payload) != !pkt->dqpn)
		return;
	for (int i = 0; i < SOFTHCA_AGENTS; i++)
		if (the_transport.agents[i])
			the_transport.agents[i]->receive(&from, pkt->payload);
}

int softhca_gsi_run(uint64_t now_ns, uint64_t *next_ns)
{
	int n = 0;

	for (int i = 0; i < SOFTHCA_AGENTS; i++)
		if (the_transport.agents[i])
			n += the_transport.agents[i]->run(now_ns, next_ns);
	return n;
}
