/* SPDX-License-Identifier: BSD-2-Clause */
/* A masked atomic has masks. */
// expect-refused: segue_compare_swap in struct segue_rc_masked_atomic_cs64_wants_masked_compare_swap64
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_masked_atomic_cs64(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_compare_swap64(
			segue_raddr(segue_masked_atomic_cs64(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#endif
}
