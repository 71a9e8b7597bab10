/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A send WQE under construction. The generated builders are thin typed wrappers around these steps.
 *
 * A builder is a value: it lives in registers, and each step takes one and returns the next. It
 * writes to the room that the queue always keeps after its producer index (see sq.h), so no step
 * has to check for room, and a builder that is dropped leaves no trace. Offences (a value too wide,
 * a WQE too long) are collected in the sign of `bad`, which commit tests once.
 *
 * When the shape of a request is known at compile time, `units` is a constant, and the tests on it
 * vanish.
 */
#ifndef SEGUE_DETAIL_BUILD_H
#define SEGUE_DETAIL_BUILD_H

#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/detail/range.h"
#include "segue/gen/control.h"
#include "segue/sq.h"

#include "segue/detail/begin.h"

#define SEGUEI_UNIT	       ((uint32_t)SEGUE_WQE_UNIT_SIZE)
#define SEGUEI_BLOCK	       ((uint32_t)SEGUE_WQE_BLOCK_SIZE)
#define SEGUEI_UNITS_PER_BLOCK (SEGUEI_BLOCK / SEGUEI_UNIT)

/*
 * Units for which every queue has room, checked by segue_sq_init(). Shorter WQEs need no check.
 */
#define SEGUEI_UNITS_ALWAYS    8u

struct seguei_batch;

struct seguei_build {
	struct segue_sq *sq;
	struct seguei_batch *batch; /* batch to which the request belongs, or NULL */
	uint8_t *start;		    /* first byte of the WQE: the control segment */
	/* address of the next segment, which may be the end of the ring */
	uint8_t *at;
	uint64_t wr_id;
	uint32_t pi;	/* the queue's producer index when the WQE was begun */
	uint32_t slot;	/* pi within the ring */
	uint32_t units; /* written so far, in 16 bytes, control segment included */
	int32_t bad;	/* negative: commit refuses the request */
	uint8_t why;	/* its reason, as far as known, and notes for commit: enum seguei_why */
	uint32_t flags; /* image of the flags' dword in the control segment */
	uint32_t imm;	/* last dword of the control segment */
	/* bytes of lists that an earlier segment promised */
	uint32_t announced[SEGUEI_ANNOUNCEMENTS];
	uint8_t opcode;
	uint8_t opmod;
	uint32_t step; /* checked builds: steps taken when this value was made */
#ifdef __AMDGCN__
	struct segue_sq seen; /* see SEGUEI_SEEN_QUEUE */
#endif
};

/*
 * The queue that the end of a request reads. AMD's GPUs wait for each load by an instruction of its
 * own, and a compiler loads again after a store to the ring, which may have changed the queue for
 * all that it knows. So all is loaded when the request begins.
 */
#ifdef __AMDGCN__
#define SEGUEI_SEEN_QUEUE(build) (&(build)->seen)
#else
#define SEGUEI_SEEN_QUEUE(build) ((build)->sq)
#endif

/* Checked builds: one thread per queue, each builder value used once. */
SEGUEI_OF_LIBRARY void seguei_check_step(struct segue_sq *sq, uint32_t step, const char *what);
SEGUEI_OF_LIBRARY void seguei_check_begin(struct segue_sq *sq);
SEGUEI_OF_LIBRARY void seguei_check_no_batch(const struct segue_sq *sq);
SEGUEI_OF_LIBRARY void seguei_check_wqe(const struct segue_machine *machine,
					const struct segue_sq *sq, const uint8_t *start,
					uint32_t units);

#define SEGUEI_COPY_MOST 64u

/*
 * Copies 0 to 64 bytes without a call, from both ends to the middle. No byte after them is touched.
 */
SEGUEI_HOT_FUNCTION void seguei_copy_payload(uint8_t *to, const uint8_t *from, uint32_t length)
{
	uint8_t head[32], tail[32];

	if (SEGUEI_LIKELY(length - 16 <= 16)) {
		memcpy(head, from, 16);
		memcpy(tail, from + length - 16, 16);
		memcpy(to, head, 16);
		memcpy(to + length - 16, tail, 16);
	} else if (length > 32) {
		memcpy(head, from, 32);
		memcpy(tail, from + length - 32, 32);
		memcpy(to, head, 32);
		memcpy(to + length - 32, tail, 32);
	} else if (length >= 8) {
		memcpy(head, from, 8);
		memcpy(tail, from + length - 8, 8);
		memcpy(to, head, 8);
		memcpy(to + length - 8, tail, 8);
	} else if (length >= 4) {
		memcpy(head, from, 4);
		memcpy(tail, from + length - 4, 4);
		memcpy(to, head, 4);
		memcpy(to + length - 4, tail, 4);
	} else if (length) {
		to[0] = from[0];
		to[length / 2] = from[length / 2];
		to[length - 1] = from[length - 1];
	}
}

/* Up to 4 bytes as a word in memory, filled up with zeros. */
SEGUEI_HOT_FUNCTION uint32_t seguei_word_of(const uint8_t *from, size_t left)
{
	uint8_t bytes[sizeof(uint32_t)];
	uint32_t word, i;

	for (i = 0; i < sizeof(word); i++)
		bytes[i] = i < left ? from[i] : 0;
	memcpy(&word, bytes, sizeof(word));
	return word;
}

/*
 * Copies bytes to the ring by words, the last one filled up with zeros, which stays within the
 * segment's padding. @to: aligned to 2 bytes
 */
SEGUE_FUNCTION void seguei_copy_words(uint8_t *to, const uint8_t *from, size_t length)
{
	size_t at = 0;

	if ((uintptr_t)to & 2 && length) {
		const uint16_t half = (uint16_t)seguei_word_of(from, length < 2 ? length : 2);

		memcpy(SEGUEI_ALIGNED(uint8_t, to, 2), &half, sizeof(half));
		at = sizeof(half);
	}
	for (; at < length; at += sizeof(uint32_t)) {
		const uint32_t word = seguei_word_of(from + at, length - at);

		memcpy(SEGUEI_ALIGNED(uint8_t, to + at, sizeof(word)), &word, sizeof(word));
	}
}

/* Copies payload to the ring, of any length. */
SEGUE_FUNCTION void seguei_copy_to_ring(uint8_t *to, const void *from, size_t length)
{
	if (SEGUEI_BY_WORDS)
		seguei_copy_words(to, (const uint8_t *)from, length);
	else
		memcpy(to, from, length);
}

/* The same for a length that the compiler knows, or a short one: see seguei_here_if_short(). */
SEGUEI_HOT_FUNCTION void seguei_copy_short(uint8_t *to, const void *data, uint32_t length)
{
	if (SEGUEI_BY_WORDS)
		seguei_copy_words(to, (const uint8_t *)data, length);
	else if (SEGUEI_KNOWN(length))
		memcpy(to, data, length);
	else
		seguei_copy_payload(to, (const uint8_t *)data, length);
}

/* Copies bytes to a place that may lie across the end of the ring. */
SEGUEI_COLD void seguei_copy_across(const struct segue_sq *sq, uint8_t *to, const void *from,
				    size_t bytes);

/* Bytes of one segment with a payload after its fields. */
struct seguei_tailed {
	const void *fields; /* packed. Only those before `at` are used */
	uint32_t at;
	const void *data;
	uint32_t length;
	uint32_t units; /* units of the whole segment, padded */
};

/* Writes such a segment of any length, also across the end of the ring. */
SEGUEI_OF_LIBRARY void seguei_put_tailed(const struct segue_sq *sq, uint8_t *to,
					 const struct seguei_tailed *segment);

/* Begins a request at this place, which may be the queue's own, or a batch's. */
SEGUEI_HOT_FUNCTION struct seguei_build seguei_begin_at(struct segue_sq *sq, uint32_t pi,
							uint8_t *start)
{
	struct seguei_build b;

	b.sq = sq;
	b.batch = NULL;
	b.wr_id = 0;
	b.pi = pi;
	b.slot = 0;
	b.start = SEGUEI_ALIGNED(uint8_t, start, SEGUEI_UNIT);
	b.at = b.start + SEGUEI_CONTROL_SIZE;
	b.units = SEGUEI_CONTROL_SIZE / SEGUEI_UNIT;
	b.bad = 0;
	b.why = 0;
	b.flags = 0;
	b.imm = 0;
	memset(b.announced, 0, sizeof(b.announced));
	b.opcode = 0;
	b.opmod = 0;
	b.step = 0;
	if (SEGUE_CHECKED) {
		seguei_check_begin(sq);
		b.step = sq->checked_step;
	}
#ifdef __AMDGCN__
	b.seen = *sq;
#endif
	return b;
}

SEGUEI_HOT_FUNCTION struct seguei_build seguei_begin(struct segue_sq *sq)
{
	const uint32_t pi = sq->pi, slot = pi & sq->mask;
	struct seguei_build b = seguei_begin_at(sq, pi, sq->buf + (size_t)slot * SEGUEI_BLOCK);

	if (SEGUE_CHECKED)
		seguei_check_no_batch(sq);
	b.slot = slot;
	return b;
}

/* Sets the request's fields in the control segment and in the queue's slot. */
SEGUEI_HOT_FUNCTION void seguei_request(struct seguei_build *b, uint64_t wr_id, uint8_t opcode,
					uint8_t opmod, uint32_t flags, uint32_t imm)
{
	b->wr_id = wr_id;
	b->opcode = opcode;
	b->opmod = opmod;
	b->flags = flags;
	b->imm = imm;
}

/* Begins every step. In checked builds it finds a builder value that is used twice. */
SEGUEI_HOT_FUNCTION void seguei_step(struct seguei_build *b, const char *what)
{
	if (SEGUE_CHECKED) {
		seguei_check_step(b->sq, b->step, what);
		b->step = b->sq->checked_step;
	}
}

/* The same in the step that ends the request. */
SEGUEI_HOT_FUNCTION void seguei_step_last(struct seguei_build *b, const char *what)
{
	seguei_step(b, what);
	if (SEGUE_CHECKED)
		b->sq->checked_begun.line = 0;
}

/* Refuses the request at commit if the condition holds. Costs no branch. */
SEGUEI_HOT_FUNCTION void seguei_refuse_if(struct seguei_build *b, bool condition)
{
	b->bad |= -(int32_t)condition;
}

/* True if there are flags that the request does not take, or that exclude each other. */
SEGUEI_HOT_FUNCTION bool seguei_wrong_flags(const char *request, uint32_t flags, uint32_t legal)
{
	bool clash;

	if (SEGUEI_LIKELY((flags & (~legal | SEGUEI_CONTROL_CLASHING)) == 0))
		return false;
	clash = seguei_control_flags_clash(flags);

	if (SEGUE_CHECKED && clash)
		seguei_check_clash(request, flags);
	return seguei_strange_flags(request, flags, legal) | clash;
}

/* Refuses at commit a value outside its field's range. */
SEGUEI_HOT_FUNCTION void seguei_refuse_outside(struct seguei_build *b, uint32_t field,
					       uint64_t value, uint64_t min, uint64_t max)
{
	b->bad |= seguei_field_outside(field, value, min, max);
}

/* Refuses at commit a value that is not a member of its field's enum. */
SEGUEI_HOT_FUNCTION void seguei_refuse_unless(struct seguei_build *b, uint32_t field,
					      uint64_t value, bool legal)
{
	b->bad |= seguei_field_unless(field, value, legal);
}

/* Refuses at commit a request that was given NULL. */
SEGUEI_HOT_FUNCTION void seguei_refuse_null(struct seguei_build *b)
{
	b->bad = -1;
	b->why = (uint8_t)(b->why | SEGUEI_NULL);
}

/* Refuses at commit a payload of that length, of which no byte is written. */
SEGUEI_HOT_FUNCTION void seguei_refuse_length(struct seguei_build *b, uint32_t field,
					      uint32_t length)
{
	if (SEGUE_CHECKED)
		seguei_check_value(field, length);
	b->bad = -1;
	b->why = (uint8_t)(b->why | SEGUEI_LENGTH);
	b->sq->wrong_field = field;
	b->sq->wrong_length = length;
}

SEGUEI_HOT_FUNCTION bool seguei_has_room(const struct seguei_build *b, uint32_t units)
{
	return b->units + units <= SEGUEI_UNITS_ALWAYS || b->units + units <= b->sq->max_units;
}

/*
 * Checks that `units` more fit the largest WQE of the queue. If they do not, the builder continues
 * at the start of its own room, harmlessly, and commit refuses.
 */
SEGUEI_HOT_FUNCTION bool seguei_fits(struct seguei_build *b, uint32_t units)
{
	if (SEGUEI_LIKELY(seguei_has_room(b, units)))
		return true;
	b->at = b->start + SEGUEI_CONTROL_SIZE;
	b->units = SEGUEI_CONTROL_SIZE / SEGUEI_UNIT;
	b->bad = -1;
	b->why = (uint8_t)(b->why | SEGUEI_TOO_LONG);
	return false;
}

/*
 * Address of the next segment. `wraps`: the segment may start exactly at the end of the ring, and
 * then lies at the beginning. If the position in the block is known at compile time, only the first
 * unit of a block can be such a place.
 */
SEGUEI_HOT_FUNCTION uint8_t *seguei_here_or_wrapped(struct seguei_build *b, bool wraps)
{
	const bool inside_block = SEGUEI_KNOWN(b->units) && b->units % SEGUEI_UNITS_PER_BLOCK != 0;

	if (wraps && !inside_block && b->at == b->sq->end)
		b->at = b->sq->buf;
	return SEGUEI_ALIGNED(uint8_t, b->at, SEGUEI_UNIT);
}

/* Notes that `units` were written at the place given. */
SEGUEI_HOT_FUNCTION void seguei_advance(struct seguei_build *b, uint32_t units)
{
	b->at += units * SEGUEI_UNIT;
	b->units += units;
}

/* As seguei_advance(), for a segment that may have crossed the end of the ring. */
SEGUEI_HOT_FUNCTION void seguei_advance_across(struct seguei_build *b, uint32_t units)
{
	seguei_advance(b, units);
	if (b->at > b->sq->end)
		b->at -= b->sq->end - b->sq->buf;
}

/* True if the compiler knows that `units` from here on lie in one block. */
#define SEGUEI_INSIDE_BLOCK(b, units)                       \
	(SEGUEI_KNOWN((b)->units) && SEGUEI_KNOWN(units) && \
	 (b)->units % SEGUEI_UNITS_PER_BLOCK + (units) <= SEGUEI_UNITS_PER_BLOCK)

/* True if `units` from here on lie in one piece. */
SEGUEI_HOT_FUNCTION bool seguei_in_one_piece(const struct seguei_build *b, const uint8_t *at,
					     uint32_t units)
{
	return SEGUEI_INSIDE_BLOCK(b, units) ||
	       SEGUEI_LIKELY(at + (size_t)units * SEGUEI_UNIT <= b->sq->end);
}

/*
 * Address of a segment with that payload if its length is short, or known to the compiler, and it
 * lies in one piece. NULL otherwise, because that is not for the fast path. @longest: units of the
 * longest short one
 */
SEGUEI_HOT_FUNCTION uint8_t *seguei_here_if_short(struct seguei_build *b, uint32_t length,
						  uint32_t least, uint32_t most, uint32_t units,
						  uint32_t longest)
{
	const bool known = SEGUEI_KNOWN(length);

	if (!known && most > SEGUEI_COPY_MOST)
		most = SEGUEI_COPY_MOST;
	if (SEGUEI_UNLIKELY(length - least > most - least) ||
	    SEGUEI_UNLIKELY((known || b->units + longest > SEGUEI_UNITS_ALWAYS) &&
			    !seguei_has_room(b, units)))
		return NULL;
	if (SEGUEI_INSIDE_BLOCK(b, units))
		return seguei_here_or_wrapped(b, true);
	return seguei_in_one_piece(b, b->at, units) ? SEGUEI_ALIGNED(uint8_t, b->at, SEGUEI_UNIT)
						    : NULL;
}

/* Zeroes one unit: the padding of a segment with a payload that does not fill its last one. */
SEGUEI_HOT_FUNCTION void seguei_zero_unit(uint8_t *at)
{
	memset(SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT), 0, SEGUEI_UNIT);
}

SEGUEI_HOT_FUNCTION uint32_t seguei_blocks(uint32_t units)
{
	return (units + SEGUEI_UNITS_PER_BLOCK - 1) / SEGUEI_UNITS_PER_BLOCK;
}

/* Producer index after the request. */
SEGUEI_HOT_FUNCTION uint32_t seguei_next(const struct seguei_build *b)
{
	uint32_t next = b->pi + seguei_blocks(b->units);

	SEGUEI_OWN_REGISTER(next); /* keeps clang from splitting the sums in which it occurs */
	return next;
}

/*
 * True if every value fits its field, there is room up to `next`, and an unsignaled request need
 * not complete: see silent_reserve.
 */
SEGUEI_HOT_FUNCTION bool seguei_usual(const struct segue_sq *sq, uint32_t next, int32_t bad,
				      uint32_t flags)
{
	uint32_t limit = sq->limit;

	if (!(flags & SEGUE_SIGNALED)) {
		limit -= sq->silent_reserve;
		SEGUEI_OWN_REGISTER(limit); /* as in seguei_next() */
	}
	return (bad | (int32_t)(limit - next)) >= 0;
}

/*
 * Does the part of a commit that the device cannot see yet: wr_id, and the fields of the control
 * segment other than the WQE's index. The slot and the block are free until the producer index
 * moves, so this may come before the check for room.
 */
SEGUEI_HOT_FUNCTION void seguei_prepare(const struct seguei_build *b, struct segue_sq_slot *slot,
					uint32_t next)
{
	slot->wr_id = b->wr_id;
	slot->next = next;
	seguei_control_put_second(SEGUEI_ALIGNED(uint8_t, b->start, SEGUEI_UNIT), b->flags, b->imm);
}

enum seguei_how { SEGUEI_COMMIT, SEGUEI_POST, SEGUEI_BLUEFLAME };

/* Properties of a request, except its segments. */
struct seguei_form {
	uint8_t opcode;
	uint8_t opmod;
	uint8_t why; /* see struct seguei_build */
	uint8_t how; /* enum seguei_how: the action after it is in the ring */
	uint32_t units;
};

/* Writes the WQE's index. Returns the value for the doorbell register. */
SEGUEI_HOT_FUNCTION uint64_t seguei_name(uint64_t ctrl, uint8_t *start, uint32_t pi,
					 struct seguei_form form)
{
	const uint64_t doorbell = segue_be64(ctrl | seguei_control_first(form.opmod,
									 pi & 0xffff,
									 form.opcode, form.units));

	memcpy(SEGUEI_ALIGNED(uint8_t, start, SEGUEI_UNIT), &doorbell, sizeof(doorbell));
	return doorbell;
}

/* Names the WQE by the producer index, and moves the index to @next. @ctrl: of the queue */
SEGUEI_HOT_FUNCTION uint64_t seguei_finish(struct segue_sq *sq, uint64_t ctrl, uint8_t *start,
					   uint32_t pi, struct seguei_form form, uint32_t next)
{
	const uint64_t doorbell = seguei_name(ctrl, start, pi, form);

	sq->pi = next;
	SEGUEI_COUNT(sq->counts.posted);
	SEGUEI_PROBE4(post, sq->qpn, next, form.opcode, form.units);
	return doorbell;
}

SEGUEI_HOT_FUNCTION struct seguei_form seguei_form_of(const struct seguei_build *b,
						      enum seguei_how how)
{
	const struct seguei_form form = {b->opcode, b->opmod, b->why, (uint8_t)how, b->units};

	return form;
}

/* Packs a form into one register, and unpacks it, because gcc passes structs through the stack. */
SEGUEI_HOT_FUNCTION uint64_t seguei_form_pack(struct seguei_form form)
{
	return (uint64_t)form.opcode | (uint64_t)form.opmod << 8 | (uint64_t)form.why << 16 |
	       (uint64_t)form.how << 24 | (uint64_t)form.units << 32;
}

SEGUE_FUNCTION struct seguei_form seguei_form_unpack(uint64_t packed)
{
	const struct seguei_form form = {(uint8_t)packed, (uint8_t)(packed >> 8),
					 (uint8_t)(packed >> 16), (uint8_t)(packed >> 24),
					 (uint32_t)(packed >> 32)};

	return form;
}

/*
 * Completes an unusual request, which is prepared at the producer index. It may be refused. If it
 * was only unsignaled for too long, enough requests are made to complete for the queue to continue,
 * if necessary this one. Or it must wait for the request before it, which has closed the fast path
 * for that reason.
 */
SEGUEI_COLD int seguei_finish_unusual(struct segue_sq *sq, uint64_t packed, int32_t bad,
				      const struct segue_machine *machine);

/* The same for a queue with spare memory, when the room of the fast path is used up. */
SEGUEI_COLD int seguei_finish_at_end(struct segue_sq *sq, uint64_t packed, int32_t bad,
				     const struct segue_machine *machine);

#ifndef SEGUE_FREESTANDING /* the same for a source with counters */
SEGUEI_COLD int seguei_finish_unusual_counted(struct segue_sq *sq, uint64_t packed, int32_t bad,
					      const struct segue_machine *machine);
#endif

/* Refuses the request that is prepared at the producer index, with a sentence. */
SEGUEI_COLD int seguei_sq_refuse_form(const struct segue_sq *sq, struct seguei_form form,
				      int32_t bad, const struct segue_machine *machine);

/* Makes the next request of the queue wait for this one, which changes a key that it may use. */
SEGUEI_OF_LIBRARY void seguei_sq_fence_next(struct segue_sq *sq);

/* Notifies sq->watch of the next request, once that is committed. That one takes the slow path. */
void seguei_sq_watch_next(struct segue_sq *sq);

SEGUEI_HOT_FUNCTION int seguei_unusual(const struct seguei_build *b,
				       const struct segue_machine *machine, enum seguei_how how)
{
	return SEGUEI_COUNTED(seguei_finish_unusual)(
		b->sq, seguei_form_pack(seguei_form_of(b, how)), b->bad, machine);
}

#include "segue/detail/end.h"

#endif
