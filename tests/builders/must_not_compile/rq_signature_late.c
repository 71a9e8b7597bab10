/* SPDX-License-Identifier: BSD-2-Clause */
/* The signature comes first. */
// expect-refused: segue_rwqe_sig in struct segue_rq_recv_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_rwqe_sig(segue_sge(segue_recv(rq, id), addr, len, lkey), small));
#else
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(rq, id), small), addr, len, lkey));
#endif
}
