/* SPDX-License-Identifier: BSD-2-Clause */
/* A step changes the type, because it changes what may come next. */
// expect-assigned: struct segue_rc_send_may_take_sge to struct segue_rc_send_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	struct segue_rc_send_may_take_sge_or_inline_data request = segue_send(rc, id,
									      SEGUE_SIGNALED);

	request = segue_sge(request, addr, len, lkey);
	return segue_post(request);
#else
	struct segue_rc_send_may_take_sge request = segue_sge(segue_send(rc, id, SEGUE_SIGNALED),
							      addr, len, lkey);

	request = segue_sge(request, addr, len, lkey);
	return segue_post(request);
#endif
}
