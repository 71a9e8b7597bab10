/* SPDX-License-Identifier: BSD-2-Clause */
/* That a request carries its bytes is said by its last step, not by a flag as in libibverbs. */
// expect-said: SEGUE_INLINE is no flag: say segue_inline_data(), not segue_sge()
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_INLINE), addr, len, lkey));
#else
	return segue_post(segue_inline_data(segue_send(rc, id, SEGUE_SIGNALED), bytes, len));
#endif
}
