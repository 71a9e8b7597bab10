/* SPDX-License-Identifier: BSD-2-Clause */
/* An invalidation does not bind. */
// expect-refused: segue_mkey_bind in struct segue_rc_local_inv_wants_mkey_invalidate
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_mkey_bind(segue_umr_ctrl(segue_local_inv(rc, id, SEGUE_SIGNALED, rkey)), addr,
				len, qpn, small, 0));
#else
	return segue_post(segue_mkey_invalidate(
		segue_umr_ctrl(segue_local_inv(rc, id, SEGUE_SIGNALED, rkey)), small));
#endif
}
