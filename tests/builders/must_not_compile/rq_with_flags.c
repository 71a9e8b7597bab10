/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive has no flags. */
// expect-count: segue_recv_rq, 2, 3
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_recv_rq(rq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv_rq(rq, id), addr, len, lkey));
#endif
}
