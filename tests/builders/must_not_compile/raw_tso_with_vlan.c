/* SPDX-License-Identifier: BSD-2-Clause */
/* Segmentation needs the headers, so the VLAN tag cannot take their place. */
// expect-refused: segue_eth_vlan in struct segue_raw_packet_tso_wants_eth
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_eth_vlan(segue_tso(raw, id, SEGUE_SIGNALED), 0, 5), addr,
				    len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54), addr, len, lkey));
#endif
}
