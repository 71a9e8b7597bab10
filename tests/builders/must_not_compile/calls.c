/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that are no builders. */

/* An exception would leave a poll with completions in hand, which would be handed out twice. */
// expect-throws: may_throw to segue_cq_poll_each
int handler_may_throw(void)
{
#ifdef HANDLER_MAY_THROW
	return segue_cq_poll_each(done, 4, may_throw, NULL);
#else
	return segue_cq_poll_each(done, 4, never_throws, NULL);
#endif
}

/* What returns an error is asked for it, in every call. */
// expect-ignored: segue_mr_local_buf
int registration_ignored(void)
{
#ifdef REGISTRATION_IGNORED
	struct segue_local_buf piece;

	segue_mr_local_buf(region, addr, len, &piece);
	return 0;
#else
	struct segue_local_buf piece;

	(void)segue_mr_local_buf(region, addr, len, &piece);
	return 0;
#endif
}
