/* SPDX-License-Identifier: BSD-2-Clause */
/* The headers to repeat have a length. */
// expect-count: segue_eth, 5, 4
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text),
				    addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54), addr, len, lkey));
#endif
}
