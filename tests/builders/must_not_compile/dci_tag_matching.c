/* SPDX-License-Identifier: BSD-2-Clause */
/* Tag matching is driven through an RC queue pair. */
// expect-refused: segue_tm_noop in struct segue_dci_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_tm(segue_tm_noop(dci, id, 0), 0, 0, 1, 0, 0));
#else
	return segue_post(segue_tm(segue_tm_noop(rc, id, 0), 0, 0, 1, 0, 0));
#endif
}
