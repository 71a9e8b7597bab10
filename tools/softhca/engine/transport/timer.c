/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flows with timers: a heap, the earliest first. Each acknowledgement sets a timer again, to a
 * later time than before. So a flow stays at its place, comes up at its old time and goes back.
 */
#include "transport.h"

#include <errno.h>
#include <stdlib.h>

int softhca_timers_reserve(void)
{
	struct softhca_flow **more;
	const uint32_t size = the_transport.timers.room ? the_transport.timers.room * 2 : 64;

	if (the_transport.timers.reserved + 1 >= the_transport.timers.room) {
		more = realloc(the_transport.timers.heap,
			       size * sizeof(*the_transport.timers.heap));
		if (!more)
			return -ENOMEM;
		the_transport.timers.heap = more;
		the_transport.timers.room = size;
	}
	the_transport.timers.reserved++;
	return 0;
}

void softhca_timers_unreserve(void)
{
	the_transport.timers.reserved--;
}

uint64_t softhca_flow_first_timer(const struct softhca_flow *f)
{
	const uint64_t t = f->timeout_at < f->probe_at ? f->timeout_at : f->probe_at;

	return f->rnr_until < t ? f->rnr_until : t;
}

static void put(uint32_t slot, struct softhca_flow *f)
{
	the_transport.timers.heap[slot] = f;
	f->timer_slot = slot;
}

static void up(struct softhca_flow *f)
{
	uint32_t slot = f->timer_slot;

	for (; slot > 1 && the_transport.timers.heap[slot / 2]->timer_key > f->timer_key; slot /= 2)
		put(slot, the_transport.timers.heap[slot / 2]);
	put(slot, f);
}

static void down(struct softhca_flow *f)
{
	uint32_t slot = f->timer_slot, child;

	for (; (child = slot * 2) <= the_transport.timers.count; slot = child) {
		if (child < the_transport.timers.count &&
		    the_transport.timers.heap[child + 1]->timer_key <
			    the_transport.timers.heap[child]->timer_key)
			child++;
		if (the_transport.timers.heap[child]->timer_key >= f->timer_key)
			break;
		put(slot, the_transport.timers.heap[child]);
	}
	put(slot, f);
}

static void take_out(struct softhca_flow *f)
{
	struct softhca_flow *const last = the_transport.timers.heap[the_transport.timers.count--];
	const uint32_t slot = f->timer_slot;

	f->timer_slot = 0;
	if (last == f)
		return;
	put(slot, last);
	up(last);
	down(last);
}

void softhca_timers_stop(struct softhca_flow *f)
{
	softhca_list_del(&f->due);
	if (f->timer_slot)
		take_out(f);
}

void softhca_tp_want_timer(struct softhca_flow *f)
{
	const uint64_t first = softhca_flow_first_timer(f);

	if (f->due.next || (f->timer_slot ? first >= f->timer_key : first == SOFTHCA_NEVER))
		return;
	f->timer_key = first;
	if (!f->timer_slot)
		put(++the_transport.timers.count, f);
	up(f);
}

uint64_t softhca_timers_next(void)
{
	return the_transport.timers.count ? the_transport.timers.heap[1]->timer_key : SOFTHCA_NEVER;
}

int softhca_timers_run(uint64_t now)
{
	struct softhca_link_node due = {&due, &due};
	int n = 0;

	/* Taken out first, because a timer may end its queue pair, and others with it. */
	while (softhca_timers_next() <= now) {
		struct softhca_flow *const f = the_transport.timers.heap[1];

		take_out(f);
		if (softhca_flow_first_timer(f) <= now)
			softhca_list_add(&due, &f->due);
		else
			softhca_tp_want_timer(f);
	}
	for (; due.next != &due; n++) {
		struct softhca_flow *const f = CONTAINER(due.next, struct softhca_flow, due);

		softhca_list_del(&f->due);
		(void)softhca_flow_timers(f, now);
		softhca_tp_want_timer(f);
	}
	return n;
}
