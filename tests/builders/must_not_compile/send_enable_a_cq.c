/* SPDX-License-Identifier: BSD-2-Clause */
/* Send enable names a send queue, not a completion queue. */
// expect-refused: segue_wait_cq_index in struct segue_rc_send_en_wants_send_en_index
int post(void)
{
#ifdef WRONG
	return segue_post(segue_wait_cq_index(segue_send_en(rc, id, SEGUE_SIGNALED), 9, cqn));
#else
	return segue_post(segue_send_en_index(segue_send_en(rc, id, SEGUE_SIGNALED), 9, qpn));
#endif
}
