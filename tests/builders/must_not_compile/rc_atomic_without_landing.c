/* SPDX-License-Identifier: BSD-2-Clause */
/* The old value must go somewhere. */
// expect-refused: segue_post in struct segue_rc_atomic_cs_wants_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_compare_swap(
		segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}
