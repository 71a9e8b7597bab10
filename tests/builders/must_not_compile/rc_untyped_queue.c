/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue's type says what it may carry; the untyped part of it does not. */
// expect-refused: segue_send in struct segue_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(&rc->sq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
