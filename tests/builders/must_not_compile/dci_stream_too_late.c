/* SPDX-License-Identifier: BSD-2-Clause */
/* The stream is chosen while no segment has been added yet. */
// expect-refused: segue_stream in struct segue_dci_rdma_write_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_raddr(segue_stream(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah,
						  dctn, dckey),
					 3),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_stream(segue_rdma_write(dci, id, SEGUE_SIGNALED), 3), ah,
				     dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}
