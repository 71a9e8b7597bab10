/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy has a source and a target. */
// expect-refused: segue_post in struct segue_rc_memcpy_wants_mmo_data_after_mmo_data
int post(void)
{
#ifdef WRONG
	return segue_post(segue_mmo_data(
		segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr), addr, len,
		lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}
