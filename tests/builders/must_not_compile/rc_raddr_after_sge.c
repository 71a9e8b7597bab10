/* SPDX-License-Identifier: BSD-2-Clause */
/* The remote address is not an afterthought. */
// expect-refused: segue_raddr in struct segue_rc_rdma_write_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_raddr(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		remote, rkey));
#else
	return segue_post(segue_sge(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		addr, len, lkey));
#endif
}
