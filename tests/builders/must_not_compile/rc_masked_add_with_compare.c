/* SPDX-License-Identifier: BSD-2-Clause */
/* A masked fetch and add does not take the operands of a compare and swap. */
// expect-refused: segue_masked_compare_swap64 in struct segue_rc_masked_atomic_fa64_wants_masked_fa64
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_masked_compare_swap64(
			segue_raddr(segue_masked_atomic_fa64(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_fa64(
			segue_raddr(segue_masked_atomic_fa64(rc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2),
		addr, len, lkey));
#endif
}
