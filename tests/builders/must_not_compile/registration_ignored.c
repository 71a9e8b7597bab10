/* SPDX-License-Identifier: BSD-2-Clause */
/* What returns an error is asked for it, in every call. */
// expect-ignored: segue_mr_local
int post(void)
{
#ifdef WRONG
	struct segue_local piece;

	segue_mr_local(region, addr, len, &piece);
	return 0;
#else
	struct segue_local piece;

	(void)segue_mr_local(region, addr, len, &piece);
	return 0;
#endif
}
