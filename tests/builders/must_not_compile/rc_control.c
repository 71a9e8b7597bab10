/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests of RC that are neither messages nor UMR: windows, PSV, tag matching, waits, copies. */

/* A window is bound to a region. */
// expect-refused: segue_post in struct segue_uc_bind_mw_wants_bind_klm
int bind_without_region(void)
{
#ifdef BIND_WITHOUT_REGION
	return segue_post(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(uc, id, SEGUE_SIGNALED, rkey)), addr,
				len, qpn, small, 0));
#else
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(uc, id, SEGUE_SIGNALED, rkey)), addr,
				len, qpn, small, 0),
		addr, len, lkey));
#endif
}

/* The flow table access names its object first. */
// expect-refused: segue_header_modify_argument_update in struct segue_rc_flow_tbl_access_wants_flow_update_ctrl
int flow_without_control(void)
{
#ifdef FLOW_WITHOUT_CONTROL
	return segue_post(segue_header_modify_argument_update(
		segue_flow_tbl_access(rc, id, SEGUE_SIGNALED, qpn), bytes));
#else
	return segue_post(segue_header_modify_argument_update(
		segue_flow_update_ctrl(segue_flow_tbl_access(rc, id, SEGUE_SIGNALED, qpn), flow),
		bytes));
#endif
}

/* An invalidation does not bind. */
// expect-refused: segue_mkey_bind in struct segue_rc_local_inv_wants_mkey_invalidate
int local_inv_with_bind(void)
{
#ifdef LOCAL_INV_WITH_BIND
	return segue_post(
		segue_mkey_bind(segue_umr_ctrl(segue_local_inv(rc, id, SEGUE_SIGNALED, rkey)), addr,
				len, qpn, small, 0));
#else
	return segue_post(segue_mkey_invalidate(
		segue_umr_ctrl(segue_local_inv(rc, id, SEGUE_SIGNALED, rkey)), small));
#endif
}

/* A NOP carries nothing. */
// expect-refused: segue_sge in struct segue_rc_nop_may_take_filler
int nop_with_sge(void)
{
#ifdef NOP_WITH_SGE
	return segue_post(segue_sge(segue_nop(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#else
	return segue_post(segue_filler(segue_nop(rc, id, SEGUE_SIGNALED), bytes));
#endif
}

/* Reading a PSV is not checking it. */
// expect-refused: segue_psv_check in struct segue_rc_get_psv_wants_psv_get
int psv_get_as_check(void)
{
#ifdef PSV_GET_AS_CHECK
	return segue_post(segue_psv_check(segue_get_psv(rc, id, SEGUE_SIGNALED), psv_check));
#else
	return segue_post(segue_psv_get(segue_get_psv(rc, id, SEGUE_SIGNALED), psv_get));
#endif
}

/* Setting a PSV says which. */
// expect-refused: segue_post in struct segue_rc_set_psv_wants_psv
int psv_missing(void)
{
#ifdef PSV_MISSING
	return segue_post(segue_set_psv(rc, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}

/* A PSV needs no memory. */
// expect-refused: segue_sge in struct segue_rc_set_psv_complete
int psv_with_sge(void)
{
#ifdef PSV_WITH_SGE
	return segue_post(
		segue_sge(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0), addr, len, lkey));
#else
	return segue_post(segue_psv(segue_set_psv(rc, id, SEGUE_SIGNALED), 7, 0));
#endif
}

/* Send enable names a send queue, not a completion queue. */
// expect-refused: segue_wait_cq_index in struct segue_rc_send_en_wants_send_en_index
int send_enable_a_cq(void)
{
#ifdef SEND_ENABLE_A_CQ
	return segue_post(segue_wait_cq_index(segue_send_en(rc, id, SEGUE_SIGNALED), 9, cqn));
#else
	return segue_post(segue_send_en_index(segue_send_en(rc, id, SEGUE_SIGNALED), 9, qpn));
#endif
}

/* Send enable says which queue, and how far. */
// expect-refused: segue_post in struct segue_xrc_initiator_send_en_wants_send_en_index
int send_enable_unfinished(void)
{
#ifdef SEND_ENABLE_UNFINISHED
	return segue_post(segue_send_en(xrc, id, SEGUE_SIGNALED));
#else
	return segue_post(segue_send_en_index(segue_send_en(xrc, id, SEGUE_SIGNALED), 9, qpn));
#endif
}

/* A message cannot land in the work queue. */
// expect-refused: segue_inline_data in struct segue_rc_tm_append_wants_sge_or_data_end
int tm_append_inline(void)
{
#ifdef TM_APPEND_INLINE
	return segue_post(
		segue_inline_data(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), text, len));
#else
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#endif
}

/* A tag has one buffer. */
// expect-refused: segue_sge in struct segue_rc_tm_append_complete
int tm_append_two_buffers(void)
{
#ifdef TM_APPEND_TWO_BUFFERS
	return segue_post(segue_sge(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey),
		addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#endif
}

/* A tag is matched to a buffer, or expressly to none. */
// expect-refused: segue_post in struct segue_rc_tm_append_wants_sge_or_data_end
int tm_append_without_buffer(void)
{
#ifdef TM_APPEND_WITHOUT_BUFFER
	return segue_post(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4));
#else
	return segue_post(segue_data_end(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4)));
#endif
}

/* Tag matching is driven through an RC queue pair. */
// expect-refused: segue_tm_append in struct segue_xrc_initiator_sq *
int tm_on_xrc(void)
{
#ifdef TM_ON_XRC
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(xrc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_tm(segue_tm_append(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#endif
}

/* Removing a tag takes no buffer. */
// expect-refused: segue_sge in struct segue_rc_tm_remove_complete
int tm_remove_with_buffer(void)
{
#ifdef TM_REMOVE_WITH_BUFFER
	return segue_post(
		segue_sge(segue_tm(segue_tm_remove(rc, id, 0), 0, 1, 2, 3, 4), addr, len, lkey));
#else
	return segue_post(segue_tm(segue_tm_remove(rc, id, 0), 0, 1, 2, 3, 4));
#endif
}

/* A tag matching request has a tag matching segment. */
// expect-refused: segue_post in struct segue_rc_tm_noop_wants_tm
int tm_unfinished(void)
{
#ifdef TM_UNFINISHED
	return segue_post(segue_tm_noop(rc, id, 0));
#else
	return segue_post(segue_tm(segue_tm_noop(rc, id, 0), 0, 1, 2, 3, 4));
#endif
}

/* Waiting for data is not waiting for time. */
// expect-refused: segue_time_condition in struct segue_uc_wait_on_data_wants_data_condition
int wait_for_other_thing(void)
{
#ifdef WAIT_FOR_OTHER_THING
	return segue_post(
		segue_time_condition(segue_wait_on_data(uc, id, SEGUE_SIGNALED), 0, 0, 1, 2));
#else
	return segue_post(
		segue_data_condition(segue_wait_on_data(uc, id, SEGUE_SIGNALED), condition));
#endif
}

/* Wait for what? */
// expect-refused: segue_post in struct segue_rc_wait_on_time_wants_time_condition
int wait_unfinished(void)
{
#ifdef WAIT_UNFINISHED
	return segue_post(segue_wait_on_time(rc, id, SEGUE_SIGNALED));
#else
	return segue_post(
		segue_time_condition(segue_wait_on_time(rc, id, SEGUE_SIGNALED), 0, 0, 1, 2));
#endif
}

/* Waiting moves no data. */
// expect-refused: segue_sge in struct segue_ud_wait_cq_complete
int wait_with_sge(void)
{
#ifdef WAIT_WITH_SGE
	return segue_post(
		segue_sge(segue_wait_cq_index(segue_wait_cq(ud, id, SEGUE_SIGNALED), 9, cqn), addr,
			  len, lkey));
#else
	return segue_post(segue_wait_cq_index(segue_wait_cq(ud, id, SEGUE_SIGNALED), 9, cqn));
#endif
}

/* The copy engine is reached through RC and DC. */
// expect-refused: segue_memcpy in struct segue_uc_sq *
int memcpy_on_uc(void)
{
#ifdef MEMCPY_ON_UC
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(uc, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(dci, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}

/* A copy has a source and a target. */
// expect-refused: segue_post in struct segue_rc_memcpy_wants_mmo_data_after_mmo_data
int memcpy_one_buffer(void)
{
#ifdef MEMCPY_ONE_BUFFER
	return segue_post(segue_mmo_data(
		segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr), addr, len,
		lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}

/* A copy has two buffers. */
// expect-refused: segue_mmo_data in struct segue_rc_memcpy_complete
int memcpy_three_buffers(void)
{
#ifdef MEMCPY_THREE_BUFFERS
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_data(segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0,
							  lkey, addr),
				       addr, len, lkey),
			addr, len, lkey),
		addr, len, lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}

/* In a copy length 0 means 2 GiB, so its buffers are segments of their own. */
// expect-refused: segue_sge in struct segue_dci_memcpy_wants_mmo_data_after_mmo_metadata
int memcpy_with_sge(void)
{
#ifdef MEMCPY_WITH_SGE
	return segue_post(segue_sge(
		segue_sge(segue_mmo_metadata(segue_memcpy(dci, id, SEGUE_SIGNALED), 0, lkey, addr),
			  addr, len, lkey),
		addr, len, lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(dci, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}

/* The metadata comes before the buffers. */
// expect-refused: segue_mmo_data in struct segue_rc_memcpy_wants_mmo_metadata
int memcpy_without_metadata(void)
{
#ifdef MEMCPY_WITHOUT_METADATA
	return segue_post(segue_mmo_data(
		segue_mmo_data(segue_memcpy(rc, id, SEGUE_SIGNALED), addr, len, lkey), addr, len,
		lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}

/* A transpose has a source and a target. */
// expect-refused: segue_post in struct segue_rc_transpose_wants_sge_after_sge
int transpose_one_buffer(void)
{
#ifdef TRANSPOSE_ONE_BUFFER
	return segue_post(segue_sge(segue_matrix(segue_transpose(rc, id, SEGUE_SIGNALED), 4, 8, 8),
				    addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_sge(segue_matrix(segue_transpose(rc, id, SEGUE_SIGNALED), 4, 8, 8),
				    addr, len, lkey),
			  addr, len, lkey));
#endif
}

/* The shape comes before the buffers. */
// expect-refused: segue_sge in struct segue_dci_transpose_wants_matrix
int transpose_without_matrix(void)
{
#ifdef TRANSPOSE_WITHOUT_MATRIX
	return segue_post(
		segue_sge(segue_sge(segue_transpose(dci, id, SEGUE_SIGNALED), addr, len, lkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_sge(segue_matrix(segue_transpose(dci, id, SEGUE_SIGNALED), 4, 8, 8),
				    addr, len, lkey),
			  addr, len, lkey));
#endif
}
