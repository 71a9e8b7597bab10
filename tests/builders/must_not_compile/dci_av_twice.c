/* SPDX-License-Identifier: BSD-2-Clause */
/* One address vector is enough. */
// expect-refused: segue_av in struct segue_dci_rdma_read_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_raddr(segue_av(segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED),
							ah, dctn, dckey),
					       ah, dctn, dckey),
				      remote, rkey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}
