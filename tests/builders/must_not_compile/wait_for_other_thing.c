/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting for data is not waiting for time. */
// expect-refused: segue_time_condition in struct segue_uc_wait_on_data_wants_data_condition
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_time_condition(segue_wait_on_data(uc, id, SEGUE_SIGNALED), 0, 0, 1, 2));
#else
	return segue_post(
		segue_data_condition(segue_wait_on_data(uc, id, SEGUE_SIGNALED), condition));
#endif
}
