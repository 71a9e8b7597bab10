/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue ends a receive by itself. */
// expect-refused: segue_data_end in struct segue_rq_recv_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_data_end(segue_sge(segue_recv(rq, id), addr, len, lkey)));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}
