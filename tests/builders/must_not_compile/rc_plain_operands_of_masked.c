/* SPDX-License-Identifier: BSD-2-Clause */
/* A masked atomic has masks. */
// expect-refused: segue_atomic in struct segue_rc_masked_atomic_cs64_wants_masked_cas64
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_atomic(segue_raddr(segue_masked_atomic_cs64(rc, id, SEGUE_SIGNALED),
						   remote, rkey),
				       1, 2),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_cas64(
			segue_raddr(segue_masked_atomic_cs64(rc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2, 3, 4),
		addr, len, lkey));
#endif
}
