/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reservation of completion queue entries. Each queue reserves what it can have in flight, so a
 * full completion queue is refused at open time and not noticed as an overrun.
 */
#include "runtime/object/cq/entries.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/object/cq/cq.h"
#include "runtime/ring/split.h"
#include "segue/base.h"

static struct seguei_cq_budget *budget_of(const struct seguei_cq_claim *claim)
{
	return &seguei_cq_object_of(claim->cq)->budget;
}

static struct seguei_cq_sharer *sharer_of(const struct seguei_cq_claim *claim)
{
	struct seguei_cq_sharer *sharer = budget_of(claim)->sharers;

	while (sharer && sharer->srq != claim->srq)
		sharer = sharer->next;
	return sharer;
}

/* Receives that a shared queue can hold. */
static uint32_t held_by(const struct segue_srq *srq)
{
	return seguei_recv_most(&srq->ring);
}

void seguei_cq_keep_room(struct seguei_cq_object *object)
{
	struct segue_cq *cq = &object->cq;
	const uint64_t reserved = object->budget.reserved;

	/* Without reservations no queue completes there, or the program takes care of it. */
	seguei_cq_set_stretch(cq,
			      reserved ? cq->ring.cqe_cnt - (uint32_t)reserved : cq->ring.cqe_cnt);
}

static int refuse(const struct seguei_cq_claim *claim, uint64_t wanted, const char *whose,
		  uint32_t number)
{
	const uint64_t reserved = budget_of(claim)->reserved;
	const bool adopted = seguei_cq_object_of(claim->cq)->adopted;

	return seguei_fail(
		EINVAL,
		"Completion queue 0x%x: %s 0x%x needs %llu entries, as an error makes "
		"all that is in flight complete (%u %s, "
		"%llu receives), but %llu of %u are free; %s %llu entries%s.",
		claim->cq->cqn, whose, number, (unsigned long long)wanted, claim->sends,
		adopted ? "sends" : "blocks of sends", (unsigned long long)(wanted - claim->sends),
		(unsigned long long)(budget_of(claim)->entries - reserved),
		budget_of(claim)->entries,
		adopted ? "make it with at least" : "open it with at least",
		(unsigned long long)(reserved + wanted),
		adopted ? ", name fewer requests as max_send_wr and max_recv_wr, or adopt "
			  "it with `overcommit`"
			: " or with `grow`, or resize it");
}

uint32_t seguei_cq_ring_for(uint32_t entries)
{
	uint32_t cnt = 2;

	while (cnt < entries + 1)
		cnt *= 2;
	return cnt;
}

uint32_t seguei_cq_entries(uint32_t asked, uint32_t cqe_cnt)
{
	const uint32_t four_fifths = (cqe_cnt - 1) - (cqe_cnt - 1) / 5,
		       most = seguei_cq_ring_for(asked) - 1;
	const uint32_t most_of_ring = four_fifths > asked ? four_fifths : asked;

	return most_of_ring < most ? most_of_ring : most;
}

uint32_t seguei_cq_ample(const struct segue_device *device, uint32_t entries)
{
	const uint64_t ample = (uint64_t)entries + entries / 4;

	return ample < device->caps.max_cqe ? (uint32_t)ample : device->caps.max_cqe;
}

static int add_user(const struct seguei_cq_claim *claim)
{
	struct seguei_cq_budget *budget = budget_of(claim);
	struct seguei_cq_sharer *sharer = sharer_of(claim);

	if (!claim->srq)
		return 0;
	if (!sharer) {
		sharer = calloc(1, sizeof(*sharer));
		if (!sharer)
			return seguei_fail(
				ENOMEM,
				"Completion queue 0x%x: no memory for a shared receive queue.",
				claim->cq->cqn);
		sharer->srq = claim->srq;
		sharer->next = budget->sharers;
		budget->sharers = sharer;
	}
	sharer->users++;
	return 0;
}

int seguei_cq_reserve(const struct seguei_cq_claim *claim, const char *whose, uint32_t number)
{
	struct seguei_cq_budget *budget;
	uint64_t wanted;
	int ret;

	if (!claim->cq || budget_of(claim)->overcommits)
		return 0;
	budget = budget_of(claim);
	wanted = (uint64_t)claim->sends + claim->receives;
	if (claim->srq && !sharer_of(claim))
		wanted += held_by(claim->srq);
	if (budget->reserved + wanted > budget->entries) {
		if (!budget->grows ||
		    budget->reserved + wanted >
			    seguei_device_of(&seguei_cq_object_of(claim->cq)->object)->caps.max_cqe)
			return refuse(claim, wanted, whose, number);
		ret = segue_cq_resize(claim->cq, (uint32_t)(budget->reserved + wanted));
		if (ret)
			return ret;
	}
	ret = add_user(claim);
	if (ret)
		return ret;
	budget->reserved += wanted;
	seguei_cq_keep_room(seguei_cq_object_of(claim->cq));
	return 0;
}

static void drop_user(struct seguei_cq_budget *budget, struct seguei_cq_sharer *sharer)
{
	struct seguei_cq_sharer **at = &budget->sharers;

	if (--sharer->users)
		return;
	while (*at != sharer)
		at = &(*at)->next;
	*at = sharer->next;
	budget->reserved -= held_by(sharer->srq);
	free(sharer);
}

void seguei_cq_release(const struct seguei_cq_claim *claim)
{
	struct seguei_cq_budget *budget;

	if (!claim->cq || budget_of(claim)->overcommits)
		return;
	budget = budget_of(claim);
	budget->reserved -= (uint64_t)claim->sends + claim->receives;
	if (claim->srq)
		drop_user(budget, sharer_of(claim));
	seguei_cq_keep_room(seguei_cq_object_of(claim->cq));
}

void seguei_cq_budget_fini(struct seguei_cq_budget *budget)
{
	while (budget->sharers) {
		struct seguei_cq_sharer *sharer = budget->sharers;

		budget->sharers = sharer->next;
		free(sharer);
	}
}

uint32_t segue_cq_reserved(const struct segue_cq *cq)
{
	return (uint32_t)seguei_cq_object_of((struct segue_cq *)(uintptr_t)cq)->budget.reserved;
}
