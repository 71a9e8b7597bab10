/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram queue has no atomics. */
// expect-refused: segue_atomic_fa in struct segue_ud_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(ud, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}
