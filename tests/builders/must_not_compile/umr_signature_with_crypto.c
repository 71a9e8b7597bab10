/* SPDX-License-Identifier: BSD-2-Clause */
/* A signature UMR does not take a crypto BSF. */
// expect-refused: segue_crypto_bsf in struct segue_rc_umr_list_sig_wants_bsf
int post(void)
{
#ifdef WRONG
	return segue_post(segue_crypto_bsf(
		segue_klm_list(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_list_sig(rc, id, SEGUE_SIGNALED, rkey), 0,
					       4, 0),
				mkey),
			klms, count),
		crypto));
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
