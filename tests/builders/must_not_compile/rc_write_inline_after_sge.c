/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload of a write is inline or gathered, not both. */
// expect-refused: segue_inline_data in struct segue_rc_rdma_write_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		text, len));
#else
	return segue_post(segue_sge(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		addr, len, lkey));
#endif
}
