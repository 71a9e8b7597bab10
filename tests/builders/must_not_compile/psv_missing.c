/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting a PSV says which. */
// expect-refused: segue_post in struct segue_rc_set_psv_wants_psv
int post(void)
{
#ifdef WRONG
	return segue_post(segue_set_psv(rc, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}
