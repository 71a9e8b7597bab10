/* SPDX-License-Identifier: BSD-2-Clause */
/* An atomic has operands. */
// expect-refused: segue_sge in struct segue_rc_atomic_cs_wants_atomic
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(segue_sge(
		segue_atomic(segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 1,
			     2),
		addr, len, lkey));
#endif
}
