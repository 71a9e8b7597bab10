/* SPDX-License-Identifier: BSD-2-Clause */
/* A datagram cannot invalidate a key of its receiver. */
// expect-refused: segue_send_inv in struct segue_ud_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_av(segue_send_inv(ud, id, SEGUE_SIGNALED, rkey), ah, qpn, qkey),
			  addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_av(segue_send_imm(ud, id, SEGUE_SIGNALED, rkey), ah, qpn, qkey),
			  addr, len, lkey));
#endif
}
