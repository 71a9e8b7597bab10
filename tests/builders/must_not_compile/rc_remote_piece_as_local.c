/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of memory are local or remote by type. */
// expect-piece: segue_sge_piece, struct segue_remote, struct segue_local
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge_piece(
		segue_raddr_piece(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), there));
#else
	return segue_post(segue_sge_piece(
		segue_raddr_piece(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), here));
#endif
}
