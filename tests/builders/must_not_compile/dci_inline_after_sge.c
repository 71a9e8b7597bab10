/* SPDX-License-Identifier: BSD-2-Clause */
/* Inline data comes first in a message. */
// expect-refused: segue_inline_data in struct segue_dci_send_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(
		segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey), addr, len,
			  lkey),
		text, len));
#else
	return segue_post(segue_sge(
		segue_inline_data(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				  text, len),
		addr, len, lkey));
#endif
}
