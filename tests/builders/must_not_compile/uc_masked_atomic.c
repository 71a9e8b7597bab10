/* SPDX-License-Identifier: BSD-2-Clause */
/* An unreliable connection has no masked atomics either. */
// expect-refused: segue_masked_atomic_fa32 in struct segue_uc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_masked_fa32(
			segue_raddr(segue_masked_atomic_fa32(uc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_fa32(
			segue_raddr(segue_masked_atomic_fa32(rc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2),
		addr, len, lkey));
#endif
}
