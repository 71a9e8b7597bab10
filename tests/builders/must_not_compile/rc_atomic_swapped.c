/* SPDX-License-Identifier: BSD-2-Clause */
/* The remote address comes before the operands. */
// expect-refused: segue_compare_swap in struct segue_rc_atomic_cs_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_raddr(segue_compare_swap(segue_atomic_cs(rc, id, SEGUE_SIGNALED), 2, 1),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}
