/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns: requests of one shape, of which each repetition writes only the fields that change.
 *
 * segue_pattern_...() ends a request that is not posted but kept. Its bytes are laid into the
 * blocks of the ring, and stay there from lap to lap, as long as the queue posts nothing else. A
 * repetition writes the fields that its caller sets, flags and index, with the queue's state in
 * registers, as in a batch. segue/gen/patterns.h has the types, and the fields that each may set. A
 * request that lacks such a field, or has it elsewhere, is refused when it is to be kept.
 *
 *   struct segue_rc_send_may_take_sge_pattern p;
 *   ret = segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(sq, 0, 0), …), &p);
 *   …
 *   struct segue_rc_send_may_take_sge_repeat r = segue_repeat_begin(&p, wr_id);
 *   segue_set_sge_addr(&r, addr);
 *   ret = segue_repeat(&r, SEGUE_SIGNALED);
 *   segue_repeat_end(&r);
 *
 * If the blocks are not known to hold the pattern (the queue was reset, or another request was
 * posted or begun), they are laid again, some at a time, before anything is set. The device sees
 * the same bytes as of requests that are built each time.
 *
 * Owner: a pattern is the caller's, stays in its place while it is used, and owns nothing. The
 *   queue outlives it.
 * Threads: that of the queue.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: Segue's own.
 */
#ifndef SEGUE_PATTERN_H
#define SEGUE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/commit.h"
#include "segue/detail/segment_offsets.h"

#include "segue/detail/begin.h"

#define SEGUEI_PATTERN_BLOCKS 4u
#define SEGUEI_PATTERN_BYTES  (SEGUEI_PATTERN_BLOCKS * SEGUEI_BLOCK)

struct seguei_pattern {
	struct segue_sq *sq;
	const struct segue_machine *machine;
	/* Place of the next repetition: in the ring, or in `apart` if the ring ends within it. */
	uint8_t *start;
	struct segue_sq_slot *slot;
	uint32_t pi;	   /* producer index of that place */
	uint32_t straight; /* end of the ring, or of the pattern in it, less `blocks` */
	uint32_t blocks;   /* blocks of a repetition */
	uint32_t reserve;  /* blocks before the limit that it may not use: see silent_reserve */
	uint32_t flags;	   /* image of the flags of each repetition */
	uint32_t began;	   /* index since which the queue has posted nothing else */
	uint32_t laid;	   /* index up to which free blocks hold the pattern */
	uint64_t first;	   /* first control quadword, of index 0 */
	uint64_t form;	   /* struct seguei_form, packed */
	struct seguei_stops stops;
	uint64_t beyond; /* one more than an entry that was set but does not exist. 0: none */
	uint32_t set;	 /* checked builds: bit n is byte n of the fields that repetitions set */
	uint8_t wqe[SEGUEI_PATTERN_BYTES] __attribute__((aligned(16)));
	/* followed by room for fields that are set beyond a list */
	uint8_t apart[2 * SEGUEI_PATTERN_BYTES] __attribute__((aligned(16)));
};

/*
 * Keeps the request, which is not posted. @expected: names of the segments that the pattern has
 * @stops: those of them that are set
 */
SEGUEI_COLD int seguei_pattern_keep(struct seguei_build *b, const struct segue_machine *machine,
				    struct seguei_pattern *pattern, const char *expected,
				    const struct seguei_stop *stops, size_t count);

/* State of a series of repetitions, in registers. */
struct seguei_repeat {
	struct seguei_pattern *pattern;
	uint8_t *start;
	struct segue_sq_slot *slot;
	size_t step;	   /* bytes from one start to the next */
	size_t slots_step; /* bytes from one slot to the next */
	uint64_t wr_id;
	uint32_t flags; /* flags of the pattern, in the order of memory */
	uint32_t blocks;
	uint32_t pi;
	int32_t left;  /* blocks that may be posted without reading the queue */
	int32_t bad;   /* negative: a value does not fit */
	uint32_t told; /* pi of the last doorbell, or an earlier one */
	uint32_t set;
	size_t shift;	/* bytes by which moving fields are shifted */
	uint32_t end;	/* end of the list, without the shift */
	uint32_t there; /* the list is known to reach up to this byte */
};

/*
 * Lays the pattern at the producer index, and in all other blocks that may not hold it.
 */
SEGUEI_COLD void seguei_pattern_anew(struct seguei_pattern *pattern);

/* Ends an unusual repetition, by way of the queue. @flags: image */
SEGUEI_COLD int seguei_pattern_unusual(struct seguei_pattern *pattern, uint32_t pi, uint64_t wr_id,
				       uint32_t flags, int32_t bad);

#ifndef SEGUE_FREESTANDING /* the same for a source with counters */
SEGUEI_COLD int seguei_pattern_unusual_counted(struct seguei_pattern *pattern, uint32_t pi,
					       uint64_t wr_id, uint32_t flags, int32_t bad);
#endif

/* Refuses a repetition that set this entry, with a sentence. */
SEGUEI_COLD int seguei_pattern_refuse_entry(const struct seguei_pattern *pattern, uint64_t entry);

/* Checked builds: each repetition sets the same fields. */
SEGUEI_OF_LIBRARY void seguei_check_repeat(struct seguei_pattern *pattern, uint32_t set);

SEGUEI_HOT_FUNCTION void seguei_repeat_look(struct seguei_repeat *r)
{
	const struct seguei_pattern *p = r->pattern;
	const int32_t straight = (int32_t)(p->straight - p->pi);
	const int32_t room = (int32_t)(p->sq->limit - p->reserve - p->pi);

	r->start = p->start;
	r->slot = p->slot;
	r->pi = p->pi;
	r->left = room < straight ? room : straight;
	r->bad = 0;
	r->set = 0;
	r->there = 0;
}

/*
 * Stores the pattern's own address in the first segment of the next repetition's place. If a
 * request is begun there and dropped, it overwrites the address. It leaves no other trace.
 */
SEGUEI_HOT_FUNCTION uint8_t *seguei_pattern_mark(uint8_t *start)
{
	return SEGUEI_ALIGNED(uint8_t, start + SEGUEI_CONTROL_SIZE, SEGUEI_UNIT);
}

SEGUEI_HOT_FUNCTION bool seguei_pattern_is_marked(const struct seguei_pattern *p)
{
	const struct seguei_pattern *mark;

	memcpy(&mark, seguei_pattern_mark(p->start), sizeof(mark));
	return mark == p;
}

SEGUEI_HOT_FUNCTION struct seguei_repeat seguei_repeat_begin(struct seguei_pattern *p,
							     uint64_t wr_id)
{
	struct segue_sq *sq = p->sq;
	struct seguei_repeat r;

	if (SEGUE_CHECKED) {
		seguei_check_no_batch(sq);
		seguei_check_begin(sq);
		sq->checked_begun.line = 0;
		sq->checked_batch = true;
	}
	if (SEGUEI_UNLIKELY(sq->pattern != p || sq->pi != p->pi || !seguei_pattern_is_marked(p)))
		seguei_pattern_anew(p);
	r.pattern = p;
	r.blocks = p->blocks;
	r.step = (size_t)r.blocks * SEGUEI_BLOCK;
	r.slots_step = r.blocks * sizeof(struct segue_sq_slot);
	SEGUEI_OWN_REGISTER(r.slots_step); /* keeps clang from making it again each time */
	r.wr_id = wr_id;
	r.flags = segue_be32(p->flags);
	r.shift = p->stops.shift;
	r.end = p->stops.end;
	seguei_repeat_look(&r);
	r.told = r.pi;
	memcpy(seguei_pattern_mark(r.start), p->wqe + SEGUEI_CONTROL_SIZE, sizeof(p));
	return r;
}

SEGUEI_HOT_FUNCTION int seguei_repeat_commit(struct seguei_repeat *r, uint32_t flags,
					     uint32_t legal)
{
	struct seguei_pattern *p = r->pattern;
	const uint32_t next = r->pi + r->blocks, image = r->flags | segue_be32(flags);
	const int32_t left = r->left - (int32_t)r->blocks;
	int ret;

	r->bad |= -(int32_t)seguei_wrong_flags("segue_repeat()", flags, legal);
	if (!(SEGUEI_KNOWN(flags) && flags == 0))
		r->bad |= -(int32_t)seguei_control_flags_clash(segue_be32(image));
	if (SEGUE_CHECKED && !p->beyond)
		seguei_check_repeat(p, r->set);
	if (SEGUEI_UNLIKELY((left | r->bad) < 0)) {
		ret = SEGUEI_COUNTED(seguei_pattern_unusual)(p, r->pi, r->wr_id, segue_be32(image),
							     r->bad);
		seguei_repeat_look(r);
		return ret;
	}
#if SEGUEI_BY_WORDS /* a store of the index alone would be two bytes at an odd address */
	segue_put_be64(SEGUEI_ALIGNED(uint8_t, r->start, SEGUEI_UNIT),
		       p->first + seguei_control_first(0, r->pi & 0xffff, 0, 0));
#else
	seguei_control_put_index(r->start, r->pi & 0xffff);
#endif
	memcpy(SEGUEI_ALIGNED(uint8_t, r->start + SEGUEI_CONTROL_FLAGS_AT, sizeof(image)), &image,
	       sizeof(image));
	r->slot->wr_id = r->wr_id;
	r->slot->next = next;
	SEGUEI_COUNT(p->sq->counts.posted);
	SEGUEI_PROBE4(post, p->sq->qpn, next, (uint8_t)p->form, (uint32_t)(p->form >> 32));
	if (SEGUE_CHECKED)
		seguei_check_wqe(p->machine, p->sq, r->start, seguei_form_unpack(p->form).units);
	r->start += r->step;
	r->slot = (struct segue_sq_slot *)(void *)((char *)r->slot + r->slots_step);
	r->pi = next;
	r->left = left;
	r->bad = 0;
	r->set = 0;
	r->there = 0;
	return 0;
}

SEGUEI_HOT_FUNCTION void seguei_repeat_end(struct seguei_repeat *r)
{
	struct seguei_pattern *p = r->pattern;
	struct segue_sq *sq = p->sq;

	if (r->pi != r->told) {
		sq->pi = r->pi;
		seguei_sq_ring(
			sq, r->pi,
			segue_be64(p->first +
				   seguei_control_first(0, (r->pi - r->blocks) & 0xffff, 0, 0)));
	}
	memcpy(seguei_pattern_mark(r->start), &p, sizeof(p));
	p->start = r->start;
	p->slot = r->slot;
	p->pi = r->pi;
	if (SEGUE_CHECKED)
		sq->checked_batch = false;
}

/*
 * A place that a type may set: a member without size. Its type has the place (plus one, as no
 * array has size 0). A place is a byte of the request, and whether it moves.
 */
#ifdef __cplusplus
#define SEGUEI_REPEATS(type)	 typedef type seguei_repeats;
#define SEGUEI_SETS(name, place) static char(*name[1])[(place) + 1u];
#else
#define SEGUEI_REPEATS(type)	 __extension__ type seguei_repeats[0];
#define SEGUEI_SETS(name, place) __extension__ char(*name[0])[(place) + 1u];
#endif
#define SEGUEI_PLACE(byte, moves) (2u * (byte) + (moves))
#define SEGUEI_SET_AT(r, name)	  (sizeof(**(r)->name) - 1u)

/* Address at which a word is set. */
SEGUEI_HOT_FUNCTION size_t seguei_repeat_sets(struct seguei_repeat *r, size_t place)
{
	const size_t at = place / 2 + (place % 2 ? r->shift : 0);

	if (SEGUE_CHECKED)
		r->set |= 1u << (at / 4 % 32);
	return at;
}

/*
 * The place of a word in entry `index` of a list, from its place in the first entry, of which it is
 * byte `within`. If there is no such entry, the value goes to unused memory, and the repetition is
 * refused. If an entry exists, the compiler needs no test for those before it.
 */
SEGUEI_HOT_FUNCTION size_t seguei_repeat_entry(struct seguei_repeat *r, size_t place, size_t within,
					       uint32_t index, uint32_t size)
{
	const uint64_t begins = place / 2 - within + (uint64_t)index * size;
	const bool known = SEGUEI_KNOWN(index) && begins + size <= SEGUEI_PATTERN_BYTES;
	const size_t found = place + 2 * (size_t)index * size;

	if (known && (index == 0 || begins < r->there))
		return found;
	if (SEGUEI_UNLIKELY(begins >= r->end)) {
		r->left = -1;
		r->start = r->pattern->apart;
		r->pattern->beyond = (uint64_t)index + 1;
		r->pattern->sq->pattern = NULL; /* the next pattern is written to the ring again */
		if (!known)
			return place;
	}
	if (known)
		r->there = (uint32_t)begins + size;
	return found;
}

/**
 * segue_repeat() - post a pattern's request, with what was set since the last one.
 * @r: from segue_repeat_begin()
 * @flags: of enum segue_post_flag, added to the pattern's own
 *
 * A field that an earlier repetition has set must be set in each, because blocks keep the values of
 * a lap ago. Returns 0, or a negative errno as segue_commit() does. After an error the fields must
 * be set again.
 */
#define segue_repeat(r, flags) \
	seguei_repeat_commit(&(r)->repeat, (flags), (uint32_t)SEGUEI_SET_AT(r, seguei_legal))

/**
 * segue_repeat_wr_id() - set the wr_id of the next repetition, and of all after it.
 * @r: from segue_repeat_begin()
 * @id: comes back with its completion
 */
#define segue_repeat_wr_id(r, id) ((void)((r)->repeat.wr_id = (id)))

/**
 * segue_repeat_end() - notify the device of all of them, once.
 * @r: from segue_repeat_begin()
 */
#define segue_repeat_end(r)	  seguei_repeat_end(&(r)->repeat)

#include "segue/detail/end.h"

#ifdef __cplusplus
template <class Pattern>
SEGUEI_HOT_FUNCTION typename Pattern::seguei_repeats seguei_repeats_of(Pattern *p, uint64_t wr_id)
{
	typename Pattern::seguei_repeats r;

	r.repeat = seguei_repeat_begin(&p->pattern, wr_id);
	return r;
}

#define SEGUEI_REPEATS_OF(p, wr_id) seguei_repeats_of((p), (wr_id))
#else
#define SEGUEI_REPEATS_OF(p, wr_id)            \
	((__typeof__((p)->seguei_repeats[0])){ \
		.repeat = seguei_repeat_begin(&(p)->pattern, (wr_id))})
#endif

/**
 * segue_repeat_begin() - begin to repeat a pattern.
 * @p: filled by segue_pattern_...()
 * @wr_id: of the repetitions up to segue_repeat_wr_id() or segue_repeat_end()
 *
 * Up to segue_repeat_end() nothing else may be posted to the queue, but it may be polled. Returns a
 * struct segue_..._repeat. Cannot fail.
 */
#define segue_repeat_begin(p, wr_id) SEGUEI_REPEATS_OF(p, wr_id)

#endif
