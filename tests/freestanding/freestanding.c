/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same requests by the library and by a shared library that was built without it (host.c, or
 * gpu.cu by nvcc): results, ring, record, register and bookkeeping must be equal.
 *
 * usage: freestanding [SEED] LIBRARY...
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/freestanding/elsewhere.h"
#include "tests/freestanding/polls.h"

#define BLOCKS 256
#define RING   ((size_t)BLOCKS * SEGUE_WQE_BLOCK_SIZE)

/* All that a queue is, in one piece. */
struct world {
	uint8_t ring[RING];
	uint64_t reg[256 / sizeof(uint64_t)]; /* a register with two halves */
	uint32_t dbrec[16];
	struct segue_sq_slot slots[BLOCKS];
	struct polls polls;
};

typedef void *memory_fn(size_t bytes);
typedef void free_fn(void *memory);
typedef int posts_fn(struct posts *posts);
typedef int polls_fn(struct polls *polls);

/* What a library exports: see elsewhere.h. */
struct elsewhere {
	memory_fn *memory;
	free_fn *give_back;
	posts_fn *posts;
	polls_fn *polls;
};

static int prepare(struct world *w, uint64_t seed)
{
	struct posts *posts = &w->polls.posts;
	struct segue_sq_init_options attr;
	uint32_t i;

	memset(&attr, 0, sizeof(attr));
	attr.buf = w->ring;
	attr.wqe_cnt = BLOCKS;
	attr.dbrec = w->dbrec;
	attr.bf_reg = w->reg;
	attr.qpn = POLLS_QPN;
	attr.slots = w->slots;
	attr.first_index = (uint32_t)seed;
	posts->seed = seed;
	for (i = 0; i < POSTS_INLINE; i++)
		posts->payload[i] = (uint8_t)(i * 7 + 1);
	return segue_sq_init(&posts->sq.sq, &attr);
}

/* The same queue with a completion queue and a pattern. */
static int prepare_polls(struct world *w, uint64_t seed)
{
	struct segue_cq_init_options attr;
	struct segue_cq_queue queue;

	memset(w, 0, sizeof(*w));
	memset(w->polls.cqes, 0xff, sizeof(w->polls.cqes));
	memset(&attr, 0, sizeof(attr));
	attr.buf = w->polls.cqes;
	attr.cqe_cnt = POLLS_ENTRIES;
	attr.cqe_size = SEGUE_CQE_SIZE;
	attr.dbrec = w->dbrec + 8;
	memset(&queue, 0, sizeof(queue));
	queue.number = POLLS_QPN;
	queue.sq = &w->polls.posts.sq.sq;
	return prepare(w, seed) || segue_cq_init(&w->polls.cq, &attr) ||
	       segue_cq_attach(&w->polls.cq, &queue) ||
	       segue_pattern_rc_rdma_write_may_take_sge(
		       segue_sge(segue_raddr(segue_rdma_write(&w->polls.posts.sq, 0, 0), 0, 5),
				 0x2000, 64, 9),
		       &w->polls.pattern);
}

static unsigned long count(const int32_t *values, int32_t which)
{
	unsigned long found = 0;
	uint32_t i;

	for (i = 0; i < POSTS; i++)
		found += values[i] == which;
	return found;
}

static int differ(const char *what, uint32_t i)
{
	printf("%s differs first at %u\n", what, i);
	return 1;
}

static int compare_queues(const struct world *a, const struct world *b)
{
	const struct segue_sq *x = &a->polls.posts.sq.sq, *y = &b->polls.posts.sq.sq;

	if (memcmp(a->reg, b->reg, sizeof(a->reg)) || memcmp(a->dbrec, b->dbrec, sizeof(a->dbrec)))
		return differ("register or record", 0);
	if (memcmp(a->slots, b->slots, sizeof(a->slots)))
		return differ("what is kept of the requests", 0);
	if (x->pi != y->pi || x->limit != y->limit || x->forced != y->forced ||
	    x->committed != y->committed || x->room != y->room || x->fence_next != y->fence_next)
		return differ("an index of the queue", 0);
	return 0;
}

static int compare(const struct world *a, const struct world *b)
{
	const struct posts *x = &a->polls.posts, *y = &b->polls.posts;
	uint32_t i;

	for (i = 0; i < POSTS; i++)
		if (x->result[i] != y->result[i] || x->retired[i] != y->retired[i] ||
		    x->wr_id[i] != y->wr_id[i] || x->at[i] != y->at[i])
			return differ("the result of a post", i);
	for (i = 0; i < RING; i++)
		if (a->ring[i] != b->ring[i])
			return differ("the ring", i);
	return compare_queues(a, b);
}

/*
 * The ring is compared but for the mark of a pattern, which is its address: the first segment of
 * the block that comes next.
 */
static int compare_polls(const struct world *a, const struct world *b)
{
	const struct polls *x = &a->polls, *y = &b->polls;
	const size_t next = (size_t)(x->posts.sq.sq.pi % BLOCKS) * SEGUE_WQE_BLOCK_SIZE;
	uint32_t i;

	if (x->posted != y->posted || x->handed != y->handed)
		return differ("how many were posted and handed out", 0);
	for (i = 0; i < POLLS; i++)
		if (x->result[i] != y->result[i])
			return differ("the result of a poll", i);
	for (i = 0; i < x->handed; i++)
		if (x->wr_id[i] != y->wr_id[i] || x->syndrome[i] != y->syndrome[i])
			return differ("a completion", i);
	for (i = 0; i < RING; i++)
		if (a->ring[i] != b->ring[i] &&
		    i / SEGUE_WQE_BLOCK_SIZE * SEGUE_WQE_BLOCK_SIZE != next)
			return differ("the ring of the pattern", i);
	return compare_queues(a, b);
}

static int run_polls(const char *path, polls_fn *elsewhere, uint64_t seed, struct world *here,
		     struct world *there)
{
	int ret;

	if (prepare_polls(here, seed) || prepare_polls(there, seed)) {
		printf("%s: no memory for completion queues\n", path);
		return 1;
	}
	polls_run(&here->polls);
	ret = elsewhere(&there->polls);
	if (ret == -1)
		printf("%s: completion queues are out of its reach\n", path);
	else if (!ret)
		printf("%s: %u repetitions, %u completions\n", path, there->polls.posted,
		       there->polls.handed);
	ret = ret ? ret != -1 : compare_polls(here, there);
	segue_cq_fini(&here->polls.cq);
	segue_cq_fini(&there->polls.cq);
	return ret;
}

static int run_posts(const char *path, posts_fn *elsewhere, uint64_t seed, struct world *here,
		     struct world *there)
{
	int ret;

	if (!here || !there || prepare(here, seed) || prepare(there, seed)) {
		printf("%s: no memory for a queue\n", path);
		return 1;
	}
	posts_run(&here->polls.posts);
	ret = elsewhere(&there->polls.posts);
	if (ret) {
		printf("%s: it ended with %d\n", path, ret);
		return 1;
	}
	printf("%s: %u requests, %lu posted, %lu refused for room, %lu for a value; %lu "
	       "completions\n",
	       path, POSTS, count(there->polls.posts.result, 0),
	       count(there->polls.posts.result, -ENOSPC), count(there->polls.posts.result, -ERANGE),
	       POSTS - count(there->polls.posts.retired, POSTS_NONE));
	return compare(here, there);
}

/* One library: 0 if it does as ours does. */
static int judge(const char *path, uint64_t seed)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct elsewhere elsewhere;
	struct world *here, *there;
	int ret;

	if (!library) {
		printf("%s\n", dlerror());
		return 1;
	}
	*(void **)&elsewhere.memory = dlsym(library, "posts_memory");
	*(void **)&elsewhere.give_back = dlsym(library, "posts_memory_free");
	*(void **)&elsewhere.posts = dlsym(library, "posts_elsewhere");
	*(void **)&elsewhere.polls = dlsym(library, "polls_elsewhere");
	here = (struct world *)elsewhere.memory(sizeof(*here));
	there = (struct world *)elsewhere.memory(sizeof(*there));
	ret = run_posts(path, elsewhere.posts, seed, here, there) ||
	      run_polls(path, elsewhere.polls, seed, here, there);
	elsewhere.give_back(here);
	elsewhere.give_back(there);
	return ret;
}

int main(int argc, char **argv)
{
	uint64_t seed = (uint64_t)time(NULL);
	int i = 1, failed = 0;

	if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9')
		seed = strtoull(argv[i++], NULL, 0);
	if (i == argc) {
		printf("usage: freestanding [SEED] LIBRARY...\n");
		return 2;
	}
	printf("seed %llu\n", (unsigned long long)seed);
	for (; i < argc; i++)
		failed |= judge(argv[i], seed);
	return failed;
}
