/* SPDX-License-Identifier: BSD-2-Clause */
/* What cannot be posted by doorbell cannot be posted by BlueFlame. */
// expect-refused: segue_post_blueflame in struct segue_rc_atomic_fa_wants_atomic_add
int post(void)
{
#ifdef WRONG
	return segue_post_blueflame(
		segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey));
#else
	return segue_post_blueflame(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}
