/* SPDX-License-Identifier: BSD-2-Clause */
/* Segmentation offload is for raw packets. */
// expect-refused: segue_tso in struct segue_rc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_eth(segue_tso(rc, id, SEGUE_SIGNALED), 0, 1460, text, 54),
				    addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54), addr, len, lkey));
#endif
}
