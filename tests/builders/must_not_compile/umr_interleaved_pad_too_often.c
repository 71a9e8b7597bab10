/* SPDX-License-Identifier: BSD-2-Clause */
/* Three pads fill any list. */
// expect-refused: segue_list_pad in struct segue_rc_umr_interleaved_complete
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_list_pad(segue_list_pad(segue_list_pad(segue_list_pad(segue_repeat_ent_list(
			segue_repeat_block(
				segue_mkey_context(
					segue_umr_ctrl(
						segue_umr_interleaved(rc, id, SEGUE_SIGNALED, rkey),
						0, 4, 0),
					mkey),
				len, count, 2),
			rows, 2))))));
#else
	return segue_post(segue_list_pad(segue_list_pad(segue_list_pad(segue_repeat_ent_list(
		segue_repeat_block(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_interleaved(rc, id, SEGUE_SIGNALED, rkey),
					       0, 4, 0),
				mkey),
			len, count, 2),
		rows, 2)))));
#endif
}
