/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive that is not there is a sender that waits. */
// expect-unused: segue_post of int
int post(void)
{
#ifdef WRONG
	segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
	return 0;
#else
	(void)segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
	return 0;
#endif
}
