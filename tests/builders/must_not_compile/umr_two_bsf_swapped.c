/* SPDX-License-Identifier: BSD-2-Clause */
/* With both, the signature BSF comes before the crypto BSF. */
// expect-refused: segue_crypto_bsf in struct segue_rc_umr_list_sig_crypto_wants_bsf
int post(void)
{
#ifdef WRONG
	return segue_post(segue_bsf(
		segue_crypto_bsf(
			segue_klm_list(segue_mkey_context(
					       segue_umr_ctrl(segue_umr_list_sig_crypto(
								      rc, id, SEGUE_SIGNALED, rkey),
							      0, 4, 0),
					       mkey),
				       klms, count),
			crypto),
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
