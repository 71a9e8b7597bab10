/* SPDX-License-Identifier: BSD-2-Clause */
/* On UD every datagram names its peer. */
// expect-refused: segue_sge in struct segue_ud_send_wants_av_or_av_compact
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(ud, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}
