/* SPDX-License-Identifier: BSD-2-Clause */
/* A connected queue pair knows its peer. */
// expect-refused: segue_av_compact in struct segue_uc_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_av_compact(segue_send(uc, id, SEGUE_SIGNALED), ah_compact, qpn, qkey), addr,
		len, lkey));
#else
	return segue_post(segue_sge(segue_send(uc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
