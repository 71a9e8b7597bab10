/* SPDX-License-Identifier: BSD-2-Clause */
/* A KLM looks like a data segment and is none. */
// expect-argument: segue_sge_list, const struct segue_seg_klm *, const struct segue_seg_data *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge_list(segue_send(rc, id, SEGUE_SIGNALED), klms, count));
#else
	return segue_post(segue_sge_list(segue_send(rc, id, SEGUE_SIGNALED), pieces, count));
#endif
}
