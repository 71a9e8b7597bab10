/* SPDX-License-Identifier: BSD-2-Clause */
/* The two kinds of BSF are different structs. */
// expect-argument: segue_bsf, const struct segue_seg_crypto_bsf *, const struct segue_seg_bsf *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_bsf(
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
