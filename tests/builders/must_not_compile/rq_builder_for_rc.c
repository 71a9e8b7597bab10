/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive is not a send, though both may take an SGE. */
// expect-assigned: struct segue_rq_recv_may_take_sge to struct segue_rc_send_may_take_sge
int post(void)
{
#ifdef WRONG
	struct segue_rc_send_may_take_sge request;

	request = segue_sge(segue_recv(rq, id), addr, len, lkey);
	return segue_post(request);
#else
	struct segue_rq_recv_may_take_sge request;

	request = segue_sge(segue_recv(rq, id), addr, len, lkey);
	return segue_post(request);
#endif
}
