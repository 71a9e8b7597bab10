/* SPDX-License-Identifier: BSD-2-Clause */
/* Changing a list of keys needs RC. */
// expect-refused: segue_umr_list in struct segue_uc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(uc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
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
