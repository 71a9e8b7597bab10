/* SPDX-License-Identifier: BSD-2-Clause */
/* A full address vector is prepared in another type than a compact one. */
// expect-argument: segue_av_compact, const struct segue_address_vector *, const struct segue_address_vector_compact *
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_av_compact(segue_send(ud, id, SEGUE_SIGNALED), ah, qpn, qkey), addr,
			  len, lkey));
#else
	return segue_post(segue_sge(
		segue_av_compact(segue_send(ud, id, SEGUE_SIGNALED), ah_compact, qpn, qkey), addr,
		len, lkey));
#endif
}
