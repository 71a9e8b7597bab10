/* SPDX-License-Identifier: BSD-2-Clause */
/* The whole list is given at once. */
// expect-refused: segue_klm_list in struct segue_rc_umr_list_complete
int post(void)
{
#ifdef WRONG
	return segue_post(segue_klm_list(
		segue_klm_list(segue_mkey_context(
				       segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey),
						      0, 4, 0),
				       mkey),
			       klms, count),
		klms, count));
#else
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
			mkey),
		klms, count));
#endif
}
