/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram queue cannot write remote memory. */
// expect-refused: segue_rdma_write in struct segue_ud_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(ud, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(uc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
