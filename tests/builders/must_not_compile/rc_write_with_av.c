/* SPDX-License-Identifier: BSD-2-Clause */
/* A connected queue pair knows its peer. */
// expect-refused: segue_av in struct segue_rc_rdma_write_wants_raddr
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(rc, id, SEGUE_SIGNALED), ah, dctn, dckey),
			    remote, rkey),
		addr, len, lkey));
#else
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write(rc, id, SEGUE_SIGNALED), remote, rkey), addr,
			  len, lkey));
#endif
}
