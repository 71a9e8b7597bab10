/* SPDX-License-Identifier: BSD-2-Clause */
/* A pattern is of one shape. */
// expect-state: segue_pattern_rc_send_may_take_sge, struct segue_rc_rdma_write_may_take_sge, struct segue_rc_send_may_take_sge
int post(void)
{
#ifdef WRONG
	return segue_pattern_rc_send_may_take_sge(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, 0), remote, rkey), addr, len, lkey),
		kept);
#else
	return segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(rc, id, 0), addr, len, lkey),
						  kept);
#endif
}
