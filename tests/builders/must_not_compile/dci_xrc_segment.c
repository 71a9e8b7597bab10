/* SPDX-License-Identifier: BSD-2-Clause */
/* The SRQ number is XRC's way of naming the peer. */
// expect-refused: segue_xrc in struct segue_dci_send_wants_av_or_av_compact
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_xrc(segue_send(dci, id, SEGUE_SIGNALED), srqn), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}
