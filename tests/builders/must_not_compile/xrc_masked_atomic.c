/* SPDX-License-Identifier: BSD-2-Clause */
/* Masked atomics are for RC and DC. */
// expect-refused: segue_masked_atomic_cs32 in struct segue_xrc_initiator_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_masked_compare_swap32(
			segue_raddr(
				segue_xrc(segue_masked_atomic_cs32(xrc, id, SEGUE_SIGNALED), srqn),
				remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_compare_swap32(
			segue_raddr(segue_masked_atomic_cs32(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#endif
}
