/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiving side of unreliable datagrams. */
#include "transport.h"
#include "tools/softhca/engine/contrary.h"

#include <endian.h>
#include <string.h>

#define GRH_SIZE 40u

/* Version 6, next header "IBA transport", and the two GIDs; flow label and traffic class are 0. */
static void make_ib_grh(uint8_t grh[GRH_SIZE], const struct softhca_port *port,
			const struct softhca_pkt *pkt, const union ibv_gid *group)
{
	const uint32_t pad = -pkt->payload_len & 3;
	const uint16_t len = htobe16((uint16_t)(softhca_pkt_hdr_size(pkt->hdrs) + pkt->payload_len +
						pad + SOFTHCA_ICRC_SIZE));
	const uint64_t guid = htobe64(softhca_ip_to_guid(pkt->src_ip));

	grh[0] = 0x60;
	memcpy(grh + 4, &len, sizeof(len));
	grh[6] = 0x1b;
	grh[7] = 64;
	grh[8] = 0xfe;
	grh[9] = 0x80;
	memcpy(grh + 16, &guid, sizeof(guid));
	memcpy(grh + 24, group ? group->raw : port->gid[0].raw, 16);
}

static bool has_grh(const struct softhca_port *port, const struct softhca_pkt *pkt,
		    const union ibv_gid *group)
{
	return port->link == SOFTHCA_LINK_ROCE || group || pkt->dscp & SOFTHCA_DSCP_GRH ||
	       softhca_contrary(SOFTHCA_CONTRARY_ROUTE);
}

/*
 * The 40 bytes in front of every datagram. RoCEv2 over IPv4 puts the IP header into the second half
 * and leaves the first undefined (here: zero); on InfiniBand all 40 are so without a GRH.
 */
static void make_grh(uint8_t grh[GRH_SIZE], const struct softhca_port *port,
		     const struct softhca_pkt *pkt, const union ibv_gid *group)
{
	const uint32_t pad = -pkt->payload_len & 3;
	uint8_t ip_udp[28];

	memset(grh, 0, GRH_SIZE);
	if (!has_grh(port, pkt, group))
		return;
	if (port->link != SOFTHCA_LINK_ROCE) {
		make_ib_grh(grh, port, pkt, group);
		return;
	}
	softhca_pkt_ip_udp(ip_udp, pkt->src_ip, pkt->dst_ip,
			   softhca_pkt_hdr_size(pkt->hdrs) + pkt->payload_len + pad +
				   SOFTHCA_ICRC_SIZE,
			   pkt->dscp);
	memcpy(grh + 20, ip_udp, 20);
}

static int scatter(struct softhca_rwqe *rwqe, const struct softhca_port *port,
		   const struct softhca_pkt *pkt, const union ibv_gid *group)
{
	uint8_t whole[GRH_SIZE + SOFTHCA_MTU_MAX];

	/* In one piece, for it may have to fit into the CQE. */
	make_grh(whole, port, pkt, group);
	if (pkt->payload_len)
		memcpy(whole + GRH_SIZE, pkt->payload, pkt->payload_len);
	return softhca_rq_scatter(rwqe, 0, whole, GRH_SIZE + pkt->payload_len);
}

void softhca_resp_datagram(struct softhca_port *port, struct softhca_qp *qp,
			   const struct softhca_pkt *pkt, const union ibv_gid *group)
{
	const bool roce = port->link == SOFTHCA_LINK_ROCE;
	struct softhca_rwqe rwqe;
	struct softhca_recv_info info = {
		.kind = pkt->hdrs & SOFTHCA_H_IMM ? SOFTHCA_RECV_SEND_IMM : SOFTHCA_RECV_SEND,
		.bytes = GRH_SIZE + pkt->payload_len,
		.imm_inv = pkt->hdrs & SOFTHCA_H_IMM ? htobe32(pkt->imm) : 0,
		.src_qp = pkt->sqpn,
		.slid = roce ? 0 : (uint16_t)pkt->src_ip,
		.sl = roce ? 0 : pkt->dscp >> 2,
		.grh = has_grh(port, pkt, group),
		.roce_v2_ip4 = roce,
		.pkey_index = qp->attr.pkey_index,
		.solicited = pkt->solicited,
	};
	int syndrome;

	if (!softhca_qp_can_recv(qp) || qp->type != SOFTHCA_QP_UD)
		return;
	if (pkt->qkey != qp->attr.qkey) {
		/* A group may have members with other keys. */
		if (!group)
			softhca_tell_qkey(qp, &(struct softhca_peer){pkt->src_ip, pkt->sqpn},
					  pkt->qkey);
		return;
	}
	if (softhca_rq_take(qp, 0, &rwqe)) {
		softhca_count(qp, SOFTHCA_COUNT_OUT_OF_BUFFER);
		return; /* nothing posted, nothing received */
	}
	rwqe.only = true;
	syndrome = scatter(&rwqe, port, pkt, group);
	if (syndrome) {
		softhca_cq_push_recv_err(qp, &rwqe, (uint8_t)syndrome, 0);
		softhca_qp_error(qp);
		return;
	}
	softhca_cq_push_recv(qp, &rwqe, &info);
}
