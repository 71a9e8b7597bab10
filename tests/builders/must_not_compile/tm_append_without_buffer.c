/* SPDX-License-Identifier: BSD-2-Clause */
/* A tag is matched to a buffer, or expressly to none. */
// expect-refused: segue_post in struct segue_rc_tm_append_wants_sge_or_data_end
int post(void)
{
#ifdef WRONG
	return segue_post(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4));
#else
	return segue_post(segue_data_end(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4)));
#endif
}
