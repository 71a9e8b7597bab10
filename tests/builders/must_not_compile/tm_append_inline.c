/* SPDX-License-Identifier: BSD-2-Clause */
/* A message cannot land in the work queue. */
// expect-refused: segue_inline_data in struct segue_rc_tm_append_wants_sge_or_data_end
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_inline_data(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), text, len));
#else
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#endif
}
