/* SPDX-License-Identifier: BSD-2-Clause */
/* A window's rights are those of key contexts, not those of regions. */
// expect-constant: 1536 in uint8_t
#include "segue/access.h"

int post(void)
{
#ifdef WRONG
	return segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(uc, id, SEGUE_SIGNALED, rkey)), addr, len, qpn, small,
							 SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE),
					 addr, len, lkey));
#else
	return segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(uc, id, SEGUE_SIGNALED, rkey)), addr, len, qpn, small,
							 SEGUE_MKEY_ACCESS_REMOTE_READ | SEGUE_MKEY_ACCESS_REMOTE_WRITE),
					 addr, len, lkey));
#endif
}
