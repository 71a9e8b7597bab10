/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory windows need a connection. */
// expect-refused: segue_bind_mw_type1 in struct segue_ud_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw_type1(ud, id, SEGUE_SIGNALED, rkey)),
				addr, len, qpn, small, 0),
		addr, len, lkey));
#else
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw_type1(uc, id, SEGUE_SIGNALED, rkey)),
				addr, len, qpn, small, 0),
		addr, len, lkey));
#endif
}
