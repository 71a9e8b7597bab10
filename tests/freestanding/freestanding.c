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
#include "tests/freestanding/posts.h"

#define BLOCKS 256
#define RING   ((size_t)BLOCKS * SEGUE_WQE_BLOCK_SIZE)

/* All that a queue is, in one piece. */
struct world {
	uint8_t ring[RING];
	uint64_t reg[256 / sizeof(uint64_t)]; /* a register with two halves */
	uint32_t dbrec[16];
	struct segue_sq_slot slots[BLOCKS];
	struct posts posts;
};

typedef void *memory_fn(size_t bytes);
typedef void free_fn(void *memory);
typedef int elsewhere_fn(struct posts *posts);

static int prepare(struct world *w, uint64_t seed)
{
	struct segue_sq_init_options attr;
	uint32_t i;

	memset(&attr, 0, sizeof(attr));
	attr.buf = w->ring;
	attr.wqe_cnt = BLOCKS;
	attr.dbrec = w->dbrec;
	attr.bf_reg = w->reg;
	attr.qpn = 0x123456;
	attr.slots = w->slots;
	attr.first_index = (uint32_t)seed;
	w->posts.seed = seed;
	for (i = 0; i < POSTS_INLINE; i++)
		w->posts.payload[i] = (uint8_t)(i * 7 + 1);
	return segue_sq_init(&w->posts.sq.sq, &attr);
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

static int compare(const struct world *a, const struct world *b)
{
	const struct segue_sq *x = &a->posts.sq.sq, *y = &b->posts.sq.sq;
	uint32_t i;

	for (i = 0; i < POSTS; i++)
		if (a->posts.result[i] != b->posts.result[i] ||
		    a->posts.retired[i] != b->posts.retired[i] ||
		    a->posts.wr_id[i] != b->posts.wr_id[i] || a->posts.at[i] != b->posts.at[i])
			return differ("the result of a post", i);
	for (i = 0; i < RING; i++)
		if (a->ring[i] != b->ring[i])
			return differ("the ring", i);
	if (memcmp(a->reg, b->reg, sizeof(a->reg)) || memcmp(a->dbrec, b->dbrec, sizeof(a->dbrec)))
		return differ("register or record", 0);
	if (memcmp(a->slots, b->slots, sizeof(a->slots)))
		return differ("what is kept of the requests", 0);
	if (x->pi != y->pi || x->limit != y->limit || x->forced != y->forced ||
	    x->committed != y->committed || x->room != y->room || x->fence_next != y->fence_next)
		return differ("an index of the queue", 0);
	return 0;
}

static int run_both(const char *path, elsewhere_fn *elsewhere, uint64_t seed, struct world *here,
		    struct world *there)
{
	int ret;

	if (!here || !there || prepare(here, seed) || prepare(there, seed)) {
		printf("%s: no memory for a queue\n", path);
		return 1;
	}
	posts_run(&here->posts);
	ret = elsewhere(&there->posts);
	if (ret) {
		printf("%s: it ended with %d\n", path, ret);
		return 1;
	}
	printf("%s: %u requests, %lu posted, %lu refused for room, %lu for a value; %lu "
	       "completions\n",
	       path, POSTS, count(there->posts.result, 0), count(there->posts.result, -ENOSPC),
	       count(there->posts.result, -ERANGE),
	       POSTS - count(there->posts.retired, POSTS_NONE));
	return compare(here, there);
}

/* One library: 0 if it does as ours does. */
static int judge(const char *path, uint64_t seed)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	elsewhere_fn *elsewhere;
	struct world *here, *there;
	memory_fn *memory;
	free_fn *give_back;
	int ret;

	if (!library) {
		printf("%s\n", dlerror());
		return 1;
	}
	*(void **)&memory = dlsym(library, "posts_memory");
	*(void **)&give_back = dlsym(library, "posts_memory_free");
	*(void **)&elsewhere = dlsym(library, "posts_elsewhere");
	here = (struct world *)memory(sizeof(*here));
	there = (struct world *)memory(sizeof(*there));
	ret = run_both(path, elsewhere, seed, here, there);
	give_back(here);
	give_back(there);
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
