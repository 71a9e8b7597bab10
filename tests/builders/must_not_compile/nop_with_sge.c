/* SPDX-License-Identifier: BSD-2-Clause */
/* A NOP carries nothing. */
// expect-refused: segue_sge in struct segue_rc_nop_may_take_filler
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_nop(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_filler(segue_nop(rc, id, SEGUE_SIGNALED), bytes));
#endif
}
