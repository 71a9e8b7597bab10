/* SPDX-License-Identifier: BSD-2-Clause */
/* The metadata comes before the buffers. */
// expect-refused: segue_mmo_data in struct segue_rc_memcpy_wants_mmo_metadata
int post(void)
{
#ifdef WRONG
	return segue_post(segue_mmo_data(
		segue_mmo_data(segue_memcpy(rc, id, SEGUE_SIGNALED), addr, len, lkey), addr, len,
		lkey));
#else
	return segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(rc, id, SEGUE_SIGNALED), 0, lkey, addr),
			addr, len, lkey),
		addr, len, lkey));
#endif
}
