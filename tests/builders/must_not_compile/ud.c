/* SPDX-License-Identifier: BSD-2-Clause */
/* On UD. */

/* A datagram queue has no atomics. */
// expect-refused: segue_atomic_fa in struct segue_ud_sq *
int ud_atomic(void)
{
#ifdef UD_ATOMIC
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(ud, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(rc, id, SEGUE_SIGNALED), remote, rkey),
				 1),
		addr, len, lkey));
#endif
}

/* A request begins with its own function, not with its first segment. */
// expect-refused: segue_av in struct segue_ud_sq *
int ud_av_on_the_queue(void)
{
#ifdef UD_AV_ON_THE_QUEUE
	return segue_post(segue_sge(segue_av(ud, ah, qpn, qkey), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}

/* A datagram has one receiver. */
// expect-refused: segue_av in struct segue_ud_send_may_take_sge_or_eth_pad_or_inline_data
int ud_av_twice(void)
{
#ifdef UD_AV_TWICE
	return segue_post(
		segue_sge(segue_av(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey), ah,
				   qpn, qkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}

/* Memory windows need a connection. */
// expect-refused: segue_bind_mw_type1 in struct segue_ud_sq *
int ud_bind_mw(void)
{
#ifdef UD_BIND_MW
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw_type1(ud, id, SEGUE_SIGNALED, rkey)),
				addr, len, qpn, small, 0),
		addr, len, lkey));
#else
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw_type1(uc, id, SEGUE_SIGNALED, rkey)),
				addr, len, qpn, small, 0),
		addr, len, lkey));
#endif
}

/* IPoIB offloads: the Ethernet segment stands behind its pad. */
// expect-refused: segue_eth in struct segue_ud_send_may_take_sge_or_eth_pad_or_inline_data
int ud_eth_without_pad(void)
{
#ifdef UD_ETH_WITHOUT_PAD
	return segue_post(segue_sge(
		segue_eth(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey), 0, text, 18),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(
			segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)),
			0, text, 18),
		addr, len, lkey));
#endif
}

/* A full address vector is prepared in another type than a compact one. */
// expect-argument: segue_av_compact, const struct segue_address_vector *, const struct segue_address_vector_compact *
int ud_full_av_as_compact(void)
{
#ifdef UD_FULL_AV_AS_COMPACT
	return segue_post(
		segue_sge(segue_av_compact(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey), addr,
			  len, lkey));
#else
	return segue_post(segue_sge(
		segue_av_compact(segue_send(ud, id, SEGUE_SIGNALED), ah_compact, qpn, qkey), addr,
		len, lkey));
#endif
}

/* There is no one-call read on UD either. */
// expect-refused: segue_post_rdma_read in struct segue_ud_sq *
int ud_one_call_read(void)
{
#ifdef UD_ONE_CALL_READ
	const struct segue_rc_rdma_read_args *args = 0;

	return segue_post_rdma_read(ud, args);
#else
	const struct segue_rc_rdma_read_args *args = 0;

	return segue_post_rdma_read(rc, args);
#endif
}

/* Only a plain send has the Ethernet segment. */
// expect-refused: segue_eth_pad in struct segue_ud_send_imm_may_take_sge_or_inline_data
int ud_pad_with_immediate(void)
{
#ifdef UD_PAD_WITH_IMMEDIATE
	return segue_post(segue_sge(
		segue_eth(segue_eth_pad(segue_av(segue_send_imm(ud, id, SEGUE_SIGNALED, imm), ah,
						 qpn, qkey)),
			  0, text, 18),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(
			segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)),
			0, text, 18),
		addr, len, lkey));
#endif
}

/* The pad is there for the Ethernet segment behind it. */
// expect-refused: segue_sge in struct segue_ud_send_wants_eth
int ud_pad_without_eth(void)
{
#ifdef UD_PAD_WITHOUT_ETH
	return segue_post(segue_sge(
		segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)), addr,
		len, lkey));
#else
	return segue_post(segue_sge(
		segue_eth(
			segue_eth_pad(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey)),
			0, text, 18),
		addr, len, lkey));
#endif
}

/* A datagram to nobody is unfinished. */
// expect-refused: segue_post in struct segue_ud_send_imm_wants_av_or_av_compact
int ud_post_without_av(void)
{
#ifdef UD_POST_WITHOUT_AV
	return segue_post(segue_send_imm(ud, id, SEGUE_SIGNALED, imm));
#else
	return segue_post(segue_av(segue_send_imm(ud, id, SEGUE_SIGNALED, imm), ah, qpn, qkey));
#endif
}

/* A datagram has no remote address. */
// expect-refused: segue_raddr in struct segue_ud_send_may_take_sge_or_eth_pad_or_inline_data
int ud_raddr(void)
{
#ifdef UD_RADDR
	return segue_post(
		segue_sge(segue_raddr(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				      remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}

/* A datagram queue cannot read remote memory. */
// expect-refused: segue_rdma_read in struct segue_ud_sq *
int ud_read(void)
{
#ifdef UD_READ
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(ud, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_read(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}

/* A datagram cannot invalidate a key of its receiver. */
// expect-refused: segue_send_inv in struct segue_ud_sq *
int ud_send_inv(void)
{
#ifdef UD_SEND_INV
	return segue_post(
		segue_sge(segue_av(segue_send_inv(ud, id, SEGUE_SIGNALED, rkey), ah, qpn, qkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_av(segue_send_imm(ud, id, SEGUE_SIGNALED, rkey), ah, qpn, qkey),
			  addr, len, lkey));
#endif
}

/* On UD every datagram names its peer. */
// expect-refused: segue_sge in struct segue_ud_send_wants_av_or_av_compact
int ud_send_without_av(void)
{
#ifdef UD_SEND_WITHOUT_AV
	return segue_post(segue_sge(segue_send(ud, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey),
				    addr, len, lkey));
#endif
}

/* A datagram queue cannot write remote memory. */
// expect-refused: segue_rdma_write in struct segue_ud_sq *
int ud_write(void)
{
#ifdef UD_WRITE
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(ud, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(uc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
