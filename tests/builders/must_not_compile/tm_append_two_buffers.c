/* SPDX-License-Identifier: BSD-2-Clause */
/* A tag has one buffer. */
// expect-refused: segue_sge in struct segue_rc_tm_append_complete
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey),
		addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#endif
}
