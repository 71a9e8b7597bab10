/* SPDX-License-Identifier: BSD-2-Clause */
/* In a copy length 0 means 2 GiB, so its buffers are segments of their own. */
// expect-refused: segue_sge in struct segue_dci_memcpy_wants_mmo_data_after_mmo_metadata
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(
		segue_sge(segue_mmo_metadata(segue_memcpy(dci, id, SEGUE_SIGNALED), 0, lkey, addr),
			  addr, len, lkey),
		addr, len, lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(dci, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}
