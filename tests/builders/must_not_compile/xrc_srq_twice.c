/* SPDX-License-Identifier: BSD-2-Clause */
/* One SRQ for one message. */
// expect-refused: segue_xrc in struct segue_xrc_initiator_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_xrc(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), srqn),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), addr, len, lkey));
#endif
}
