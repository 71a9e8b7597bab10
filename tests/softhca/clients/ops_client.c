/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who posts, polls or arms through libibverbs' function pointers runs the device: they lead into
 * the preloaded library, also after libmlx5 has changed them, which it does to wr_complete() with
 * the state of the queue pair. A WRITE through each way of posting.
 */
#include <dlfcn.h>
#include <string.h>

#include "tests/softhca/clients/client.h"

int failures;

static void is_ours(const char *name, void (*fn)(void))
{
	Dl_info where = {0};

	CHECK(dladdr((const void *)(uintptr_t)fn, &where) && where.dli_fname);
	if (strstr(where.dli_fname, "libsofthca"))
		return;
	printf("%s leads into %s\n", name, where.dli_fname);
	failures++;
}

static void connect_to_itself(struct ibv_qp *qp)
{
	struct ibv_port_attr port;
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
				   .port_num = 1,
				   .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};

	CHECK_RC(ibv_query_port(qp->context, 1, &port), 0);
	CHECK_RC(
		ibv_modify_qp(qp, &attr,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
		0);
	attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
				    .path_mtu = IBV_MTU_1024,
				    .dest_qp_num = qp->qp_num,
				    .max_dest_rd_atomic = 1,
				    .ah_attr = {.dlid = port.lid, .port_num = 1}};
	CHECK_RC(ibv_modify_qp(qp, &attr,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 0);
	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .max_rd_atomic = 1};
	CHECK_RC(ibv_modify_qp(qp, &attr,
			       IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				       IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC),
		 0);
}

static void write_with_wr(struct ibv_qp_ex *ex, struct ibv_mr *mr, char *buf)
{
	ibv_wr_start(ex);
	ex->wr_id = 1;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_rdma_write(ex, mr->rkey, (uintptr_t)buf + 64);
	ibv_wr_set_sge(ex, mr->lkey, (uintptr_t)buf, 32);
	CHECK_RC(ibv_wr_complete(ex), 0);
}

static void write_with_post(struct ibv_qp *qp, struct ibv_mr *mr, char *buf)
{
	struct ibv_sge sge = {(uintptr_t)buf, 32, mr->lkey};
	struct ibv_send_wr wr = {.sg_list = &sge,
				 .num_sge = 1,
				 .opcode = IBV_WR_RDMA_WRITE,
				 .send_flags = IBV_SEND_SIGNALED,
				 .wr.rdma = {(uintptr_t)buf + 64, mr->rkey}},
			   *bad;

	CHECK_RC(ibv_post_send(qp, &wr, &bad), 0);
}

int main(void)
{
	static char buf[128];
	struct ibv_context *const ctx = open_first();
	struct ibv_pd *const pd = ibv_alloc_pd(ctx);
	struct ibv_cq *const cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	struct ibv_mr *const mr = ibv_reg_mr(pd, buf, sizeof(buf),
					     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	struct ibv_qp_init_attr_ex init = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RC,
		.pd = pd,
		.cap = {.max_send_wr = 16, .max_send_sge = 1},
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
	};
	struct ibv_qp *const qp = ibv_create_qp_ex(ctx, &init);
	struct ibv_qp_ex *ex;

	NEED(pd && cq && mr && qp);
	ex = ibv_qp_to_qp_ex(qp);
	connect_to_itself(qp);
	is_ours("ibv_poll_cq()", (void (*)(void))ctx->ops.poll_cq);
	is_ours("ibv_req_notify_cq()", (void (*)(void))ctx->ops.req_notify_cq);
	is_ours("ibv_post_send()", (void (*)(void))ctx->ops.post_send);
	is_ours("ibv_wr_complete()", (void (*)(void))ex->wr_complete);
	for (int way = 0; way < 2; way++) {
		memset(buf, 'a' + way, 32);
		if (way)
			write_with_post(qp, mr, buf);
		else
			write_with_wr(ex, mr, buf);
		CHECK_EQ(wait_wc(cq).status, IBV_WC_SUCCESS);
		CHECK(!memcmp(buf, buf + 64, 32));
	}
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	return failures != 0;
}
