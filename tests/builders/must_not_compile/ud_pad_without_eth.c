/* SPDX-License-Identifier: BSD-2-Clause */
/* The pad is there for the Ethernet segment behind it. */
// expect-refused: segue_sge in struct segue_ud_send_wants_eth
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)), addr,
		len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(
			segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)),
			0, text, 18),
		addr, len, lkey));
#endif
}
