/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packets by verbs: work queues, indirection tables, rules by verbs and by mlx5dv, strides. */
#include <arpa/inet.h>

#include "tests/softhca/clients/raw_lib.h"

int failures;

/* ---- rules -------------------------------------------------------------------------------------
 */

struct rule {
	struct ibv_flow_attr attr;
	struct ibv_flow_spec_ipv4_ext ip;
	struct ibv_flow_spec_tcp_udp udp;
};

/* UDP to a port, from anybody. */
static struct rule to_port(uint16_t port)
{
	struct rule r;

	memset(&r, 0, sizeof(r));
	r.attr = (struct ibv_flow_attr){
		.type = IBV_FLOW_ATTR_NORMAL, .size = sizeof(r), .num_of_specs = 2, .port = 1};
	r.ip.type = IBV_FLOW_SPEC_IPV4_EXT;
	r.ip.size = sizeof(r.ip);
	r.ip.val.dst_ip = htonl(0x0a000063);
	r.ip.mask.dst_ip = 0xffffffff;
	r.udp.type = IBV_FLOW_SPEC_UDP;
	r.udp.size = sizeof(r.udp);
	r.udp.val.dst_port = htons(port);
	r.udp.mask.dst_port = 0xffff;
	return r;
}

static struct ibv_flow *install(struct ibv_qp *qp, struct rule r)
{
	return ibv_create_flow(qp, &r.attr);
}

static void test_rule_errors(struct side *s)
{
	struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC,
					.send_cq = s->cq,
					.recv_cq = s->cq,
					.cap = {.max_send_wr = 1, .max_send_sge = 1}};
	struct ibv_qp *rc = ibv_create_qp(pd, &init);
	struct rule r = to_port(1);

	NEED(rc);
	CHECK_NULL(install(rc, r), EINVAL);
	CHECK_RC(ibv_destroy_qp(rc), 0);
	r.attr.port = 7;
	CHECK_NULL(install(s->qp, r), EINVAL);
	r = to_port(1);
	r.attr.priority = 99;
	CHECK_NULL(install(s->qp, r), ENOSPC);
	r = to_port(1);
	r.attr.flags = IBV_FLOW_ATTR_FLAGS_EGRESS;
	CHECK_NULL(install(s->qp, r), EINVAL);
	r = to_port(1);
	r.ip.mask.ttl = 0xff;
	CHECK_NULL(install(s->qp, r), EOPNOTSUPP);
	r = to_port(1);
	r.attr.type = (enum ibv_flow_attr_type)9;
	CHECK_NULL(install(s->qp, r), EINVAL);
	r = to_port(1);
	r.attr.type = IBV_FLOW_ATTR_ALL_DEFAULT;
	r.attr.flags = IBV_FLOW_ATTR_FLAGS_DONT_TRAP;
	CHECK_NULL(install(s->qp, r), EINVAL);
}

static void test_rules(struct side *from, struct side *to)
{
	struct rule all = {
		.attr = {.type = IBV_FLOW_ATTR_ALL_DEFAULT, .size = sizeof(all.attr), .port = 1}};
	struct ibv_flow *one = install(to->qp, to_port(4791)), *rest;
	struct ibv_wc wc;

	NEED(one);
	CHECK_RC(ibv_destroy_qp(to->qp), EBUSY);
	for (unsigned int i = 0; i < 4; i++)
		post_recv(to, i);
	send_frame(from, 1, 80); /* not for us */
	send_frame(from, 2, 4791);
	wc = wait_wc(to->cq);
	CHECK(wc.status == IBV_WC_SUCCESS && wc.byte_len == FRAME && wc.wr_id == 0);
	CHECK(wc.wc_flags & IBV_WC_IP_CSUM_OK);
	CHECK(to->buf[29] == 2 && to->buf[99] == 2);
	rest = install(to->qp, all);
	NEED(rest);
	send_frame(from, 3, 80);
	wc = wait_wc(to->cq);
	CHECK(wc.wr_id == 1 && to->buf[2048 + 29] == 3);
	CHECK_RC(ibv_destroy_flow(one), 0);
	CHECK_RC(ibv_destroy_flow(rest), 0);
}

static void test_matcher(struct side *from, struct side *to)
{
	uint8_t mask_buf[sizeof(struct mlx5dv_flow_match_parameters) + 64] = {0};
	uint8_t value_buf[sizeof(mask_buf)] = {0};
	struct mlx5dv_flow_match_parameters *mask = (void *)mask_buf, *value = (void *)value_buf;
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL, .match_criteria_enable = 1, .match_mask = mask};
	struct mlx5dv_flow_action_attr act[2] = {
		{.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = to->qp},
		{.type = MLX5DV_FLOW_ACTION_TAG, .tag_value = 0x77},
	};
	struct mlx5dv_flow_matcher *m;
	struct ibv_flow *flow;

	mask->match_sz = value->match_sz = 64;
	/* udp_dport of the outer headers */
	((uint8_t *)mask->match_buf)[30] = ((uint8_t *)mask->match_buf)[31] = 0xff;
	((uint8_t *)value->match_buf)[31] = 53;
	attr.match_criteria_enable = 4;
	CHECK_NULL(mlx5dv_create_flow_matcher(ctx, &attr), EOPNOTSUPP); /* inner headers */
	attr.match_criteria_enable = 1;
	m = mlx5dv_create_flow_matcher(ctx, &attr);
	NEED(m);
	flow = mlx5dv_create_flow(m, value, 2, act);
	NEED(flow);
	CHECK_RC(mlx5dv_destroy_flow_matcher(m), EBUSY);
	send_frame(from, 4, 54);
	send_frame(from, 5, 53);
	CHECK(wait_wc(to->cq).wr_id == 2 && to->buf[2 * 2048 + 29] == 5);
	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(mlx5dv_destroy_flow_matcher(m), 0);
}

/* ---- work queues -------------------------------------------------------------------------------
 */

static struct ibv_wq *make_wq(struct ibv_cq *cq)
{
	struct ibv_wq_init_attr init = {
		.wq_type = IBV_WQT_RQ, .max_wr = 64, .max_sge = 1, .pd = pd, .cq = cq};

	return ibv_create_wq(ctx, &init);
}

static int wq_to(struct ibv_wq *wq, enum ibv_wq_state state)
{
	struct ibv_wq_attr attr = {.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = state};

	return ibv_modify_wq(wq, &attr);
}

static struct ibv_qp *rss_qp(struct ibv_rwq_ind_table *table, uint64_t fields, uint8_t key_len)
{
	static uint8_t key[128] = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67};
	struct ibv_qp_init_attr_ex init = {
		.qp_type = IBV_QPT_RAW_PACKET,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_RX_HASH |
			     IBV_QP_INIT_ATTR_IND_TABLE,
		.pd = pd,
		.rwq_ind_tbl = table,
		.rx_hash_conf = {IBV_RX_HASH_FUNC_TOEPLITZ, key_len, key, fields},
	};

	return ibv_create_qp_ex(ctx, &init);
}

static void wq_post(struct ibv_wq *wq, struct side *s, unsigned int slot)
{
	struct ibv_sge sge = {(uint64_t)(uintptr_t)(s->buf + slot * 2048), 2048, s->mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = slot, .sg_list = &sge, .num_sge = 1}, *bad;

	CHECK_RC(ibv_post_wq_recv(wq, &wr, &bad), 0);
}

static void test_spreading(struct side *from, struct side *to)
{
	struct ibv_cq *cq[2] = {ibv_create_cq(ctx, 64, NULL, NULL, 0),
				ibv_create_cq(ctx, 64, NULL, NULL, 0)};
	struct ibv_wq *wq[2] = {make_wq(cq[0]), make_wq(cq[1])}, *list[4];
	struct ibv_rwq_ind_table_init_attr tinit = {.log_ind_tbl_size = 2, .ind_tbl = list};
	struct rule all = {
		.attr = {.type = IBV_FLOW_ATTR_NORMAL, .size = sizeof(all.attr), .port = 1}};
	const uint64_t ip4 = IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV4;
	struct ibv_rwq_ind_table *table;
	struct ibv_qp_attr attr;
	struct ibv_flow *flow;
	struct ibv_qp *qp;
	int seen[2] = {0};
	const double end = seconds() + 30;

	NEED(wq[0] && wq[1]);
	CHECK(wq_to(wq[0], IBV_WQS_ERR) != 0);
	for (int i = 0; i < 4; i++)
		list[i] = wq[i % 2];
	table = ibv_create_rwq_ind_table(ctx, &tinit);
	NEED(table);
	CHECK_RC(ibv_destroy_wq(wq[0]), EBUSY);
	CHECK_NULL(rss_qp(table, ip4, 39), EINVAL);
	CHECK_NULL(rss_qp(table, ip4 | IBV_RX_HASH_SRC_IPV6, 40), EINVAL);
	CHECK_NULL(rss_qp(table, 0, 40), EINVAL);
	CHECK_NULL(rss_qp(table, IBV_RX_HASH_INNER, 40), EOPNOTSUPP);
	qp = rss_qp(table, ip4, 40);
	NEED(qp);
	CHECK_RC(ibv_destroy_rwq_ind_table(table), EBUSY);
	attr.qp_state = IBV_QPS_INIT;
	CHECK_RC(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EOPNOTSUPP);
	flow = install(qp, all);
	NEED(flow);
	for (int i = 0; i < 2; i++)
		CHECK_RC(wq_to(wq[i], IBV_WQS_RDY), 0);
	for (unsigned int i = 0; i < 64; i++)
		wq_post(wq[i % 2], to, i);
	for (uint8_t i = 1; i <= 32; i++)
		send_frame(from, i, 4791);
	while (seen[0] + seen[1] < 32 && seconds() < end) {
		for (int i = 0; i < 2; i++) {
			struct ibv_wc wc;

			if (!ibv_poll_cq(cq[i], 1, &wc))
				continue;
			CHECK(wc.status == IBV_WC_SUCCESS && wc.byte_len == FRAME);
			CHECK_EQ((int)(wc.wr_id % 2), i);
			seen[i]++;
		}
	}
	CHECK(seen[0] + seen[1] == 32 && seen[0] && seen[1]);
	CHECK_RC(wq_to(wq[0], IBV_WQS_ERR), 0);
	CHECK_EQ(wait_wc(cq[0]).status, IBV_WC_WR_FLUSH_ERR);
	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_rwq_ind_table(table), 0);
	for (int i = 0; i < 2; i++) {
		CHECK_RC(ibv_destroy_wq(wq[i]), 0);
		CHECK_RC(ibv_destroy_cq(cq[i]), 0);
	}
}

/* libmlx5 makes striding queues but writes no entries: that and the polling are the program's. */
static void test_strides(struct side *from, struct side *to)
{
	struct mlx5dv_wq_init_attr dv = {.comp_mask = MLX5DV_WQ_INIT_ATTR_MASK_STRIDING_RQ,
					 .striding_rq_attrs = {.single_stride_log_num_of_bytes = 7,
							       .single_wqe_log_num_of_strides = 3}};
	struct ibv_cq *cq = ibv_create_cq(ctx, 64, NULL, NULL, 0);
	struct ibv_wq_init_attr init = {
		.wq_type = IBV_WQT_RQ, .max_wr = 4, .max_sge = 1, .pd = pd, .cq = cq};
	struct rule all = {
		.attr = {.type = IBV_FLOW_ATTR_NORMAL, .size = sizeof(all.attr), .port = 1}};
	struct ibv_wq *wq = mlx5dv_create_wq(ctx, &init, &dv);
	struct ibv_rwq_ind_table_init_attr tinit = {.ind_tbl = &wq};
	struct ibv_rwq_ind_table *table;
	struct mlx5dv_rwq ring;
	struct mlx5dv_cq dvcq;
	struct mlx5dv_obj obj = {.rwq = {.in = wq, .out = &ring}, .cq = {.in = cq, .out = &dvcq}};
	const double end = seconds() + 30;
	struct mlx5_mprq_wqe *entry;
	struct ibv_flow *flow;
	struct ibv_qp *qp;

	NEED(wq);
	CHECK_RC(mlx5dv_init_obj(&obj, MLX5DV_OBJ_RWQ | MLX5DV_OBJ_CQ), 0);
	CHECK(ring.stride >= sizeof(*entry));
	table = ibv_create_rwq_ind_table(ctx, &tinit);
	qp = rss_qp(table, 0, 40);
	NEED(qp);
	flow = install(qp, all);
	NEED(flow);
	CHECK_RC(wq_to(wq, IBV_WQS_RDY), 0);
	entry = ring.buf;
	memset(entry, 0, ring.stride);
	mlx5dv_set_data_seg(&entry->dseg, 1024, to->mr->lkey, (uint64_t)(uintptr_t)to->buf);
	__sync_synchronize();
	ring.dbrec[MLX5_RCV_DBR] = htobe32(1);
	for (uint8_t i = 0; i < 3; i++)
		send_frame(from, (uint8_t)(i + 1), 4791);
	for (uint32_t i = 0; i < 3; i++) {
		volatile struct mlx5_cqe64 *cqe = (void *)((char *)dvcq.buf + i * dvcq.cqe_size +
							   (dvcq.cqe_size - 64));

		while (cqe->op_own >> 4 == MLX5_CQE_INVALID && seconds() < end)
			;
		CHECK((be32toh(cqe->byte_cnt) & 0xffff) == FRAME);
		CHECK_EQ(be32toh(cqe->byte_cnt) >> 16, 1);
		CHECK(be16toh(cqe->wqe_counter) == i && !cqe->wqe_id);
		CHECK_EQ(to->buf[i * 128 + 29], i + 1);
	}
	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_rwq_ind_table(table), 0);
	CHECK_RC(ibv_destroy_wq(wq), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
}

int main(void)
{
	static struct side from, to;
	struct ibv_device_attr_ex attr;

	ctx = open_first();
	pd = ibv_alloc_pd(ctx);
	NEED(pd);
	CHECK_RC(ibv_query_device_ex(ctx, NULL, &attr), 0);
	CHECK(attr.raw_packet_caps & IBV_RAW_PACKET_CAP_IP_CSUM);
	CHECK(attr.tso_caps.max_tso && attr.max_wq_type_rq);
	CHECK_EQ(attr.rss_caps.rx_hash_function, IBV_RX_HASH_FUNC_TOEPLITZ);
	side_open(&from);
	side_open(&to);
	test_rule_errors(&to);
	test_rules(&from, &to);
	test_matcher(&from, &to);
	test_spreading(&from, &to);
	test_strides(&from, &to);
	side_close(&from);
	side_close(&to);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
