/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that makes its queues by raw device commands, as UCX does: shared receive pools, DC
 * targets, event channels, with every byte and every refusal checked. InfiniBand port 1.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/seed/seed.h"
#include "tests/softhca/clients/devx_lib.h"

int failures;

enum { BAD_PARAM = 0x3, BAD_RES = 0x5, BAD_RES_STATE = 0x9, BAD_INP_LEN = 0x50, BAD_OUTP_LEN };

/* ---- what they do ---- */

static void expect_message(struct cq *cq, const uint8_t *buffer, const uint8_t *sent, uint32_t len)
{
	const struct mlx5_cqe64 *cqe = cq_wait(cq);

	CHECK(cqe && cqe->op_own >> 4 == MLX5_CQE_RESP_SEND);
	CHECK(cqe && be32toh(cqe->byte_cnt) == len);
	CHECK(!memcmp(buffer, sent, len));
}

static void expect_sent(struct cq *cq)
{
	const struct mlx5_cqe64 *cqe = cq_wait(cq);

	CHECK(cqe && cqe->op_own >> 4 == MLX5_CQE_REQ);
}

static uint8_t *message(uint8_t seed)
{
	uint8_t *p = take(4096);

	for (int i = 0; i < 4096; i++)
		p[i] = (uint8_t)(seed + i * 7);
	return p;
}

/* A queue that sends when a controlling one lets it, as that has seen a completion elsewhere. */
static void test_chain(void)
{
	const uint8_t wait = 0x0f, send_enable = 0x17;
	uint8_t *text = message(1);
	struct cq mcq, scq, rcq;
	struct qp master, slave, peer;
	struct rmp rmp;

	cq_open(&mcq);
	cq_open(&scq);
	cq_open(&rcq);
	rmp_open(&rmp, LIST);
	cross = MASTER;
	qp_open(&master, 0, &mcq, NULL);
	cross = SLAVE_SEND;
	qp_open(&slave, 0, &scq, NULL);
	cross = 0;
	qp_open(&peer, 0, &rcq, &rmp);
	qp_connect(&master, peer.qpn);
	qp_connect(&slave, peer.qpn);
	qp_connect(&peer, slave.qpn);
	send_to(&slave, text, 100, 0);
	send_to(&slave, text, 200, 0);
	chain(&master, wait, rcq.cqn, 1);
	chain(&master, send_enable, slave.qpn, 2);
	usleep(20000);
	CHECK_EQ(mcq.ring[63] >> 4, MLX5_CQE_INVALID);
	CHECK_EQ(rcq.ring[63] >> 4, MLX5_CQE_INVALID);
	chain(&peer, wait, rcq.cqn, 0); /* waits for nothing, and completes */
	expect_sent(&rcq);
	expect_sent(&mcq);
	expect_sent(&mcq);
	for (uint32_t i = 0; i < 2; i++) {
		expect_sent(&scq);
		expect_message(&rcq, rmp.buffer[i * 2], text, 100 * (i + 1));
	}
	CHECK(!mlx5dv_devx_obj_destroy(master.obj));
	CHECK(!mlx5dv_devx_obj_destroy(slave.obj));
	CHECK(!mlx5dv_devx_obj_destroy(peer.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rmp.obj));
	CHECK(!mlx5dv_devx_obj_destroy(mcq.obj));
	CHECK(!mlx5dv_devx_obj_destroy(scq.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rcq.obj));
}

/* As test_devx_rc_qp_send_imm_doorbell_less_traffic() of rdma-core rings. */
static void test_no_record(void)
{
	const unsigned int caps = 0x80; /* HCA_CAP_2 */
	struct command c = command(0x100, 0x80, caps + 0x300);
	uint8_t *text = message(3);
	struct cq scq, rcq;
	struct qp a, b;
	struct rmp rmp;

	set(&c, 0x30, 16, 0x20 << 1 | 1);
	CHECK(!mlx5dv_devx_general_cmd(ctx, c.in, c.in_len, c.out, c.out_len));
	CHECK_EQ(get(c.out, caps + 0x2e0, 2), 1); /* no_dbr_ext, and not no_dbr_int */
	CHECK_EQ(get(c.out, caps + 0x2e3, 5), 14);
	cq_open(&scq);
	cq_open(&rcq);
	rmp_open(&rmp, LIST);
	dbr_mode = NO_DBR_INT;
	c = qp_command(&a, 0, &scq, NULL);
	refused(ctx, &c, BAD_PARAM);
	dbr_mode = NO_DBR_EXT;
	qp_open(&a, 0, &scq, NULL);
	c = qp_command(&b, 0, &scq, NULL);
	refused(ctx, &c, BAD_PARAM); /* the page has one */
	dbr_mode = DBR_VALID;
	qp_open(&b, 0, &rcq, &rmp);
	qp_connect(&a, b.qpn);
	qp_connect(&b, a.qpn);
	for (uint32_t i = 1; i < ENTRIES; i++) {
		send_to(&a, text, 100 * i, 0);
		expect_sent(&scq);
		expect_message(&rcq, rmp.buffer[(int[]){0, 2, 1, 3}[i - 1]], text, 100 * i);
	}
	CHECK(!mlx5dv_devx_obj_destroy(a.obj));
	CHECK(!mlx5dv_devx_obj_destroy(b.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rmp.obj));
	CHECK(!mlx5dv_devx_obj_destroy(scq.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rcq.obj));
}

static void test_pool(int type)
{
	static const int order[2][ENTRIES] = {{0, 2, 1, 3}, {0, 1, 2, 3}};
	struct cq scq, rcq;
	struct qp a, b;
	struct rmp rmp;

	cq_open(&scq);
	cq_open(&rcq);
	rmp_open(&rmp, type);
	qp_open(&a, 0, &scq, NULL);
	qp_open(&b, 0, &rcq, &rmp);
	qp_connect(&a, b.qpn);
	qp_connect(&b, a.qpn);
	for (uint8_t i = 0; i < ENTRIES; i++) {
		uint8_t *text = message(i);

		send_to(&a, text, 3000u + i, 0);
		expect_sent(&scq);
		expect_message(&rcq, rmp.buffer[order[type][i]], text, 3000u + i);
	}
	errno = 0;
	CHECK(mlx5dv_devx_obj_destroy(rmp.obj) && errno == EBUSY);
	CHECK(!mlx5dv_devx_obj_destroy(b.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rmp.obj));
	CHECK(!mlx5dv_devx_obj_destroy(a.obj));
	CHECK(!mlx5dv_devx_obj_destroy(scq.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rcq.obj));
}

static struct command dct_command(const struct cq *cq, const struct rmp *rmp)
{
	struct command c = command(0x710, 0x400, 0x80);
	const unsigned int dctc = 0x80;

	set(&c, dctc + 0x48, 24, cq->cqn);
	set(&c, dctc + 0x93, 5, 12);
	set(&c, dctc + 0xa8, 24, rmp->rmpn);
	set(&c, dctc + 0xc8, 24, pdn);
	set(&c, dctc + 0x100, 64, DC_KEY);
	set(&c, dctc + 0x145, 3, IBV_MTU_1024);
	set(&c, dctc + 0x148, 8, 1);
	return c;
}

static void test_target(void)
{
	struct mlx5dv_devx_obj *dct;
	struct cq scq, rcq;
	struct command c;
	uint32_t dctn;
	struct rmp rmp;
	struct qp dci;

	cq_open(&scq);
	cq_open(&rcq);
	rmp_open(&rmp, LIST);
	c = dct_command(&rcq, &rmp);
	dct = create(ctx, &c);
	CHECK(dct);
	dctn = number_in(&c);
	qp_open(&dci, 5, &scq, NULL);
	qp_connect(&dci, 0);
	for (uint8_t i = 0; i < 2; i++) {
		uint8_t *text = message((uint8_t)(i + 50));

		send_to(&dci, text, 4000, dctn);
		expect_sent(&scq);
		expect_message(&rcq, rmp.buffer[i * 2], text, 4000);
	}
	c = command(0x713, 0x80, 0x80 + 0x200);
	set(&c, 0x48, 24, dctn);
	CHECK(!mlx5dv_devx_obj_query(dct, c.in, c.in_len, c.out, c.out_len));
	CHECK_EQ(get(c.out, 0x80 + 0x145, 3), IBV_MTU_1024);
	set(&c, 0x48, 24, dctn + 1);
	errno = 0;
	CHECK(mlx5dv_devx_obj_query(dct, c.in, c.in_len, c.out, c.out_len) && errno == EINVAL);
	c = dct_command(&rcq, &rmp);
	set(&c, 0x80 + 0x148, 8, 99);
	refused(ctx, &c, BAD_PARAM);
	c = dct_command(&rcq, &rmp);
	set(&c, 0x80 + 0xa8, 24, 0xfffffe);
	refused(ctx, &c, BAD_RES);
	c = dct_command(&rcq, &rmp);
	c.in_len = 0x20;
	refused(ctx, &c, BAD_INP_LEN);
	CHECK(!mlx5dv_devx_obj_destroy(dci.obj));
	CHECK(!mlx5dv_devx_obj_destroy(dct));
	CHECK(!mlx5dv_devx_obj_destroy(rmp.obj));
	CHECK(!mlx5dv_devx_obj_destroy(scq.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rcq.obj));
}

static void test_pool_refusals(void)
{
	const unsigned int wq = 0x100 + 0x180;
	struct rmp rmp, real;
	struct command c;

	memset(&rmp, 0, sizeof(rmp));
	rmp_fill(&rmp);
	c = rmp_command(&rmp, LIST);
	c.in_len = 0x80;
	refused(ctx, &c, BAD_INP_LEN);
	c = rmp_command(&rmp, LIST);
	set(&c, 0x100 + 0x8, 4, 3);
	refused(ctx, &c, BAD_PARAM);
	c = rmp_command(&rmp, 3); /* striding */
	refused(ctx, &c, BAD_PARAM);
	c = rmp_command(&rmp, LIST);
	set(&c, wq + 0x48, 24, pdn ^ 0x555);
	refused(ctx, &c, BAD_RES);
	c = rmp_command(&rmp, LIST);
	set(&c, wq + 0x160, 32, 0x7777);
	refused(ctx, &c, BAD_RES);
	c = rmp_command(&rmp, LIST);
	set(&c, wq + 0x180, 64, MEMORY - 32);
	refused(ctx, &c, BAD_RES);
	c = rmp_command(&rmp, LIST);
	set(&c, wq + 0x11b, 5, 31);
	refused(ctx, &c, BAD_PARAM);
	rmp_open(&real, LIST);
	c = command(0x90d, 0x880, 0x80);
	set(&c, 0x48, 24, real.rmpn ^ 1);
	set(&c, 0x100 + 0x8, 4, 1);
	errno = 0;
	CHECK(modify(real.obj, &c) && errno == EINVAL);
	set(&c, 0x48, 24, real.rmpn);
	set(&c, 0x100 + 0x8, 4, 3);
	CHECK(modify(real.obj, &c) && c.out[0] == BAD_RES_STATE);
	c = command(0x507, 0x80, 0x80); /* a queue pair's command */
	set(&c, 0x48, 24, real.rmpn);
	errno = 0;
	CHECK(modify(real.obj, &c) && errno == EINVAL);
	CHECK(!mlx5dv_devx_obj_destroy(real.obj));
}

/* ---- events ---- */

static struct mlx5dv_devx_event_channel *channel(int flags)
{
	struct mlx5dv_devx_event_channel *ch = mlx5dv_devx_create_event_channel(
		ctx, (enum mlx5dv_devx_create_event_channel_flags)flags);

	CHECK(ch);
	CHECK(!fcntl(ch->fd, F_SETFL, fcntl(ch->fd, F_GETFL) | O_NONBLOCK));
	return ch;
}

/* Reads one event into more room than it needs: its length. */
static ssize_t event(struct mlx5dv_devx_event_channel *ch, uint64_t *cookie, uint8_t eqe[64])
{
	struct pollfd p = {.fd = ch->fd, .events = POLLIN};
	uint8_t room[512];
	ssize_t len;

	if (poll(&p, 1, DEADLINE) != 1) {
		fprintf(stderr, "no event\n");
		failures++;
		return -1;
	}
	len = read(ch->fd, room, sizeof(room));
	memcpy(cookie, room, sizeof(*cookie));
	memcpy(eqe, room + 8, 64);
	return len;
}

static int silent(struct mlx5dv_devx_event_channel *ch)
{
	uint8_t room[512];

	return read(ch->fd, room, sizeof(room)) < 0 && errno == EAGAIN;
}

static int subscribe(struct mlx5dv_devx_event_channel *ch, struct mlx5dv_devx_obj *obj,
		     uint16_t type, uint64_t cookie)
{
	errno = 0;
	return mlx5dv_devx_subscribe_devx_event(ch, obj, sizeof(type), &type, cookie);
}

static void test_events(void)
{
	struct mlx5dv_devx_event_channel *whole = channel(0);
	struct mlx5dv_devx_event_channel *brief = channel(
		MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
	struct cq scq, rcq;
	uint8_t eqe[64], *text = message(9);
	struct qp a, b;
	struct rmp rmp;
	struct command c;
	uint64_t cookie;
	int fd = eventfd(0, EFD_NONBLOCK);

	cq_open(&scq);
	cq_open(&rcq);
	rmp_open(&rmp, LIST);
	qp_open(&a, 0, &scq, NULL);
	qp_open(&b, 0, &rcq, &rmp);
	qp_connect(&a, b.qpn);
	qp_connect(&b, a.qpn);
	CHECK(!subscribe(whole, rcq.obj, 0, 0x1122334455667788));
	CHECK(!subscribe(brief, rcq.obj, 0, 77));
	CHECK(!mlx5dv_devx_subscribe_devx_event_fd(whole, fd, rcq.obj, 0));
	CHECK(!subscribe(whole, b.obj, 0x13, 13));
	CHECK(!subscribe(whole, rmp.obj, 0x14, 14));
	CHECK(silent(whole) && silent(brief));
	for (int i = 0; i < 2; i++) {
		cq_arm(&rcq);
		send_to(&a, text, 100, 0);
		expect_sent(&scq);
		expect_message(&rcq, rmp.buffer[i * 2], text, 100);
		CHECK_EQ(event(whole, &cookie, eqe), 72);
		CHECK(cookie == 0x1122334455667788 && eqe[1] == 0);
		CHECK_EQ(get(eqe, 0x1c8, 24), rcq.cqn);
	}
	/* Without data, what happened twice is told once. */
	CHECK(event(brief, &cookie, eqe) == 8 && cookie == 77);
	CHECK(silent(brief) && silent(whole));
	CHECK(read(fd, &cookie, 8) == 8 && cookie == 2);
	/* Two entries are left: fewer than the limit. */
	c = command(0x90d, 0x880, 0x80);
	set(&c, 0x48, 24, rmp.rmpn);
	set(&c, 0xbf, 1, 1);
	set(&c, 0x100 + 0x8, 4, 1);
	set(&c, 0x100 + 0x180 + 0x30, 16, 3);
	CHECK(!modify(rmp.obj, &c));
	CHECK(event(whole, &cookie, eqe) == 72 && cookie == 14 && eqe[1] == 0x14);
	CHECK_EQ(get(eqe, 0x1c8, 24), rmp.rmpn);
	CHECK(!qp_to_error(&b));
	CHECK(event(whole, &cookie, eqe) == 72 && cookie == 13 && eqe[1] == 0x13);
	CHECK_EQ(get(eqe, 0x1c8, 24), b.qpn);
	/* What is closed is told nothing, and says nothing. */
	mlx5dv_devx_destroy_event_channel(whole);
	CHECK(!mlx5dv_devx_obj_destroy(b.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rcq.obj));
	CHECK(silent(brief));
	CHECK(!mlx5dv_devx_obj_destroy(a.obj));
	CHECK(!mlx5dv_devx_obj_destroy(rmp.obj));
	CHECK(!mlx5dv_devx_obj_destroy(scq.obj));
	mlx5dv_devx_destroy_event_channel(brief);
	close(fd);
}

static void test_event_refusals(void)
{
	struct mlx5dv_devx_event_channel *ch = channel(0);
	uint16_t many[17] = {0};
	struct cq cq;
	int fd, pipes[2];

	cq_open(&cq);
	CHECK(subscribe(ch, cq.obj, 0x99, 1) && errno == EINVAL);
	CHECK(subscribe(ch, cq.obj, 9, 1) && errno == EINVAL); /* not an event of an object */
	CHECK(subscribe(ch, NULL, 0, 1) && errno == EINVAL);
	CHECK(!subscribe(ch, NULL, 9, 1)); /* the port's */
	CHECK(mlx5dv_devx_subscribe_devx_event(ch, cq.obj, sizeof(many), many, 1));
	CHECK(mlx5dv_devx_subscribe_devx_event(ch, cq.obj, 3, many, 1));
	CHECK(mlx5dv_devx_subscribe_devx_event(ch, cq.obj, 0, many, 1));
	CHECK(!mlx5dv_devx_subscribe_devx_event(ch, cq.obj, 32, many, 1));
	CHECK(!pipe(pipes));
	CHECK(mlx5dv_devx_subscribe_devx_event_fd(ch, pipes[0], cq.obj, 0) && errno == EINVAL);
	CHECK(mlx5dv_devx_subscribe_devx_event_fd(ch, 999, cq.obj, 0) && errno == EBADF);
	fd = ch->fd;
	ch->fd = pipes[0];
	CHECK(subscribe(ch, cq.obj, 0, 1) && errno == EBADF);
	ch->fd = fd;
	mlx5dv_devx_destroy_event_channel(ch);
	close(pipes[0]);
	close(pipes[1]);
	CHECK(!mlx5dv_devx_obj_destroy(cq.obj));
}

/* Whatever is in a command, the answer is an object or an error. */
static void test_noise(unsigned int seed)
{
	static const uint16_t opcodes[] = {0x200, 0x400, 0x500, 0x710, 0x90c};
	int made = 0;

	for (int i = 0; i < 3000; i++) {
		struct command c = command(opcodes[rand_r(&seed) % 5], 0, 0x80);
		struct mlx5dv_devx_obj *obj;

		c.in_len = 2 + (unsigned int)rand_r(&seed) % 500;
		for (size_t at = 2; at < sizeof(c.in); at++)
			if (rand_r(&seed) % 4 == 0)
				c.in[at] = (uint8_t)rand_r(&seed);
		if (rand_r(&seed) % 2) /* and now something that is nearly right */
			set(&c, rand_r(&seed) % 2 ? 0x2c8 : QPC + 0x28, 24, pdn);
		obj = create(ctx, &c);
		if (obj) {
			made++;
			CHECK(!mlx5dv_devx_obj_destroy(obj));
		}
	}
	printf("noise made %d objects\n", made);
}

/* Of a queue pair that verbs made. */
static void test_query(void)
{
	struct ibv_cq *cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {.max_send_wr = 4, .max_recv_wr = 30, .max_send_sge = 1, .max_recv_sge = 1},
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp *qp = ibv_create_qp(pd, &attr);
	struct command c = command(0x50b, 0x80, QPC + 0x740);

	CHECK(cq && qp);
	if (!qp)
		return;
	set(&c, 0x48, 24, qp->qp_num);
	CHECK(!mlx5dv_devx_qp_query(qp, c.in, c.in_len, c.out, c.out_len));
	CHECK_EQ(get(c.out, QPC + 0x49, 4), 5);
	CHECK(!ibv_destroy_qp(qp));
	CHECK(!ibv_destroy_cq(cq));
}

int main(void)
{
	struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	unsigned int seed = (unsigned int)segue_test_seed();
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct mlx5dv_pd dvpd = {0};
	struct mlx5dv_obj obj = {0};

	ctx = list && list[0] ? mlx5dv_open_device(list[0], &attr) : NULL;
	memory = aligned_alloc(4096, MEMORY);
	if (!ctx || !memory) {
		fprintf(stderr, "no device\n");
		return 1;
	}
	memset(memory, 0, MEMORY);
	pd = ibv_alloc_pd(ctx);
	mr = ibv_reg_mr(pd, memory, MEMORY, IBV_ACCESS_LOCAL_WRITE);
	uar = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
	umem = mlx5dv_devx_umem_reg(ctx, memory, MEMORY, IBV_ACCESS_LOCAL_WRITE);
	CHECK(pd && mr && uar && umem);
	CHECK(!mlx5dv_devx_query_eqn(ctx, 0, &eqn));
	CHECK(!ibv_query_port(ctx, 1, &port));
	obj.pd.in = pd;
	obj.pd.out = &dvpd;
	CHECK(!mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
	pdn = dvpd.pdn;
	if (!failures) {
		test_chain();
		test_no_record();
		test_pool(LIST);
		test_pool(CYCLIC);
		test_target();
		test_pool_refusals();
		test_query();
		test_events();
		test_event_refusals();
		test_noise(seed);
	}
	CHECK(!mlx5dv_devx_umem_dereg(umem));
	mlx5dv_devx_free_uar(uar);
	CHECK(!ibv_dereg_mr(mr));
	CHECK(!ibv_dealloc_pd(pd));
	CHECK(!ibv_close_device(ctx));
	ibv_free_device_list(list);
	free(memory);
	printf("%d failures\n", failures);
	return failures != 0;
}
