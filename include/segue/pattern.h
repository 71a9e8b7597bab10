/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns: requests of one shape, of which each repetition writes only what it changes.
 *
 * segue_pattern_...() ends a request that is not posted but kept. Its bytes are laid into the
 * blocks of the ring, and stay there from lap to lap, for as long as the queue posts nothing else.
 * A repetition writes the fields that its caller sets, flags and index, with the queue's state in
 * registers, as in a batch. segue/gen/patterns.h has the types, and what each may set; a request in
 * which that is missing, or stands elsewhere, is refused when it is to be kept.
 *
 *   struct segue_rc_send_may_take_sge_pattern p;
 *   ret = segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(sq, 0, 0), …), &p);
 *   …
 *   struct segue_rc_send_may_take_sge_repeat r = segue_repeat_begin(&p, wr_id);
 *   segue_set_sge_addr(&r, addr);
 *   ret = segue_repeat(&r, SEGUE_SIGNALED);
 *   segue_repeat_end(&r);
 *
 * Where the blocks are not known to hold the pattern (the queue has begun anew, or something else
 * was posted or begun), they are laid anew, some at a time, before anything is set. The device sees
 * what it would see of requests that were built each time.
 *
 * Owner: a pattern is the caller's, stays where it is while it is used, and owns nothing. The queue
 * outlives it.
 * Threads: that of the queue.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
 * Source: Segue's own.
 */
#ifndef SEGUE_PATTERN_H
#define SEGUE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/commit.h"
#include "segue/detail/stop.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SEGUEI_PATTERN_BLOCKS 4u
#define SEGUEI_PATTERN_BYTES  (SEGUEI_PATTERN_BLOCKS * SEGUEI_BLOCK)

struct seguei_pattern {
	struct segue_sq *sq;
	const struct segue_machine *machine;
	/* Where the next repetition is made: in the ring, or in `apart` where that ends within. */
	uint8_t *start;
	struct segue_sq_slot *slot;
	uint32_t pi;	   /* of it */
	uint32_t straight; /* where the ring ends, or the pattern in it, less `blocks` */
	uint32_t blocks;   /* of a repetition */
	uint32_t reserve;  /* blocks before the limit that are not for it: see silent_reserve */
	uint32_t flags;	   /* image, of each */
	uint32_t began;	   /* index from which on the queue has posted nothing else */
	uint32_t laid;	   /* index up to which free blocks hold the pattern */
	uint64_t first;	   /* first control quadword, of index 0 */
	uint64_t form;	   /* struct seguei_form, packed */
	struct seguei_stops stops;
	uint64_t beyond; /* one more than an entry that was set, and is not there; 0: none */
	uint32_t set;	 /* checked builds: bytes of the fields that repetitions set, one by bit */
	uint8_t wqe[SEGUEI_PATTERN_BYTES] __attribute__((aligned(16)));
	/* and behind it, what is set beyond a list */
	uint8_t apart[2 * SEGUEI_PATTERN_BYTES] __attribute__((aligned(16)));
};

/*
 * Keeps the request, which is not posted. @expected: the segments that the pattern has, in words
 * @stops: those of them that are set
 */
SEGUEI_COLD int seguei_pattern_keep(struct seguei_build *b, const struct segue_machine *machine,
				    struct seguei_pattern *pattern, const char *expected,
				    const struct seguei_stop *stops, size_t count);

/* What the compiler keeps in registers. */
struct seguei_repeat {
	struct seguei_pattern *pattern;
	uint8_t *start;
	struct segue_sq_slot *slot;
	size_t step;	   /* bytes from one start to the next */
	size_t slots_step; /* and from one slot to the next */
	uint64_t wr_id;
	uint32_t flags; /* as in memory */
	uint32_t blocks;
	uint32_t pi;
	int32_t left;  /* blocks that may be posted without looking at the queue */
	int32_t bad;   /* negative: a value does not fit */
	uint32_t told; /* pi of which the device was told, or before */
	uint32_t set;
	size_t shift;	/* of what moves */
	uint32_t end;	/* of the list, without the shift */
	uint32_t there; /* the list is known to reach up to here */
};

/*
 * Lays the pattern at the producer index, whatever is there, and in all blocks in which it is not
 * known to be.
 */
SEGUEI_COLD void seguei_pattern_anew(struct seguei_pattern *pattern);

/* Ends a repetition that is not as usual, by way of the queue. @flags: image */
SEGUEI_COLD int seguei_pattern_unusual(struct seguei_pattern *pattern, uint32_t pi, uint64_t wr_id,
				       uint32_t flags, int32_t bad);

#ifndef SEGUE_FREESTANDING /* the same for a source that counts */
SEGUEI_COLD int seguei_pattern_unusual_counted(struct seguei_pattern *pattern, uint32_t pi,
					       uint64_t wr_id, uint32_t flags, int32_t bad);
#endif

/* What is wrong with a repetition that set this entry, as a sentence. */
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
 * Where a repetition would begin, the pattern's own address stands in the first segment meanwhile:
 * a request that was begun there and dropped, and no other trace of which there is, has
 * overwritten it.
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
	SEGUEI_OWN_REGISTER(r.slots_step); /* else clang makes it anew each time */
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
#if SEGUEI_BY_WORDS /* the index alone is two bytes at an odd address */
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
 * What a type may set: a member without size, whose type says in which place (plus one, as no array
 * has none): at which byte of the request, and whether it moves.
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

/* The byte at which a word is set. */
SEGUEI_HOT_FUNCTION size_t seguei_repeat_sets(struct seguei_repeat *r, size_t place)
{
	const size_t at = place / 2 + (place % 2 ? r->shift : 0);

	if (SEGUE_CHECKED)
		r->set |= 1u << (at / 4 % 32);
	return at;
}

/*
 * The place of a word in entry `index` of a list, from that in the first one, of which it is byte
 * `within`. If there is no such entry, what is set of it goes where it spoils nothing, and the
 * repetition is refused. Once one is there, the compiler needs no test for those before it.
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
		r->pattern->sq->pattern = NULL; /* whatever comes next, it begins anew */
		if (!known)
			return place;
	}
	if (known)
		r->there = (uint32_t)begins + size;
	return found;
}

/**
 * segue_repeat() - post a pattern's request, with what was set since the last one.
 * @r: what segue_repeat_begin() has returned
 * @flags: of enum segue_post_flag, on top of the pattern's own
 *
 * What an earlier repetition has set is to be set in each: blocks keep what they had a lap ago.
 * Returns 0, or a negative errno as segue_commit() does; what was set is to be set anew then.
 */
#define segue_repeat(r, flags) \
	seguei_repeat_commit(&(r)->repeat, (flags), (uint32_t)SEGUEI_SET_AT(r, seguei_legal))

/**
 * segue_repeat_wr_id() - give the next repetition, and those behind it, a wr_id of their own.
 * @r: what segue_repeat_begin() has returned
 * @id: comes back with its completion
 */
#define segue_repeat_wr_id(r, id) ((void)((r)->repeat.wr_id = (id)))

/**
 * segue_repeat_end() - tell the device about all of them, once.
 * @r: what segue_repeat_begin() has returned
 */
#define segue_repeat_end(r)	  seguei_repeat_end(&(r)->repeat)

#ifdef __cplusplus
}

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
 * @p: what segue_pattern_...() has filled
 * @wr_id: of the repetitions up to segue_repeat_wr_id() or segue_repeat_end()
 *
 * Until then nothing else is posted to the queue; polling is fine. Returns a struct
 * segue_..._repeat. Cannot fail.
 */
#define segue_repeat_begin(p, wr_id) SEGUEI_REPEATS_OF(p, wr_id)

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
