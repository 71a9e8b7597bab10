/* SPDX-License-Identifier: BSD-2-Clause */
/* A read has no immediate anywhere. */
// expect-undeclared: segue_rdma_read_imm
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_read_imm(rc, id, SEGUE_SIGNALED, imm), remote, rkey), addr,
		len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
