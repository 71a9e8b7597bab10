/* SPDX-License-Identifier: BSD-2-Clause */
/* A builder is a value: a step whose result is dropped adds nothing. */
// expect-unused: segue_sge of struct segue_rc_send_may_take_sge
int post(void)
{
#ifdef WRONG
	segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey);
	return 0;
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
