/* SPDX-License-Identifier: BSD-2-Clause */
/* One SGE at a time. */
// expect-count: segue_sge, 4, 7
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey, addr, len, lkey));
#else
	return segue_post(segue_sge(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey),
				    addr, len, lkey));
#endif
}
