/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests without room in the send ring. They are built in spare memory, and copied or refused at
 * their end.
 */
#include "runtime/ring/spare.h"

#include <errno.h>
#include <string.h>

#include "segue/base.h"
#include "segue/detail/build.h"

/* Blocks of the ring that are in flight. */
static uint32_t in_flight(const struct segue_sq *sq)
{
	return sq->pi - seguei_sq_ci(sq);
}

/* Number of requests between two indices, both of which are starts of requests. */
static uint32_t count(const struct segue_sq *sq, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	while ((int32_t)(to - from) > 0) {
		/* the upper bits of the difference hold the slot's state */
		from += ((seguei_sq_slot_at(sq, from)->next - from - 1) & ~SEGUEI_SLOT_STATES) + 1;
		n++;
	}
	return n;
}

/*
 * Number of requests in flight. It continues the last count, as long as no slot counted then has
 * been reused, not even for the current request. So each request is counted at most twice.
 */
static uint32_t requests_in_flight(const struct segue_sq *sq)
{
	struct segue_sq_spare *spare = sq->spare;
	const uint32_t ci = seguei_sq_ci(sq);

	if (spare->counted && sq->pi - spare->from < seguei_ring_blocks(sq))
		spare->requests += count(sq, spare->to, sq->pi) - count(sq, spare->from, ci);
	else
		spare->requests = count(sq, ci, sq->pi);
	spare->counted = true;
	spare->from = ci;
	spare->to = sq->pi;
	return spare->requests;
}

/*
 * Requests that may still be committed. The count is exact if the blocks in flight do not decide.
 */
static uint32_t requests_left(const struct segue_sq *sq, uint32_t enough)
{
	const uint32_t most = sq->spare->most, blocks = in_flight(sq);

	if (blocks + enough <= most)
		return most - blocks;
	return most - requests_in_flight(sq);
}

void seguei_sq_use_spare(struct segue_sq *sq, const struct segue_sq_init_options *attr)
{
	const uint32_t ring = attr->wqe_cnt;

	sq->spare = attr->spare;
	sq->spare->most = attr->max_requests && attr->max_requests < ring ? attr->max_requests
									  : ring;
	sq->spare->counted = false;
	sq->most = ring > sq->blocks ? ring - sq->blocks : 0;
	if (sq->most > sq->spare->most)
		sq->most = sq->spare->most;
}

static void build_in_ring(struct segue_sq *sq)
{
	sq->tight = false;
	sq->buf = sq->ring;
	sq->end = seguei_sq_ring_end(sq);
	sq->slots = sq->kept;
}

void seguei_sq_settle(struct segue_sq *sq)
{
	struct segue_sq_spare *spare = sq->spare;
	const uint32_t at = sq->pi & sq->mask;

	if (!spare)
		return;
	build_in_ring(sq);
	if (in_flight(sq) + sq->blocks > seguei_ring_blocks(sq)) {
		sq->tight = true; /* the producer index stays while the queue is closed */
		sq->buf = (uint8_t *)((uintptr_t)spare->wqe - (size_t)at * SEGUEI_BLOCK);
		sq->end = spare->wqe + sizeof(spare->wqe);
		sq->slots = (struct segue_sq_slot *)((uintptr_t)&spare->slot -
						     (size_t)at * sizeof(spare->slot));
	}
	seguei_sq_open_or_close(sq);
}

/* Copies a request, which has room, from spare memory to the ring. */
static void move(struct segue_sq *sq, uint32_t units)
{
	struct segue_sq_slot *slot = seguei_sq_slot_at(sq, sq->pi);

	build_in_ring(sq);
	seguei_copy_across(sq, seguei_sq_start(sq), sq->spare->wqe, (size_t)units * SEGUEI_UNIT);
	slot->wr_id = sq->spare->slot.wr_id;
	slot->next = sq->spare->slot.next;
}

static int refuse(struct segue_sq *sq, struct seguei_form form, int32_t bad,
		  const struct segue_machine *machine)
{
	const uint32_t blocks = seguei_blocks(form.units);

	sq->slots[sq->pi & sq->mask].next = seguei_sq_ci(sq); /* marks nothing in flight */
	sq->pattern = NULL;
	if (bad >= 0 && blocks > seguei_ring_blocks(sq)) {
		form.why |= SEGUEI_TOO_LONG;
		bad = -1;
	}
	return seguei_sq_refuse_form(sq, form, bad, machine);
}

/*
 * Opens a split queue for as many blocks as requests may still be committed, while the largest
 * request has room. If the posting thread also polls, each completion moves the limit by blocks, so
 * only `most` keeps the number of requests.
 */
static void open_for(struct segue_sq *sq, uint32_t left)
{
	const uint32_t ci = seguei_sq_ci(sq), straight = seguei_ring_blocks(sq) - sq->blocks;

	if (!sq->polled || !sq->room)
		return;
	sq->room = in_flight(sq) + left;
	if (sq->room > straight)
		sq->room = straight;
	seguei_sq_set_ci(sq, ci);
}

/*
 * Opens the queue as far as the ring and the requests in flight allow. That decides whether an
 * unsignaled request has to complete.
 */
int seguei_finish_at_end(struct segue_sq *sq, uint64_t packed, int32_t bad,
			 const struct segue_machine *machine)
{
	const struct seguei_form form = seguei_form_unpack(packed);
	const uint32_t blocks = seguei_blocks(form.units), straight = sq->most;
	const bool moves = sq->tight;
	uint32_t free_blocks, left;
	int ret;

	if (bad < 0 || !sq->postable)
		return refuse(sq, form, bad, machine);
	if (sq->polled)
		seguei_sq_catch_up(sq);
	free_blocks = seguei_ring_blocks(sq) - in_flight(sq);
	left = requests_left(sq, sq->blocks);
	if (blocks > free_blocks || !left)
		return refuse(sq, form, bad, machine);
	if (moves)
		move(sq, form.units);
	free_blocks -= blocks;
	left--;
	sq->most = in_flight(sq) + blocks + (left < free_blocks ? left : free_blocks);
	seguei_sq_open_or_close(sq);
	ret = seguei_finish_unusual(sq, packed, bad, machine);
	sq->most = straight;
	if (!ret && moves) /* the doorbell of a batch covers what it finds in the ring */
		memcpy(sq->spare->wqe, seguei_sq_wqe_at(sq, sq->pi - blocks), sizeof(uint64_t));
	seguei_sq_settle(sq);
	open_for(sq, left);
	return ret;
}

void seguei_sq_open_further(struct segue_sq *sq, uint32_t next)
{
	const uint32_t blocks = next - sq->pi;
	uint32_t left;

	if (!sq->spare || !sq->polled)
		return;
	seguei_sq_catch_up(sq);
	left = requests_left(sq, blocks);
	open_for(sq, left && left < blocks ? blocks : left);
}

uint32_t seguei_sq_room_to_the_end(const struct segue_sq *sq)
{
	uint32_t free_blocks, left;

	if (!sq->postable)
		return 0;
	if (sq->polled) /* as each post does */
		seguei_sq_catch_up((struct segue_sq *)(uintptr_t)sq);
	free_blocks = seguei_ring_blocks(sq) - in_flight(sq);
	left = requests_left(sq, 1);
	return left * sq->blocks < free_blocks ? left * sq->blocks : free_blocks;
}

int seguei_sq_refuse_at_end(const struct segue_sq *sq, uint32_t blocks)
{
	const uint32_t requests = requests_in_flight(sq);

	return seguei_fail(ENOSPC,
			   "Send queue of QP 0x%x: the request needs %u block%s of %u bytes, %u of "
			   "%u are free, and %u of %u requests are in flight; poll the completion "
			   "queue and post again.",
			   sq->qpn, blocks, blocks == 1 ? "" : "s", (unsigned int)SEGUEI_BLOCK,
			   seguei_ring_blocks(sq) - in_flight(sq), seguei_ring_blocks(sq), requests,
			   sq->spare->most);
}
