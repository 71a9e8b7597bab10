/* SPDX-License-Identifier: BSD-2-Clause */
/* A read that has only its address vector is unfinished. */
// expect-refused: segue_post in struct segue_dci_rdma_read_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED), ah, dctn, dckey));
#else
	return segue_post(segue_raddr(
		segue_av(segue_rdma_read(dci, id, SEGUE_SIGNALED), ah, dctn, dckey), remote, rkey));
#endif
}
