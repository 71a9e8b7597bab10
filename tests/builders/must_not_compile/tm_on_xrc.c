/* SPDX-License-Identifier: BSD-2-Clause */
/* Tag matching is driven through an RC queue pair. */
// expect-refused: segue_tm_append in struct segue_xrc_initiator_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(xrc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#endif
}
