/* SPDX-License-Identifier: BSD-2-Clause */
/* A write has one inline segment. */
// expect-refused: segue_inline_data in struct segue_rc_rdma_write_complete
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(
		segue_inline_data(
			segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), text,
			len),
		text, len));
#else
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), text, len));
#endif
}
