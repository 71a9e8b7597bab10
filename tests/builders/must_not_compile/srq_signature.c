/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared receive queues have no signatures. */
// expect-refused: segue_rwqe_sig in struct segue_srq_recv_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(srq, id), small), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(srq, id), addr, len, lkey));
#endif
}
