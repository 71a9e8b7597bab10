/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiver decides where a message lands. */
// expect-refused: segue_raddr in struct segue_rc_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_raddr(segue_send(rc, id, SEGUE_SIGNALED), remote, rkey),
				    addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
