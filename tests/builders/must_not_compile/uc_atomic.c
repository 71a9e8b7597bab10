/* SPDX-License-Identifier: BSD-2-Clause */
/* An unreliable connection has no atomics. */
// expect-refused: segue_atomic_cs in struct segue_uc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(uc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}
