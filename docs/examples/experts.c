/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dispatch and combine of a mixture-of-experts layer (experts.h) among four ranks of one process,
 * with threads as lanes. Where lanes are those of a GPU, the host does the same, and a kernel calls
 * experts_run(). Every byte of every round is compared in the end.
 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "pair.h"

#include "segue/gpu/lend.h"

#include "experts.h"

#define LANES 2u /* of a rank */

struct rank {
	struct experts lanes;
	struct experts_memory *memory;
	struct segue_mr *mr;
	struct segue_gpu_queue queues[EXPERTS_RANKS];
	struct segue_qp *qps[EXPERTS_RANKS]; /* to each rank, itself as well */
};

struct lane {
	struct rank *rank;
	uint32_t number;
	int ret;
	pthread_t thread;
};

static struct pair here; /* device, domain, and a completion queue that nothing completes in */
static struct rank ranks[EXPERTS_RANKS];

static uint64_t token_word(uint32_t rank, uint32_t token, uint32_t word)
{
	return (((uint64_t)rank * EXPERTS_TOKENS + token) * EXPERTS_WORDS + word + 1) *
	       UINT64_C(0x9e3779b97f4a7c15);
}

/* Two different experts for each token. */
static void route(struct experts_memory *m, uint64_t *seed)
{
	uint32_t round, token;

	for (round = 0; round < EXPERTS_ROUNDS; round++)
		for (token = 0; token < EXPERTS_TOKENS; token++) {
			uint8_t *to = m->route[round][token];

			*seed = *seed * UINT64_C(6364136223846793005) +
				UINT64_C(1442695040888963407);
			to[0] = (uint8_t)((*seed >> 33) % EXPERTS);
			to[1] = (uint8_t)((to[0] + 1 + (*seed >> 40) % (EXPERTS - 1)) % EXPERTS);
		}
}

static void open_rank(uint32_t number, uint64_t *seed)
{
	const size_t size = (sizeof(struct experts_memory) + 4095) / 4096 * 4096;
	struct rank *r = &ranks[number];
	struct segue_mr_options mr = {.length = size};
	uint32_t token, word, choice;

	r->memory = aligned_alloc(4096, size);
	memset(r->memory, 0, size);
	route(r->memory, seed);
	for (token = 0; token < EXPERTS_TOKENS; token++)
		for (choice = 0; choice < EXPERTS_TOP; choice++)
			for (word = 0; word < EXPERTS_WORDS; word++)
				r->memory->sent[token][choice].words[word] = token_word(
					number, token, word);
	mr.addr = r->memory;
	mr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
		    SEGUE_ACCESS_REMOTE_ATOMIC;
	must(segue_mr_open(here.pd, &mr, &r->mr));
}

/* A queue pair with a send completion queue that only its lanes poll. */
static struct segue_qp *open_qp(void)
{
	struct segue_cq_options cq = {.entries = 64};
	struct segue_qp_options options = pair_options(&here);
	struct segue_qp *qp = NULL;

	options.max_wqe_units = 0;
	must(segue_cq_open(here.device, &cq, &options.send_cq));
	must(segue_qp_open(here.pd, &options, &qp));
	return qp;
}

static void connect_to(struct segue_qp *a, struct segue_qp *b, struct segue_qp **at_a,
		       struct segue_qp **at_b)
{
	here.a = *at_a = a;
	here.b = *at_b = b;
	pair_connect(&here);
}

static void lend(uint32_t number)
{
	struct rank *r = &ranks[number];
	struct segue_remote_buf remote;
	struct segue_local_buf local;
	uint32_t to;

	must(segue_mr_local_buf(r->mr, 0, sizeof(*r->memory), &local));
	r->lanes.rank = number;
	r->lanes.memory = r->memory;
	r->lanes.lkey = local.key.lkey;
	for (to = 0; to < EXPERTS_RANKS; to++) {
		must(segue_qp_lend(r->qps[to], &r->queues[to]));
		must(segue_mr_remote_buf(ranks[to].mr, 0, sizeof(*r->memory), &remote));
		r->lanes.peers[to].queue = &r->queues[to];
		r->lanes.peers[to].addr = remote.addr;
		r->lanes.peers[to].rkey = remote.key.rkey;
	}
}

static void open_all(void)
{
	struct segue_qp *loop;
	uint64_t seed = 49;
	uint32_t i, j;

	for (i = 0; i < EXPERTS_RANKS; i++) {
		open_rank(i, &seed);
		connect_to(open_qp(), open_qp(), &ranks[i].qps[i], &loop);
		for (j = 0; j < i; j++)
			connect_to(open_qp(), open_qp(), &ranks[i].qps[j], &ranks[j].qps[i]);
	}
	for (i = 0; i < EXPERTS_RANKS; i++)
		lend(i);
}

static void *run(void *arg)
{
	struct lane *lane = arg;

	lane->ret = experts_run(&lane->rank->lanes, lane->number, LANES);
	return NULL;
}

static void report(const struct lane *lane)
{
	struct segue_gpu_error error;
	uint32_t to;

	for (to = 0; to < EXPERTS_RANKS; to++)
		if (segue_gpu_query_error(&lane->rank->queues[to], &error))
			fprintf(stderr,
				"To rank %u: request %" PRIu64
				" of queue pair 0x%x failed, 0x%02x.\n",
				to, error.index, error.qpn, error.syndrome);
}

/* Counts the words that differ from what the whole routing table gives. */
static uint64_t count_wrong(uint32_t rank)
{
	const struct experts_memory *m = ranks[rank].memory;
	uint32_t round, token, word, choice;
	uint64_t wrong = 0;

	for (round = 0; round < EXPERTS_ROUNDS; round++)
		for (token = 0; token < EXPERTS_TOKENS; token++)
			for (word = 0; word < EXPERTS_WORDS; word++) {
				uint64_t sum = 0;

				for (choice = 0; choice < EXPERTS_TOP; choice++)
					sum += experts_compute(m->route[round][token][choice],
							       token_word(rank, token, word));
				wrong += m->sums[round][token][word] != sum;
			}
	return wrong;
}

int main(void)
{
	struct lane lanes[EXPERTS_RANKS * LANES];
	uint64_t requests = 0, wrong = 0;
	static uint64_t unused[8];
	uint32_t i, to;
	int failed = 0;

	pair_begin(&here, unused, sizeof(unused));
	open_all();
	for (i = 0; i < EXPERTS_RANKS * LANES; i++) {
		lanes[i].rank = &ranks[i / LANES];
		lanes[i].number = i % LANES;
		pthread_create(&lanes[i].thread, NULL, run, &lanes[i]);
	}
	for (i = 0; i < EXPERTS_RANKS * LANES; i++) {
		pthread_join(lanes[i].thread, NULL);
		failed |= lanes[i].ret;
		if (lanes[i].ret)
			report(&lanes[i]);
	}
	for (i = 0; !failed && i < EXPERTS_RANKS; i++) {
		for (to = 0; to < EXPERTS_RANKS; to++) {
			requests += ranks[i].queues[to].done - ranks[i].queues[to].first;
			must(segue_qp_take_back(ranks[i].qps[to], &ranks[i].queues[to]));
		}
		wrong += count_wrong(i);
	}
	if (failed || wrong) {
		fprintf(stderr, "%" PRIu64 " words are wrong.\n", wrong);
		return 1;
	}
	printf("%u rounds of %u ranks, %u tokens each to %u experts of %u: %" PRIu64
	       " requests by %u lanes, all bytes right\n",
	       EXPERTS_ROUNDS, EXPERTS_RANKS, EXPERTS_TOKENS, EXPERTS_TOP, EXPERTS, requests,
	       EXPERTS_RANKS * LANES);
	pair_close(&here);
	for (i = 0; i < EXPERTS_RANKS; i++)
		free(ranks[i].memory);
	return 0;
}
