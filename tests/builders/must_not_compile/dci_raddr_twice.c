/* SPDX-License-Identifier: BSD-2-Clause */
/* A write goes to one place. */
// expect-refused: segue_raddr in struct segue_dci_rdma_write_may_take_sge_or_inline_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_raddr(segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah,
						 dctn, dckey),
					remote, rkey),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#endif
}
