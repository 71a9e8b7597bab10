/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing is received into the work queue itself. */
// expect-refused: segue_inline_data in struct segue_rq_recv_may_take_sge_or_rwqe_sig
int post(void)
{
#ifdef WRONG
	return segue_post(segue_inline_data(segue_recv(rq, id), text, len));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}
