/* SPDX-License-Identifier: BSD-2-Clause */
/* BlueFlame is for send queues. */
// expect-refused: segue_post_blueflame in struct segue_rq_recv_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post_blueflame(segue_sge(segue_recv(rq, id), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}
