/* SPDX-License-Identifier: BSD-2-Clause */
/* A write without a remote address is not a work request yet. */
// expect-refused: segue_post in struct segue_rc_rdma_write_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(segue_rdma_write(rc, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}
