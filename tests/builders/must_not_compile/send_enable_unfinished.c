/* SPDX-License-Identifier: BSD-2-Clause */
/* Send enable says which queue, and how far. */
// expect-refused: segue_post in struct segue_xrc_initiator_send_en_wants_send_en_index
int post(void)
{
#ifdef WRONG
	return segue_post(segue_send_en(xrc, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_send_en_index(segue_send_en(xrc, id, SEGUE_SIGNALED), 9, qpn));
#endif
}
