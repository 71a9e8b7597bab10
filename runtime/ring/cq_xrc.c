/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which shared receive queue a completion of a queue pair that is not attached came from.
 *
 * An XRC target may belong to another process, so its number says nothing here. The CQE names the
 * shared receive queue instead, and a table finds that one at constant cost.
 */
#include <errno.h>
#include <stdlib.h>

#include "segue/cq.h"
#include "segue/errmsg.h"
#include "segue/gen/cqes.h"

#define NO_INDEX  UINT32_MAX
#define INDEX_MAX 0xffffffu /* 24 bits */
#define TABLE_MIN 8u

struct seguei_cq_srq {
	uint32_t index;
	struct segue_srq *srq;
	void *context;
};

/* Open addressing; at least three of four places are empty. */
struct seguei_cq_srqs {
	uint32_t mask;
	uint32_t count;
	struct seguei_cq_srq places[];
};

static struct seguei_cq_srqs *new_table(uint32_t size)
{
	struct seguei_cq_srqs *table;
	uint32_t i;

	table = malloc(sizeof(*table) + size * sizeof(table->places[0]));
	if (!table)
		return NULL;
	table->mask = size - 1;
	table->count = 0;
	for (i = 0; i < size; i++)
		table->places[i].index = NO_INDEX;
	return table;
}

/* Where the index is, or the empty place where it would be. */
static struct seguei_cq_srq *place_of(struct seguei_cq_srqs *table, uint32_t index)
{
	uint32_t at = index;

	while (table->places[at & table->mask].index != index &&
	       table->places[at & table->mask].index != NO_INDEX)
		at++;
	return &table->places[at & table->mask];
}

static void put(struct seguei_cq_srqs *table, const struct seguei_cq_srq *one)
{
	*place_of(table, one->index) = *one;
	table->count++;
}

/* A table with the same queues and with room for one more. */
static struct seguei_cq_srqs *rebuild(const struct seguei_cq_srqs *old)
{
	uint32_t size = TABLE_MIN, i;
	struct seguei_cq_srqs *table;

	while (old && size < 4 * (old->count + 1))
		size *= 2;
	table = new_table(size);
	if (!table || !old)
		return table;
	for (i = 0; i <= old->mask; i++)
		if (old->places[i].index != NO_INDEX)
			put(table, &old->places[i]);
	return table;
}

int segue_cq_attach_srq(struct segue_cq *cq, uint32_t index, struct segue_srq *srq, void *context)
{
	const struct seguei_cq_srq one = {index, srq, context};
	struct seguei_cq_srqs *table = cq->srqs;

	if (index > INDEX_MAX || !srq)
		return seguei_fail(
			EINVAL,
			"Completion queue 0x%x: cannot attach a shared receive queue as 0x%x; "
			"expected a queue and an index of at most 0x%x.",
			cq->cqn, index, INDEX_MAX);
	if (table && place_of(table, index)->index == index)
		return seguei_fail(EEXIST,
				   "Completion queue 0x%x: shared receive queue 0x%x is attached "
				   "already; detach it first.",
				   cq->cqn, index);
	if (!table || table->mask + 1 < 4 * (table->count + 1)) {
		table = rebuild(cq->srqs);
		if (!table)
			return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for a table.",
					   cq->cqn);
		free(cq->srqs);
		cq->srqs = table;
	}
	put(table, &one);
	seguei_cq_forget_stranger(cq);
	return 0;
}

/* Those behind the gap that would not be found any more move up. */
static void close_gap(struct seguei_cq_srqs *table, uint32_t gap)
{
	const uint32_t mask = table->mask;
	uint32_t at = gap;

	for (;;) {
		at = (at + 1) & mask;
		if (table->places[at].index == NO_INDEX)
			break;
		if (((at - table->places[at].index) & mask) >= ((at - gap) & mask)) {
			table->places[gap] = table->places[at];
			gap = at;
		}
	}
	table->places[gap].index = NO_INDEX;
	table->count--;
}

int segue_cq_detach_srq(struct segue_cq *cq, uint32_t index)
{
	struct seguei_cq_srq *place = cq->srqs ? place_of(cq->srqs, index) : NULL;

	if (!place || place->index != index || index == NO_INDEX)
		return seguei_fail(
			ENOENT, "Completion queue 0x%x: shared receive queue 0x%x is not attached.",
			cq->cqn, index);
	close_gap(cq->srqs, (uint32_t)(place - cq->srqs->places));
	return 0;
}

struct segue_srq *seguei_cq_srq_of(const struct segue_cq *cq, const uint8_t *cqe, void **context)
{
	struct segue_cqe_cqe64 fields;
	const struct seguei_cq_srq *place;

	if (cq->srqs) {
		(void)segue_cqe_cqe64_unpack(&fields, cqe);
		place = place_of(cq->srqs, fields.srqn_uidx);
		if (place->index != NO_INDEX) {
			*context = place->context;
			return place->srq;
		}
	}
	*context = cq->xrc_context;
	return cq->xrc_srq;
}

void seguei_cq_forget_srqs(struct segue_cq *cq)
{
	free(cq->srqs);
	cq->srqs = NULL;
}
