/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reservation of entries for all completions that can be there at once. An error makes unsignaled
 * requests complete too, so the reservation covers all that can be in flight. A request has at
 * least one block of 64 bytes. A shared receive is counted once, for all its queue pairs.
 *
 * Posts need not count requests for that. The price is twice the entries of a program that counts.
 * Nothing is reserved for signature errors, which belong to no request.
 */
#ifndef SEGUE_RUNTIME_OBJECT_CQ_ENTRIES_H
#define SEGUE_RUNTIME_OBJECT_CQ_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

struct segue_cq;
struct segue_srq;

/* Entries that the completions of one object need. */
struct seguei_cq_claim {
	struct segue_cq *cq;   /* NULL means none */
	uint32_t sends;        /* blocks */
	uint32_t receives;     /* of its own receive queue */
	/*
	 * shared receive queue with receives that complete there, counted once for all queue pairs.
	 * May be NULL
	 */
	struct segue_srq *srq;
};

/* A shared queue with receives that complete on the completion queue. */
struct seguei_cq_sharer {
	struct seguei_cq_sharer *next;
	const struct segue_srq *srq;
	uint32_t users; /* claims with this shared queue */
};

struct seguei_cq_budget {
	uint64_t reserved; /* entries */
	/*
	 * entries that may be reserved. The ring has some more. With few left over, polls notify
	 * the device more often
	 */
	uint32_t entries;
	struct seguei_cq_sharer *sharers;
	bool grows;
	bool overcommits;
};

/*
 * Reserves entries, in a larger ring if the queue may grow. 0, -EINVAL with a sentence that has the
 * required number, -ENOMEM, or an error of the kernel. Called by the completion queue's thread.
 */
int seguei_cq_reserve(const struct seguei_cq_claim *claim, const char *whose, uint32_t number);

/* Size of the ring that verbs create for that many entries: the next larger power of two. */
uint32_t seguei_cq_ring_for(uint32_t entries);

/*
 * Number of entries that may be reserved, of a ring that was requested with `asked` entries. If the
 * ring is larger, the rest stays free.
 */
uint32_t seguei_cq_entries(uint32_t asked, uint32_t cqe_cnt);

/* Size for a ring with that many entries and some more, as far as the device supports them. */
struct segue_device;
uint32_t seguei_cq_ample(const struct segue_device *device, uint32_t entries);

/* Releases a reservation. Called by the completion queue's thread. */
void seguei_cq_release(const struct seguei_cq_claim *claim);

/* Frees the remaining memory. */
void seguei_cq_budget_fini(struct seguei_cq_budget *budget);

#endif
