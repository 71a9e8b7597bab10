/* SPDX-License-Identifier: BSD-2-Clause */
/* A shared receive queue has a request of its own. */
// expect-refused: segue_recv in struct segue_srq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_recv(srq, id), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(srq, id), addr, len, lkey));
#endif
}
