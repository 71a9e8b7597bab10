/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Removes the entries of a queue that is detached from a completion queue. Later entries move up to
 * where the device writes next.
 *
 * The entries are first marked, from the oldest on. A marked entry frees its shared receive,
 * because no handler will see it. Compressed blocks become plain entries on the way, which is
 * possible because a block has as many entries as completions.
 */
#include "runtime/ring/cq/compression.h"
#include "runtime/ring/cq/receivers.h"
#include "runtime/ring/cq/geometry.h"
#include "runtime/ring/split.h"
#include "runtime/ring/strides.h"
#include "runtime/ring/tags.h"

#define DROPPED                             \
	((uint32_t)SEGUE_CQE_OPCODE_INVALID \
	 << 4) /* a value that no entry written by the device has in that byte */

/* Owner of the dropped entries: a route, or a queue that recognizes its own entries. */
struct dropped {
	struct seguei_cq_route route;
	bool (*own)(const struct segue_cq *cq, const uint8_t *cqe);
};

static bool is_dropped(const struct segue_cq *cq, const uint8_t *entry, const struct dropped *whose)
{
	if (whose->own)
		return whose->own(cq, entry);
	if (seguei_tags_own(cq, entry) || seguei_strides_own(cq, entry))
		return false;
	return seguei_cq_same_route(cq, seguei_cq_find(cq, entry), whose->route);
}

static void free_receive(const struct dropped *whose, const uint8_t *entry)
{
	struct segue_cqe64 cqe;
	uint64_t wr_id;

	(void)segue_cqe64_unpack(&cqe, entry);
	if (!whose->own && cqe.opcode != SEGUE_CQE_OPCODE_REQ &&
	    cqe.opcode != SEGUE_CQE_OPCODE_REQ_ERR) {
		struct segue_srq *const srq = whose->route.page->srq[whose->route.at];

		seguei_srq_lock_behind(srq);
		(void)seguei_srq_retire_plain(seguei_srq_behind(srq), cqe.wqe_counter, &wr_id);
		seguei_srq_unlock_behind(srq);
	}
}

/* Writes the rest of the block that begins at this counter as plain entries. */
static void spread(struct segue_cq *cq, uint32_t counter)
{
	while (cq->block.left) {
		const uint32_t to = counter + cq->block.given;

		seguei_cq_block_make(cq);
		seguei_cq_block_advance(cq, counter); /* before its next array is overwritten */
		memcpy(seguei_cq_ring_entry(&cq->ring, to), cq->made, sizeof(cq->made));
		seguei_cq_ring_make_new(&cq->ring, to);
	}
}

/*
 * Spreads the current block. Its expanded entries are consumed, and must not look new in the next
 * round.
 */
static void spread_block_in_hand(struct segue_cq *cq)
{
	const uint32_t given = cq->block.given;
	uint32_t i;

	spread(cq, seguei_cq_ci(cq));
	for (i = 0; i < given; i++)
		seguei_cq_ring_make_old(&cq->ring, seguei_cq_ci(cq) + i + cq->ring.cqe_cnt);
	cq->ci += given;
}

static bool mark(uint8_t *entry, bool dropped)
{
	if (dropped)
		entry[SEGUEI_CQE_OP_OWN] = (uint8_t)(entry[SEGUEI_CQE_OP_OWN] | DROPPED);
	return dropped;
}

static bool mark_plain(struct segue_cq *cq, uint32_t counter, const struct dropped *whose)
{
	uint8_t *entry = seguei_cq_ring_entry(&cq->ring, counter);
	const bool drop = is_dropped(cq, entry, whose);

	seguei_cq_block_title(cq, entry);
	if (drop)
		free_receive(whose, entry);
	return mark(entry, drop);
}

/* Marks an entry. Sets *ok to false at an invalid block, because its end is unknown. */
static bool mark_entry(struct segue_cq *cq, uint32_t counter, const struct dropped *whose, bool *ok)
{
	if (seguei_cq_format(seguei_cq_ring_entry(&cq->ring, counter)) !=
	    SEGUE_CQE_FORMAT_COMPRESSED)
		return mark_plain(cq, counter, whose);
	if (!cq->block.left && !seguei_cq_block_begin(cq, counter)) {
		cq->block.left = 0;
		*ok = false;
		return false;
	}
	spread(cq, counter);
	return mark_plain(cq, counter, whose);
}

/*
 * Marks the entries to remove, oldest first. Returns the counter after the last entry, and the
 * number of marked entries.
 */
static uint32_t mark_all(struct segue_cq *cq, const struct dropped *whose, uint32_t *dropped)
{
	uint32_t at = seguei_cq_ci(cq);
	bool ok = true;

	*dropped = 0;
	while (at - seguei_cq_ci(cq) < cq->ring.cqe_cnt && seguei_cq_ring_is_new(&cq->ring, at)) {
		/* the owner bit is read before the rest, because other queue pairs go on */
		seguei_order_memory_loads();
		*dropped += mark_entry(cq, at, whose, &ok);
		if (!ok)
			break;
		at++;
	}
	return at;
}

static void drop(struct segue_cq *cq, const struct dropped *whose)
{
	const struct seguei_cq_ring *ring = &cq->ring;
	struct seguei_cq_block title;
	uint32_t last, dropped, gone = 0, at;

	if (cq->block.left)
		spread_block_in_hand(cq);
	title = cq->block;
	last = mark_all(cq, whose, &dropped);
	cq->block = title;
	for (at = last; at != seguei_cq_ci(cq); at--) {
		if (seguei_cq_ring_entry(ring, at - 1)[SEGUEI_CQE_OP_OWN] >= DROPPED)
			gone++;
		else if (gone)
			seguei_cq_ring_move(ring, at - 1 + gone, ring, at - 1);
	}
	cq->ci += dropped;
	cq->block.title_ci = seguei_cq_ci(cq); /* the earlier title stays */
	seguei_cq_seek(cq);
	seguei_cq_give_back(cq);
}

void seguei_cq_drop_entries(struct segue_cq *cq, struct seguei_cq_route route)
{
	const struct dropped whose = {.route = route};

	drop(cq, &whose);
}

void seguei_cq_detach_tags(struct segue_cq *cq)
{
	const struct dropped whose = {.own = seguei_tags_own};

	drop(cq, &whose);
	cq->tags = NULL;
	seguei_cq_set_last(cq);
}

void seguei_cq_detach_strides(struct segue_cq *cq)
{
	const struct dropped whose = {.own = seguei_strides_own};

	drop(cq, &whose);
	cq->strides = NULL;
	seguei_cq_set_last(cq);
}
