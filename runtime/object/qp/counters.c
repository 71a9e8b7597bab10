/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of a queue pair's two queues. */
#include "segue/counters.h"

#include "runtime/object/qp/qp.h"

void segue_qp_get_counters(const struct segue_qp *qp, struct segue_counters *sends,
			   struct segue_counters *receives)
{
	/* counters of a missing queue are 0 */
	if (sends)
		segue_sq_get_counters(&qp->sq.any, sends);
	if (receives)
		segue_rq_get_counters(&qp->rq, receives);
}
