/* SPDX-License-Identifier: BSD-2-Clause */
/* A send has no remote address to fill in. */
// expect-member: struct segue_rc_send_args has no remote_addr
int post(void)
{
#ifdef WRONG
	struct segue_rc_send_args *args = 0;

	args->remote_addr = remote;
	return segue_post_send(rc, args);
#else
	struct segue_rc_rdma_write_args *args = 0;

	args->remote_addr = remote;
	return segue_post_rdma_write(rc, args);
#endif
}
