/* SPDX-License-Identifier: BSD-2-Clause */
/* A request begins with its own function, not with its first segment. */
// expect-refused: segue_av in struct segue_ud_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_av(ud, ah, qpn, qkey), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}
