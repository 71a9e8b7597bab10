/* SPDX-License-Identifier: BSD-2-Clause */
/* Posts one request of a user's spec library and prints how it completed: tables_client noted|hash. */
#include <stdio.h>
#include <string.h>

#include "segue/cq_object.h"
#include "segue/device.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "segue/pd.h"
#include "segue/qp.h"
#include "tests/softhca/clients/loop.h"

int failures;

static char from[64] = "written with a note", to[64];

static void on_completion(const struct segue_wc *wc, void *arg)
{
	*(int *)arg = wc->syndrome;
}

static int post(const char *what, struct segue_rc_sq *sq, const struct ibv_mr *lmr, const struct ibv_mr *rmr)
{
	if (!strcmp(what, "noted"))
		return segue_post(segue_sge(segue_raddr(segue_note(segue_noted_write(sq, 1, SEGUE_SIGNALED), 0x4711),
							(uintptr_t)to, rmr->rkey),
					    (uintptr_t)from, sizeof(from), lmr->lkey));
	return segue_post(segue_sge(segue_hash_op(segue_hash(sq, 1, SEGUE_SIGNALED, 7), SEGUE_HASH_ALGORITHM_CRC32,
						  SEGUE_HASH_END_LAST, 5, rmr->lkey, (uintptr_t)to),
				    (uintptr_t)from, sizeof(from), lmr->lkey));
}

int main(int argc, char **argv)
{
	struct segue_qp_options options = {.type = SEGUE_QP_RC};
	struct ibv_context *const ctx = open_first();
	int syndrome = -1, ret;
	struct segue_device *device = NULL;
	struct segue_pd *pd = NULL;
	struct segue_cq *cq = NULL;
	struct segue_qp *qp = NULL;
	struct ibv_mr *mr[2];
	struct loop l;

	NEED(argc == 2);
	loop_open(&l, ctx);
	mr[0] = ibv_reg_mr(l.pd, from, sizeof(from), IBV_ACCESS_LOCAL_WRITE);
	mr[1] = ibv_reg_mr(l.pd, to, sizeof(to), REMOTE);
	NEED(mr[0] && mr[1]);
	ret = segue_device_adopt(ctx, &device);
	ret = ret ? ret : segue_pd_adopt(device, l.pd, &pd);
	ret = ret ? ret : segue_cq_adopt(device, l.cq, &cq);
	options.send_cq = options.recv_cq = cq;
	ret = ret ? ret : segue_qp_adopt(pd, l.qp, &options, &qp);
	if (!ret)
		ret = post(argv[1], segue_qp_rc(qp), mr[0], mr[1]);
	for (const double end = seconds() + 20; ret >= 0 && syndrome < 0 && seconds() < end;)
		ret = segue_cq_poll(cq, 1, on_completion, &syndrome);
	if (ret < 0)
		printf("%s\n", segue_errmsg());
	printf("syndrome 0x%02x, \"%s\"\n", (unsigned int)syndrome, to);
	return failures != 0;
}
