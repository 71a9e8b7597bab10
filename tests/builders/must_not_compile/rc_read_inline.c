/* SPDX-License-Identifier: BSD-2-Clause */
/* A read lands in memory; inline data has no address. */
// expect-refused: segue_inline_data in struct segue_rc_rdma_read_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), text, len));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
