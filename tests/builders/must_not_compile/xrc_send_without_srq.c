/* SPDX-License-Identifier: BSD-2-Clause */
/* XRC names the SRQ in every request that goes to the peer. */
// expect-refused: segue_inline_data in struct segue_xrc_initiator_send_wants_xrc
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(segue_send(xrc, id, SEGUE_SIGNALED), text, len));
#else
	return segue_post(
		segue_inline_data(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), text, len));
#endif
}
