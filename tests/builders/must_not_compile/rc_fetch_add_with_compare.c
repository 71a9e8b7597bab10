/* SPDX-License-Identifier: BSD-2-Clause */
/* Fetch and add has one operand. */
// expect-refused: segue_compare_swap in struct segue_rc_atomic_fa_wants_atomic_add
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}
