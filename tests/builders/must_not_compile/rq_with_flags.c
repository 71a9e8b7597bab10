/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive has no flags. */
// expect-count: segue_recv, 2, 3
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_recv(rq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}
