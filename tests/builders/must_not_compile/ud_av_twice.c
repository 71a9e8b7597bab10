/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram has one receiver. */
// expect-refused: segue_av in struct segue_ud_send_may_take_sge_or_eth_pad_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_av(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey), ah,
				   qpn, qkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}
