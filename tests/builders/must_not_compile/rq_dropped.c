/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive that is begun and not posted receives nothing. */
// expect-unused: segue_recv_rq of struct segue_rq_recv_rq_may_take_sge_or_rwqe_sig
int post(void)
{
#ifdef WRONG
	segue_recv_rq(rq, id);
	return 0;
#else
	return segue_post(segue_recv_rq(rq, id));
#endif
}
