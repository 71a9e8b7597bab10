/* SPDX-License-Identifier: BSD-2-Clause */
/* Only a plain send has the Ethernet segment. */
// expect-refused: segue_eth_pad in struct segue_ud_send_imm_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_eth(segue_eth_pad(segue_av(segue_send_imm(ud, id, SEGUE_SIGNALED, imm), ah,
						 qpn, qkey)),
			  0, text, 18),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(
			segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)),
			0, text, 18),
		addr, len, lkey));
#endif
}
