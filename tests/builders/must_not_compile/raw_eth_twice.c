/* SPDX-License-Identifier: BSD-2-Clause */
/* One Ethernet segment: with headers inline or with a VLAN tag to insert. */
// expect-refused: segue_eth_vlan in struct segue_raw_packet_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_eth_vlan(segue_eth(segue_send(raw, id, SEGUE_SIGNALED), 0, text, 18), 0, 5),
		addr, len, lkey));
#else
	return segue_post(segue_sge(segue_eth_vlan(segue_send(raw, id, SEGUE_SIGNALED), 0, 5), addr,
				    len, lkey));
#endif
}
