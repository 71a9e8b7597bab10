/* SPDX-License-Identifier: BSD-2-Clause */
/* Registrations by a work request (UMR), on RC. */

/* The BSF comes behind the list. */
// expect-refused: segue_bsf in struct segue_rc_umr_list_sig_wants_klm_list
int umr_bsf_before_list(void)
{
#ifdef UMR_BSF_BEFORE_LIST
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

/* The two kinds of BSF are different structs. */
// expect-argument: segue_bsf, const struct segue_seg_crypto_bsf *, const struct segue_seg_bsf *
int umr_bsf_of_wrong_struct(void)
{
#ifdef UMR_BSF_OF_WRONG_STRUCT
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

/* One signature BSF. */
// expect-refused: segue_bsf in struct segue_rc_umr_list_sig_complete
int umr_bsf_twice(void)
{
#ifdef UMR_BSF_TWICE
	return segue_post(segue_bsf(
		segue_bsf(
			segue_klm_list(segue_mkey_context(
					       segue_umr_ctrl(segue_umr_list_sig(
								      rc, id, SEGUE_SIGNALED, rkey),
							      0, 4, 0),
					       mkey),
				       klms, count),
			bsf),
		bsf));
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

/* One control segment for one UMR. */
// expect-refused: segue_umr_ctrl in struct segue_rc_umr_list_wants_mkey_context
int umr_control_twice(void)
{
#ifdef UMR_CONTROL_TWICE
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

/* An interleaved UMR does not take a plain list. */
// expect-refused: segue_klm_list in struct segue_rc_umr_interleaved_wants_repeat_block
int umr_interleaved_with_klms(void)
{
#ifdef UMR_INTERLEAVED_WITH_KLMS
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_interleaved(rc, id, SEGUE_SIGNALED, rkey), 0, 4,
				       0),
			mkey),
		klms, count));
#else
	return segue_post(segue_repeat_ent_list(
		segue_repeat_block(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_interleaved(rc, id, SEGUE_SIGNALED, rkey),
					       0, 4, 0),
				mkey),
			len, count, 2),
		rows, 2));
#endif
}

/* Interleaved rows come behind their repeat block. */
// expect-refused: segue_repeat_ent_list in struct segue_rc_umr_interleaved_wants_repeat_block
int umr_interleaved_without_block(void)
{
#ifdef UMR_INTERLEAVED_WITHOUT_BLOCK
	return segue_post(segue_repeat_ent_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_interleaved(rc, id, SEGUE_SIGNALED, rkey), 0, 4,
				       0),
			mkey),
		rows, 2));
#else
	return segue_post(segue_repeat_ent_list(
		segue_repeat_block(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_interleaved(rc, id, SEGUE_SIGNALED, rkey),
					       0, 4, 0),
				mkey),
			len, count, 2),
		rows, 2));
#endif
}

/* The whole list is given at once. */
// expect-refused: segue_klm_list in struct segue_rc_umr_list_complete
int umr_list_twice(void)
{
#ifdef UMR_LIST_TWICE
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

/* Changing a list of keys needs RC. */
// expect-refused: segue_umr_list in struct segue_uc_sq *
int umr_on_uc(void)
{
#ifdef UMR_ON_UC
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

/* A UMR by pointer keeps its list elsewhere. */
// expect-refused: segue_klm_list in struct segue_rc_umr_pointer_wants_list_pointer
int umr_pointer_with_list(void)
{
#ifdef UMR_POINTER_WITH_LIST
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_pointer(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0, 0),
			mkey),
		klms, count));
#else
	return segue_post(segue_list_pointer(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_pointer(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0, 0),
			mkey),
		addr, lkey));
#endif
}

/* Signature and crypto means two BSFs. */
// expect-refused: segue_post in struct segue_rc_umr_list_sig_crypto_wants_crypto_bsf
int umr_second_bsf_missing(void)
{
#ifdef UMR_SECOND_BSF_MISSING
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

/* A signature UMR does not take a crypto BSF. */
// expect-refused: segue_crypto_bsf in struct segue_rc_umr_list_sig_wants_bsf
int umr_signature_with_crypto(void)
{
#ifdef UMR_SIGNATURE_WITH_CRYPTO
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

/* A signature UMR ends with its BSF. */
// expect-refused: segue_post in struct segue_rc_umr_list_sig_wants_bsf
int umr_signature_without_bsf(void)
{
#ifdef UMR_SIGNATURE_WITHOUT_BSF
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list_sig(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
			mkey),
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

/* With both, the signature BSF comes before the crypto BSF. */
// expect-refused: segue_crypto_bsf in struct segue_rc_umr_list_sig_crypto_wants_bsf
int umr_two_bsf_swapped(void)
{
#ifdef UMR_TWO_BSF_SWAPPED
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

/* A UMR says first what it changes. */
// expect-refused: segue_mkey_context in struct segue_rc_umr_list_wants_umr_ctrl
int umr_without_control(void)
{
#ifdef UMR_WITHOUT_CONTROL
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

/* The list was announced, so it must come. */
// expect-refused: segue_post in struct segue_rc_umr_list_wants_klm_list
int umr_without_list(void)
{
#ifdef UMR_WITHOUT_LIST
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

/* The key comes before its translation. */
// expect-refused: segue_klm_list in struct segue_rc_umr_list_wants_mkey_context
int umr_without_mkey_context(void)
{
#ifdef UMR_WITHOUT_MKEY_CONTEXT
	return segue_post(segue_klm_list(
		segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0), klms,
		count));
#else
	return segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(rc, id, SEGUE_SIGNALED, rkey), 0, 4, 0),
			mkey),
		klms, count));
#endif
}
