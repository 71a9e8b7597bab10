/* SPDX-License-Identifier: BSD-2-Clause */
/* An address is a number, as the memory region counts. */
// expect-argument: segue_sge, const void *, uint64_t
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), text, len, lkey));
#else
	return segue_post(
		segue_sge(segue_send(rc, id, SEGUE_SIGNALED), (uintptr_t)text, len, lkey));
#endif
}
