/* SPDX-License-Identifier: BSD-2-Clause */
/* A window is bound to a region. */
// expect-refused: segue_post in struct segue_uc_bind_mw_wants_bind_klm
int post(void)
{
#ifdef WRONG
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
