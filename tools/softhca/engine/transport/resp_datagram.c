/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiving side of unreliable datagrams. */
#include "tools/softhca/engine/deviations.h"
#include "transport.h"

#include <endian.h>
#include <netinet/in.h>
#include <string.h>

#define GRH_SIZE 40u

/* Bytes that a card's packet has after its GRH, or after its IP header without UDP's. */
static uint32_t transport_bytes(const struct softhca_pkt *pkt)
{
	const uint32_t pad = -pkt->payload_len & 3;

	return softhca_pkt_hdr_size(pkt->hdrs & (uint16_t)~SOFTHCA_H_NETETH) + pkt->payload_len +
	       pad + SOFTHCA_ICRC_SIZE;
}

static uint8_t hop_limit(const struct softhca_pkt *pkt)
{
	return pkt->has_hop_limit ? pkt->hop_limit : SOFTHCA_HOP_LIMIT;
}

static void put_gid(uint8_t gid[16], uint32_t ip, bool is_ipv4)
{
	const uint64_t guid = htobe64(softhca_ip_to_guid(ip));

	if (is_ipv4) {
		softhca_ip_to_gid(ip, gid);
		return;
	}
	gid[0] = 0xfe;
	gid[1] = 0x80;
	memcpy(gid + 8, &guid, sizeof(guid));
}

/*
 * A GRH and an IPv6 header differ only in the next header ("IBA transport", or UDP, which counts
 * its own header in the length) (InfiniBand 8.3, annex A17.4).
 */
static void make_ipv6(uint8_t grh[GRH_SIZE], const struct softhca_pkt *pkt,
		      const union ibv_gid *group)
{
	const bool udp = pkt->net == SOFTHCA_NET_V2_IPV6;
	const bool said = pkt->hdrs & SOFTHCA_H_NETETH;
	const uint32_t first = htobe32(6u << 28 | (said ? (uint32_t)pkt->tclass << 20 : 0) |
				       pkt->flow_label);
	const uint16_t len = htobe16((uint16_t)(transport_bytes(pkt) + (udp ? 8 : 0)));

	memcpy(grh, &first, sizeof(first));
	memcpy(grh + 4, &len, sizeof(len));
	grh[6] = udp ? IPPROTO_UDP : 0x1b;
	grh[7] = hop_limit(pkt);
	put_gid(grh + 8, pkt->src_ip, pkt->src_is_ipv4);
	if (group)
		memcpy(grh + 24, group->raw, 16);
	else
		put_gid(grh + 24, pkt->dst_ip, pkt->dst_is_ipv4);
}

static bool has_grh(const struct softhca_port *port, const struct softhca_pkt *pkt,
		    const union ibv_gid *group)
{
	return port->link == SOFTHCA_LINK_ROCE || group || pkt->dscp & SOFTHCA_DSCP_GRH ||
	       softhca_contrary(SOFTHCA_CONTRARY_ROUTE);
}

/*
 * The 40 bytes before every datagram. RoCEv2 over IPv4 puts the IP header into the second half and
 * leaves the first half undefined (here zero). On InfiniBand without a GRH all 40 are undefined.
 */
static void make_grh(uint8_t grh[GRH_SIZE], const struct softhca_port *port,
		     const struct softhca_pkt *pkt, const union ibv_gid *group)
{
	uint8_t ip_udp[28];

	memset(grh, 0, GRH_SIZE);
	if (!has_grh(port, pkt, group))
		return;
	if (port->link != SOFTHCA_LINK_ROCE || pkt->net != SOFTHCA_NET_V2_IPV4) {
		make_ipv6(grh, pkt, group);
		return;
	}
	softhca_pkt_ip_udp(ip_udp, pkt->src_ip, pkt->dst_ip, transport_bytes(pkt), pkt->tclass,
			   hop_limit(pkt));
	memcpy(grh + 20, ip_udp, 20);
}

static int scatter(struct softhca_rwqe *rwqe, const struct softhca_port *port,
		   const struct softhca_pkt *pkt, const union ibv_gid *group)
{
	uint8_t whole[GRH_SIZE + SOFTHCA_MTU_MAX];

	/* Written in one piece, because it may have to fit into the CQE. */
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
		.sl = softhca_tp_cqe_sl(port, pkt),
		.grh = has_grh(port, pkt, group),
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
		return; /* without a posted receive nothing is received */
	}
	/*
	 * InfiniBand's class D, as observed on cards (rdma-unit-test, unit/ud_test.cc): the
	 * datagram is dropped, and its receive serves the next one.
	 */
	if (GRH_SIZE + pkt->payload_len > rwqe.length) {
		softhca_tell_too_long(qp, &(struct softhca_peer){pkt->src_ip, pkt->sqpn}, &rwqe,
				      GRH_SIZE + pkt->payload_len);
		softhca_rq_give_back(qp, &rwqe);
		return;
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
