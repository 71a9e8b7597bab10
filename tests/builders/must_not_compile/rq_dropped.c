/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive that is begun and not posted receives nothing. */
// expect-unused: segue_recv of struct segue_rq_recv_may_take_sge_or_rwqe_sig
int post(void)
{
#ifdef WRONG
	segue_recv(rq, id);
	return 0;
#else
	return segue_post(segue_recv(rq, id));
#endif
}
