/* SPDX-License-Identifier: BSD-2-Clause */
/* XRC names the SRQ in every request that goes to the peer. */
// expect-refused: segue_raddr in struct segue_xrc_initiator_rdma_write_wants_xrc
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(xrc, id, SEGUE_SIGNALED), remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_xrc(segue_rdma_write(xrc, id, SEGUE_SIGNALED), srqn),
				      remote, rkey),
			  addr, len, lkey));
#endif
}
