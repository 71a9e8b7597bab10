/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Targets whose processes end as soon as their last receive has completed: what they were sent is
 * acknowledged all the same. usage: target_exit_client rc|dc [TARGETS [ROUNDS]]
 */
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

#define KEY	 0x5e6e
#define MESSAGES 3
#define SIZE	 3000
#define MOST	 16

int failures;

struct host {
	uint16_t lid;
	uint32_t qpn;
};

struct side {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_mr *mr;
	struct ibv_port_attr port;
	char memory[SIZE * MESSAGES];
};

static bool dc;

static void open_side(struct side *s)
{
	struct ibv_srq_init_attr init = {.attr = {.max_wr = MESSAGES, .max_sge = 1}};

	s->ctx = open_first();
	s->pd = ibv_alloc_pd(s->ctx);
	s->cq = ibv_create_cq(s->ctx, 64, NULL, NULL, 0);
	s->mr = ibv_reg_mr(s->pd, s->memory, sizeof(s->memory), IBV_ACCESS_LOCAL_WRITE);
	s->srq = ibv_create_srq(s->pd, &init);
	NEED(s->pd && s->cq && s->mr && s->srq);
	CHECK_RC(ibv_query_port(s->ctx, 1, &s->port), 0);
}

static struct ibv_ah_attr way_to(const struct host *to)
{
	return (struct ibv_ah_attr){.dlid = to->lid, .port_num = 1};
}

static void modify(struct ibv_qp *qp, struct ibv_qp_attr attr, int mask)
{
	CHECK_RC(ibv_modify_qp(qp, &attr, mask | IBV_QP_STATE), 0);
}

static void to_init(struct ibv_qp *qp, bool target)
{
	modify(qp, (struct ibv_qp_attr){.qp_state = IBV_QPS_INIT, .port_num = 1},
	       IBV_QP_PKEY_INDEX | IBV_QP_PORT | (dc && !target ? 0 : IBV_QP_ACCESS_FLAGS));
}

/* `to` is NULL: whoever comes. */
static void to_rtr(struct ibv_qp *qp, const struct host *to, bool target)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
				   .path_mtu = IBV_MTU_1024,
				   .min_rnr_timer = 12,
				   .max_dest_rd_atomic = 1};

	attr.ah_attr.port_num = 1;
	if (to)
		attr.ah_attr = way_to(to);
	attr.dest_qp_num = to ? to->qpn : 0;
	if (dc)
		modify(qp, attr,
		       target ? IBV_QP_PATH_MTU | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV
			      : IBV_QP_PATH_MTU | IBV_QP_AV);
	else
		modify(qp, attr,
		       IBV_QP_PATH_MTU | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_DEST_QPN |
			       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC);
}

static void to_rts(struct ibv_qp *qp)
{
	modify(qp,
	       (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
				    .timeout = 12,
				    .retry_cnt = 2,
				    .rnr_retry = 7,
				    .max_rd_atomic = 1},
	       IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC |
		       IBV_QP_SQ_PSN);
}

static struct ibv_qp *create(struct side *s, bool target)
{
	struct ibv_qp_init_attr_ex init = {
		.qp_type = dc ? IBV_QPT_DRIVER : IBV_QPT_RC,
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.pd = s->pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
	};
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = {.dc_type = target ? MLX5DV_DCTYPE_DCT : MLX5DV_DCTYPE_DCI,
				 .dct_access_key = KEY},
	};
	struct ibv_qp *qp;

	if (target)
		init.srq = s->srq;
	if (!dc || !target) {
		init.cap.max_send_wr = 2 * MESSAGES;
		init.cap.max_send_sge = 1;
		init.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		init.send_ops_flags = IBV_QP_EX_WITH_SEND;
	}
	qp = dc ? mlx5dv_create_qp(s->ctx, &init, &dv) : ibv_create_qp_ex(s->ctx, &init);
	NEED(qp);
	to_init(qp, target);
	return qp;
}

/* Returns right after the last completion. */
static int target(int in, int out)
{
	static struct side s;
	struct host me, peer;
	struct ibv_qp *qp;

	open_side(&s);
	qp = create(&s, true);
	for (int i = 0; i < MESSAGES; i++) {
		struct ibv_sge sge = {(uintptr_t)s.memory + (uint64_t)i * SIZE, SIZE, s.mr->lkey};
		struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;

		CHECK_RC(ibv_post_srq_recv(s.srq, &wr, &bad), 0);
	}
	if (dc)
		to_rtr(qp, NULL, true);
	me = (struct host){s.port.lid, qp->qp_num};
	CHECK_EQ(write(out, &me, sizeof(me)), sizeof(me));
	NEED(read(in, &peer, sizeof(peer)) == sizeof(peer));
	if (!dc) {
		to_rtr(qp, &peer, true);
		to_rts(qp);
		CHECK_EQ(write(out, &me, sizeof(me)), sizeof(me));
	}
	for (int i = 0; i < MESSAGES; i++)
		CHECK_RC(wait_wc(s.cq).status, IBV_WC_SUCCESS);
	return failures;
}

struct child {
	pid_t pid;
	int to, from;
	struct host host;
	struct ibv_qp *qp;
	struct ibv_ah *ah;
};

static void begin(struct child *c)
{
	int there[2], back[2];

	CHECK(!pipe(there) && !pipe(back));
	c->pid = fork();
	if (!c->pid)
		exit(target(there[0], back[1]));
	c->to = there[1];
	c->from = back[0];
	close(there[0]);
	close(back[1]);
}

static void send_one(struct side *s, struct child *c)
{
	struct ibv_qp_ex *const q = ibv_qp_to_qp_ex(c->qp);

	ibv_wr_start(q);
	q->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_send(q);
	if (dc)
		mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(q), c->ah, c->host.qpn, KEY);
	ibv_wr_set_sge(q, s->mr->lkey, (uintptr_t)s->memory, SIZE);
	CHECK_RC(ibv_wr_complete(q), 0);
}

static void meet(struct side *s, struct child *c, struct ibv_qp *shared)
{
	struct host me = {s->port.lid, 0};
	struct ibv_ah_attr way;

	NEED(read(c->from, &c->host, sizeof(c->host)) == sizeof(c->host));
	way = way_to(&c->host);
	c->qp = dc ? shared : create(s, false);
	me.qpn = c->qp->qp_num;
	CHECK_EQ(write(c->to, &me, sizeof(me)), sizeof(me));
	if (dc) {
		c->ah = ibv_create_ah(s->pd, &way);
		NEED(c->ah);
		return;
	}
	to_rtr(c->qp, &c->host, false);
	to_rts(c->qp);
	NEED(read(c->from, &c->host, sizeof(c->host)) == sizeof(c->host));
}

int main(int argc, char **argv)
{
	const int targets = argc > 2 ? atoi(argv[2]) : 3;
	static struct side s;
	struct child child[MOST];
	struct ibv_qp *shared = NULL;
	int status;

	dc = argc > 1 && !strcmp(argv[1], "dc");
	for (int i = 0; i < targets; i++)
		begin(&child[i]);
	open_side(&s);
	if (dc) {
		shared = create(&s, false);
		to_rtr(shared, NULL, false);
		to_rts(shared);
	}
	for (int i = 0; i < targets; i++)
		meet(&s, &child[i], shared);
	for (int m = 0; m < MESSAGES; m++) {
		for (int i = 0; i < targets; i++)
			send_one(&s, &child[i]);
		for (int i = 0; i < targets; i++) {
			const struct ibv_wc wc = wait_wc(s.cq);

			if (wc.status != IBV_WC_SUCCESS)
				fprintf(stderr, "message %d: %s\n", m,
					ibv_wc_status_str(wc.status));
			failures += wc.status != IBV_WC_SUCCESS;
		}
	}
	for (int i = 0; i < targets; i++) {
		CHECK(waitpid(child[i].pid, &status, 0) == child[i].pid && !status);
	}
	printf("%d failures\n", failures);
	return failures != 0;
}
