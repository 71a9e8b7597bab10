/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw commands: queries whose answer comes later, protection domains. */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

int failures;

#define QUERY_IN  16
#define QUERY_OUT 272 /* of a receive pool */

static void command(uint8_t *in, uint16_t opcode, uint32_t object)
{
	memset(in, 0, QUERY_IN);
	in[0] = (uint8_t)(opcode >> 8);
	in[1] = (uint8_t)opcode;
	in[9] = (uint8_t)(object >> 16);
	in[10] = (uint8_t)(object >> 8);
	in[11] = (uint8_t)object;
}

static struct mlx5dv_devx_obj *make_pd(struct ibv_context *ctx, uint32_t *pdn)
{
	uint8_t in[16], out[16];
	struct mlx5dv_devx_obj *obj;

	command(in, 0x800, 0);
	obj = mlx5dv_devx_obj_create(ctx, in, sizeof(in), out, sizeof(out));
	NEED(obj);
	*pdn = (uint32_t)out[9] << 16 | (uint32_t)out[10] << 8 | out[11];
	return obj;
}

/* A key of that protection domain, usable by nobody until UMR has filled it. */
static struct mlx5dv_devx_obj *make_mkey(struct ibv_context *ctx, uint32_t pdn)
{
	uint8_t in[272] = {0x02, 0x00}, out[16];

	in[16] = 0x40; /* free */
	in[18] = 0x82; /* UMR, and a list of ranges */
	in[20] = in[21] = in[22] = 0xff;
	in[29] = (uint8_t)(pdn >> 16);
	in[30] = (uint8_t)(pdn >> 8);
	in[31] = (uint8_t)pdn;
	in[16 + 0x1a0 / 8 + 3] = 4;
	return mlx5dv_devx_obj_create(ctx, in, sizeof(in), out, sizeof(out));
}

static void test_pd(struct ibv_context *ctx)
{
	struct mlx5dv_devx_obj *pd, *mkey;
	uint32_t pdn;

	pd = make_pd(ctx, &pdn);
	CHECK(pdn != 0);
	CHECK_NULL(make_mkey(ctx, pdn + 1000), EREMOTEIO);
	mkey = make_mkey(ctx, pdn);
	NEED(mkey);
	CHECK(mlx5dv_devx_obj_destroy(pd) != 0); /* in use */
	CHECK_RC(mlx5dv_devx_obj_destroy(mkey), 0);
	CHECK_RC(mlx5dv_devx_obj_destroy(pd), 0);
}

static struct mlx5dv_devx_async_cmd_hdr *next_answer(struct mlx5dv_devx_cmd_comp *comp)
{
	static uint64_t buf[(8 + QUERY_OUT) / 8];
	struct mlx5dv_devx_async_cmd_hdr *hdr = (void *)buf;
	struct pollfd fd = {.fd = comp->fd, .events = POLLIN};

	CHECK_EQ(poll(&fd, 1, 30000), 1);
	memset(buf, 0xaa, sizeof(buf));
	CHECK_RC(mlx5dv_devx_get_async_cmd_comp(comp, hdr, sizeof(buf)), 0);
	return hdr;
}

static void test_async(struct ibv_context *ctx)
{
	struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(ctx), closed;
	uint8_t in[QUERY_IN], out[QUERY_OUT];
	struct mlx5dv_devx_async_cmd_hdr *hdr;
	struct mlx5dv_devx_obj *pd;
	uint32_t pdn;

	NEED(comp);
	pd = make_pd(ctx, &pdn);
	/* No query of this object exists; the answer does not come later but at once. */
	command(in, 0x50b, pdn);
	CHECK_RC(mlx5dv_devx_obj_query(pd, in, sizeof(in), out, sizeof(out)), EINVAL);
	CHECK_RC(mlx5dv_devx_obj_query_async(pd, in, sizeof(in), sizeof(out), 1, comp), EINVAL);
	closed.fd = open("/dev/null", O_RDONLY);
	CHECK_RC(mlx5dv_devx_obj_query_async(pd, in, sizeof(in), sizeof(out), 1, &closed), EBADF);
	close(closed.fd);
	CHECK_RC(mlx5dv_devx_obj_destroy(pd), 0);
	fcntl(comp->fd, F_SETFL, fcntl(comp->fd, F_GETFL) | O_NONBLOCK);
	hdr = (void *)out;
	CHECK_RC(mlx5dv_devx_get_async_cmd_comp(comp, hdr, sizeof(out)), EAGAIN);
	mlx5dv_devx_destroy_cmd_comp(comp);
}

/* A receive pool, made by raw commands; it has a query. */
struct pool {
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *pd, *rmp;
	uint32_t number;
	void *buf;
};

static void put32(uint8_t *at, uint32_t value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

static void pool_open(struct pool *p, struct ibv_context *ctx)
{
	enum { CONTEXT = 32, WQ = CONTEXT + 48 };
	uint8_t in[WQ + 192] = {0x09, 0x0c}, out[16];
	uint32_t pdn;

	p->buf = aligned_alloc(4096, 8192);
	NEED(p->buf);
	memset(p->buf, 0, 8192);
	p->umem = mlx5dv_devx_umem_reg(ctx, p->buf, 8192, IBV_ACCESS_LOCAL_WRITE);
	NEED(p->umem);
	p->pd = make_pd(ctx, &pdn);
	in[CONTEXT + 1] = 0x10; /* ready */
	put32(in + WQ + 8, pdn);
	put32(in + WQ + 20, 4096); /* the doorbell record is behind the ring */
	in[WQ + 33] = 6;	   /* entries of 64 bytes */
	in[WQ + 35] = 4;	   /* 16 of them */
	put32(in + WQ + 36, 3u << 30);
	put32(in + WQ + 40, p->umem->umem_id);
	put32(in + WQ + 44, p->umem->umem_id);
	p->rmp = mlx5dv_devx_obj_create(ctx, in, sizeof(in), out, sizeof(out));
	NEED(p->rmp);
	p->number = (uint32_t)out[9] << 16 | (uint32_t)out[10] << 8 | out[11];
}
static void pool_close(struct pool *p)
{
	CHECK_RC(mlx5dv_devx_obj_destroy(p->rmp), 0);
	CHECK_RC(mlx5dv_devx_umem_dereg(p->umem), 0);
	CHECK_RC(mlx5dv_devx_obj_destroy(p->pd), 0);
	free(p->buf);
}

/* Answers come in order, one at a time, and say what a query at once says. */
static void test_async_answers(struct ibv_context *ctx)
{
	struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(ctx);
	uint8_t in[QUERY_IN], now[QUERY_OUT];
	struct mlx5dv_devx_async_cmd_hdr *hdr;
	struct pool p;

	NEED(comp);
	pool_open(&p, ctx);
	command(in, 0x90f, p.number);
	CHECK_RC(mlx5dv_devx_obj_query(p.rmp, in, sizeof(in), now, sizeof(now)), 0);
	for (uint64_t i = 1; i <= 2; i++)
		CHECK_RC(mlx5dv_devx_obj_query_async(p.rmp, in, sizeof(in), sizeof(now), i, comp),
			 0);
	for (uint64_t i = 1; i <= 2; i++) {
		hdr = next_answer(comp);
		CHECK_EQ(hdr->wr_id, i);
		CHECK(!memcmp(hdr->out_data, now, sizeof(now)));
	}
	/* A refusal is an answer, too: there is no room for any other. */
	CHECK_RC(mlx5dv_devx_obj_query_async(p.rmp, in, sizeof(in), 16, 3, comp), 0);
	hdr = next_answer(comp);
	CHECK(hdr->wr_id == 3 && hdr->out_data[0] != 0);
	/* Nobody reads: the driver takes no more at some point. */
	for (int i = 0; i < 100000 &&
			!mlx5dv_devx_obj_query_async(p.rmp, in, sizeof(in), sizeof(now), 4, comp);
	     i++)
		CHECK(i < 99999);
	mlx5dv_devx_destroy_cmd_comp(comp);
	pool_close(&p);
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	struct ibv_context *ctx;

	NEED(list && list[0]);
	ctx = mlx5dv_open_device(list[0], &attr);
	NEED(ctx);
	ibv_free_device_list(list);
	test_pd(ctx);
	for (int i = 0; i < 3; i++) {
		test_async(ctx);
		test_async_answers(ctx);
	}
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
