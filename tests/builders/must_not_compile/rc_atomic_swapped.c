/* SPDX-License-Identifier: BSD-2-Clause */
/* The remote address comes before the operands. */
// expect-refused: segue_atomic in struct segue_rc_atomic_cs_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_atomic(segue_atomic_cs(rc, id, SEGUE_SIGNALED), 1, 2),
				      remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_atomic(segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 1,
			     2),
		addr, len, lkey));
#endif
}
