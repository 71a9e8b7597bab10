/* SPDX-License-Identifier: BSD-2-Clause */
/* The doorbell belongs to the queue. */
// expect-refused: segue_ring_doorbell in struct segue_rc_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	segue_ring_doorbell(segue_send(rc, id, SEGUE_SIGNALED));
	return 0;
#else
	segue_ring_doorbell(rc);
	return 0;
#endif
}
