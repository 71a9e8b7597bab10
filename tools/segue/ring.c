// SPDX-License-Identifier: BSD-2-Clause
/* Decodes a dumped send or completion ring, oldest entry first. */
#include "tools/segue/ring.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "segue/decode.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "tools/segue/dump.h"
#include "tools/segue/wqe.h"

/* A send ring on its way to paper. */
struct ring {
	struct report *report;
	const struct segue_machine *machine; /* NULL: each request as it fits */
	const uint8_t *bytes;
	uint32_t blocks, mask; /* mask: of a ring of 2^n blocks, else all ones */
	uint32_t last;	       /* index of the request before */
	bool any;	       /* there was one */
	unsigned int offences;
	uint8_t request[4096]; /* one that goes over the ring's end, in one piece */
};

static const uint8_t *block(const struct ring *ring, uint32_t n)
{
	return ring->bytes + (size_t)(n % ring->blocks) * SEGUE_WQE_BLOCK_SIZE;
}

static uint32_t index_at(const struct ring *ring, uint32_t n)
{
	return (uint32_t)wqe_control(block(ring, n), segue_control.index);
}

/* Bytes and blocks of the request at a block, by its own account. */
static uint32_t bytes_at(const struct ring *ring, uint32_t n)
{
	return (uint32_t)wqe_control(block(ring, n), segue_control.size) * SEGUE_WQE_UNIT_SIZE;
}

static uint32_t blocks_at(const struct ring *ring, uint32_t n)
{
	return (bytes_at(ring, n) + SEGUE_WQE_BLOCK_SIZE - 1) / SEGUE_WQE_BLOCK_SIZE;
}

/* The index of a request names its block, so that a block of another request is not taken for one
 * that begins here. */
static bool begins(const struct ring *ring, uint32_t n)
{
	return !dump_is_zero(block(ring, n), SEGUE_WQE_BLOCK_SIZE) &&
	       (index_at(ring, n) & ring->mask) == (n % ring->blocks) &&
	       bytes_at(ring, n) >= segue_control.segment->size;
}

/* The block where the oldest request begins: behind the greatest step in age. Indices are 16 bits
 * wide and wrap. */
static uint32_t oldest(const struct ring *ring)
{
	uint32_t n, first = ring->blocks, newest = ring->blocks;

	for (n = 0; n < ring->blocks; n++) {
		if (!begins(ring, n))
			continue;
		if (first == ring->blocks)
			first = n;
		if (newest == ring->blocks ||
		    (int16_t)(index_at(ring, n) - index_at(ring, newest)) > 0)
			newest = n;
	}
	if (first == ring->blocks)
		return 0;
	for (n = newest + blocks_at(ring, newest); n < newest + ring->blocks; n++)
		if (begins(ring, n))
			return n % ring->blocks;
	return newest;
}

/* Copies a request to one piece, also if it goes over the ring's end. Returns its bytes. */
static uint32_t gather(struct ring *ring, uint32_t n)
{
	uint32_t len = bytes_at(ring, n), i;

	if (len < segue_control.segment->size)
		len = segue_control.segment->size;
	if (len > ring->blocks * SEGUE_WQE_BLOCK_SIZE)
		len = ring->blocks * SEGUE_WQE_BLOCK_SIZE;
	for (i = 0; i < len; i += SEGUE_WQE_BLOCK_SIZE)
		memcpy(ring->request + i, block(ring, n + i / SEGUE_WQE_BLOCK_SIZE),
		       SEGUE_WQE_BLOCK_SIZE);
	return len;
}

/* A request begins there, at its place, and is legal on a queue. */
static bool is_legal(struct ring *ring, const struct segue_machine *machine, uint32_t n)
{
	return begins(ring, n) &&
	       !segue_wqe_validate(machine, ring->request, gather(ring, n), NULL);
}

static uint32_t legal_on(struct ring *ring, const struct segue_machine *machine)
{
	uint32_t legal = 0, n;

	for (n = 0; n < ring->blocks; n++)
		legal += is_legal(ring, machine, n);
	return legal;
}

/* Queue of the ring: the one on which most of its requests are legal. */
static const struct segue_machine *likely(struct ring *ring)
{
	const struct segue_machine *best = NULL;
	uint32_t most = 0;
	size_t i;

	for (i = 0; segue_machines[i]; i++) {
		uint32_t legal;

		if (!segue_machines[i]->send)
			continue;
		legal = legal_on(ring, segue_machines[i]);
		if (best && (legal < most ||
			     (legal == most && segue_machines[i]->n_starts <= best->n_starts)))
			continue;
		best = segue_machines[i];
		most = legal;
	}
	return best;
}

static void print_request(struct ring *ring, uint32_t n, const char *note, bool wrong)
{
	struct wqe_view view = {.machine = ring->machine,
				.at = (size_t)(n % ring->blocks) * SEGUE_WQE_BLOCK_SIZE,
				.note = note,
				.wrong = wrong};

	view.len = gather(ring, n);
	view.bytes = ring->request;
	if (!wqe_print(ring->report, &view))
		ring->offences++;
}

/*
 * Nothing was ever posted there. UCX leaves a size, and nothing else, in the last block of a new
 * ring, so that it can count what is posted (src/uct/ib/mlx5/ib_mlx5.c, uct_ib_mlx5_txwq_reset).
 */
static bool blank(const uint8_t *block)
{
	const struct segue_field_desc *const size =
		&segue_control.segment->fields[segue_control.size];
	uint8_t copy[SEGUE_WQE_BLOCK_SIZE];

	memcpy(copy, block, sizeof(copy));
	if (wqe_control(block, segue_control.queue) == 0 &&
	    wqe_control(block, segue_control.index) == 0)
		memset(copy + size->byte, 0, size->word / 8);
	return dump_is_zero(copy, sizeof(copy));
}

static bool all_blank(const uint8_t *ring, size_t len)
{
	size_t at;

	for (at = 0; at < len; at += SEGUE_WQE_BLOCK_SIZE)
		if (!blank(ring + at))
			return false;
	return true;
}

/* Blocks that hold no beginning of a request. */
static void print_gap(struct ring *ring, uint32_t from, uint32_t to)
{
	bool empty = true;
	uint32_t n;

	for (n = from; n < to; n++)
		empty = empty && blank(block(ring, n));
	report_gap(ring->report, (size_t)(from % ring->blocks) * SEGUE_WQE_BLOCK_SIZE, to - from,
		   "block", "blocks",
		   empty       ? "never written"
		   : ring->any ? "of requests that newer ones have overwritten"
			       : "without the beginning of a request");
}

/*
 * A request is expected at block `n`, right behind another. If another index stands there, either
 * the ring's newest request was the one before, or the index is wrong: it is, if the bytes are a
 * request otherwise and the one that follows fits again.
 */
static bool misnumbered(const struct ring *ring, uint32_t n)
{
	bool legal;

	if (!ring->any || dump_is_zero(block(ring, n), SEGUE_WQE_BLOCK_SIZE) ||
	    bytes_at(ring, n) < segue_control.segment->size)
		return false;
	if (blocks_at(ring, n) > ring->blocks || !begins(ring, n + blocks_at(ring, n)))
		return false;
	(void)wqe_guess(block(ring, n), SEGUE_WQE_BLOCK_SIZE, &legal);
	return legal && index_at(ring, n + blocks_at(ring, n)) ==
				((ring->last + blocks_at(ring, n)) & 0xffff);
}

static void say_index(const struct ring *ring, uint32_t n, char *note, size_t len)
{
	snprintf(note, len,
		 "the index is 0x%" PRIx32 ", but this block is number 0x%" PRIx32
		 " of the ring; the device answers with syndrome 0x02",
		 index_at(ring, n), ring->last & 0xffff);
}

static void walk(struct ring *ring, uint32_t start)
{
	uint32_t n = start;
	char note[160];

	while (n < start + ring->blocks) {
		uint32_t to = n;

		if (begins(ring, n)) {
			const bool gap = ring->any && index_at(ring, n) != (ring->last & 0xffff);

			snprintf(note, sizeof(note),
				 "requests 0x%" PRIx32 " to 0x%x before it are gone",
				 ring->last & 0xffff, (index_at(ring, n) - 1) & 0xffff);
			print_request(ring, n, gap ? note : NULL, false);
			ring->last = index_at(ring, n) + blocks_at(ring, n);
			ring->any = true;
			n += blocks_at(ring, n);
			continue;
		}
		if (misnumbered(ring, n)) {
			say_index(ring, n, note, sizeof(note));
			print_request(ring, n, note, true);
			ring->last += blocks_at(ring, n);
			n += blocks_at(ring, n);
			continue;
		}
		while (to < start + ring->blocks && !begins(ring, to))
			to++;
		print_gap(ring, n, to);
		n = to;
	}
}

static struct ring ring_over(const struct segue_machine *machine, const uint8_t *bytes, size_t len)
{
	const uint32_t blocks = (uint32_t)(len / SEGUE_WQE_BLOCK_SIZE);
	struct ring ring = {.machine = machine, .bytes = bytes, .blocks = blocks};

	ring.mask = blocks & (blocks - 1) ? 0xffff : (blocks - 1) & 0xffff;
	return ring;
}

uint32_t ring_legal_requests(const struct segue_machine *machine, const uint8_t *bytes, size_t len)
{
	struct ring ring = ring_over(machine, bytes, len);
	uint32_t legal = 0, n;

	if (!ring.blocks)
		return 0;
	ring.machine = machine ? machine : likely(&ring);
	for (n = 0; n < ring.blocks; n++)
		legal += is_legal(&ring, ring.machine, n) &&
			 wqe_control(block(&ring, n), segue_control.opcode) != SEGUE_OPCODE_NOP;
	return legal;
}

bool ring_is_send(const struct segue_machine *machine, const uint8_t *bytes, size_t len)
{
	bool legal;
	size_t at;

	if (len < SEGUE_WQE_BLOCK_SIZE)
		return false;
	if (all_blank(bytes, len) || ring_legal_requests(machine, bytes, len))
		return true;
	/* A part of a ring has no request at its place. Bytes of any kind hold a NOP by chance. */
	for (at = 0; at < len; at += SEGUE_WQE_BLOCK_SIZE) {
		(void)wqe_guess(bytes + at, len - at, &legal);
		if (legal && wqe_control(bytes + at, segue_control.opcode) != SEGUE_OPCODE_NOP)
			return true;
	}
	return false;
}

unsigned int ring_print_send(struct report *report, const struct segue_machine *machine,
			     const uint8_t *bytes, size_t len)
{
	struct ring ring = ring_over(machine, bytes, len);

	ring.report = report;
	if (!machine)
		ring.machine = likely(&ring);
	walk(&ring, oldest(&ring));
	if (!ring.any && !all_blank(bytes, len)) {
		report_error("no block of this ring begins a request: none has the index of its "
			     "place; is it a send ring, and the whole of it?");
		ring.offences++;
	}
	return ring.offences;
}

/* Drivers mark a ring's entries before the device has written any. The mark stands at the end, in
 * the entry of 64 bytes. */
static bool cqe_written(const uint8_t *entry, size_t size)
{
	struct segue_cqe64 cqe;

	(void)segue_cqe64_unpack(&cqe, entry + size - SEGUE_CQE64_SIZE);
	return cqe.opcode != SEGUE_CQE_OPCODE_INVALID && !dump_is_zero(entry, size);
}

unsigned int ring_print_cqes(struct report *report, const uint8_t *ring, size_t len, size_t size)
{
	unsigned int offences = 0;
	size_t at, to;

	for (at = 0; at + size <= len; at = to) {
		to = at;
		while (to + size <= len && !cqe_written(ring + to, size))
			to += size;
		if (to > at) {
			report_gap(report, at, (to - at) / size, "entry", "entries",
				   "never written");
			continue;
		}
		to += size;
		if (!cqe_print(report, ring + at, size, at))
			offences++;
	}
	return offences;
}

/* Nothing is set that the format does not know. */
static bool clear_cqe(const uint8_t *entry, size_t size)
{
	const struct segue_segment_desc *const desc = segue_cqe_match(entry, size);
	uint64_t value;
	uint16_t i;

	for (i = 0; desc && i < desc->field_count; i++) {
		const struct segue_field_desc *const field = &desc->fields[i];

		if (!seguei_field_get(field, entry, size, &value))
			continue;
		if (field->reserved && value)
			return false;
		if (field->enumeration && !seguei_enum_name(field->enumeration, value))
			return false;
	}
	return desc != NULL;
}

struct ring_cqes ring_look_at_cqes(const uint8_t *ring, size_t len, size_t size)
{
	struct ring_cqes seen = {0, false, false};
	size_t at, clear = 0, blank = 0;

	if (!len || len % size || dump_is_zero(ring, len))
		return seen;
	for (at = 0; at < len; at += size) {
		if (!cqe_written(ring + at, size)) {
			blank += dump_is_zero(ring + at, size - 1);
			continue;
		}
		if (!segue_cqe_match(ring + at, size))
			return seen;
		seen.written++;
		clear += clear_cqe(ring + at, size);
	}
	seen.possible = true;
	seen.clear = seen.written ? clear * 4 >= seen.written * 3 : blank == len / size;
	return seen;
}
