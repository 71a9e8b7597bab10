/* SPDX-License-Identifier: BSD-2-Clause */
/* A UMR by pointer keeps its list elsewhere. */
// expect-refused: segue_klm_list in struct segue_rc_umr_pointer_wants_list_pointer
int post(void)
{
#ifdef WRONG
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
