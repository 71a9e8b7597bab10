/* SPDX-License-Identifier: BSD-2-Clause */
/* What cannot be posted cannot be committed either. */
// expect-refused: segue_commit in struct segue_rc_rdma_read_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_commit(segue_rdma_read(rc, id, SEGUE_SIGNALED));
#else
	return segue_commit(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}
