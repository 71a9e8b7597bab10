/* SPDX-License-Identifier: BSD-2-Clause */
/* What is posted is a work request, not a queue. */
// expect-refused: segue_post in struct segue_rc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(rc);
#else
	return segue_post(segue_send(rc, id, SEGUE_SIGNALED));
#endif
}
