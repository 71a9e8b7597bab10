/* SPDX-License-Identifier: BSD-2-Clause */
/* XRC is connected: it has no address vector. */
// expect-refused: segue_av in struct segue_xrc_initiator_send_wants_xrc
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_av(segue_send(xrc, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_xrc(segue_send(xrc, id, SEGUE_SIGNALED), srqn), addr, len, lkey));
#endif
}
