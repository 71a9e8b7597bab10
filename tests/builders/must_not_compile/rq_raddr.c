/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive knows nothing of the sender's memory. */
// expect-refused: segue_raddr in struct segue_rq_recv_may_take_sge_or_rwqe_sig
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_recv(rq, id), remote, rkey), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}
