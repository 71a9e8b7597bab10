/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues of libmlx5 on softhca for the contender's rows. The device ignores what they post. */
#include "tools/bench/theirs/device.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/verbs/layer.h"
#include "segue/verbs.h"
#include "tools/bench/ours/bench.h"
#include "tools/bench/theirs/unseen_reset.h"

struct bench_their_device bench_their_device;
struct ibv_ah *bench_their_ah;

#define D bench_their_device

static void must(int ret, const char *what)
{
	if (ret) {
		fprintf(stderr, "bench: %s: %s\n", what, strerror(ret > 0 ? ret : errno));
		exit(1);
	}
}

bool bench_is_adopted(void)
{
	return getenv("BENCH_ADOPT");
}

struct ibv_cq *bench_second_queue(void)
{
	const struct seguei_layer_cq *cq = seguei_layer_find(D.own);

	must(!cq, "the layer's completion queue");
	return cq->own;
}

/*
 * softhca puts its own functions before some of libibverbs', and then runs the device within the
 * program's calls. No card does, so the measured function is looked up by name.
 */
static void from_libibverbs(const char *name, void *fn)
{
	void *const library = dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *const found = library ? dlsym(library, name) : NULL;

	must(!found, name);
	memcpy(fn, &found, sizeof(found));
}

static void to(struct bench_queue *q, enum ibv_qp_state state, int extra)
{
	struct ibv_qp_attr attr;
	struct ibv_port_attr port;
	int (*modify_qp)(struct ibv_qp * qp, struct ibv_qp_attr * attr, int mask);

	if (bench_is_adopted())
		modify_qp = ibv_modify_qp; /* the layer is to see it */
	else
		from_libibverbs("ibv_modify_qp", &modify_qp);
	must(ibv_query_port(D.context, 1, &port), "ibv_query_port");
	memset(&attr, 0, sizeof(attr));
	attr.qp_state = state;
	attr.port_num = 1;
	attr.path_mtu = IBV_MTU_1024; /* to itself */
	attr.dest_qp_num = q->qp->qp_num;
	attr.min_rnr_timer = 12;
	attr.qkey = 1;
	attr.ah_attr.is_global = 1;
	must(ibv_query_gid(D.context, 1, 0, &attr.ah_attr.grh.dgid), "ibv_query_gid");
	attr.ah_attr.grh.hop_limit = 1;
	attr.ah_attr.dlid = port.lid;
	attr.ah_attr.port_num = 1;
	must(modify_qp(q->qp, &attr, IBV_QP_STATE | extra), "ibv_modify_qp");
}

/* Attributes of each transition, by transport. */
static const struct {
	int init, rtr, rts;
} wanted[QUEUES] = {
	[QUEUE_rc] = {IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
		      IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			      IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
		      IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
			      IBV_QP_MAX_QP_RD_ATOMIC},
	[QUEUE_uc] = {IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
		      IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN, IBV_QP_SQ_PSN},
	[QUEUE_ud] = {IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY, 0, IBV_QP_SQ_PSN},
	[QUEUE_xrc_initiator] = {IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
				 IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN,
				 IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
					 IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC},
	[QUEUE_dci] = {IBV_QP_PKEY_INDEX | IBV_QP_PORT, IBV_QP_PATH_MTU | IBV_QP_AV,
		       IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
			       IBV_QP_MAX_QP_RD_ATOMIC},
};

void bench_reset_theirs(struct bench_queue *q)
{
	const size_t kind = (size_t)(q - D.queues);

	to(q, IBV_QPS_RESET, 0);
	to(q, IBV_QPS_INIT, wanted[kind].init);
	to(q, IBV_QPS_RTR, wanted[kind].rtr);
	to(q, IBV_QPS_RTS, wanted[kind].rts);
	must(bench_unseen_reset(q->qp), "reset by the kernel");
	memset(q->ring, 0, q->bytes);
}

void bench_flush_theirs(struct bench_queue *q, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	to(q, IBV_QPS_RESET, 0);
	to(q, IBV_QPS_INIT, wanted[q - D.queues].init);
	must(ibv_post_recv(q->qp, wr, bad), "ibv_post_recv");
	to(q, IBV_QPS_ERR, 0);
}

static const struct {
	enum ibv_qp_type type;
	uint64_t operations;
	bool receives;
} made[QUEUES] = {
	[QUEUE_rc] = {IBV_QPT_RC,
		      IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
			      IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_SEND |
			      IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_SEND_WITH_INV |
			      IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
			      IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD,
		      true},
	[QUEUE_uc] = {IBV_QPT_UC,
		      IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
			      IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM |
			      IBV_QP_EX_WITH_SEND_WITH_INV,
		      true},
	[QUEUE_ud] = {IBV_QPT_UD, IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM, true},
	[QUEUE_xrc_initiator] = {IBV_QPT_XRC_SEND,
				 IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
					 IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_SEND |
					 IBV_QP_EX_WITH_SEND_WITH_IMM |
					 IBV_QP_EX_WITH_SEND_WITH_INV |
					 IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
					 IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD,
				 false},
	[QUEUE_dci] = {IBV_QPT_DRIVER,
		       IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
			       IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_SEND |
			       IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_SEND_WITH_INV |
			       IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
			       IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD,
		       false},
};

static void open_queue(enum bench_queue_kind kind)
{
	struct bench_queue *const q = &D.queues[kind];
	struct ibv_qp_init_attr_ex attr;
	struct mlx5dv_qp_init_attr mlx5;
	struct mlx5dv_obj obj;
	struct mlx5dv_qp dv;

	memset(&attr, 0, sizeof(attr));
	memset(&mlx5, 0, sizeof(mlx5));
	attr.qp_type = made[kind].type;
	attr.send_cq = D.own;
	attr.recv_cq = D.own;
	attr.cap.max_send_wr = 2 * BENCH_ALL;
	attr.cap.max_recv_wr = made[kind].receives ? 2 * BENCH_ALL : 0;
	attr.cap.max_send_sge = 4;
	attr.cap.max_recv_sge = made[kind].receives;
	attr.cap.max_inline_data = 200;
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	attr.pd = D.pd;
	attr.send_ops_flags = made[kind].operations;
	if (kind == QUEUE_dci) {
		mlx5.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
		mlx5.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
	}
	q->qp = kind == QUEUE_dci ? mlx5dv_create_qp(D.context, &attr, &mlx5)
				  : ibv_create_qp_ex(D.context, &attr);
	if (!q->qp) {
		fprintf(stderr, "bench: the device makes no queue pair of kind %d: %s\n", (int)kind,
			strerror(errno));
		return;
	}
	q->qpx = ibv_qp_to_qp_ex(q->qp);
	q->mqpx = mlx5dv_qp_ex_from_ibv_qp_ex(q->qpx);
	memset(&obj, 0, sizeof(obj));
	memset(&dv, 0, sizeof(dv));
	obj.qp.in = q->qp;
	obj.qp.out = &dv;
	must(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), "mlx5dv_init_obj");
	q->ring = dv.sq.buf;
	q->bytes = (size_t)dv.sq.wqe_cnt * dv.sq.stride;
}

/* The floors and Segue write the address that libmlx5 has. */
static void open_address(void)
{
	struct ibv_ah_attr attr;
	struct ibv_port_attr port;
	struct mlx5dv_obj obj;
	struct mlx5dv_ah dv;

	must(ibv_query_port(D.context, 1, &port), "ibv_query_port");
	memset(&attr, 0, sizeof(attr));
	attr.is_global = 1;
	must(ibv_query_gid(D.context, 1, 0, &attr.grh.dgid), "ibv_query_gid");
	attr.grh.hop_limit = 1;
	attr.dlid = port.lid;
	attr.port_num = 1;
	bench_their_ah = ibv_create_ah(D.pd, &attr);
	must(!bench_their_ah, "ibv_create_ah");
	obj.ah.in = bench_their_ah;
	obj.ah.out = &dv;
	must(mlx5dv_init_obj(&obj, MLX5DV_OBJ_AH), "mlx5dv_init_obj");
	dv.av->dqp_dct |= htobe32(MLX5_EXTENDED_UD_AV); /* as what posts sets it */
	memcpy(&bench_address_vector, dv.av, sizeof(*dv.av));
}

void bench_open_theirs(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *(*open_device)(struct ibv_device * device);
	struct ibv_cq_init_attr_ex extended = {.cqe = BENCH_ENTRIES - 1,
					       .wc_flags = IBV_WC_EX_WITH_BYTE_LEN};
	int i;

	for (i = 0; list && list[i] && !mlx5dv_is_supported(list[i]); i++)
		;
	if (!list || !list[i]) {
		fprintf(stderr, "bench: no mlx5 device; run it below tools/softhca/softhca\n");
		exit(1);
	}
	from_libibverbs("ibv_open_device", &open_device);
	D.context = open_device(list[i]);
	ibv_free_device_list(list);
	must(!D.context, "ibv_open_device");
	must(bench_is_adopted() && segue_verbs_adopt(D.context), "segue_verbs_adopt");
	D.pd = ibv_alloc_pd(D.context);
	D.cq = ibv_create_cq(D.context, BENCH_ENTRIES - 1, NULL, NULL, 0);
	D.own = ibv_create_cq(D.context, BENCH_ENTRIES - 1, NULL, NULL, 0);
	D.cqx = ibv_create_cq_ex(D.context, &extended);
	must(!D.pd || !D.cq || !D.own || !D.cqx, "ibv_create_cq");
	for (i = 0; i < QUEUES; i++)
		open_queue((enum bench_queue_kind)i);
	open_address();
}
