/* SPDX-License-Identifier: BSD-2-Clause */
/* A post that is refused is a lost message, and nobody would know. Who means it says so. */
// expect-unused: segue_post of int
int post(void)
{
#ifdef WRONG
	segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#else
	(void)segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#endif
}
