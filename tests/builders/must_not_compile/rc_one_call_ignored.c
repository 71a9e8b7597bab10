/* SPDX-License-Identifier: BSD-2-Clause */
/* The same of a request that is one call. */
// expect-unused: segue_post_nop of int
int post(void)
{
	const struct segue_rc_nop_args *args = 0;

#ifdef WRONG
	segue_post_nop(rc, args);
	return 0;
#else
	(void)segue_post_nop(rc, args);
	return 0;
#endif
}
