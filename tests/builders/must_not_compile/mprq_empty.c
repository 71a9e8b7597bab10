/* SPDX-License-Identifier: BSD-2-Clause */
/* A striding receive needs a buffer. */
// expect-refused: segue_post in struct segue_mprq_recv_wants_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_recv(mprq, id));
#else
	return segue_post(segue_sge(segue_recv(mprq, id), addr, len, lkey));
#endif
}
