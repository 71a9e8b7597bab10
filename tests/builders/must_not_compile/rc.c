/* SPDX-License-Identifier: BSD-2-Clause */
/* On RC. */

/* The old value cannot land in the work queue. */
// expect-refused: segue_inline_data in struct segue_rc_atomic_fa_wants_sge
int rc_atomic_inline(void)
{
#ifdef RC_ATOMIC_INLINE
	return segue_post(segue_inline_data(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		text, len));
#else
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}

/* The remote address comes before the operands. */
// expect-refused: segue_compare_swap in struct segue_rc_atomic_cs_wants_raddr
int rc_atomic_swapped(void)
{
#ifdef RC_ATOMIC_SWAPPED
	return segue_post(segue_sge(
		segue_raddr(segue_compare_swap(segue_atomic_cs(rc, id, SEGUE_SIGNALED), 2, 1),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}

/* The old value must go somewhere. */
// expect-refused: segue_post in struct segue_rc_atomic_cs_wants_sge
int rc_atomic_without_landing(void)
{
#ifdef RC_ATOMIC_WITHOUT_LANDING
	return segue_post(segue_compare_swap(
		segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}

/* An atomic has operands. */
// expect-refused: segue_sge in struct segue_rc_atomic_cs_wants_compare_swap
int rc_atomic_without_operands(void)
{
#ifdef RC_ATOMIC_WITHOUT_OPERANDS
	return segue_post(
		segue_sge(segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}

/* A request that is begun and forgotten is a mistake. */
// expect-unused: segue_rdma_write of struct segue_rc_rdma_write_wants_raddr
int rc_begin_dropped(void)
{
#ifdef RC_BEGIN_DROPPED
	segue_rdma_write(rc, id, SEGUE_SIGNALED);
	return 0;
#else
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}

/* What cannot be posted by doorbell cannot be posted by BlueFlame. */
// expect-refused: segue_post_blueflame in struct segue_rc_atomic_fa_wants_atomic_add
int rc_blueflame_unfinished(void)
{
#ifdef RC_BLUEFLAME_UNFINISHED
	return segue_post_blueflame(
		segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey));
#else
	return segue_post_blueflame(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}

/* The same of a request that is rung later. */
// expect-unused: segue_commit of int
int rc_commit_ignored(void)
{
#ifdef RC_COMMIT_IGNORED
	segue_commit(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#else
	(void)segue_commit(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#endif
}

/* What cannot be posted cannot be committed either. */
// expect-refused: segue_commit in struct segue_rc_rdma_read_wants_raddr
int rc_commit_unfinished(void)
{
#ifdef RC_COMMIT_UNFINISHED
	return segue_commit(segue_rdma_read(rc, id, SEGUE_SIGNALED));
#else
	return segue_commit(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}

/* Fetch and add has one operand. */
// expect-refused: segue_compare_swap in struct segue_rc_atomic_fa_wants_atomic_add
int rc_fetch_add_with_compare(void)
{
#ifdef RC_FETCH_ADD_WITH_COMPARE
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}

/* Only posting or committing makes a finished request real. */
// expect-unused: segue_psv of struct segue_rc_set_psv_complete
int rc_finished_but_dropped(void)
{
#ifdef RC_FINISHED_BUT_DROPPED
	segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0);
	return 0;
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}

/* A write without immediate has none to give. */
// expect-count: segue_rdma_write, 3, 4
int rc_immediate_given(void)
{
#ifdef RC_IMMEDIATE_GIVEN
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED, imm), remote, rkey));
#else
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}

/* The immediate is an argument of the request. */
// expect-count: segue_rdma_write_imm, 4, 3
int rc_immediate_missing(void)
{
#ifdef RC_IMMEDIATE_MISSING
	return segue_post(segue_raddr(segue_rdma_write_imm(rc, id, SEGUE_SIGNALED), remote, rkey));
#else
	return segue_post(
		segue_raddr(segue_rdma_write_imm(rc, id, SEGUE_SIGNALED, imm), remote, rkey));
#endif
}

/* That a request carries its bytes is said by its last step, not by a flag as in libibverbs. */
// expect-said: SEGUE_INLINE is no flag: say segue_inline_data(), not segue_sge()
int rc_inline_flag(void)
{
#ifdef RC_INLINE_FLAG
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_INLINE), addr, len, lkey));
#else
	return segue_post(segue_inline_data(segue_send(rc, id, SEGUE_SIGNALED), bytes, len));
#endif
}

/* A KLM looks like a data segment and is none. */
// expect-argument: segue_sge_list, const struct segue_seg_klm *, const struct segue_seg_data *
int rc_list_of_wrong_struct(void)
{
#ifdef RC_LIST_OF_WRONG_STRUCT
	return segue_post(segue_sge_list(segue_send(rc, id, SEGUE_SIGNALED), klms, count));
#else
	return segue_post(segue_sge_list(segue_send(rc, id, SEGUE_SIGNALED), pieces, count));
#endif
}

/* Pieces of memory are local or remote by type. */
// expect-piece: segue_raddr_buf, struct segue_local_buf, struct segue_remote_buf
int rc_local_piece_as_remote(void)
{
#ifdef RC_LOCAL_PIECE_AS_REMOTE
	return segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_read(rc, id, SEGUE_SIGNALED), here), here));
#else
	return segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), here));
#endif
}

/* A masked fetch and add of 32 bits does not take the operands of 64. */
// expect-refused: segue_masked_fa64 in struct segue_rc_masked_atomic_fa32_wants_masked_fa32
int rc_masked_add_of_wrong_size(void)
{
#ifdef RC_MASKED_ADD_OF_WRONG_SIZE
	return segue_post(segue_sge(
		segue_masked_fa64(
			segue_raddr(segue_masked_atomic_fa32(rc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_fa32(
			segue_raddr(segue_masked_atomic_fa32(rc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2),
		addr, len, lkey));
#endif
}

/* A masked fetch and add does not take the operands of a compare and swap. */
// expect-refused: segue_masked_compare_swap64 in struct segue_rc_masked_atomic_fa64_wants_masked_fa64
int rc_masked_add_with_compare(void)
{
#ifdef RC_MASKED_ADD_WITH_COMPARE
	return segue_post(segue_sge(
		segue_masked_compare_swap64(
			segue_raddr(segue_masked_atomic_fa64(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_fa64(
			segue_raddr(segue_masked_atomic_fa64(rc, id, SEGUE_SIGNALED), remote, rkey),
			1, 2),
		addr, len, lkey));
#endif
}

/* The same of a request that is one call. */
// expect-unused: segue_post_nop of int
int rc_one_call_ignored(void)
{
	const struct segue_rc_nop_args *args = 0;

#ifdef RC_ONE_CALL_IGNORED
	segue_post_nop(rc, args);
	return 0;
#else
	(void)segue_post_nop(rc, args);
	return 0;
#endif
}

/* Each one-call post has a struct of its own. */
// expect-argument: segue_post_rdma_write, const struct segue_rc_rdma_read_args *, const struct segue_rc_rdma_write_args *
int rc_one_call_of_other_request(void)
{
#ifdef RC_ONE_CALL_OF_OTHER_REQUEST
	const struct segue_rc_rdma_read_args *args = 0;

	return segue_post_rdma_write(rc, args);
#else
	const struct segue_rc_rdma_write_args *args = 0;

	return segue_post_rdma_write(rc, args);
#endif
}

/* A send has no remote address to fill in. */
// expect-member: struct segue_rc_send_args has no remote_addr
int rc_one_call_unknown_member(void)
{
#ifdef RC_ONE_CALL_UNKNOWN_MEMBER
	struct segue_rc_send_args *args = 0;

	args->remote_addr = remote;
	return segue_post_send(rc, args);
#else
	struct segue_rc_rdma_write_args *args = 0;

	args->remote_addr = remote;
	return segue_post_rdma_write(rc, args);
#endif
}

/* A SEND has no remote address. */
// expect-member: struct segue_rc_send_may_take_sge_repeat has no segue_set_raddr_remote_addr
int rc_pattern_of_other_field(void)
{
	struct segue_rc_send_may_take_sge_repeat r = segue_repeat_begin(kept, id);

#ifdef RC_PATTERN_OF_OTHER_FIELD
	segue_set_raddr_remote_addr(&r, remote);
#else
	segue_set_sge_addr(&r, addr);
#endif
	return segue_repeat(&r, 0);
}

/* A pattern is of one shape. */
// expect-state: segue_pattern_rc_send_may_take_sge, struct segue_rc_rdma_write_may_take_sge, struct segue_rc_send_may_take_sge
int rc_pattern_of_other_shape(void)
{
#ifdef RC_PATTERN_OF_OTHER_SHAPE
	return segue_pattern_rc_send_may_take_sge(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, 0), remote, rkey), addr, len, lkey),
		kept);
#else
	return segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(rc, id, 0), addr, len, lkey),
						  kept);
#endif
}

/* What is kept has to be complete. */
// expect-state: segue_pattern_rc_send_may_take_sge, struct segue_rc_rdma_read_wants_raddr, struct segue_rc_send_may_take_sge
int rc_pattern_unfinished(void)
{
#ifdef RC_PATTERN_UNFINISHED
	return segue_pattern_rc_send_may_take_sge(segue_rdma_read(rc, id, 0), kept);
#else
	return segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(rc, id, 0), addr, len, lkey),
						  kept);
#endif
}

/* A masked atomic has masks. */
// expect-refused: segue_compare_swap in struct segue_rc_masked_atomic_cs64_wants_masked_compare_swap64
int rc_plain_operands_of_masked(void)
{
#ifdef RC_PLAIN_OPERANDS_OF_MASKED
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_masked_atomic_cs64(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_compare_swap64(
			segue_raddr(segue_masked_atomic_cs64(rc, id, SEGUE_SIGNALED), remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#endif
}

/* A post that is refused is a lost message, and nobody would know. Who means it says so. */
// expect-unused: segue_post of int
int rc_post_ignored(void)
{
#ifdef RC_POST_IGNORED
	segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#else
	(void)segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
	return 0;
#endif
}

/* What is posted is a work request, not a queue. */
// expect-refused: segue_post in struct segue_rc_sq *
int rc_post_the_queue(void)
{
#ifdef RC_POST_THE_QUEUE
	return segue_post(rc);
#else
	return segue_post(segue_send(rc, id, SEGUE_SIGNALED));
#endif
}

/* Posting ends a builder. */
// expect-refused: segue_post in int
int rc_post_twice(void)
{
#ifdef RC_POST_TWICE
	return segue_post(segue_post(segue_send(rc, id, SEGUE_SIGNALED)));
#else
	return segue_post(segue_send(rc, id, SEGUE_SIGNALED));
#endif
}

/* A write without a remote address is not a work request yet. */
// expect-refused: segue_post in struct segue_rc_rdma_write_wants_raddr
int rc_post_unfinished(void)
{
#ifdef RC_POST_UNFINISHED
	return segue_post(segue_rdma_write(rc, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey));
#endif
}

/* A queue is passed by its address. */
// expect-refused: segue_rdma_write in struct segue_rc_sq
int rc_queue_by_value(void)
{
#ifdef RC_QUEUE_BY_VALUE
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(*rc, id, SEGUE_SIGNALED), remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* The remote address is not an afterthought. */
// expect-refused: segue_raddr in struct segue_rc_rdma_write_may_take_sge
int rc_raddr_after_sge(void)
{
#ifdef RC_RADDR_AFTER_SGE
	return segue_post(segue_raddr(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		remote, rkey));
#else
	return segue_post(segue_sge(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		addr, len, lkey));
#endif
}

/* A write goes to one place. */
// expect-refused: segue_raddr in struct segue_rc_rdma_write_may_take_sge_or_inline_data
int rc_raddr_twice(void)
{
#ifdef RC_RADDR_TWICE
	return segue_post(segue_sge(
		segue_raddr(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* A read lands in memory; inline data has no address. */
// expect-refused: segue_inline_data in struct segue_rc_rdma_read_may_take_sge
int rc_read_inline(void)
{
#ifdef RC_READ_INLINE
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), text, len));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* The local buffer comes behind the remote address. */
// expect-refused: segue_sge in struct segue_rc_rdma_read_wants_raddr
int rc_read_swapped(void)
{
#ifdef RC_READ_SWAPPED
	return segue_post(segue_raddr(
		segue_sge(segue_rdma_read(rc, id, SEGUE_SIGNALED), addr, len, lkey), remote, rkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* Receive queues do not send. */
// expect-refused: segue_send in struct segue_rq *
int rc_receive_queue_as_send(void)
{
#ifdef RC_RECEIVE_QUEUE_AS_SEND
	return segue_post(segue_sge(segue_send(rq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* Pieces of memory are local or remote by type. */
// expect-piece: segue_sge_buf, struct segue_remote_buf, struct segue_local_buf
int rc_remote_piece_as_local(void)
{
#ifdef RC_REMOTE_PIECE_AS_LOCAL
	return segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), there));
#else
	return segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_read(rc, id, SEGUE_SIGNALED), there), here));
#endif
}

/* The doorbell belongs to the queue. */
// expect-refused: segue_ring_doorbell in struct segue_rc_send_may_take_sge_or_inline_data
int rc_ring_a_builder(void)
{
#ifdef RC_RING_A_BUILDER
	segue_ring_doorbell(segue_send(rc, id, SEGUE_SIGNALED));
	return 0;
#else
	segue_ring_doorbell(rc);
	return 0;
#endif
}

/* A message has one inline segment, in front. */
// expect-refused: segue_inline_data in struct segue_rc_send_may_take_sge
int rc_send_inline_twice(void)
{
#ifdef RC_SEND_INLINE_TWICE
	return segue_post(segue_inline_data(
		segue_inline_data(segue_send(rc, id, SEGUE_SIGNALED), text, len), text, len));
#else
	return segue_post(segue_sge(
		segue_inline_data(segue_send(rc, id, SEGUE_SIGNALED), text, len), addr, len, lkey));
#endif
}

/* The receiver decides where a message lands. */
// expect-refused: segue_raddr in struct segue_rc_send_may_take_sge_or_inline_data
int rc_send_with_raddr(void)
{
#ifdef RC_SEND_WITH_RADDR
	return segue_post(segue_sge(segue_raddr(segue_send(rc, id, SEGUE_SIGNALED), remote, rkey),
				    addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* A builder is a value: a step whose result is dropped adds nothing. */
// expect-unused: segue_sge of struct segue_rc_send_may_take_sge
int rc_sge_dropped(void)
{
#ifdef RC_SGE_DROPPED
	segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey);
	return 0;
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* An address is a number, as the memory region counts. */
// expect-argument: segue_sge, const void *, uint64_t
int rc_sge_of_pointer(void)
{
#ifdef RC_SGE_OF_POINTER
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), text, len, lkey));
#else
	return segue_post(
		segue_sge(segue_send(rc, id, SEGUE_SIGNALED), (uintptr_t)text, len, lkey));
#endif
}

/* One SGE at a time. */
// expect-count: segue_sge, 4, 7
int rc_sge_too_many(void)
{
#ifdef RC_SGE_TOO_MANY
	return segue_post(
		segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey, addr, len, lkey));
#else
	return segue_post(segue_sge(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey),
				    addr, len, lkey));
#endif
}

/* Memory has no meaning to the device without its key. */
// expect-count: segue_sge, 4, 3
int rc_sge_without_lkey(void)
{
#ifdef RC_SGE_WITHOUT_LKEY
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* A step changes the type, because it changes what may come next. */
// expect-assigned: struct segue_rc_send_may_take_sge to struct segue_rc_send_may_take_sge_or_inline_data
int rc_state_kept(void)
{
#ifdef RC_STATE_KEPT
	struct segue_rc_send_may_take_sge_or_inline_data request = segue_send(rc, id,
									      SEGUE_SIGNALED);

	request = segue_sge(request, addr, len, lkey);
	return segue_post(request);
#else
	struct segue_rc_send_may_take_sge request = segue_sge(segue_send(rc, id, SEGUE_SIGNALED),
							      addr, len, lkey);

	request = segue_sge(request, addr, len, lkey);
	return segue_post(request);
#endif
}

/* Streams are DC's. */
// expect-refused: segue_stream in struct segue_rc_send_may_take_sge_or_inline_data
int rc_stream(void)
{
#ifdef RC_STREAM
	return segue_post(
		segue_sge(segue_stream(segue_send(rc, id, SEGUE_SIGNALED), 3), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* Segmentation offload is for raw packets. */
// expect-refused: segue_tso in struct segue_rc_sq *
int rc_tso(void)
{
#ifdef RC_TSO
	return segue_post(segue_sge(segue_eth(segue_tso(rc, id, SEGUE_SIGNALED), 0, 1460, text, 54),
				    addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(segue_tso(raw, id, SEGUE_SIGNALED), 0, 1460, text, 54), addr, len, lkey));
#endif
}

/* A read has no immediate anywhere. */
// expect-undeclared: segue_rdma_read_imm
int rc_unknown_request(void)
{
#ifdef RC_UNKNOWN_REQUEST
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_read_imm(rc, id, SEGUE_SIGNALED, imm), remote, rkey), addr,
		len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* The queue's type says what it may carry; the untyped part of it does not. */
// expect-refused: segue_send in struct segue_sq *
int rc_untyped_queue(void)
{
#ifdef RC_UNTYPED_QUEUE
	return segue_post(segue_sge(segue_send(&rc->sq, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* The payload of a write is inline or gathered, not both. */
// expect-refused: segue_inline_data in struct segue_rc_rdma_write_may_take_sge
int rc_write_inline_after_sge(void)
{
#ifdef RC_WRITE_INLINE_AFTER_SGE
	return segue_post(segue_inline_data(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		text, len));
#else
	return segue_post(segue_sge(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey),
		addr, len, lkey));
#endif
}

/* A write has one inline segment. */
// expect-refused: segue_inline_data in struct segue_rc_rdma_write_complete
int rc_write_inline_twice(void)
{
#ifdef RC_WRITE_INLINE_TWICE
	return segue_post(segue_inline_data(
		segue_inline_data(
			segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), text,
			len),
		text, len));
#else
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), text, len));
#endif
}

/* The payload of a write is inline or gathered, not both. */
// expect-refused: segue_sge in struct segue_rc_rdma_write_complete
int rc_write_sge_after_inline(void)
{
#ifdef RC_WRITE_SGE_AFTER_INLINE
	return segue_post(
		segue_sge(segue_inline_data(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED),
							remote, rkey),
					    text, len),
			  addr, len, lkey));
#else
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), text, len));
#endif
}

/* A connected queue pair knows its peer. */
// expect-refused: segue_av in struct segue_rc_rdma_write_wants_raddr
int rc_write_with_av(void)
{
#ifdef RC_WRITE_WITH_AV
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(rc, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* A write says where to before what. */
// expect-refused: segue_sge in struct segue_rc_rdma_write_wants_raddr
int rc_write_without_raddr(void)
{
#ifdef RC_WRITE_WITHOUT_RADDR
	return segue_post(segue_sge(segue_rdma_write(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* Only XRC names an SRQ. */
// expect-refused: segue_xrc in struct segue_rc_rdma_write_wants_raddr
int rc_xrc_segment(void)
{
#ifdef RC_XRC_SEGMENT
	return segue_post(
		segue_sge(segue_raddr(segue_xrc(segue_rdma_write(rc, id, SEGUE_SIGNALED), srqn),
				      remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
