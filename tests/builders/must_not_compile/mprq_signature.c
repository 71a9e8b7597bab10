/* SPDX-License-Identifier: BSD-2-Clause */
/* Striding receive queues have no signatures. */
// expect-refused: segue_rwqe_sig in struct segue_mprq_recv_wants_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(mprq, id), small), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(mprq, id), addr, len, lkey));
#endif
}
