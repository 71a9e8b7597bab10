/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * on_demand: all of a program's memory is one region, and nothing of it is pinned.
 *
 * When to use it: memory that is large, sparse, mapped from files or allocated by others, which
 * cannot all be registered beforehand: RPC with payload anywhere, memory-mapped stores. What the
 * card must have: segue_caps.on_demand_paging, and implicit_on_demand_paging for a region without
 * addresses. What it costs: a page that is not there is fetched when the first request meets it,
 * which takes a card some ten to a hundred microseconds, and a sender to it waits as for a receive
 * that is not posted. segue_mr_prefetch() does it beforehand. What to mind: which operations may
 * meet such pages depends on transport and card (segue_caps.odp_rc and the others).
 */
#define _GNU_SOURCE /* madvise() */
#include <string.h>
#include <sys/mman.h>

#include "pair.h"

#define LENGTH (1u << 20)

static uint8_t *map(void)
{
	void *memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	if (memory != MAP_FAILED)
		return memory;
	perror("mmap");
	exit(1);
}

static void write_all(struct pair *p, struct segue_mr *everything, const uint8_t *from,
		      const uint8_t *to)
{
	struct segue_local_buf source;
	struct segue_remote_buf target;

	/* Offsets into a region of everything are addresses. */
	must(segue_mr_local_buf(everything, (uintptr_t)from, LENGTH, &source));
	must(segue_mr_remote_buf(everything, (uintptr_t)to, LENGTH, &target));
	must(segue_post(
		segue_sge_buf(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->a), 1, SEGUE_SIGNALED),
					  target.addr, target.key.rkey),
			      source)));
	pair_complete(p, 1);
	if (!memcmp(from, to, LENGTH))
		return;
	fprintf(stderr, "The data did not arrive.\n");
	exit(1);
}

int main(void)
{
	struct segue_mr_options attr = {.length = UINT64_MAX,
					.access = SEGUE_ACCESS_ON_DEMAND |
						  SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE};
	static uint8_t nothing[64];
	struct segue_mr *everything;
	uint8_t *from, *to;
	struct pair p;
	uint32_t i;

	pair_open(&p, nothing, sizeof(nothing));
	if (!segue_device_caps(p.device)->implicit_on_demand_paging) {
		fprintf(stderr, "This device has no region of everything.\n");
		return 1;
	}
	must(segue_mr_open(p.pd, &attr, &everything));

	/* Mapped after the region was made, and never touched on the receiving side. */
	from = map();
	to = map();
	for (i = 0; i < LENGTH; i++)
		from[i] = (uint8_t)(i * 3 + (i >> 12));
	write_all(&p, everything, from, to);

	/* The program gives the pages back and gets others at the same address: the card sees
	 * those. */
	if (madvise(to, LENGTH, MADV_DONTNEED)) {
		perror("madvise");
		return 1;
	}
	if (to[LENGTH / 2]) {
		fprintf(stderr, "The old page is still there.\n");
		return 1;
	}
	must(segue_mr_prefetch(everything, (uintptr_t)to, LENGTH));
	write_all(&p, everything, from, to);
	printf("%u bytes written twice into memory that nobody had registered.\n", LENGTH);
	pair_close(&p);
	munmap(from, LENGTH);
	munmap(to, LENGTH);
	return 0;
}
