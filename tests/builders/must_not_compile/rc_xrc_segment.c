/* SPDX-License-Identifier: BSD-2-Clause */
/* Only XRC names an SRQ. */
// expect-refused: segue_xrc in struct segue_rc_rdma_write_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_xrc(segue_rdma_write(rc, id, SEGUE_SIGNALED), srqn),
				      remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
