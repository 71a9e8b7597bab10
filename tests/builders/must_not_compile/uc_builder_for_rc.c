/* SPDX-License-Identifier: BSD-2-Clause */
/* States of different transports are different types, however alike they look. */
// expect-assigned: struct segue_uc_send_may_take_sge to struct segue_rc_send_may_take_sge
int post(void)
{
#ifdef WRONG
	struct segue_rc_send_may_take_sge request;

	request = segue_sge(segue_send(uc, id, SEGUE_SIGNALED), addr, len, lkey);
	return segue_post(request);
#else
	struct segue_rc_send_may_take_sge request;

	request = segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey);
	return segue_post(request);
#endif
}
