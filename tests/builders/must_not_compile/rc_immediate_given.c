/* SPDX-License-Identifier: BSD-2-Clause */
/* A write without immediate has none to give. */
// expect-count: segue_rdma_write, 3, 4
int post(void)
{
#ifdef WRONG
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED, imm), remote, rkey));
#else
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}
