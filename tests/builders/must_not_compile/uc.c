/* SPDX-License-Identifier: BSD-2-Clause */
/* On UC. */

/* An unreliable connection has no atomics. */
// expect-refused: segue_atomic_cs in struct segue_uc_sq *
int uc_atomic(void)
{
#ifdef UC_ATOMIC
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(uc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(rc, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#endif
}

/* States of different transports are different types, however alike they look. */
// expect-assigned: struct segue_uc_send_may_take_sge to struct segue_rc_send_may_take_sge
int uc_builder_for_rc(void)
{
#ifdef UC_BUILDER_FOR_RC
	struct segue_rc_send_may_take_sge request;

	request = segue_sge(segue_send(uc, id, SEGUE_SIGNALED), addr, len, lkey);
	return segue_post(request);
#else
	struct segue_rc_send_may_take_sge request;

	request = segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey);
	return segue_post(request);
#endif
}

/* An unreliable connection has no masked atomics either. */
// expect-refused: segue_masked_atomic_fa32 in struct segue_uc_sq *
int uc_masked_atomic(void)
{
#ifdef UC_MASKED_ATOMIC
	return segue_post(segue_sge(
		segue_masked_fa32(
			segue_raddr(segue_masked_atomic_fa32(uc, id, SEGUE_SIGNALED), remote, rkey),
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

/* An unreliable connection cannot read. */
// expect-refused: segue_rdma_read in struct segue_uc_sq *
int uc_read(void)
{
#ifdef UC_READ
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(uc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* A connected queue pair knows its peer. */
// expect-refused: segue_av_compact in struct segue_uc_send_may_take_sge_or_inline_data
int uc_send_with_av(void)
{
#ifdef UC_SEND_WITH_AV
	return segue_post(segue_sge(
		segue_av_compact(segue_send(uc, id, SEGUE_SIGNALED), ah_compact, qpn, qkey), addr,
		len, lkey));
#else
	return segue_post(segue_sge(segue_send(uc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}

/* A write says where to, also on UC. */
// expect-refused: segue_inline_data in struct segue_uc_rdma_write_imm_wants_raddr
int uc_write_without_raddr(void)
{
#ifdef UC_WRITE_WITHOUT_RADDR
	return segue_post(
		segue_inline_data(segue_rdma_write_imm(uc, id, SEGUE_SIGNALED, imm), text, len));
#else
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write_imm(uc, id, SEGUE_SIGNALED, imm), remote, rkey), text,
		len));
#endif
}
