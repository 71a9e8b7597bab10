/* SPDX-License-Identifier: BSD-2-Clause */
/* A striding receive queue has a request of its own. */
// expect-refused: segue_recv_srq in struct segue_mprq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_recv_srq(mprq, id), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv_mprq(mprq, id), addr, len, lkey));
#endif
}
