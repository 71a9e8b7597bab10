/* SPDX-License-Identifier: BSD-2-Clause */
/* The flow table access names its object first. */
// expect-refused: segue_header_modify_argument_update in struct segue_rc_flow_tbl_access_wants_flow_update_ctrl
int post(void)
{
#ifdef WRONG
	return segue_post(segue_header_modify_argument_update(
		segue_flow_tbl_access(rc, id, SEGUE_SIGNALED, qpn), bytes));
#else
	return segue_post(segue_header_modify_argument_update(
		segue_flow_update_ctrl(segue_flow_tbl_access(rc, id, SEGUE_SIGNALED, qpn), flow),
		bytes));
#endif
}
