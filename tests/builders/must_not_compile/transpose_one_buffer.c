/* SPDX-License-Identifier: BSD-2-Clause */
/* A transpose has a source and a target. */
// expect-refused: segue_post in struct segue_rc_transpose_wants_sge_after_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_matrix(segue_transpose(rc, id, SEGUE_SIGNALED), 4, 8, 8),
				    addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_sge(segue_matrix(segue_transpose(rc, id, SEGUE_SIGNALED), 4, 8, 8),
				    addr, len, lkey),
			  addr, len, lkey));
#endif
}
