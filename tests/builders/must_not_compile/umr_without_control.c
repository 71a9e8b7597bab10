/* SPDX-License-Identifier: BSD-2-Clause */
/* A UMR says first what it changes. */
// expect-refused: segue_mkey_context in struct segue_rc_umr_list_wants_umr_ctrl
int post(void)
{
#ifdef WRONG
	return segue_post(segue_klm_list(
		segue_mkey_context(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), mkey), klms,
		count));
#else
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
			mkey),
		klms, count));
#endif
}
