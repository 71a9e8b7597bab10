/* SPDX-License-Identifier: BSD-2-Clause */
/* A compact address vector is prepared in another type than a full one. */
// expect-argument: segue_av, const struct segue_address_vector_compact *, const struct segue_address_vector *
int post(void)
{
#ifdef WRONG
	return segue_post(
		segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah_compact, dctn, dckey),
			  addr, len, lkey));
#else
	return segue_post(segue_sge(segue_av(segue_send(dci, id, SEGUE_SIGNALED), ah, dctn, dckey),
				    addr, len, lkey));
#endif
}
