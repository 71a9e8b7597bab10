/* SPDX-License-Identifier: BSD-2-Clause */
/* The one-call post of DC wants a peer, which RC's arguments do not name. */
// expect-argument: segue_post_rdma_write, const struct segue_rc_rdma_write_args *, const struct segue_dci_rdma_write_args *
int post(void)
{
#ifdef WRONG
	const struct segue_rc_rdma_write_args *args = 0;

	return segue_post_rdma_write(dci, args);
#else
	const struct segue_dci_rdma_write_args *args = 0;

	return segue_post_rdma_write(dci, args);
#endif
}
