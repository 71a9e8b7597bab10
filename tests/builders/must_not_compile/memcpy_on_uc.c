/* SPDX-License-Identifier: BSD-2-Clause */
/* The copy engine is reached through RC and DC. */
// expect-refused: segue_memcpy in struct segue_uc_sq *
int post(void)
{
#ifdef WRONG
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(uc, id, SEGUE_SIGNALED), 0, lkey, addr),
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
