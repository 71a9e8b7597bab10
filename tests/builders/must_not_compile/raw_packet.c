/* SPDX-License-Identifier: BSD-2-Clause */
/* On raw packet queues. */

/* One Ethernet segment: with headers inline or with a VLAN tag to insert. */
// expect-refused: segue_eth_vlan in struct segue_raw_packet_send_may_take_sge_or_inline_data
int raw_eth_twice(void)
{
#ifdef RAW_ETH_TWICE
	return segue_post(segue_sge(
		segue_eth_vlan(segue_eth(segue_send(raw, id, SEGUE_SIGNALED), 0, text, 18), 0, 5),
		addr, len, lkey));
#else
	return segue_post(segue_sge(segue_eth_vlan(segue_send(raw, id, SEGUE_SIGNALED), 0, 5), addr,
				    len, lkey));
#endif
}

/* Raw packets have no place for an immediate. */
// expect-refused: segue_send_imm in struct segue_raw_packet_sq *
int raw_immediate(void)
{
#ifdef RAW_IMMEDIATE
	return segue_post(segue_sge(segue_send_imm(raw, id, SEGUE_SIGNALED, imm), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send_imm(rc, id, SEGUE_SIGNALED, imm), addr, len, lkey));
#endif
}

/* The pad is IPoIB's. */
// expect-refused: segue_eth_pad in struct segue_raw_packet_send_wants_eth_or_eth_vlan
int raw_pad(void)
{
#ifdef RAW_PAD
	return segue_post(segue_sge(
		segue_eth(segue_eth_pad(segue_send(raw, id, SEGUE_SIGNALED)), 0, text, 18), addr,
		len, lkey));
#else
	return segue_post(segue_sge(segue_eth(segue_send(raw, id, SEGUE_SIGNALED), 0, text, 18),
				    addr, len, lkey));
#endif
}

/* A raw packet starts with its Ethernet segment. */
// expect-refused: segue_sge in struct segue_raw_packet_send_wants_eth_or_eth_vlan
int raw_send_without_eth(void)
{
#ifdef RAW_SEND_WITHOUT_ETH
	return segue_post(segue_sge(segue_send(raw, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_eth(segue_send(raw, id, SEGUE_SIGNALED), 0, text, 18),
				    addr, len, lkey));
#endif
}

/* A packet to be cut up has headers. */
// expect-refused: segue_post in struct segue_raw_packet_tso_wants_eth
int raw_tso_unfinished(void)
{
#ifdef RAW_TSO_UNFINISHED
	return segue_post(segue_tso(raw, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54));
#endif
}

/* Segmentation needs the headers, so the VLAN tag cannot take their place. */
// expect-refused: segue_eth_vlan in struct segue_raw_packet_tso_wants_eth
int raw_tso_with_vlan(void)
{
#ifdef RAW_TSO_WITH_VLAN
	return segue_post(segue_sge(segue_eth_vlan(segue_tso(raw, id, SEGUE_SIGNALED), 0, 5), addr,
				    len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54), addr, len, lkey));
#endif
}

/* The headers to repeat have a length. */
// expect-count: segue_eth, 5, 4
int raw_tso_without_header_size(void)
{
#ifdef RAW_TSO_WITHOUT_HEADER_SIZE
	return segue_post(segue_sge(segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text),
				    addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54), addr, len, lkey));
#endif
}

/* Raw packets know nothing of remote memory. */
// expect-refused: segue_rdma_write in struct segue_raw_packet_sq *
int raw_write(void)
{
#ifdef RAW_WRITE
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(raw, id, SEGUE_SIGNALED), remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
