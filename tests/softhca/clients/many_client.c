/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many of everything in one process.
 * usage: many_client queues [FEW MANY]     an operation among MANY queue pairs (20000) costs what
 * it does among FEW (5000)
 *        many_client pages                 more than 4096 doorbell pages
 *
 * Costs are processor time of this thread, which is all there is in trap mode. One in ten is
 * cheaper than what is compared, so that a busy machine does not matter; FEW are so many already
 * that no processor's caches have room for them.
 */
#include "tests/softhca/clients/loop.h"

#define SAMPLES 400u
#define ROUNDS	10
#define CQES	63

int failures;

enum { CREATE, CONNECT, WRITE, ARM, DESTROY, KINDS };
static const char *const names[KINDS] = {"create", "connect", "write", "arm", "destroy"};

struct world {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_mr *mr;
	struct ibv_qp **qp;
	struct ibv_cq **cq;
	unsigned int count;
};

static char memory[4096];

/* Costs of the last operations of each kind, in ns. */
static struct {
	uint64_t ns[SAMPLES];
	unsigned int count;
} costs[KINDS];

static uint64_t used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void cost(int kind, uint64_t since)
{
	costs[kind].ns[costs[kind].count++ % SAMPLES] = used() - since;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* And forgets them. */
static uint64_t cheapest(int kind)
{
	const unsigned int n = costs[kind].count < SAMPLES ? costs[kind].count : SAMPLES;

	qsort(costs[kind].ns, n, sizeof(uint64_t), compare);
	costs[kind].count = 0;
	return n ? costs[kind].ns[n / 10] : 0;
}

/* Another queue pair, connected with itself, and its completion queue. */
static void add(struct world *w)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 2, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
	};
	uint64_t since;

	w->cq[w->count] = ibv_create_cq(w->ctx, CQES, NULL, w->channel, 0);
	NEED(w->cq[w->count]);
	init.send_cq = init.recv_cq = w->cq[w->count];
	since = used();
	w->qp[w->count] = ibv_create_qp(w->pd, &init);
	cost(CREATE, since);
	NEED(w->qp[w->count]);
	since = used();
	connect_self(w->qp[w->count], w->ctx);
	cost(CONNECT, since);
	w->count++;
}

/* A WRITE through one of them, until it has completed with an event. */
static void use(struct world *w, unsigned int i)
{
	struct ibv_sge sge = sge_of(memory, 8, w->mr->lkey);
	struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE,
				 .sg_list = &sge,
				 .num_sge = 1,
				 .send_flags = IBV_SEND_SIGNALED,
				 .wr.rdma = {.remote_addr = (uintptr_t)memory + 64 + i % 64 * 8,
					     .rkey = w->mr->rkey}},
			   *bad;
	struct ibv_cq *cq;
	uint64_t since = used();
	void *arg;

	CHECK_RC(ibv_req_notify_cq(w->cq[i], 0), 0);
	cost(ARM, since);
	memcpy(memory, &i, sizeof(i));
	since = used();
	CHECK_RC(ibv_post_send(w->qp[i], &wr, &bad), 0);
	cost(WRITE, since);
	NEED(!ibv_get_cq_event(w->channel, &cq, &arg) && cq == w->cq[i]);
	ibv_ack_cq_events(cq, 1);
	CHECK_EQ(wait_wc(cq).status, IBV_WC_SUCCESS);
	CHECK(!memcmp(memory + 64 + i % 64 * 8, &i, sizeof(i)));
}

static void destroy_last(struct world *w)
{
	uint64_t since = used();

	w->count--;
	CHECK_RC(ibv_destroy_qp(w->qp[w->count]), 0);
	cost(DESTROY, since);
	CHECK_RC(ibv_destroy_cq(w->cq[w->count]), 0);
}

/* The first half of them, oldest first, so that no list is favoured. */
static void destroy_first(struct world *w, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		uint64_t since = used();

		CHECK_RC(ibv_destroy_qp(w->qp[i]), 0);
		cost(DESTROY, since);
		CHECK_RC(ibv_destroy_cq(w->cq[i]), 0);
	}
	memmove(w->qp, w->qp + n, (w->count - n) * sizeof(w->qp[0]));
	memmove(w->cq, w->cq + n, (w->count - n) * sizeof(w->cq[0]));
	w->count -= n;
}

/* Once: what another program does meanwhile makes all of it dearer. */
static void fill_once(struct world *w, unsigned int count, uint64_t *result)
{
	unsigned int at = 1;

	while (w->count < count)
		add(w);
	for (unsigned int i = 0; i < SAMPLES; i++) {
		at = (at * 48271u) % count;
		use(w, at);
	}
	destroy_first(w, SAMPLES / 2);
	for (int kind = 0; kind < KINDS; kind++) {
		const uint64_t found = cheapest(kind);

		if (found < result[kind])
			result[kind] = found;
	}
}

static void fill(struct world *w, unsigned int count, uint64_t *result)
{
	memset(result, 0xff, KINDS * sizeof(result[0]));
	for (int round = 0; round < ROUNDS; round++)
		fill_once(w, count, result);
}

/*
 * 20,000 queue pairs have 10,000 doorbell pages. However doorbells are seen, all is flat: what is
 * measured differs by a quarter at most, and what looked at each queue pair would take four times
 * as long.
 */
static bool is_dear(int kind, const uint64_t *cheap, const uint64_t *dear)
{
	return dear[kind] > 2 * cheap[kind];
}

static bool any_is_dear(const uint64_t *cheap, const uint64_t *dear)
{
	for (int kind = 0; kind < KINDS; kind++)
		if (is_dear(kind, cheap, dear))
			return true;
	return false;
}

static void test_queues(unsigned int few, unsigned int many)
{
	struct world w = {.ctx = open_first()};
	uint64_t cheap[KINDS], dear[KINDS];

	w.pd = ibv_alloc_pd(w.ctx);
	w.channel = ibv_create_comp_channel(w.ctx);
	NEED(w.pd && w.channel);
	w.mr = ibv_reg_mr(w.pd, memory, sizeof(memory), REMOTE);
	w.qp = calloc(many, sizeof(w.qp[0]));
	w.cq = calloc(many, sizeof(w.cq[0]));
	NEED(w.mr && w.qp && w.cq);
	fill(&w, few, cheap);
	fill(&w, many, dear);
	/* What other programs only disturb is cheap once. */
	for (int again = 0; again < 30 && any_is_dear(cheap, dear); again++)
		fill_once(&w, many, dear);
	while (w.count)
		destroy_last(&w);
	for (int kind = 0; kind < KINDS; kind++) {
		printf("%s: %.1f us among %u, %.1f us among %u\n", names[kind],
		       (double)cheap[kind] / 1e3, few, (double)dear[kind] / 1e3, many);
		if (is_dear(kind, cheap, dear)) {
			fprintf(stderr, "%s costs more among many\n", names[kind]);
			failures++;
		}
	}
	CHECK_RC(ibv_dereg_mr(w.mr), 0);
	CHECK_RC(ibv_destroy_comp_channel(w.channel), 0);
	CHECK_RC(ibv_dealloc_pd(w.pd), 0);
	CHECK_RC(ibv_close_device(w.ctx), 0);
	free(w.qp);
	free(w.cq);
}

/* All that three contexts have; each is stored to. */
static void test_pages(void)
{
	enum { CONTEXTS = 3, EACH = 8192 };
	static struct mlx5dv_devx_uar *uar[CONTEXTS][EACH];
	struct ibv_context *ctx[CONTEXTS];
	uintptr_t before = 0;
	unsigned int pages = 0;

	for (int c = 0; c < CONTEXTS; c++) {
		ctx[c] = open_first();
		for (int i = 0; i < EACH; i++) {
			uar[c][i] = mlx5dv_devx_alloc_uar(ctx[c], MLX5DV_UAR_ALLOC_TYPE_BF);
			if (!uar[c][i])
				break;
			*(volatile uint64_t *)uar[c][i]->reg_addr = 0;
			pages += (uintptr_t)uar[c][i]->base_addr != before;
			before = (uintptr_t)uar[c][i]->base_addr;
		}
	}
	printf("%u doorbell pages\n", pages);
	CHECK(pages > 4096);
	for (int c = 0; c < CONTEXTS; c++) {
		for (int i = 0; i < EACH && uar[c][i]; i++) {
			*(volatile uint64_t *)uar[c][i]->reg_addr = 0;
			mlx5dv_devx_free_uar(uar[c][i]);
		}
		CHECK_RC(ibv_close_device(ctx[c]), 0);
	}
}

int main(int argc, char **argv)
{
	NEED(argc > 1);
	if (!strcmp(argv[1], "pages"))
		test_pages();
	else
		test_queues(argc > 3 ? (unsigned int)atoi(argv[2]) : 5000,
			    argc > 3 ? (unsigned int)atoi(argv[3]) : 20000);
	return failures != 0;
}
