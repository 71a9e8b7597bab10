/* SPDX-License-Identifier: BSD-2-Clause */
/* The SRQ comes before the remote address. */
// expect-refused: segue_raddr in struct segue_xrc_initiator_rdma_read_wants_xrc
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_xrc(segue_raddr(segue_rdma_read(xrc, id, SEGUE_SIGNALED), remote, rkey),
			  srqn),
		addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_xrc(segue_rdma_read(xrc, id, SEGUE_SIGNALED), srqn),
				      remote, rkey),
			  addr, len, lkey));
#endif
}
