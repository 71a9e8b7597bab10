/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram to nobody is unfinished. */
// expect-refused: segue_post in struct segue_ud_send_imm_wants_av_or_av_compact
int post(void)
{
#ifdef WRONG
	return segue_post(segue_send_imm(ud, id, SEGUE_SIGNALED, imm));
#else
	return segue_post(segue_av(segue_send_imm(ud, id, SEGUE_SIGNALED, imm), ah, qpn, qkey));
#endif
}
