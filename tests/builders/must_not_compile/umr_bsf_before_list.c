/* SPDX-License-Identifier: BSD-2-Clause */
/* The BSF comes behind the list. */
// expect-refused: segue_bsf in struct segue_rc_umr_list_sig_wants_klm_list
int post(void)
{
#ifdef WRONG
	return segue_post(segue_klm_list(
		segue_bsf(segue_mkey_context(
				  segue_umr_ctrl(segue_umr_list_sig(rc, id, SEGUE_SIGNALED, rkey),
						 0, 4, 0),
				  mkey),
			  bsf),
		klms, count));
#else
	return segue_post(segue_bsf(
		segue_klm_list(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_list_sig(rc, id, SEGUE_SIGNALED, rkey), 0,
					       4, 0),
				mkey),
			klms, count),
		bsf));
#endif
}
