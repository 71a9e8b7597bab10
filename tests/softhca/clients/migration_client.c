/* SPDX-License-Identifier: BSD-2-Clause */
/* Alternate paths: two queue pairs on two ports, and what happens when the first port goes. */
#include <dlfcn.h>
#include <poll.h>

#include "tests/softhca/clients/client.h"

int failures;

#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static char buf[256];
static struct ibv_qp *qp[2];

static void inject(const char *line)
{
	int (*call)(const char *);

	*(void **)&call = dlsym(RTLD_DEFAULT, "softhca_inject");
	NEED(call);
	CHECK_RC(call(line), 0);
}

static struct ibv_ah_attr path(uint8_t num)
{
	struct ibv_ah_attr ah = {.port_num = num};
	struct ibv_port_attr port;

	CHECK_RC(ibv_query_port(ctx, num, &port), 0);
	CHECK_RC(ibv_query_gid(ctx, num, 0, &ah.grh.dgid), 0);
	ah.dlid = port.lid;
	ah.is_global = port.link_layer == IBV_LINK_LAYER_ETHERNET;
	ah.grh.hop_limit = 1;
	return ah;
}

static void connect_to(struct ibv_qp *from, const struct ibv_qp *to)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_RESET};

	CHECK_RC(ibv_modify_qp(from, &a, IBV_QP_STATE), 0);
	a = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ACCESS};
	CHECK_RC(
		ibv_modify_qp(from, &a,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
		0);
	a.qp_state = IBV_QPS_RTR;
	a.path_mtu = IBV_MTU_1024;
	a.dest_qp_num = to->qp_num;
	a.max_dest_rd_atomic = a.max_rd_atomic = 1;
	a.ah_attr = path(1);
	CHECK_RC(ibv_modify_qp(from, &a,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 0);
	a.qp_state = IBV_QPS_RTS;
	a.timeout = 8;
	a.retry_cnt = 2;
	CHECK_RC(ibv_modify_qp(from, &a,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
		 0);
}

static int load_alternate(struct ibv_qp *q, uint8_t port, uint8_t port_of_path)
{
	struct ibv_qp_attr a = {.alt_port_num = port,
				.alt_timeout = 8,
				.path_mig_state = IBV_MIG_REARM,
				.alt_ah_attr = path(2)};

	a.alt_ah_attr.port_num = port_of_path;
	return ibv_modify_qp(q, &a, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE);
}

static enum ibv_wc_status write_from(struct ibv_qp *q)
{
	struct ibv_sge sge = {(uint64_t)(uintptr_t)buf, 64, mr->lkey};
	struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE,
				 .sg_list = &sge,
				 .num_sge = 1,
				 .send_flags = IBV_SEND_SIGNALED,
				 .wr.rdma = {sge.addr + 128, mr->rkey}},
			   *bad;

	CHECK_RC(ibv_post_send(q, &wr, &bad), 0);
	return wait_wc(cq).status;
}

static struct ibv_qp_attr query(struct ibv_qp *q)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr a;

	CHECK_RC(ibv_query_qp(q, &a, IBV_QP_PATH_MIG_STATE | IBV_QP_PORT | IBV_QP_AV, &init), 0);
	return a;
}

/* Waits for an event of each queue pair; those of ports are read and forgotten. */
static void both_get(enum ibv_event_type type)
{
	bool seen[2] = {false, false};
	struct pollfd fd = {.fd = ctx->async_fd, .events = POLLIN};
	struct ibv_async_event e;

	while (!seen[0] || !seen[1]) {
		NEED(poll(&fd, 1, 30000) == 1);
		CHECK_RC(ibv_get_async_event(ctx, &e), 0);
		for (int i = 0; i < 2; i++)
			if (e.event_type == type && e.element.qp == qp[i])
				seen[i] = true;
		ibv_ack_async_event(&e);
	}
}

static void arm(void)
{
	for (int i = 0; i < 2; i++)
		connect_to(qp[i], qp[!i]);
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(query(qp[i]).path_mig_state, IBV_MIG_MIGRATED);
		CHECK_RC(load_alternate(qp[i], 3, 3), EINVAL);
		CHECK_RC(load_alternate(qp[i], 2, 1), EINVAL);
		CHECK_RC(load_alternate(qp[i], 2, 2), 0);
		CHECK_EQ(query(qp[i]).path_mig_state, IBV_MIG_REARM);
	}
	/* Each has to hear from the other that it is ready. */
	CHECK_EQ(write_from(qp[0]), IBV_WC_SUCCESS);
	CHECK_EQ(write_from(qp[1]), IBV_WC_SUCCESS);
	for (int i = 0; i < 2; i++)
		CHECK_EQ(query(qp[i]).path_mig_state, IBV_MIG_ARMED);
}

static void check_moved(void)
{
	both_get(IBV_EVENT_PATH_MIG);
	for (int i = 0; i < 2; i++) {
		struct ibv_qp_attr a = query(qp[i]);

		CHECK_EQ(a.path_mig_state, IBV_MIG_MIGRATED);
		CHECK(a.port_num == 2 && a.ah_attr.port_num == 2);
		CHECK_EQ(write_from(qp[i]), IBV_WC_SUCCESS);
	}
}

/* The other path has all of the retries, whatever the first one has used up. */
static void lose_first_of_other_path(void)
{
	struct ibv_port_attr port;
	union ibv_gid gid;
	char line[64];

	CHECK_RC(ibv_query_port(ctx, 2, &port), 0);
	if (port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return; /* where no GID says the address */
	CHECK_RC(ibv_query_gid(ctx, 2, 2, &gid), 0);
	arm();
	snprintf(line, sizeof(line), "drop nth=1 to=%u.%u.%u.%u", gid.raw[12], gid.raw[13],
		 gid.raw[14], gid.raw[15]);
	inject(line);
	inject("at 0s port-down port=1");
	CHECK_EQ(write_from(qp[0]), IBV_WC_SUCCESS);
	check_moved();
	inject("clear");
	inject("at 0s port-up port=1");
}

int main(void)
{
	struct ibv_qp_attr by_hand = {.path_mig_state = IBV_MIG_MIGRATED};
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 4, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_device_attr dev;

	ctx = open_first();
	pd = ibv_alloc_pd(ctx);
	cq = ibv_create_cq(ctx, 32, NULL, NULL, 0);
	NEED(pd && cq);
	mr = ibv_reg_mr(pd, buf, sizeof(buf), ACCESS);
	init.send_cq = init.recv_cq = cq;
	for (int i = 0; i < 2; i++)
		qp[i] = ibv_create_qp(pd, &init);
	NEED(mr && qp[0] && qp[1]);
	CHECK_RC(ibv_query_device(ctx, &dev), 0);
	CHECK(dev.device_cap_flags & IBV_DEVICE_AUTO_PATH_MIG);

	lose_first_of_other_path();
	arm();
	inject("at 0s port-down port=1");
	CHECK(write_from(qp[0]) == IBV_WC_SUCCESS); /* by the other path */
	check_moved();
	/* It is not armed any more. */
	inject("at 0s port-down port=2");
	CHECK_EQ(write_from(qp[0]), IBV_WC_RETRY_EXC_ERR);
	inject("at 0s port-up port=1");
	inject("at 0s port-up port=2");

	arm();
	CHECK_RC(ibv_modify_qp(qp[1], &by_hand, IBV_QP_PATH_MIG_STATE), 0);
	CHECK_EQ(write_from(qp[1]), IBV_WC_SUCCESS);
	check_moved();

	for (int i = 0; i < 2; i++)
		CHECK_RC(ibv_destroy_qp(qp[i]), 0);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
