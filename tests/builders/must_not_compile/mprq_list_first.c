/* SPDX-License-Identifier: BSD-2-Clause */
/* A list may be empty, a striding receive may not. */
// expect-refused: segue_sge_list in struct segue_mprq_recv_wants_sge
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge_list(segue_recv(mprq, id), pieces, count));
#else
	return segue_post(
		segue_sge_list(segue_sge(segue_recv(mprq, id), addr, len, lkey), pieces, count));
#endif
}
