/* SPDX-License-Identifier: BSD-2-Clause */
/* The address vector is full or compact, not both. */
// expect-refused: segue_av_compact in struct segue_dci_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_av_compact(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				 ah_compact, dctn, dckey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_av_compact(segue_send(dci, id, SEGUE_SIGNALED), ah_compact, dctn, dckey),
		addr, len, lkey));
#endif
}
