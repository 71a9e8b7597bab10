/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload of a write is inline or gathered, not both. */
// expect-refused: segue_sge in struct segue_rc_rdma_write_complete
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_inline_data(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED),
							remote, rkey),
					    text, len),
			  addr, len, lkey));
#else
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), text, len));
#endif
}
