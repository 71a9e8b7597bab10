/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting moves no data. */
// expect-refused: segue_sge in struct segue_ud_wait_cq_complete
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_wait_cq_index(segue_wait_cq(ud, id, SEGUE_SIGNALED), 9, cqn), addr,
			  len, lkey));
#else
	return segue_post(segue_wait_cq_index(segue_wait_cq(ud, id, SEGUE_SIGNALED), 9, cqn));
#endif
}
