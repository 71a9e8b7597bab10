/* SPDX-License-Identifier: BSD-2-Clause */
/* A tag matching request has a tag matching segment. */
// expect-refused: segue_post in struct segue_rc_tm_noop_wants_tm
int post(void)
{
#ifdef WRONG
	return segue_post(segue_tm_noop(rc, id, 0));
#else
	return segue_post(segue_tm(segue_tm_noop(rc, id, 0), 0, 1, 2, 3, 4));
#endif
}
