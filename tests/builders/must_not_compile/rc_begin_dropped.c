/* SPDX-License-Identifier: BSD-2-Clause */
/* A request that is begun and forgotten is a mistake. */
// expect-unused: segue_rdma_write of struct segue_rc_rdma_write_wants_raddr
int post(void)
{
#ifdef WRONG
	segue_rdma_write(rc, id, SEGUE_SIGNALED);
	return 0;
#else
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}
