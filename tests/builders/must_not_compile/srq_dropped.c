/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive that is begun and not posted receives nothing. */
// expect-unused: segue_sge of struct segue_srq_recv_may_take_sge
int post(void)
{
#ifdef WRONG
	segue_sge(segue_recv(srq, id), addr, len, lkey);
	return 0;
#else
	return segue_post(segue_sge(segue_recv(srq, id), addr, len, lkey));
#endif
}
