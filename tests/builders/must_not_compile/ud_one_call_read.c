/* SPDX-License-Identifier: BSD-2-Clause */
/* There is no one-call read on UD either. */
// expect-refused: segue_post_rdma_read in struct segue_ud_sq *
int post(void)
{
#ifdef WRONG
	const struct segue_rc_rdma_read_args *args = 0;

	return segue_post_rdma_read(ud, args);
#else
	const struct segue_rc_rdma_read_args *args = 0;

	return segue_post_rdma_read(rc, args);
#endif
}
