/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of memory are local or remote by type. */
// expect-piece: segue_raddr_piece, struct segue_local, struct segue_remote
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge_piece(
		segue_raddr_piece(segue_rdma_read(rc, id, SEGUE_SIGNALED), here), here));
#else
	return segue_post(segue_sge_piece(
		segue_raddr_piece(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), here));
#endif
}
