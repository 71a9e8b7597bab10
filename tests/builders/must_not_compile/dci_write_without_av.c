/* SPDX-License-Identifier: BSD-2-Clause */
/* On DC the address vector comes before the remote address. */
// expect-refused: segue_raddr in struct segue_dci_rdma_write_wants_av_or_av_compact
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(dci, id, SEGUE_SIGNALED), remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}
