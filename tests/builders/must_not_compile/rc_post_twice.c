/* SPDX-License-Identifier: BSD-2-Clause */
/* Posting ends a builder. */
// expect-refused: segue_post in int
int post(void)
{
#ifdef WRONG
	return segue_post(segue_post(segue_send(rc, id, SEGUE_SIGNALED)));
#else
	return segue_post(segue_send(rc, id, SEGUE_SIGNALED));
#endif
}
