/* SPDX-License-Identifier: BSD-2-Clause */
/* The shape comes before the buffers. */
// expect-refused: segue_sge in struct segue_dci_transpose_wants_matrix
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_sge(segue_transpose(dci, id, SEGUE_SIGNALED), addr, len, lkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_sge(segue_matrix(segue_transpose(dci, id, SEGUE_SIGNALED), 4, 8, 8),
				    addr, len, lkey),
			  addr, len, lkey));
#endif
}
