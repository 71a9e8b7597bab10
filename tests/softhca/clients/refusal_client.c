/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What cards refuse at creation, with which errno, and what they take and refuse later. Each check
 * names who saw it: an issue or pull request, or the kernel's source. With an argument it is run on
 * a device of few keys (--caps max_mr=40,max_mw=40). Knows nothing of softhca.
 */
#include <stdbool.h>
#include <sys/mman.h>

#include "tests/softhca/clients/loop.h"

#define SIZE 65536u

int failures;

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_device_attr limits;
static struct ibv_port_attr port;
static uint8_t *memory;
static struct ibv_mr *mr;

static bool ethernet(void)
{
	return port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

/* ---- queues ---- */

static struct ibv_qp *make_qp(enum ibv_qp_type type, struct ibv_qp_cap cap)
{
	struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = type, .cap = cap};

	return ibv_create_qp(pd, &init);
}

static void test_queue_pairs(void)
{
	const struct ibv_qp_cap small = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1};
	struct ibv_qp_cap cap = small;
	struct ibv_qp *qp;

	/* linux-rdma/perftest 139, ofiwg/libfabric 8256 */
	cap.max_inline_data = 1024;
	CHECK_NULL(make_qp(IBV_QPT_RC, cap), EINVAL);
	cap.max_inline_data = 220;
	qp = make_qp(IBV_QPT_RC, cap);
	NEED(qp);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	/* openucx/ucx 5148: more than the device has, in each of four ways */
	cap = small;
	cap.max_send_sge = (uint32_t)limits.max_sge + 1;
	CHECK_NULL(make_qp(IBV_QPT_RC, cap), EINVAL);
	cap = small;
	cap.max_recv_sge = (uint32_t)limits.max_sge + 3;
	CHECK_NULL(make_qp(IBV_QPT_RC, cap), EINVAL);
	cap = small;
	cap.max_recv_wr = (uint32_t)limits.max_qp_wr + 1;
	CHECK_NULL(make_qp(IBV_QPT_RC, cap), EINVAL);
	/* rdma-unit-test, QpTest.MaxQpWr: libmlx5 counts in units of 64 bytes */
	cap = small;
	cap.max_send_wr = (uint32_t)limits.max_qp_wr;
	CHECK_NULL(make_qp(IBV_QPT_RC, cap), EINVAL);
	/* linux-rdma/rdma-core 473: none is a number, too */
	cap.max_send_wr = 0;
	qp = make_qp(IBV_QPT_RC, cap);
	NEED(qp);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	/* Linux, uverbs_cmd.c, ib_uverbs_ex_create_flow(): datagrams and raw packets only */
	qp = make_qp(IBV_QPT_RC, small);
	NEED(qp);
	CHECK_NULL(ibv_create_flow(qp, &(struct ibv_flow_attr){.size = sizeof(struct ibv_flow_attr),
							       .port = 1}),
		   EINVAL);
	CHECK_RC(ibv_attach_mcast(qp, &(union ibv_gid){.raw = {0xff, 0x0e}}, 0xc001), EINVAL);
	CHECK_RC(ibv_destroy_qp(qp), 0);
}

/* A queue pair's step to INIT, RTR or RTS. */
static int step_to(struct ibv_qp *qp, enum ibv_qp_state state, uint8_t reads, int more)
{
	struct ibv_qp_attr a = {.qp_state = state,
				.port_num = 1,
				.path_mtu = IBV_MTU_1024,
				.dest_qp_num = qp->qp_num,
				.max_dest_rd_atomic = reads,
				.max_rd_atomic = reads,
				.ah_attr = {.port_num = 1,
					    .dlid = port.lid,
					    .is_global = ethernet(),
					    .grh.hop_limit = 1}};
	static const int masks[] = {
		[IBV_QPS_INIT] = IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
		[IBV_QPS_RTR] = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN,
		[IBV_QPS_RTS] = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC};

	CHECK_RC(ibv_query_gid(ctx, 1, 0, &a.ah_attr.grh.dgid), 0);
	return ibv_modify_qp(qp, &a, masks[state] | IBV_QP_STATE | more);
}

static void test_attributes(void)
{
	const int rc = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	const struct ibv_qp_cap small = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1};
	struct ibv_qp *qp = make_qp(IBV_QPT_RC, small), *uc = make_qp(IBV_QPT_UC, small);
	const uint8_t most = (uint8_t)limits.max_qp_rd_atom;

	NEED(qp && uc);
	/* kvcache-ai/Mooncake 721: RESET leads to RESET, though not on every card */
	CHECK_RC(step_to(qp, IBV_QPS_RESET, 0, 0), 0);
	CHECK_RC(step_to(qp, IBV_QPS_INIT, 0, 0), 0);
	/* linux-rdma/perftest 114, openucx/ucx 8103: more READs than the device has */
	CHECK_RC(step_to(qp, IBV_QPS_RTR, most + 1, rc), EINVAL);
	CHECK_RC(step_to(qp, IBV_QPS_RTR, most, rc), 0);
	CHECK_RC(step_to(qp, IBV_QPS_RTS, 80, 0), EINVAL);
	CHECK_RC(step_to(qp, IBV_QPS_RTS, most, 0), 0);
	/* jonhoo/rust-ibverbs 30: attributes of another type */
	CHECK_RC(step_to(uc, IBV_QPS_INIT, 0, 0), 0);
	CHECK_RC(step_to(uc, IBV_QPS_RTR, 0, IBV_QP_MAX_DEST_RD_ATOMIC), EINVAL);
	CHECK_RC(step_to(uc, IBV_QPS_RTR, 0, IBV_QP_MIN_RNR_TIMER), EINVAL);
	CHECK_RC(step_to(uc, IBV_QPS_RTR, 0, 0), 0);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_qp(uc), 0);
}

/* linux-rdma/perftest 52, openucx/ucx 8637 of protection domains; what is in use stays. */
static void test_busy(void)
{
	union ibv_gid group = {.raw = {0xff, 0x0e}};
	struct ibv_srq_init_attr init = {.attr = {.max_wr = 8, .max_sge = 1}};
	struct ibv_srq *srq = ibv_create_srq(pd, &init);
	struct ibv_qp_init_attr of_srq = {
		.send_cq = cq, .recv_cq = cq, .srq = srq, .qp_type = IBV_QPT_RC};
	struct ibv_qp *qp = ibv_create_qp(pd, &of_srq);
	struct ibv_qp *ud = make_qp(IBV_QPT_UD, (struct ibv_qp_cap){.max_send_wr = 1});

	NEED(srq && qp && ud);
	CHECK_RC(ibv_dealloc_pd(pd), EBUSY);
	CHECK_RC(ibv_destroy_cq(cq), EBUSY);
	CHECK_RC(ibv_destroy_srq(srq), EBUSY);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_srq(srq), 0);
	/* Linux, uverbs_cmd.c: ib_uverbs_detach_mcast() compares the LID on each link */
	CHECK_RC(ibv_attach_mcast(ud, &group, 0xc001), 0);
	CHECK_RC(ibv_destroy_qp(ud), EBUSY);
	CHECK_RC(ibv_detach_mcast(ud, &group, 0xc002), EINVAL);
	CHECK_RC(ibv_detach_mcast(ud, &group, 0xc001), 0);
	CHECK_RC(ibv_destroy_qp(ud), 0);
}

static void test_completion_queues(void)
{
	struct ibv_modify_cq_attr pace = {.attr_mask = IBV_CQ_ATTR_MODERATE, .moderate = {1, 4096}};

	/* linux-rdma/rdma-core 910, 911, 926 for others; spdk/spdk 1747 of the size */
	CHECK_NULL(ibv_create_cq(ctx, 0, NULL, NULL, 0), EINVAL);
	CHECK_NULL(ibv_create_cq(ctx, limits.max_cqe + 1, NULL, NULL, 0), EINVAL);
	/* ofiwg/libfabric 6841: fewer vectors than processors */
	CHECK_NULL(ibv_create_cq(ctx, 1, NULL, NULL, -1), EINVAL);
	CHECK_NULL(ibv_create_cq(ctx, 1, NULL, NULL, ctx->num_comp_vectors), EINVAL);
	/* rdma-unit-test's table of mlx5: nothing is wrong with arming a queue without a channel */
	CHECK_RC(ibv_req_notify_cq(cq, 0), 0);
	CHECK_RC(ibv_resize_cq(cq, 0), EINVAL);
	CHECK_RC(ibv_resize_cq(cq, limits.max_cqe + 1), EINVAL);
	/* Linux, mlx5_ib_modify_cq(): MLX5_MAX_CQ_PERIOD */
	CHECK_RC(ibv_modify_cq(cq, &pace), EINVAL);
	pace.moderate.cq_period = 4095;
	CHECK_RC(ibv_modify_cq(cq, &pace), 0);
}

static void test_shared_receive_queues(void)
{
	struct ibv_srq_init_attr init = {
		.attr = {.max_wr = (uint32_t)limits.max_srq_wr + 1, .max_sge = 1}};
	struct ibv_xrcd_init_attr domain = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1};
	struct ibv_wq_init_attr work = {
		.wq_type = IBV_WQT_RQ, .max_sge = 1, .max_wr = 1 << 20, .pd = pd, .cq = cq};

	/* spdk/spdk 2275 */
	CHECK_NULL(ibv_create_srq(pd, &init), EINVAL);
	init.attr.max_wr = 8;
	init.attr.max_sge = (uint32_t)limits.max_srq_sge + 1;
	CHECK_NULL(ibv_create_srq(pd, &init), EINVAL);
	/* Linux, uverbs_cmd.c, ib_uverbs_open_xrcd(): without a file it can only be made */
	CHECK_NULL(ibv_open_xrcd(ctx, &domain), EINVAL);
	CHECK_NULL(ibv_create_wq(ctx, &work), EINVAL);
	work.max_wr = 0;
	CHECK_NULL(ibv_create_wq(ctx, &work), EINVAL);
}

/* ---- memory ---- */

static void test_memory(void)
{
	struct ibv_alloc_dm_attr dm = {.length = (size_t)1 << 30};
	struct ibv_mr *odp;

	/* Linux, ib_umem_get(): no page; ib_uverbs_reg_mr(): both begin at one place of a page */
	CHECK_NULL(ibv_reg_mr(pd, memory, 0, IBV_ACCESS_LOCAL_WRITE), EINVAL);
	CHECK_NULL(ibv_reg_mr_iova(pd, memory, 4096, 100, IBV_ACCESS_LOCAL_WRITE), EINVAL);
	/* thustorage/Sherman 2: more than is on the chip */
	CHECK_NULL(ibv_alloc_dm(ctx, &dm), EINVAL);
	/* openucx/ucx 10100: pages on demand and relaxed order, where the device has both */
	odp = ibv_reg_mr(pd, memory, 8,
			 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND |
				 IBV_ACCESS_RELAXED_ORDERING);
	NEED(odp);
	CHECK_RC(ibv_dereg_mr(odp), 0);
	/* Linux, ib_check_mr_access(): remote writers without a local one */
	CHECK_NULL(ibv_reg_mr(pd, memory, 8, IBV_ACCESS_REMOTE_WRITE), EINVAL);
	CHECK_NULL(ibv_reg_mr(pd, memory, 8, IBV_ACCESS_REMOTE_ATOMIC), EINVAL);
	CHECK_NULL(ibv_alloc_mw(pd, (enum ibv_mw_type)3), EINVAL);
}

/* Eight bytes or more to or from a peer, whatever the length of the local piece of memory. */
static enum ibv_wc_status ask(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t length,
			      uint32_t rkey, const uint8_t *at)
{
	struct ibv_sge sge = {(uintptr_t)memory, length, mr->lkey};
	struct ibv_send_wr *bad,
		wr = {.sg_list = &sge, .num_sge = 1, .opcode = op, .send_flags = IBV_SEND_SIGNALED};

	if (op == IBV_WR_RDMA_READ) {
		wr.wr.rdma.remote_addr = (uintptr_t)at;
		wr.wr.rdma.rkey = rkey;
	} else {
		wr.wr.atomic.remote_addr = (uintptr_t)at;
		wr.wr.atomic.compare_add = 1;
		wr.wr.atomic.rkey = rkey;
	}
	CHECK_RC(ibv_post_send(qp, &wr, &bad), 0);
	return wait_wc(cq).status;
}

/* rdma-unit-test's table of mlx5: "Allows invalid SGE size for atomics" */
static void test_atomic_sizes(void)
{
	const struct ibv_qp_cap cap = {.max_send_wr = 4, .max_send_sge = 1};
	struct ibv_qp *qp = make_qp(IBV_QPT_RC, cap);

	NEED(qp);
	connect_self(qp, ctx);
	for (uint32_t length = 1; length < 18; length += 4) {
		memset(memory, 0xee, 24);
		memset(memory + 4096, 0, 8);
		CHECK_EQ(ask(qp, IBV_WR_ATOMIC_FETCH_AND_ADD, length, mr->rkey, memory + 4096),
			 IBV_WC_SUCCESS);
		CHECK_EQ(memory[4096], 1);
		CHECK(!memory[0] && !memory[7] && memory[8] == 0xee);
	}
	CHECK_RC(ibv_destroy_qp(qp), 0);
}

/* rdma-unit-test's table of mlx5: "MW address not checked at bind", but where it is used. */
static void test_wide_window(void)
{
	const int access = REMOTE | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;
	struct ibv_mr *page = ibv_reg_mr(pd, memory + 8192, 4096, access);
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind bind = {
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = {page, (uintptr_t)memory + 4096, 12288,
			      IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC}};
	const struct ibv_qp_cap cap = {.max_send_wr = 4, .max_send_sge = 1};
	struct ibv_qp *qp = make_qp(IBV_QPT_RC, cap), *peer = make_qp(IBV_QPT_RC, cap);

	NEED(page && mw && qp && peer);
	CHECK_RC(connect_to(qp, ctx, peer->qp_num), 0);
	CHECK_RC(connect_to(peer, ctx, qp->qp_num), 0);
	CHECK_RC(ibv_bind_mw(qp, mw, &bind), 0);
	CHECK_EQ(wait_wc(cq).status, IBV_WC_SUCCESS);
	/* "UnsignaledBindError" of the table: there is no error, and so no completion. */
	bind.send_flags = 0;
	CHECK_RC(ibv_bind_mw(qp, mw, &bind), 0);
	/* microsoft/NetworkDirect 20: a region with a window */
	CHECK_RC(ibv_dereg_mr(page), EBUSY);
	CHECK_EQ(ask(qp, IBV_WR_ATOMIC_FETCH_AND_ADD, 8, mw->rkey, memory + 8192), IBV_WC_SUCCESS);
	CHECK_EQ(ask(qp, IBV_WR_RDMA_READ, 8, mw->rkey, memory + 8192), IBV_WC_SUCCESS);
	CHECK_EQ(ask(qp, IBV_WR_RDMA_READ, 8, mw->rkey, memory + 12288 - 8), IBV_WC_SUCCESS);
	CHECK_EQ(ask(qp, IBV_WR_RDMA_READ, 8, mw->rkey, memory + 12288 - 4), IBV_WC_REM_ACCESS_ERR);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_qp(peer), 0);
	CHECK_RC(ibv_dealloc_mw(mw), 0);
	CHECK_RC(ibv_dereg_mr(page), 0);
}

/* Linux, mlx5_ib_query_device(): max_mr and max_mw are the one number of keys. */
static void test_few_keys(void)
{
	struct ibv_mr *regions[64];
	struct ibv_mw *windows[64];
	int nmr = 0, nmw = 0;

	while (nmr < 5 && (regions[nmr] = ibv_reg_mr(pd, memory, 8, 0)))
		nmr++;
	while (nmw < 64 && (windows[nmw] = ibv_alloc_mw(pd, IBV_MW_TYPE_1)))
		nmw++;
	CHECK_EQ(errno, ENOMEM);
	CHECK(nmw <= limits.max_mw - nmr && nmw >= limits.max_mw - nmr - 4);
	while (nmr < 64 && (regions[nmr] = ibv_reg_mr(pd, memory, 8, 0)))
		nmr++;
	CHECK_EQ(errno, ENOMEM);
	CHECK(nmr <= limits.max_mr - nmw && nmr >= limits.max_mr - nmw - 4);
	while (nmw)
		CHECK_RC(ibv_dealloc_mw(windows[--nmw]), 0);
	while (nmr)
		CHECK_RC(ibv_dereg_mr(regions[--nmr]), 0);
}

/* ---- addresses ---- */

/* As ibv_create_ah() and a queue pair that is to connect say it. */
static void check_address(const struct ibv_ah_attr *ah, int want)
{
	struct ibv_qp *qp = make_qp(IBV_QPT_RC, (struct ibv_qp_cap){.max_send_wr = 1});
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1};

	NEED(qp);
	if (ethernet())
		CHECK_NULL(ibv_create_ah(pd, (struct ibv_ah_attr *)ah), want);
	CHECK_RC(
		ibv_modify_qp(qp, &a,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
		0);
	a.qp_state = IBV_QPS_RTR;
	a.path_mtu = IBV_MTU_1024;
	a.ah_attr = *ah;
	CHECK_RC(ibv_modify_qp(qp, &a,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 want);
	CHECK_RC(ibv_destroy_qp(qp), 0);
}

static void test_addresses(void)
{
	struct ibv_ah_attr ah = {.port_num = 1, .dlid = port.lid, .is_global = 1};
	struct ibv_gid_entry entry;
	uint32_t empty = 0;

	while (!ibv_query_gid_ex(ctx, 1, empty, &entry, 0))
		empty++;
	/* kvcache-ai/Mooncake 1592: 61; Linux, rdma_get_gid_attr() */
	CHECK_RC(ibv_query_gid_ex(ctx, 1, empty, &entry, 0), ENODATA);
	CHECK_RC(ibv_query_gid(ctx, 1, 0, &ah.grh.dgid), 0);
	ah.grh.sgid_index = (uint8_t)empty;
	check_address(&ah, ENODATA);
	ah.grh.sgid_index = 255; /* behind the table */
	check_address(&ah, EINVAL);
	ah.grh.sgid_index = 0;
	/* SymbioticLab/Justitia 3, cc-hpc-itwm/GPI-2 47: on RoCE an address is a GID */
	ah.is_global = 0;
	if (ethernet())
		check_address(&ah, EINVAL);
}

int main(int argc, char **argv)
{
	(void)argv;
	ctx = open_first();
	pd = ibv_alloc_pd(ctx);
	cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NEED(pd && cq && memory != MAP_FAILED);
	NEED(!ibv_query_device(ctx, &limits) && !ibv_query_port(ctx, 1, &port));
	mr = ibv_reg_mr(pd, memory, SIZE, REMOTE | IBV_ACCESS_REMOTE_ATOMIC);
	NEED(mr);
	if (argc > 1) {
		test_few_keys();
	} else {
		test_queue_pairs();
		test_attributes();
		test_busy();
		test_completion_queues();
		test_shared_receive_queues();
		test_memory();
		test_wide_window();
		test_atomic_sizes();
		test_addresses();
	}
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	munmap(memory, SIZE);
	return failures != 0;
}
