/* SPDX-License-Identifier: BSD-2-Clause */
/* A write says where to, also on UC. */
// expect-refused: segue_inline_data in struct segue_uc_rdma_write_imm_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_inline_data(segue_rdma_write_imm(uc, id, SEGUE_SIGNALED, imm), text, len));
#else
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write_imm(uc, id, SEGUE_SIGNALED, imm), remote, rkey), text,
		len));
#endif
}
