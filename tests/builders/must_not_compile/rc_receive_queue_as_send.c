/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive queues do not send. */
// expect-refused: segue_send in struct segue_rq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(rq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
