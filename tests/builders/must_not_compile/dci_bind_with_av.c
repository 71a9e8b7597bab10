/* SPDX-License-Identifier: BSD-2-Clause */
/* Binding a window is a local operation: it has no address vector. */
// expect-refused: segue_av in struct segue_dci_bind_mw_wants_umr_ctrl
int post(void)
{
#ifdef WRONG
	return segue_post(segue_bind_klm(
		segue_mkey_bind(
			segue_umr_ctrl(segue_av(segue_bind_mw(dci, id, SEGUE_SIGNALED, rkey), ah,
						dctn, dckey)),
			addr, len, qpn, small, 0),
		addr, len, lkey));
#else
	return segue_post(segue_bind_klm(
		segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(dci, id, SEGUE_SIGNALED, rkey)), addr,
				len, qpn, small, 0),
		addr, len, lkey));
#endif
}
