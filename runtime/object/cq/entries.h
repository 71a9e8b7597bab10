/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a completion queue has entries for all that can complete there at once. An error makes
 * silent requests complete too, so that is everything that can be in flight: a block of 64 bytes is
 * a request at most, and a receive is one, whoever takes it.
 */
#ifndef SEGUE_RUNTIME_OBJECT_CQ_ENTRIES_H
#define SEGUE_RUNTIME_OBJECT_CQ_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

struct segue_cq;
struct segue_srq;

/* What somebody's completions may take. */
struct seguei_cq_claim {
	struct segue_cq *cq;   /* NULL: nothing */
	uint32_t sends;        /* blocks */
	uint32_t receives;     /* of a queue of its own */
	/*
	 * receives of this one may complete there, too; counted once, whoever takes them. Or NULL
	 */
	struct segue_srq *srq;
};

/* A shared queue whose receives may complete on a completion queue. */
struct seguei_cq_sharer {
	struct seguei_cq_sharer *next;
	const struct segue_srq *srq;
	uint32_t users; /* claims that name it */
};

struct seguei_cq_budget {
	uint64_t reserved; /* entries */
	/*
	 * that may be, of a ring that has some more: polling tells the device the more often, the
	 * fewer are left over
	 */
	uint32_t entries;
	struct seguei_cq_sharer *sharers;
	bool grows;
	bool overcommits;
};

/*
 * Sets entries aside, of a larger ring if the queue may grow. 0; -EINVAL with a sentence that says
 * how many are needed; -ENOMEM; what the kernel says. Thread of the completion queue.
 */
int seguei_cq_reserve(const struct seguei_cq_claim *claim, const char *whose, uint32_t number);

/* The ring that verbs make for so many entries: a power of two, and more than those. */
uint32_t seguei_cq_ring_for(uint32_t entries);

/* How many of a ring's may be reserved where so many were asked for: not all, if it has more. */
uint32_t seguei_cq_entries(uint32_t asked, uint32_t cqe_cnt);

/* So many entries and some more, if the device can have them: for its ring. */
struct segue_device;
uint32_t seguei_cq_ample(const struct segue_device *device, uint32_t entries);

/* Gives them back. Thread of the completion queue. */
void seguei_cq_release(const struct seguei_cq_claim *claim);

/* Frees what is left. */
void seguei_cq_budget_fini(struct seguei_cq_budget *budget);

#endif
