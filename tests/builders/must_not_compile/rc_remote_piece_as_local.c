/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of memory are local or remote by type. */
// expect-piece: segue_sge_buf, struct segue_remote_buf, struct segue_local_buf
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), there));
#else
	return segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), here));
#endif
}
