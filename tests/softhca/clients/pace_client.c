/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rates of raw packet queue pairs, scheduling elements, packet pacing entries: that they limit,
 * what is refused, and that the capabilities say the same. On Ethernet. Only lower bounds of time
 * are checked, so a busy machine changes nothing.
 */
#include "tests/softhca/clients/loop.h"

int failures;

#define FRAMES 50u
#define LEN    1000u
#define KBPS   2000u /* FRAMES of LEN bytes last 0.2 s */

static struct ibv_qp *raw_qp(const struct loop *l)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RAW_PACKET,
		.send_cq = l->cq,
		.recv_cq = l->cq,
		.cap = {.max_send_wr = FRAMES, .max_send_sge = 1},
	};
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .rate_limit = KBPS};
	struct ibv_qp *qp = ibv_create_qp(l->pd, &init);

	NEED(qp);
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PORT), 0);
	a.qp_state = IBV_QPS_RTR;
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_RATE_LIMIT), EINVAL);
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE), 0);
	a.qp_state = IBV_QPS_RTS;
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_RATE_LIMIT), 0);
	return qp;
}

/* Posts it all at once; the seconds until the last one is complete. */
static double send_all(const struct loop *l, struct ibv_qp *qp, struct ibv_sge sge,
		       enum ibv_wr_opcode op)
{
	const double begin = seconds();

	for (unsigned int i = 0; i < FRAMES; i++) {
		struct ibv_send_wr wr = {.opcode = op,
					 .sg_list = &sge,
					 .num_sge = 1,
					 .send_flags = i + 1 == FRAMES ? IBV_SEND_SIGNALED : 0,
					 .wr.rdma = {sge.addr, sge.lkey}},
				   *bad;

		CHECK_RC(ibv_post_send(qp, &wr, &bad), 0);
	}
	CHECK_EQ(wait_wc(l->cq).status, IBV_WC_SUCCESS);
	return seconds() - begin;
}

static int set_rate(struct ibv_qp *qp, uint32_t kbps, uint32_t burst)
{
	struct ibv_qp_rate_limit_attr a = {.rate_limit = kbps, .max_burst_sz = burst};

	return ibv_modify_qp_rate_limit(qp, &a);
}

/* What so many bytes last at least, with what a device may make up for. */
#define LASTS(kbps) (FRAMES * LEN * 8 / ((kbps)*1000.0) - 0.01)

static void test_raw(struct loop *l, struct ibv_sge sge)
{
	struct ibv_qp *qp = raw_qp(l);
	struct ibv_device_attr_ex dev;

	CHECK_RC(ibv_query_device_ex(l->ctx, NULL, &dev), 0);
	CHECK_EQ(dev.packet_pacing_caps.supported_qpts, 1u << IBV_QPT_RAW_PACKET);
	CHECK(dev.packet_pacing_caps.qp_rate_limit_min <= KBPS);
	CHECK(send_all(l, qp, sge, IBV_WR_SEND) >= LASTS(KBPS));
	CHECK_RC(set_rate(qp, 2 * KBPS, 0), 0);
	CHECK(send_all(l, qp, sge, IBV_WR_SEND) >= LASTS(2 * KBPS));
	/* A burst of all of it: after a pause nothing waits. Only that it completes can be said. */
	CHECK_RC(set_rate(qp, KBPS, FRAMES * LEN), 0);
	send_all(l, qp, sge, IBV_WR_SEND);
	CHECK_RC(set_rate(qp, 0, 1), EINVAL);
	CHECK_RC(set_rate(qp, dev.packet_pacing_caps.qp_rate_limit_max + 1, 0), EINVAL);
	CHECK_RC(set_rate(l->qp, KBPS, 0), EINVAL); /* RC */
	CHECK_RC(set_rate(qp, 0, 0), 0);
	/* A queue that waits can go away. */
	CHECK_RC(set_rate(qp, 1, 0), 0);
	for (int i = 0; i < 3; i++) {
		struct ibv_send_wr wr = {.opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1},
				   *bad;

		CHECK_RC(ibv_post_send(qp, &wr, &bad), 0);
	}
	CHECK_RC(ibv_destroy_qp(qp), 0);
}

static void test_sched(struct loop *l, struct ibv_sge sge)
{
	struct mlx5dv_sched_attr attr = {0};
	struct mlx5dv_sched_node *root = mlx5dv_sched_node_create(l->ctx, &attr), *node;
	struct mlx5dv_sched_leaf *leaf;

	NEED(root);
	attr.parent = root;
	attr.flags = MLX5DV_SCHED_ELEM_ATTR_FLAGS_MAX_AVG_BW;
	attr.max_avg_bw = KBPS / 1000;
	node = mlx5dv_sched_node_create(l->ctx, &attr);
	NEED(node);
	attr = (struct mlx5dv_sched_attr){.parent = node};
	leaf = mlx5dv_sched_leaf_create(l->ctx, &attr);
	NEED(leaf);
	CHECK_RC(mlx5dv_sched_node_destroy(root), EBUSY);
	CHECK_RC(mlx5dv_modify_qp_sched_elem(l->qp, leaf, NULL), 0);
	/* The limit is that of the node above. */
	CHECK(send_all(l, l->qp, sge, IBV_WR_RDMA_WRITE) >= LASTS(KBPS));
	attr = (struct mlx5dv_sched_attr){.parent = root,
					  .flags = MLX5DV_SCHED_ELEM_ATTR_FLAGS_MAX_AVG_BW,
					  .max_avg_bw = 2 * KBPS / 1000};
	CHECK_RC(mlx5dv_sched_node_modify(node, &attr), 0);
	CHECK(send_all(l, l->qp, sge, IBV_WR_RDMA_WRITE) >= LASTS(2 * KBPS));
	CHECK_RC(mlx5dv_modify_qp_sched_elem(l->qp, NULL, NULL), 0);
	send_all(l, l->qp, sge, IBV_WR_RDMA_WRITE);
	CHECK_RC(mlx5dv_modify_qp_sched_elem(l->qp, leaf, leaf), 0);
	CHECK_RC(mlx5dv_sched_leaf_destroy(leaf), 0);
	send_all(l, l->qp, sge, IBV_WR_RDMA_WRITE);
	CHECK_RC(mlx5dv_sched_node_destroy(node), 0);
	CHECK_RC(mlx5dv_sched_node_destroy(root), 0);
}

static void test_pacing_entries(struct ibv_context *ctx)
{
	const uint32_t rate = htobe32(KBPS), other = htobe32(KBPS + 1), none = 0;
	struct mlx5dv_pp *a = mlx5dv_pp_alloc(ctx, sizeof(rate), &rate, 0);
	struct mlx5dv_pp *same = mlx5dv_pp_alloc(ctx, sizeof(rate), &rate, 0);
	struct mlx5dv_pp *b = mlx5dv_pp_alloc(ctx, sizeof(other), &other, 0);

	NEED(a && same && b);
	CHECK_EQ(a->index, same->index);
	CHECK(a->index != b->index);
	CHECK_NULL(mlx5dv_pp_alloc(ctx, sizeof(none), &none, 0), EINVAL);
	CHECK_NULL(mlx5dv_pp_alloc(ctx, sizeof(rate), &rate, 8), EOPNOTSUPP);
	mlx5dv_pp_free(a);
	mlx5dv_pp_free(same);
	mlx5dv_pp_free(b);
}

int main(void)
{
	struct ibv_context *ctx = open_first();
	static char buf[LEN];
	struct ibv_mr *mr;
	struct loop l;

	loop_open(&l, ctx);
	CHECK_RC(ibv_destroy_qp(l.qp), 0);
	l.qp = ibv_create_qp(
		l.pd, &(struct ibv_qp_init_attr){
			      .qp_type = IBV_QPT_RC,
			      .send_cq = l.cq,
			      .recv_cq = l.cq,
			      .cap = {.max_send_wr = FRAMES, .max_recv_wr = 1, .max_send_sge = 1}});
	NEED(l.qp);
	connect_self(l.qp, ctx);
	mr = ibv_reg_mr(l.pd, buf, sizeof(buf), REMOTE);
	NEED(mr);
	test_raw(&l, sge_of(buf, LEN, mr->lkey));
	test_sched(&l, sge_of(buf, LEN, mr->lkey));
	test_pacing_entries(ctx);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	loop_close(&l);
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
