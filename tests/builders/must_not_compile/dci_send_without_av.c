/* SPDX-License-Identifier: BSD-2-Clause */
/* On DC every message names its peer. */
// expect-refused: segue_sge in struct segue_dci_send_wants_av_or_av_compact
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(dci, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}
