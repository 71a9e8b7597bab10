/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams are DC's. */
// expect-refused: segue_stream in struct segue_rc_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_stream(segue_send(rc, id, SEGUE_SIGNALED), 3), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
