/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a PSV is not checking it. */
// expect-refused: segue_psv_check in struct segue_rc_get_psv_wants_psv_get
int post(void)
{
#ifdef WRONG
	return segue_post(segue_psv_check(segue_get_psv(rc, id, SEGUE_SIGNALED), psv_check));
#else
	return segue_post(segue_psv_get(segue_get_psv(rc, id, SEGUE_SIGNALED), psv_get));
#endif
}
