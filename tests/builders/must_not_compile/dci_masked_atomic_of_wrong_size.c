/* SPDX-License-Identifier: BSD-2-Clause */
/* A masked compare and swap of 32 bits does not take the operands of 64. */
// expect-refused: segue_masked_compare_swap64 in struct segue_dci_masked_atomic_cs32_wants_masked_compare_swap32
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_masked_compare_swap64(
			segue_raddr(segue_av(segue_masked_atomic_cs32(dci, id, SEGUE_SIGNALED), ah,
					     dctn, dckey),
				    remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#else
	return segue_post(segue_sge(
		segue_masked_compare_swap32(
			segue_raddr(segue_av(segue_masked_atomic_cs32(dci, id, SEGUE_SIGNALED), ah,
					     dctn, dckey),
				    remote, rkey),
			2, 1, 4, 3),
		addr, len, lkey));
#endif
}
