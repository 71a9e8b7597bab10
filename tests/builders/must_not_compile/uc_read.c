/* SPDX-License-Identifier: BSD-2-Clause */
/* An unreliable connection cannot read. */
// expect-refused: segue_rdma_read in struct segue_uc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(uc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
