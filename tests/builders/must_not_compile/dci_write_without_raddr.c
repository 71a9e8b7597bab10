/* SPDX-License-Identifier: BSD-2-Clause */
/* A write needs the remote address behind the address vector. */
// expect-refused: segue_sge in struct segue_dci_rdma_write_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}
