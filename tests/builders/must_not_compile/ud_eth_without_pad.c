/* SPDX-License-Identifier: BSD-2-Clause */
/* IPoIB offloads: the Ethernet segment stands behind its pad. */
// expect-refused: segue_eth in struct segue_ud_send_may_take_sge_or_eth_pad_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_eth(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey), 0, text, 18),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(
			segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)),
			0, text, 18),
		addr, len, lkey));
#endif
}
