/* SPDX-License-Identifier: BSD-2-Clause */
/* The DC key is not optional. */
// expect-count: segue_av, 4, 3
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn), addr,
				    len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}
