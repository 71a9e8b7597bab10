/* SPDX-License-Identifier: BSD-2-Clause */
/* A send queue does not receive. */
// expect-refused: segue_recv in struct segue_rc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_recv(rc, id), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}
