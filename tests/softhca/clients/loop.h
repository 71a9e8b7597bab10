/* SPDX-License-Identifier: BSD-2-Clause */
/* For test programs with one queue pair that is connected with itself. */
#ifndef SOFTHCA_TESTS_LOOP_H
#define SOFTHCA_TESTS_LOOP_H

#include "tests/softhca/clients/client.h"

#define REMOTE (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

/* A queue pair that is connected with itself: what it refuses kills its own request. */
struct loop {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
};

/* From RESET to RTS with a queue pair of this port; an error number, or 0. */
static inline int connect_to(struct ibv_qp *qp, struct ibv_context *ctx, uint32_t qpn)
{
	struct ibv_port_attr port;
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT,
				.port_num = 1,
				.qp_access_flags = REMOTE | IBV_ACCESS_REMOTE_ATOMIC};
	union ibv_gid gid;
	int err = ibv_query_port(ctx, 1, &port);

	err = err ? err : ibv_query_gid(ctx, 1, 0, &gid);
	err = err ? err
		  : ibv_modify_qp(qp, &a,
				  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
					  IBV_QP_ACCESS_FLAGS);
	if (err)
		return err;
	a.qp_state = IBV_QPS_RTR;
	a.path_mtu = IBV_MTU_1024;
	a.dest_qp_num = qpn;
	a.max_dest_rd_atomic = 1;
	a.min_rnr_timer = 1;
	a.ah_attr.port_num = 1;
	a.ah_attr.dlid = port.lid;
	a.ah_attr.is_global = port.link_layer == IBV_LINK_LAYER_ETHERNET;
	a.ah_attr.grh.dgid = gid;
	a.ah_attr.grh.hop_limit = 1;
	err = ibv_modify_qp(qp, &a,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				    IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER);
	if (err)
		return err;
	a.qp_state = IBV_QPS_RTS;
	a.timeout = 14;
	a.retry_cnt = 7;
	a.max_rd_atomic = 1;
	return ibv_modify_qp(qp, &a,
			     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				     IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static inline void connect_self(struct ibv_qp *qp, struct ibv_context *ctx)
{
	CHECK_RC(connect_to(qp, ctx, qp->qp_num), 0);
}

static inline void loop_open_inline(struct loop *l, struct ibv_context *ctx, uint32_t max_inline)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1,
			.max_inline_data = max_inline},
	};

	l->ctx = ctx;
	l->pd = ibv_alloc_pd(ctx);
	l->cq = ibv_create_cq(ctx, 32, NULL, NULL, 0);
	NEED(l->pd && l->cq);
	init.send_cq = init.recv_cq = l->cq;
	l->qp = ibv_create_qp(l->pd, &init);
	NEED(l->qp);
	connect_self(l->qp, ctx);
}

static inline void loop_open(struct loop *l, struct ibv_context *ctx)
{
	loop_open_inline(l, ctx, 0);
}

static inline void loop_close(struct loop *l)
{
	CHECK_RC(ibv_destroy_qp(l->qp), 0);
	CHECK_RC(ibv_destroy_cq(l->cq), 0);
	CHECK_RC(ibv_dealloc_pd(l->pd), 0);
}

/* One RDMA READ or WRITE; how it completed. */
static inline enum ibv_wc_status rdma(struct loop *l, enum ibv_wr_opcode op, struct ibv_sge sge,
				      uint64_t raddr, uint32_t rkey)
{
	struct ibv_send_wr wr = {.opcode = op,
				 .sg_list = &sge,
				 .num_sge = 1,
				 .send_flags = IBV_SEND_SIGNALED,
				 .wr.rdma = {.remote_addr = raddr, .rkey = rkey}},
			   *bad;

	CHECK_RC(ibv_post_send(l->qp, &wr, &bad), 0);
	return wait_wc(l->cq).status;
}

/* One fetch-and-add of 8 bytes; how it completed. */
static inline enum ibv_wc_status rdma_add(struct loop *l, struct ibv_sge sge, uint64_t raddr,
					  uint32_t rkey, uint64_t add)
{
	struct ibv_send_wr wr = {.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
				 .sg_list = &sge,
				 .num_sge = 1,
				 .send_flags = IBV_SEND_SIGNALED,
				 .wr.atomic = {.remote_addr = raddr,
					       .rkey = rkey,
					       .compare_add = add}},
			   *bad;

	CHECK_RC(ibv_post_send(l->qp, &wr, &bad), 0);
	return wait_wc(l->cq).status;
}

static inline void again(struct loop *l)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_RESET};

	CHECK_RC(ibv_modify_qp(l->qp, &a, IBV_QP_STATE), 0);
	connect_self(l->qp, l->ctx);
}

static inline struct ibv_sge sge_of(void *p, uint32_t len, uint32_t lkey)
{
	return (struct ibv_sge){(uint64_t)(uintptr_t)p, len, lkey};
}

#endif
