/* SPDX-License-Identifier: BSD-2-Clause */
/* Only posting or committing makes a finished request real. */
// expect-unused: segue_psv of struct segue_rc_set_psv_complete
int post(void)
{
#ifdef WRONG
	segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0);
	return 0;
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}
