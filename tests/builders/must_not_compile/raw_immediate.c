/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packets have no place for an immediate. */
// expect-refused: segue_send_imm in struct segue_raw_packet_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send_imm(raw, id, SEGUE_SIGNALED, imm), addr, len, lkey));
#else
	return segue_post(segue_sge(segue_send_imm(rc, id, SEGUE_SIGNALED, imm), addr, len, lkey));
#endif
}
