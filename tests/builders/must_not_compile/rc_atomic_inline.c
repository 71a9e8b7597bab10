/* SPDX-License-Identifier: BSD-2-Clause */
/* The old value cannot land in the work queue. */
// expect-refused: segue_inline_data in struct segue_rc_atomic_fa_wants_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		text, len));
#else
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}
