/* SPDX-License-Identifier: BSD-2-Clause */
/* What returns an error is asked for it, in every call. */
// expect-ignored: segue_mr_local_buf
int post(void)
{
#ifdef WRONG
	struct segue_local_buf piece;

	segue_mr_local_buf(region, addr, len, &piece);
	return 0;
#else
	struct segue_local_buf piece;

	(void)segue_mr_local_buf(region, addr, len, &piece);
	return 0;
#endif
}
