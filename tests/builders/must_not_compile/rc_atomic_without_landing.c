/* SPDX-License-Identifier: BSD-2-Clause */
/* The old value must go somewhere. */
// expect-refused: segue_post in struct segue_rc_atomic_cs_wants_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_atomic(
		segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 1, 2));
#else
	return segue_post(segue_sge(
		segue_atomic(segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 1,
			     2),
		addr, len, lkey));
#endif
}
