/* SPDX-License-Identifier: BSD-2-Clause */
/* A PSV needs no memory. */
// expect-refused: segue_sge in struct segue_rc_set_psv_complete
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0), addr, len, lkey));
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}
