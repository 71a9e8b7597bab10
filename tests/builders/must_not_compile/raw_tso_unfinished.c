/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet to be cut up has headers. */
// expect-refused: segue_post in struct segue_raw_packet_tso_wants_eth
int post(void)
{
#ifdef WRONG
	return segue_post(segue_tso(raw, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54));
#endif
}
