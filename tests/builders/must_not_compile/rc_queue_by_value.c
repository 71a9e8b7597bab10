/* SPDX-License-Identifier: BSD-2-Clause */
/* A queue is passed by its address. */
// expect-refused: segue_rdma_write in struct segue_rc_sq
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(*rc, id, SEGUE_SIGNALED), remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
