/* SPDX-License-Identifier: BSD-2-Clause */
/* A program by the names from before 0.1.0. docs/migrate.sed brings it to those of 0.1.0. */
#include "segue/cq.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/qp.h"
#include "segue/step.h"

int transfer(struct segue_qp *qp, struct segue_cq *cq, const struct segue_local *from,
	     const struct segue_remote *to);

static void done(const struct segue_wc *wc, void *arg)
{
	if (wc->syndrome)
		*(int *)arg = -1;
}

int transfer(struct segue_qp *qp, struct segue_cq *cq, const struct segue_local *from,
	     const struct segue_remote *to)
{
	struct segue_rc_sq *sq = segue_qp_rc(qp);
	struct segue_wc wc[4];
	int failed = 0;

	if (segue_commit(segue_sge_piece(
		    segue_raddr_piece(segue_rdma_write(sq, 1, SEGUE_SIGNALED), *to), *from)))
		return -1;
	segue_ring(sq);
	if (segue_cq_poll(cq, 16, done, &failed) < 0)
		return -1;
	return failed ? failed : segue_cq_poll_wc(cq, 4, wc);
}
