/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection values belong to RC queue pairs. */
// expect-refused: segue_set_psv in struct segue_dci_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_psv(segue_set_psv(dci, id, SEGUE_SIGNALED), 7, 0));
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}
