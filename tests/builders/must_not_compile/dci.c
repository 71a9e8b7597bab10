/* SPDX-License-Identifier: BSD-2-Clause */
/* On DC. */

/* On DC an atomic names its peer like any other request. */
// expect-refused: segue_raddr in struct segue_dci_atomic_cs_wants_av_or_av_compact
int dci_atomic_without_av(void)
{
#ifdef DCI_ATOMIC_WITHOUT_AV
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(dci, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(segue_raddr(segue_av(segue_atomic_cs(dci, id, SEGUE_SIGNALED),
							ah, dctn, dckey),
					       remote, rkey),
				   2, 1),
		addr, len, lkey));
#endif
}

/* A compact address vector is prepared in another type than a full one. */
// expect-argument: segue_av, const struct segue_address_vector_compact *, const struct segue_address_vector *
int dci_av_of_wrong_type(void)
{
#ifdef DCI_AV_OF_WRONG_TYPE
	return segue_post(
		segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah_compact, dctn, dckey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}

/* One address vector is enough. */
// expect-refused: segue_av in struct segue_dci_rdma_read_wants_raddr
int dci_av_twice(void)
{
#ifdef DCI_AV_TWICE
	return segue_post(
		segue_sge(segue_raddr(segue_av(segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED),
							ah, dctn, dckey),
					       ah, dctn, dckey),
				      remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}

/* The DC key is not optional. */
// expect-count: segue_av, 4, 3
int dci_av_without_key(void)
{
#ifdef DCI_AV_WITHOUT_KEY
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn), addr,
				    len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}

/* Binding a window is a local operation: it has no address vector. */
// expect-refused: segue_av in struct segue_dci_bind_mw_wants_umr_ctrl
int dci_bind_with_av(void)
{
#ifdef DCI_BIND_WITH_AV
	return segue_post(segue_bind_klm(
		segue_mkey_bind(
			segue_umr_ctrl(segue_av(segue_bind_mw(dci, id, SEGUE_SIGNALED, rkey), ah,
						dctn, dckey)),
			addr, len, qpn, small, 0),
		addr, len, lkey));
#else
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(dci, id, SEGUE_SIGNALED, rkey)), addr,
				len, qpn, small, 0),
		addr, len, lkey));
#endif
}

/* The address vector is full or compact, not both. */
// expect-refused: segue_av_compact in struct segue_dci_send_may_take_sge_or_inline_data
int dci_both_kinds_of_av(void)
{
#ifdef DCI_BOTH_KINDS_OF_AV
	return segue_post(segue_sge(
		segue_av_compact(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				 ah_compact, dctn, dckey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_av_compact(segue_send(dci, id, SEGUE_SIGNALED), ah_compact, dctn, dckey),
		addr, len, lkey));
#endif
}

/* Inline data comes first in a message. */
// expect-refused: segue_inline_data in struct segue_dci_send_may_take_sge
int dci_inline_after_sge(void)
{
#ifdef DCI_INLINE_AFTER_SGE
	return segue_post(segue_inline_data(
		segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey), addr, len,
			  lkey),
		text, len));
#else
	return segue_post(segue_sge(
		segue_inline_data(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				  text, len),
		addr, len, lkey));
#endif
}

/* A masked compare and swap of 32 bits does not take the operands of 64. */
// expect-refused: segue_masked_compare_swap64 in struct segue_dci_masked_atomic_cs32_wants_masked_compare_swap32
int dci_masked_atomic_of_wrong_size(void)
{
#ifdef DCI_MASKED_ATOMIC_OF_WRONG_SIZE
	return segue_post(segue_sge(
		segue_masked_compare_swap64(
			segue_raddr(segue_av(segue_masked_atomic_cs32(dci, id, SEGUE_SIGNALED), ah,
					     dctn, dckey),
				    remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_compare_swap32(
			segue_raddr(segue_av(segue_masked_atomic_cs32(dci, id, SEGUE_SIGNALED), ah,
					     dctn, dckey),
				    remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#endif
}

/* The one-call post of DC wants a peer, which RC's arguments do not name. */
// expect-argument: segue_post_rdma_write, const struct segue_rc_rdma_write_args *, const struct segue_dci_rdma_write_args *
int dci_one_call_with_rc_arguments(void)
{
#ifdef DCI_ONE_CALL_WITH_RC_ARGUMENTS
	const struct segue_rc_rdma_write_args *args = 0;

	return segue_post_rdma_write(dci, args);
#else
	const struct segue_dci_rdma_write_args *args = 0;

	return segue_post_rdma_write(dci, args);
#endif
}

/* A read that has only its address vector is unfinished. */
// expect-refused: segue_post in struct segue_dci_rdma_read_wants_raddr
int dci_post_after_av(void)
{
#ifdef DCI_POST_AFTER_AV
	return segue_post(segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED), ah, dctn, dckey));
#else
	return segue_post(segue_raddr(
		segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED), ah, dctn, dckey), remote, rkey));
#endif
}

/* A write goes to one place. */
// expect-refused: segue_raddr in struct segue_dci_rdma_write_may_take_sge_or_inline_data
int dci_raddr_twice(void)
{
#ifdef DCI_RADDR_TWICE
	return segue_post(segue_sge(
		segue_raddr(segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah,
						 dctn, dckey),
					remote, rkey),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}

/* On DC every message names its peer. */
// expect-refused: segue_sge in struct segue_dci_send_wants_av_or_av_compact
int dci_send_without_av(void)
{
#ifdef DCI_SEND_WITHOUT_AV
	return segue_post(segue_sge(segue_send(dci, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}

/* Protection values belong to RC queue pairs. */
// expect-refused: segue_set_psv in struct segue_dci_sq *
int dci_set_psv(void)
{
#ifdef DCI_SET_PSV
	return segue_post(segue_psv(segue_set_psv(dci, id, SEGUE_SIGNALED), 7, 0));
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}

/* The stream is chosen while no segment has been added yet. */
// expect-refused: segue_stream in struct segue_dci_rdma_write_wants_raddr
int dci_stream_too_late(void)
{
#ifdef DCI_STREAM_TOO_LATE
	return segue_post(segue_sge(
		segue_raddr(segue_stream(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah,
						  dctn, dckey),
					 3),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_stream(segue_rdma_write(dci, id, SEGUE_SIGNALED), 3), ah,
				     dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}

/* Tag matching is driven through an RC queue pair. */
// expect-refused: segue_tm_noop in struct segue_dci_sq *
int dci_tag_matching(void)
{
#ifdef DCI_TAG_MATCHING
	return segue_post(segue_tm(segue_tm_noop(dci, id, 0), 0, 0, 1, 0, 0));
#else
	return segue_post(segue_tm(segue_tm_noop(rc, id, 0), 0, 0, 1, 0, 0));
#endif
}

/* On DC the address vector comes before the remote address. */
// expect-refused: segue_raddr in struct segue_dci_rdma_write_wants_av_or_av_compact
int dci_write_without_av(void)
{
#ifdef DCI_WRITE_WITHOUT_AV
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(dci, id, SEGUE_SIGNALED), remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}

/* A write needs the remote address behind the address vector. */
// expect-refused: segue_sge in struct segue_dci_rdma_write_wants_raddr
int dci_write_without_raddr(void)
{
#ifdef DCI_WRITE_WITHOUT_RADDR
	return segue_post(
		segue_sge(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}

/* The SRQ number is XRC's way of naming the peer. */
// expect-refused: segue_xrc in struct segue_dci_send_wants_av_or_av_compact
int dci_xrc_segment(void)
{
#ifdef DCI_XRC_SEGMENT
	return segue_post(
		segue_sge(segue_xrc(segue_send(dci, id, SEGUE_SIGNALED), srqn), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}
