/* SPDX-License-Identifier: BSD-2-Clause */
/* The list was announced, so it must come. */
// expect-refused: segue_post in struct segue_rc_umr_list_wants_klm_list
int post(void)
{
#ifdef WRONG
	return segue_post(segue_mkey_context(
		segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0), mkey));
#else
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
			mkey),
		klms, count));
#endif
}
