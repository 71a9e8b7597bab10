/* SPDX-License-Identifier: BSD-2-Clause */
/* Each one-call post has a struct of its own. */
// expect-argument: segue_post_rdma_write, const struct segue_rc_rdma_read_args *, const struct segue_rc_rdma_write_args *
int post(void)
{
#ifdef WRONG
	const struct segue_rc_rdma_read_args *args = 0;

	return segue_post_rdma_write(rc, args);
#else
	const struct segue_rc_rdma_write_args *args = 0;

	return segue_post_rdma_write(rc, args);
#endif
}
