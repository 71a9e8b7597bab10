/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory has no meaning to the device without its key. */
// expect-count: segue_sge, 4, 3
int post(void)
{
#ifdef WRONG
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len));
#else
	return segue_post(segue_sge(segue_send(rc, id, SEGUE_SIGNALED), addr, len, lkey));
#endif
}
