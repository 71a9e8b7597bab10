/* SPDX-License-Identifier: BSD-2-Clause */
/* A masked fetch and add of 32 bits does not take the operands of 64. */
// expect-refused: segue_masked_fa64 in struct segue_rc_masked_atomic_fa32_wants_masked_fa32
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_masked_fa64(
			segue_raddr(segue_masked_atomic_fa32(rc, id, SEGUE_SIGNALED), remote, rkey),
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
