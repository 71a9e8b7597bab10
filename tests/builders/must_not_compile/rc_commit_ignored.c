/* SPDX-License-Identifier: BSD-2-Clause */
/* The same of a request that is rung later. */
// expect-unused: segue_commit of int
int post(void)
{
#ifdef WRONG
	segue_commit(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#else
	(void)segue_commit(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#endif
}
