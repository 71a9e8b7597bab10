/* SPDX-License-Identifier: BSD-2-Clause */
/* An exception would leave a poll with completions in hand, which would be handed out twice. */
// expect-throws: may_throw to segue_cq_poll_each
int post(void)
{
#ifdef WRONG
	return segue_cq_poll_each(done, 4, may_throw, NULL);
#else
	return segue_cq_poll_each(done, 4, never_throws, NULL);
#endif
}
