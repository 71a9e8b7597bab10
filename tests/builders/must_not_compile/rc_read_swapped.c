/* SPDX-License-Identifier: BSD-2-Clause */
/* The local buffer comes behind the remote address. */
// expect-refused: segue_sge in struct segue_rc_rdma_read_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(segue_raddr(
		segue_sge(segue_rdma_read(rc, id, SEGUE_SIGNALED), addr, len, lkey), remote, rkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
