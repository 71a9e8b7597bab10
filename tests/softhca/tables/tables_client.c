/* SPDX-License-Identifier: BSD-2-Clause */
/* Posts one request of a user's spec library and prints how it completed: tables_client noted|hash.
 */
#include <infiniband/mlx5dv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"
#include "tests/softhca/clients/loop.h"

int failures;

static char from[64] = "written with a note", to[64];

static void on_completion(const struct segue_wc *wc, void *arg)
{
	*(int *)arg = wc->syndrome;
}

static int post(const char *what, struct segue_rc_sq *sq, const struct ibv_mr *lmr,
		const struct ibv_mr *rmr)
{
	if (!strcmp(what, "noted"))
		return segue_post(segue_sge(
			segue_raddr(segue_note(segue_noted_write(sq, 1, SEGUE_SIGNALED), 0x4711),
				    (uintptr_t)to, rmr->rkey),
			(uintptr_t)from, sizeof(from), lmr->lkey));
	return segue_post(segue_sge(segue_hash_op(segue_hash(sq, 1, SEGUE_SIGNALED, 7),
						  SEGUE_HASH_ALGORITHM_CRC32, SEGUE_HASH_END_LAST,
						  5, rmr->lkey, (uintptr_t)to),
				    (uintptr_t)from, sizeof(from), lmr->lkey));
}

/* The rings of libmlx5's objects, before anything was posted: the part of the library that knows no
 * verbs is enough. */
static int rings_of(struct loop *l, struct segue_rc_sq *sq, struct segue_cq *cq)
{
	struct mlx5dv_qp qp = {0};
	struct mlx5dv_cq ring = {0};
	struct mlx5dv_obj objects = {.qp = {l->qp, &qp}, .cq = {l->cq, &ring}};
	struct segue_sq_init_options sq_attr = {.qpn = l->qp->qp_num};
	struct segue_cq_init_options cq_attr = {0};
	int ret;

	CHECK_RC(mlx5dv_init_obj(&objects, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ), 0);
	sq_attr.buf = qp.sq.buf;
	sq_attr.wqe_cnt = qp.sq.wqe_cnt;
	sq_attr.dbrec = (uint32_t *)qp.dbrec + MLX5_SND_DBR;
	sq_attr.bf_reg = qp.bf.reg;
	sq_attr.slots = calloc(qp.sq.wqe_cnt, sizeof(*sq_attr.slots));
	NEED(sq_attr.slots);
	cq_attr.buf = ring.buf;
	cq_attr.cqe_cnt = ring.cqe_cnt;
	cq_attr.cqe_size = ring.cqe_size;
	cq_attr.dbrec = (uint32_t *)ring.dbrec;
	cq_attr.cqn = ring.cqn;
	ret = segue_sq_init(&sq->sq, &sq_attr);
	ret = ret ? ret : segue_cq_init(cq, &cq_attr);
	return ret ? ret
		   : segue_cq_attach(
			     cq, &(struct segue_cq_queue){.number = l->qp->qp_num, .sq = &sq->sq});
}

int main(int argc, char **argv)
{
	struct ibv_context *const ctx = open_first();
	int syndrome = -1, ret;
	struct segue_rc_sq sq;
	struct segue_cq cq;
	struct ibv_mr *mr[2];
	struct loop l;

	NEED(argc == 2);
	loop_open(&l, ctx);
	mr[0] = ibv_reg_mr(l.pd, from, sizeof(from), IBV_ACCESS_LOCAL_WRITE);
	mr[1] = ibv_reg_mr(l.pd, to, sizeof(to), REMOTE);
	NEED(mr[0] && mr[1]);
	ret = rings_of(&l, &sq, &cq);
	if (!ret)
		ret = post(argv[1], &sq, mr[0], mr[1]);
	for (const double end = seconds() + 20; ret >= 0 && syndrome < 0 && seconds() < end;)
		ret = segue_cq_poll_each(&cq, 1, on_completion, &syndrome);
	if (ret < 0)
		printf("%s\n", segue_errmsg());
	printf("syndrome 0x%02x, \"%s\"\n", (unsigned int)syndrome, to);
	return failures != 0;
}
