/* SPDX-License-Identifier: BSD-2-Clause */
/* On DC an atomic names its peer like any other request. */
// expect-refused: segue_raddr in struct segue_dci_atomic_cs_wants_av_or_av_compact
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_compare_swap(
			segue_raddr(segue_atomic_cs(dci, id, SEGUE_SIGNALED), remote, rkey), 2, 1),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_compare_swap(segue_raddr(segue_av(segue_atomic_cs(dci, id, SEGUE_SIGNALED),
							ah, dctn, dckey),
					       remote, rkey),
				   2, 1),
		addr, len, lkey));
#endif
}
