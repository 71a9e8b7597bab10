/* SPDX-License-Identifier: BSD-2-Clause */
/* Removing a tag takes no buffer. */
// expect-refused: segue_sge in struct segue_rc_tm_remove_complete
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_tm(segue_tm_remove(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#else
	return segue_post(segue_tm(segue_tm_remove(rc, id, 0), 0, 1, 2, 3, 4));
#endif
}
