/* SPDX-License-Identifier: BSD-2-Clause */
/* One control segment for one UMR. */
// expect-refused: segue_umr_ctrl in struct segue_rc_umr_list_wants_mkey_context
int post(void)
{
#ifdef WRONG
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey),
						      0, 4, 0),
				       0, 4, 0),
			mkey),
		klms, count));
#else
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
			mkey),
		klms, count));
#endif
}
