/* SPDX-License-Identifier: BSD-2-Clause */
/* An atomic has operands. */
// expect-refused: segue_sge in struct segue_rc_atomic_cs_wants_compare_swap
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}
