/* SPDX-License-Identifier: BSD-2-Clause */
/* A bad wire in one direction: delays, losses, duplicates, reordering and a rate. */
#include "tools/softhca/wire_queue.h"

#include <stdlib.h>
#include <string.h>

#define IP_HEADER 20u
#define UDP	  17u

/* xorshift64*: the same packets are affected in each run with a seed. */
static double chance(struct wire_queue *q)
{
	q->random ^= q->random >> 12;
	q->random ^= q->random << 25;
	q->random ^= q->random >> 27;
	return (double)(q->random * UINT64_C(0x2545f4914f6cdd1d) >> 11) / (double)(1ull << 53);
}

static bool happens(struct wire_queue *q, double percent)
{
	return percent > 0 && 100 * chance(q) < percent;
}

void wire_queue_start(struct wire_queue *q, const struct wire_quality *quality, uint64_t salt)
{
	memset(q, 0, sizeof(*q));
	q->quality = quality;
	q->random = (quality->seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + salt;
	for (int i = 0; i < 8; i++)
		(void)chance(q);
}

static bool before(const struct wire_packet *a, const struct wire_packet *b)
{
	return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->number < b->number;
}

static bool push(struct wire_queue *q, struct wire_packet *p)
{
	size_t at;

	if (q->count + 1 >= q->room) {
		const size_t room = q->room ? q->room * 2 : 256;
		struct wire_packet **const more = realloc(q->heap, room * sizeof(*more));

		if (!more)
			return false;
		q->heap = more;
		q->room = room;
	}
	for (at = ++q->count; at > 1 && before(p, q->heap[at / 2]); at /= 2)
		q->heap[at] = q->heap[at / 2];
	q->heap[at] = p;
	return true;
}

static struct wire_packet *pop(struct wire_queue *q)
{
	struct wire_packet *const top = q->heap[1], *const last = q->heap[q->count--];
	size_t at = 1, child;

	for (; (child = at * 2) <= q->count; at = child) {
		if (child < q->count && before(q->heap[child + 1], q->heap[child]))
			child++;
		if (!before(q->heap[child], last))
			break;
		q->heap[at] = q->heap[child];
	}
	q->heap[at] = last;
	return top;
}

/*
 * Flips one bit after the IP header. The kernel would drop a UDP datagram with a wrong checksum,
 * and no receiver would see the bit. So the checksum is left out, as RoCEv2 allows.
 */
static void corrupt(struct wire_queue *q, struct wire_packet *p)
{
	uint32_t from = IP_HEADER;
	uint32_t bit;

	if (p->length > IP_HEADER + 8 && p->bytes[0] == 0x45 && p->bytes[9] == UDP) {
		p->bytes[26] = p->bytes[27] = 0;
		from = IP_HEADER + 8;
	}
	if (p->length <= from)
		return;
	bit = (uint32_t)(chance(q) * (p->length - from) * 8);
	p->bytes[from + bit / 8] ^= (uint8_t)(1u << bit % 8);
	q->did.corrupted++;
}

/* Time when a packet that enters now has left at the rate. 0: there is no room for it. */
static uint64_t passes(struct wire_queue *q, uint32_t length, uint64_t now_ns)
{
	const double mbit = q->quality->rate_mbit;
	const uint64_t start = q->free_ns > now_ns ? q->free_ns : now_ns;
	const uint64_t takes = mbit > 0 ? (uint64_t)(length * 8.0 * 1000.0 / mbit) : 0;

	if (takes && (start - now_ns) / takes >= WIRE_LIMIT) {
		q->did.full++;
		return 0;
	}
	q->free_ns = start + takes;
	return q->free_ns;
}

/* Unaffected packets stay in order, whatever the jitter. */
static uint64_t arrives(struct wire_queue *q, uint64_t passed_ns)
{
	const double ms = q->quality->delay_ms + q->quality->jitter_ms * chance(q);
	uint64_t due = passed_ns + (uint64_t)(ms * 1e6);

	if (happens(q, q->quality->reorder)) {
		q->did.overtook++;
		return passed_ns; /* no delay */
	}
	if (due < q->last_ns)
		due = q->last_ns;
	q->last_ns = due;
	return due;
}

bool wire_queue_put(struct wire_queue *q, const uint8_t *bytes, uint32_t length, uint64_t now_ns)
{
	const unsigned int copies = happens(q, q->quality->duplicate) ? 2 : 1;

	q->did.packets++;
	if (happens(q, q->quality->loss)) {
		q->did.lost++;
		return true;
	}
	q->did.doubled += copies - 1;
	for (unsigned int i = 0; i < copies; i++) {
		const uint64_t passed = passes(q, length, now_ns);
		struct wire_packet *const p = passed ? malloc(sizeof(*p) + length) : NULL;

		if (!passed)
			continue;
		if (!p)
			return false;
		p->bytes = (uint8_t *)(p + 1);
		memcpy(p->bytes, bytes, length);
		p->length = length;
		p->number = q->number++;
		p->due_ns = arrives(q, passed);
		if (happens(q, q->quality->corrupt))
			corrupt(q, p);
		if (!push(q, p)) {
			free(p);
			return false;
		}
	}
	return true;
}

uint64_t wire_queue_next(const struct wire_queue *q)
{
	return q->count ? q->heap[1]->due_ns : UINT64_MAX;
}

struct wire_packet *wire_queue_take(struct wire_queue *q, uint64_t now_ns)
{
	return wire_queue_next(q) <= now_ns ? pop(q) : NULL;
}

void wire_queue_end(struct wire_queue *q)
{
	while (q->count)
		free(pop(q));
	free(q->heap);
	q->heap = NULL;
}
