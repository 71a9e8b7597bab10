/* SPDX-License-Identifier: BSD-2-Clause */
/* The pad is IPoIB's. */
// expect-refused: segue_eth_pad in struct segue_raw_packet_send_wants_eth_or_eth_vlan
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_eth(segue_eth_pad(segue_send(raw, id, SEGUE_SIGNALED)), 0, text, 18), addr,
		len, lkey));
#else
	return segue_post(segue_sge(segue_eth(segue_send(raw, id, SEGUE_SIGNALED), 0, text, 18),
				    addr, len, lkey));
#endif
}
