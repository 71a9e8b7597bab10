/* SPDX-License-Identifier: BSD-2-Clause */
/* A SEND has no remote address. */
// expect-member: struct segue_rc_send_may_take_sge_repeat has no segue_set_raddr_remote_addr
int post(void)
{
	struct segue_rc_send_may_take_sge_repeat r = segue_repeat_begin(kept, id);

#ifdef WRONG
	segue_set_raddr_remote_addr(&r, remote);
#else
	segue_set_sge_addr(&r, addr);
#endif
	return segue_repeat(&r, 0);
}
