/* SPDX-License-Identifier: BSD-2-Clause */
/* Wait for what? */
// expect-refused: segue_post in struct segue_rc_wait_on_time_wants_time_condition
int post(void)
{
#ifdef WRONG
	return segue_post(segue_wait_on_time(rc, id, SEGUE_SIGNALED));
#else
	return segue_post(
		segue_time_condition(segue_wait_on_time(rc, id, SEGUE_SIGNALED), 0, 0, 1, 2));
#endif
}
