// SPDX-License-Identifier: BSD-2-Clause
/* Decodes receive rings, plain and shared ones. */
#include "tools/segue/receive_ring.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/text/walk.h"
#include "segue/gen/segments.h"
#include "segue/gen/tables.h"
#include "tools/segue/dump.h"
#include "tools/segue/evidence.h"
#include "tools/segue/wqe.h"

/* Observations of a ring. */
struct tally {
	size_t posted, illegal;
	struct evidence evidence;
};

/* True if entries begin with the link to the next free one. */
static bool linked(const struct segue_machine *machine)
{
	const struct segue_machine_state *const first = &machine->states[machine->starts[0].to];

	return first->n_edges &&
	       machine->symbols[machine->edges[first->first_edge].symbol].segment ==
		       &segue_seg_srq_next_desc;
}

size_t receive_stride(const struct segue_machine *machine)
{
	/* rdma-core:providers/mlx5/srq.c#mlx5_alloc_srq_buf,
	 * Linux:drivers/infiniband/hw/mlx5/srq.c#mlx5_ib_create_srq */
	return linked(machine) ? SEGUE_SEG_SRQ_NEXT_SIZE + SEGUE_SEG_DATA_SIZE
			       : SEGUE_SEG_DATA_SIZE;
}

static size_t entries_of(const struct receive_ring *ring)
{
	return ring->len / ring->stride;
}

/*
 * Index that an entry's link leads to. Other fields of the link's segment cannot be judged: UCX
 * keeps values of its own in the reserved bits, in memory that was not cleared
 * (src/uct/ib/mlx5/ib_mlx5.h, uct_ib_mlx5_srq_seg_t and uct_ib_mlx5_md_buf_alloc).
 */
static uint32_t link_of(const uint8_t *entry)
{
	struct segue_seg_srq_next next;

	(void)segue_seg_srq_next_unpack(&next, entry);
	return next.next_wqe_index;
}

static bool leads_out(const struct receive_ring *ring, const uint8_t *entry)
{
	return ring->whole && linked(ring->machine) && link_of(entry) >= entries_of(ring);
}

/*
 * True if nothing was ever posted there: the maker of a ring clears it and writes the links. UCX
 * writes lengths as well, which makes an entry. An entry that is cut off may end before its link.
 */
static bool blank(const struct receive_ring *ring, const uint8_t *entry)
{
	const struct segue_field_desc *const link = &segue_seg_srq_next_desc.fields[0];
	size_t at = 0;

	if (leads_out(ring, entry))
		return false;
	if (linked(ring->machine) && ring->stride >= SEGUE_SEG_SRQ_NEXT_SIZE) {
		/* the link, at the end of its word */
		if (!dump_is_zero(entry, link->byte + (link->word - link->width) / 8u))
			return false;
		at = link->byte + link->word / 8u;
	}
	return dump_is_zero(entry + at, ring->stride - at);
}

/* Weighs links within the ring: so many of 2^16 values are not in it. */
static void weigh_link(const struct receive_ring *ring, struct evidence *evidence)
{
	const uint32_t range = UINT32_C(1) << segue_seg_srq_next_desc.fields[0].width;

	if (!ring->whole || !linked(ring->machine))
		return;
	for (size_t n = entries_of(ring); 2 * n <= range; n *= 2)
		evidence->demanded++;
}

static void judge(const struct receive_ring *ring, const uint8_t *entry, struct tally *tally)
{
	struct segue_offence offence;

	tally->posted++;
	(void)seguei_walk(ring->machine, entry, ring->stride, evidence_take, &tally->evidence,
			  &offence);
	if (offence.kind != SEGUE_OFFENCE_NONE || leads_out(ring, entry))
		tally->illegal++;
	else
		weigh_link(ring, &tally->evidence);
}

/* Judges a ring, up to so many illegal entries. */
static void judge_all(const struct receive_ring *ring, size_t illegal, struct tally *tally)
{
	size_t at;

	memset(tally, 0, sizeof(*tally));
	for (at = 0; at < ring->len && tally->illegal < illegal; at += ring->stride)
		if (!blank(ring, ring->bytes + at))
			judge(ring, ring->bytes + at, tally);
}

static int status_of(const struct tally *tally)
{
	if (tally->illegal)
		return SEGUE_EXIT_OFFENCE;
	return !tally->posted || evidence_enough(&tally->evidence) ? SEGUE_EXIT_OK
								   : SEGUE_EXIT_UNDECIDED;
}

int receive_judge(const struct receive_ring *ring)
{
	struct tally tally;

	judge_all(ring, 1, &tally);
	return status_of(&tally);
}

/* The stride with which all would be well, 0 if there is none. */
static size_t better_stride(const struct receive_ring *ring)
{
	struct receive_ring other = *ring;

	if (!ring->whole)
		return 0;
	for (other.stride = receive_stride(ring->machine);
	     other.stride <= RECEIVE_STRIDE_MAX && other.stride <= ring->len; other.stride *= 2) {
		if (ring->len % other.stride)
			break;
		if (receive_judge(&other) == SEGUE_EXIT_OK)
			return other.stride;
	}
	return 0;
}

static void print_entry(struct report *report, const struct receive_ring *ring, size_t at)
{
	const bool wrong = leads_out(ring, ring->bytes + at);
	struct wqe_view view = {.machine = ring->machine,
				.bytes = ring->bytes + at,
				.len = ring->stride,
				.at = at,
				.wrong = wrong};
	char note[160];

	if (wrong) {
		snprintf(note, sizeof(note),
			 "%s.%s is 0x%" PRIx32 ", but the ring has %zu entries of %zu bytes; the "
					       "device would read outside of it",
			 segue_seg_srq_next_desc.name, segue_seg_srq_next_desc.fields[0].name,
			 link_of(view.bytes), entries_of(ring), ring->stride);
		view.note = note;
	}
	(void)wqe_print(report, &view);
}

static void say_illegal(const struct receive_ring *ring, const struct tally *tally, char *text,
			size_t size)
{
	const size_t better = better_stride(ring);
	int len = snprintf(text, size, "%zu of %zu posted entries of %zu bytes %s illegal",
			   tally->illegal, tally->posted, ring->stride,
			   tally->illegal == 1 ? "is" : "are");

	if (better)
		snprintf(text + len, size - (size_t)len,
			 "; with --stride %zu all of them are legal", better);
	else if (4 * tally->illegal > tally->posted)
		snprintf(text + len, size - (size_t)len,
			 "; is it the ring of such a queue, from its first byte to its last, and "
			 "the stride right (--stride)?");
}

static void say_undecided(const struct tally *tally, char *text, size_t size)
{
	snprintf(text, size,
		 "nothing in these bytes can tell: none is illegal, but neither are those of one "
		 "random dump in 2^%" PRId64
		 ", as an entry has no mark of its own; and no key, length or address is small or "
		 "repeats, as those of people's entries do. Is it "
		 "the right place?",
		 tally->evidence.demanded);
}

/* Prints the last record. The text has it only if something is wrong. */
static void print_verdict(struct report *r, const struct receive_ring *ring,
			  const struct tally *tally)
{
	static const char *const verdicts[] = {[SEGUE_EXIT_OK] = "legal",
					       [SEGUE_EXIT_OFFENCE] = "illegal",
					       [SEGUE_EXIT_UNDECIDED] = "undecided"};
	const int status = status_of(tally);
	char text[512];

	if (status == SEGUE_EXIT_OFFENCE)
		say_illegal(ring, tally, text, sizeof(text));
	if (status == SEGUE_EXIT_UNDECIDED)
		say_undecided(tally, text, sizeof(text));
	report_record(r);
	report_string(r, "verdict", verdicts[status]);
	report_number(r, "posted", tally->posted);
	report_number(r, "illegal", tally->illegal);
	report_string(r, "note", status == SEGUE_EXIT_OK ? NULL : text);
	if (status != SEGUE_EXIT_OK)
		report_text(r, "%s%s%s: %s\n", report_bad(r), verdicts[status], report_plain(r),
			    text);
	report_record_end(r);
}

int receive_print(struct report *report, const struct receive_ring *ring)
{
	struct tally tally;
	size_t at, to;

	for (at = 0; at < ring->len; at = to) {
		to = at;
		while (to < ring->len && blank(ring, ring->bytes + to))
			to += ring->stride;
		if (to > at) {
			report_gap(report, at, (to - at) / ring->stride, "entry", "entries",
				   "never posted");
			continue;
		}
		print_entry(report, ring, at);
		to += ring->stride;
	}
	judge_all(ring, SIZE_MAX, &tally);
	print_verdict(report, ring, &tally);
	return status_of(&tally);
}
