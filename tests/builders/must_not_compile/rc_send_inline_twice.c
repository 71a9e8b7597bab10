/* SPDX-License-Identifier: BSD-2-Clause */
/* A message has one inline segment, in front. */
// expect-refused: segue_inline_data in struct segue_rc_send_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(
		segue_inline_data(segue_send(rc, id, SEGUE_SIGNALED), text, len), text, len));
#else
	return segue_post(segue_sge(
		segue_inline_data(segue_send(rc, id, SEGUE_SIGNALED), text, len), addr, len, lkey));
#endif
}
