/* SPDX-License-Identifier: BSD-2-Clause */
/* On receive queues, shared and striding ones among them. */

/* BlueFlame is for send queues. */
// expect-refused: segue_post_blueflame in struct segue_rq_recv_may_take_sge
int rq_blueflame(void)
{
#ifdef RQ_BLUEFLAME
	return segue_post_blueflame(segue_sge(segue_recv(rq, id), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}

/* A receive is not a send, though both may take an SGE. */
// expect-assigned: struct segue_rq_recv_may_take_sge to struct segue_rc_send_may_take_sge
int rq_builder_for_rc(void)
{
#ifdef RQ_BUILDER_FOR_RC
	struct segue_rc_send_may_take_sge request;

	request = segue_sge(segue_recv(rq, id), addr, len, lkey);
	return segue_post(request);
#else
	struct segue_rq_recv_may_take_sge request;

	request = segue_sge(segue_recv(rq, id), addr, len, lkey);
	return segue_post(request);
#endif
}

/* A receive that is begun and not posted receives nothing. */
// expect-unused: segue_recv of struct segue_rq_recv_may_take_sge_or_rwqe_sig
int rq_dropped(void)
{
#ifdef RQ_DROPPED
	segue_recv(rq, id);
	return 0;
#else
	return segue_post(segue_recv(rq, id));
#endif
}

/* The queue ends a receive by itself. */
// expect-refused: segue_data_end in struct segue_rq_recv_may_take_sge
int rq_end_by_hand(void)
{
#ifdef RQ_END_BY_HAND
	return segue_post(segue_data_end(segue_sge(segue_recv(rq, id), addr, len, lkey)));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}

/* Nothing is received into the work queue itself. */
// expect-refused: segue_inline_data in struct segue_rq_recv_may_take_sge_or_rwqe_sig
int rq_inline(void)
{
#ifdef RQ_INLINE
	return segue_post(segue_inline_data(segue_recv(rq, id), text, len));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}

/* A receive that is not there is a sender that waits. */
// expect-unused: segue_post of int
int rq_post_ignored(void)
{
#ifdef RQ_POST_IGNORED
	segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
	return 0;
#else
	(void)segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
	return 0;
#endif
}

/* A receive knows nothing of the sender's memory. */
// expect-refused: segue_raddr in struct segue_rq_recv_may_take_sge_or_rwqe_sig
int rq_raddr(void)
{
#ifdef RQ_RADDR
	return segue_post(
		segue_sge(segue_raddr(segue_recv(rq, id), remote, rkey), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}

/* A send queue does not receive. */
// expect-refused: segue_recv in struct segue_rc_sq *
int rq_receive_on_send_queue(void)
{
#ifdef RQ_RECEIVE_ON_SEND_QUEUE
	return segue_post(segue_sge(segue_recv(rc, id), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}

/* The signature comes first. */
// expect-refused: segue_rwqe_sig in struct segue_rq_recv_may_take_sge
int rq_signature_late(void)
{
#ifdef RQ_SIGNATURE_LATE
	return segue_post(segue_rwqe_sig(segue_sge(segue_recv(rq, id), addr, len, lkey), small));
#else
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(rq, id), small), addr, len, lkey));
#endif
}

/* One signature. */
// expect-refused: segue_rwqe_sig in struct segue_rq_recv_may_take_sge
int rq_signature_twice(void)
{
#ifdef RQ_SIGNATURE_TWICE
	return segue_post(segue_rwqe_sig(segue_rwqe_sig(segue_recv(rq, id), small), small));
#else
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(rq, id), small), addr, len, lkey));
#endif
}

/* A receive has no flags. */
// expect-count: segue_recv, 2, 3
int rq_with_flags(void)
{
#ifdef RQ_WITH_FLAGS
	return segue_post(segue_sge(segue_recv(rq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(rq, id), addr, len, lkey));
#endif
}

/* A receive that is begun and not posted receives nothing. */
// expect-unused: segue_sge of struct segue_srq_recv_may_take_sge
int srq_dropped(void)
{
#ifdef SRQ_DROPPED
	segue_sge(segue_recv(srq, id), addr, len, lkey);
	return 0;
#else
	return segue_post(segue_sge(segue_recv(srq, id), addr, len, lkey));
#endif
}

/* Shared receive queues have no signatures. */
// expect-refused: segue_rwqe_sig in struct segue_srq_recv_may_take_sge
int srq_signature(void)
{
#ifdef SRQ_SIGNATURE
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(srq, id), small), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(srq, id), addr, len, lkey));
#endif
}

/* A striding receive needs a buffer. */
// expect-refused: segue_post in struct segue_mprq_recv_wants_sge
int mprq_empty(void)
{
#ifdef MPRQ_EMPTY
	return segue_post(segue_recv(mprq, id));
#else
	return segue_post(segue_sge(segue_recv(mprq, id), addr, len, lkey));
#endif
}

/* A list may be empty, a striding receive may not. */
// expect-refused: segue_sge_list in struct segue_mprq_recv_wants_sge
int mprq_list_first(void)
{
#ifdef MPRQ_LIST_FIRST
	return segue_post(segue_sge_list(segue_recv(mprq, id), pieces, count));
#else
	return segue_post(
		segue_sge_list(segue_sge(segue_recv(mprq, id), addr, len, lkey), pieces, count));
#endif
}

/* Striding receive queues have no signatures. */
// expect-refused: segue_rwqe_sig in struct segue_mprq_recv_wants_sge
int mprq_signature(void)
{
#ifdef MPRQ_SIGNATURE
	return segue_post(segue_sge(segue_rwqe_sig(segue_recv(mprq, id), small), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_recv(mprq, id), addr, len, lkey));
#endif
}
