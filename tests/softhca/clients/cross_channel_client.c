/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cross-channel queue pairs by the kernel's own command, which libibverbs does not pass the flags
 * on to: what the driver takes, and what it does not. Flags and refusals as in Linux
 * include/rdma/ib_verbs.h, drivers/infiniband/core/uverbs_cmd.c and
 * drivers/infiniband/hw/mlx5/qp.c.
 */
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

int failures;

enum { CROSS_CHANNEL = 1 << 2, MANAGED_SEND = 1 << 3, MANAGED_RECV = 1 << 4 };
enum { RING = 64 * 64, NO_INDEX = 0xffffff };

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static uint8_t *memory;

struct asked {
	struct ib_uverbs_cmd_hdr hdr;
	struct ib_uverbs_ex_cmd_hdr ex;
	struct ib_uverbs_ex_create_qp verbs;
	struct mlx5_ib_create_qp driver;
};

struct answered {
	struct ib_uverbs_ex_create_qp_resp verbs;
	struct mlx5_ib_create_qp_resp driver;
};

static struct asked ask(uint8_t type, uint32_t flags, uint32_t page)
{
	struct asked a = {0};

	a.verbs.pd_handle = pd->handle;
	a.verbs.send_cq_handle = a.verbs.recv_cq_handle = cq->handle;
	a.verbs.qp_type = type;
	a.verbs.max_send_wr = 16;
	a.verbs.max_send_sge = 1;
	a.verbs.create_flags = flags;
	a.driver.buf_addr = a.driver.sq_buf_addr = (uintptr_t)memory;
	a.driver.db_addr = (uintptr_t)memory + RING;
	a.driver.sq_wqe_count = 64;
	a.driver.flags = page ? MLX5_QP_FLAG_UAR_PAGE_INDEX : 0;
	a.driver.bfreg_index = page;
	a.driver.uidx = NO_INDEX - 1;
	return a;
}

/* 0 or an error number; what is made is destroyed at once. */
static int make(struct asked a)
{
	struct answered answer = {0};
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_destroy_qp verbs;
	} end = {.hdr = {.command = IB_USER_VERBS_CMD_DESTROY_QP,
			 .in_words = sizeof(end) / 4,
			 .out_words = 1}};
	struct ib_uverbs_destroy_qp_resp ended;

	a.hdr.command = IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_QP;
	a.hdr.in_words = sizeof(a.verbs) / 8;
	a.hdr.out_words = sizeof(answer.verbs) / 8;
	a.ex.response = (uintptr_t)&answer;
	a.ex.provider_in_words = sizeof(a.driver) / 8;
	a.ex.provider_out_words = sizeof(answer.driver) / 8;
	if (write(ctx->cmd_fd, &a, sizeof(a)) != (ssize_t)sizeof(a))
		return errno;
	end.verbs.response = (uintptr_t)&ended;
	end.verbs.qp_handle = answer.verbs.base.qp_handle;
	CHECK_EQ(write(ctx->cmd_fd, &end, sizeof(end)), (ssize_t)sizeof(end));
	return 0;
}

static int make_with(uint32_t flags, uint32_t page, uint32_t index)
{
	struct asked a = ask(IBV_QPT_RC, flags, page);

	a.driver.uidx = index;
	return make(a);
}

int main(void)
{
	struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	struct ibv_device **list = ibv_get_device_list(NULL);
	const struct mlx5dv_devx_uar *shared, *own;
	const int has = !getenv("WITHOUT_CROSS_CHANNEL");

	NEED(list && list[0]);
	ctx = mlx5dv_open_device(list[0], &attr);
	NEED(ctx);
	ibv_free_device_list(list);
	pd = ibv_alloc_pd(ctx);
	cq = ibv_create_cq(ctx, 64, NULL, NULL, 0);
	memory = aligned_alloc(4096, 2 * RING);
	/* that of libmlx5's completion queues */
	shared = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	own = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
	NEED(pd && cq && memory && shared && own && shared->page_id != own->page_id);
	memset(memory, 0, 2 * RING);

	CHECK_RC(make_with(0, 0, 1), 0);
	CHECK_RC(make_with(MANAGED_SEND, 0, 1), has ? 0 : EINVAL);
	CHECK_RC(make_with(CROSS_CHANNEL, 0, 1), EINVAL); /* with no page named */
	CHECK_RC(make_with(CROSS_CHANNEL, shared->page_id, 1), has ? 0 : EINVAL);
	CHECK_RC(make_with(CROSS_CHANNEL | MANAGED_SEND, shared->page_id, 1), has ? 0 : EINVAL);
	CHECK_RC(make_with(MANAGED_SEND, own->page_id, 1), has ? 0 : EINVAL);
	/* another one than its completion queue's */
	CHECK_RC(make_with(CROSS_CHANNEL, own->page_id, 1), EINVAL);
	CHECK_RC(make_with(1 << 5, shared->page_id, 1), EINVAL);
	CHECK_RC(make_with(0, 0, NO_INDEX - 1), 0);
	CHECK_RC(make_with(0, 0, NO_INDEX), EINVAL); /* completions are of version 1 */
	if (has)
		CHECK_RC(make(ask(IBV_QPT_UD, CROSS_CHANNEL | MANAGED_SEND, shared->page_id)), 0);
	mlx5dv_devx_free_uar((struct mlx5dv_devx_uar *)own);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	free(memory);
	printf("%d failures\n", failures);
	return failures != 0;
}
