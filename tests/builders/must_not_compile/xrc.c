/* SPDX-License-Identifier: BSD-2-Clause */
/* On XRC. */

/* Masked atomics are for RC and DC. */
// expect-refused: segue_masked_atomic_cs32 in struct segue_xrc_initiator_sq *
int xrc_masked_atomic(void)
{
#ifdef XRC_MASKED_ATOMIC
	return segue_post(segue_sge(
		segue_masked_compare_swap32(
			segue_raddr(
				segue_xrc(segue_masked_atomic_cs32(xrc, id, SEGUE_SIGNALED), srqn),
				remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_compare_swap32(
			segue_raddr(segue_masked_atomic_cs32(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#endif
}

/* XRC names the SRQ in every request that goes to the peer. */
// expect-refused: segue_inline_data in struct segue_xrc_initiator_send_wants_xrc
int xrc_send_without_srq(void)
{
#ifdef XRC_SEND_WITHOUT_SRQ
	return segue_post(segue_inline_data(segue_send(xrc, id, SEGUE_SIGNALED), text, len));
#else
	return segue_post(
		segue_inline_data(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), text, len));
#endif
}

/* The SRQ comes before the remote address. */
// expect-refused: segue_raddr in struct segue_xrc_initiator_rdma_read_wants_xrc
int xrc_srq_behind_raddr(void)
{
#ifdef XRC_SRQ_BEHIND_RADDR
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

/* One SRQ for one message. */
// expect-refused: segue_xrc in struct segue_xrc_initiator_send_may_take_sge_or_inline_data
int xrc_srq_twice(void)
{
#ifdef XRC_SRQ_TWICE
	return segue_post(
		segue_sge(segue_xrc(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), srqn),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), addr, len, lkey));
#endif
}

/* XRC is connected: it has no address vector. */
// expect-refused: segue_av in struct segue_xrc_initiator_send_wants_xrc
int xrc_with_av(void)
{
#ifdef XRC_WITH_AV
	return segue_post(segue_sge(segue_av(segue_send(xrc, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), addr, len, lkey));
#endif
}

/* XRC names the SRQ in every request that goes to the peer. */
// expect-refused: segue_raddr in struct segue_xrc_initiator_rdma_write_wants_xrc
int xrc_write_without_srq(void)
{
#ifdef XRC_WRITE_WITHOUT_SRQ
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
