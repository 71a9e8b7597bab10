/* SPDX-License-Identifier: BSD-2-Clause */
/* What is kept has to be complete. */
// expect-state: segue_pattern_rc_send_may_take_sge, struct segue_rc_rdma_read_wants_raddr, struct segue_rc_send_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_pattern_rc_send_may_take_sge(segue_rdma_read(rc, id, 0), kept);
#else
	return segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(rc, id, 0), addr, len, lkey),
						  kept);
#endif
}
