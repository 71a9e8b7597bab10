/* SPDX-License-Identifier: BSD-2-Clause */
/* The immediate is an argument of the request. */
// expect-count: segue_rdma_write_imm, 4, 3
int post(void)
{
#ifdef WRONG
	return segue_post(segue_raddr(segue_rdma_write_imm(rc, id, SEGUE_SIGNALED), remote, rkey));
#else
	return segue_post(
		segue_raddr(segue_rdma_write_imm(rc, id, SEGUE_SIGNALED, imm), remote, rkey));
#endif
}
