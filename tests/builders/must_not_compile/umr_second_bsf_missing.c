/* SPDX-License-Identifier: BSD-2-Clause */
/* Signature and crypto means two BSFs. */
// expect-refused: segue_post in struct segue_rc_umr_list_sig_crypto_wants_crypto_bsf
int post(void)
{
#ifdef WRONG
	return segue_post(segue_bsf(
		segue_klm_list(
			segue_mkey_context(segue_umr_ctrl(segue_umr_list_sig_crypto(
								  rc, id, SEGUE_SIGNALED, rkey),
							  0, 4, 0),
					   mkey),
			klms, count),
		bsf));
#else
	return segue_post(segue_crypto_bsf(
		segue_bsf(
			segue_klm_list(segue_mkey_context(
					       segue_umr_ctrl(segue_umr_list_sig_crypto(
								      rc, id, SEGUE_SIGNALED, rkey),
							      0, 4, 0),
					       mkey),
				       klms, count),
			bsf),
		crypto));
#endif
}
