/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plans of WQEs. Walking an automaton costs more than executing a WQE, so the result of a walk is
 * kept as a shape: the bits that must have their values, and the fields that must stay within
 * limits. A WQE that fits is legal and has the same segments in the same places. All checks of the
 * walk are among these bits and limits, and the generator has proved that no bytes are two
 * different requests or segments. So the result never depends on what was posted before.
 */
#include "state.h"

#include "runtime/text/decode.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	struct softhca_plan plan;
	unsigned len, n_fixed, n_excluded, n_limits;
	struct limit *limit;
	struct word word[]; /* the fixed words, then the excluded ones */
};

/* ---- comparison with a shape ---- */

static bool outside(const struct limit *l, const uint8_t *raw)
{
	uint64_t value;

	memcpy(&value, raw + l->at, sizeof(value));
	value = be64toh(value) >> l->shift & l->mask;
	return (value - l->min > l->span) & (value || !l->zero);
}

/* 0: the word has the bits. */
static uint64_t differs(const struct word *w, const uint8_t *raw)
{
	uint64_t word;

	memcpy(&word, raw + w->at, sizeof(word));
	return (word & w->mask) ^ w->bits;
}

/* Compares without a branch for each word, since a program's requests nearly always fit. */
static bool fits(const struct shape *s, const uint8_t *raw, unsigned len)
{
	const struct word *w = s->word, *fixed = w + s->n_fixed, *end = fixed + s->n_excluded;
	uint64_t wrong = 0;

	if (s->len != len)
		return false;
	for (; w < fixed; w++)
		wrong |= differs(w, raw);
	for (; w < end; w++)
		wrong |= !differs(w, raw);
	for (unsigned i = 0; i < s->n_limits; i++)
		wrong |= outside(&s->limit[i], raw);
	return !wrong;
}

static const struct shape *search(unsigned grammar, const uint8_t *raw, unsigned len)
{
	for (unsigned i = 0; i < the_queue.known[grammar].n; i++)
		if (fits(the_queue.known[grammar].shape[i], raw, len))
			return the_queue.known[grammar].last = the_queue.known[grammar].shape[i];
	return NULL;
}

/* ---- checks of a walk ---- */

static uint64_t ones(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* Bits of a field, numbered in its value, at their places in memory. */
static void put_bits(uint8_t *to, const struct segue_field_desc *f, uint64_t bits)
{
	bits = (bits & ones(f->width)) << f->lsb;
	for (unsigned i = 0; i < f->word / 8u; i++)
		to[f->byte + i] |= (uint8_t)(bits >> (f->word - 8 - 8 * i));
}

static void fix_field(struct notes *n, const struct segue_field_desc *f, uint32_t at)
{
	if (f->word)
		put_bits(n->fixed + at, f, UINT64_MAX);
	else
		memset(n->fixed + at + f->byte, 0xff, f->width / 8u);
}

/* False if the field is not in one aligned word. */
static bool in_word(const struct segue_field_desc *f, uint32_t at)
{
	return ((at + f->byte) & 7u) + f->word / 8u <= 8;
}

static void limit_field(struct notes *n, const struct segue_field_desc *f, uint32_t at,
			uint64_t min, uint64_t max)
{
	const uint32_t byte = at + f->byte, low = byte & 7u;

	/* If the limit is a power of two, the bits above must stay clear. */
	if (!min && !(max & (max + 1))) {
		put_bits(n->fixed + at, f, ~max);
		return;
	}
	if (n->n_limits == LIMITS || !in_word(f, at)) {
		n->full = true;
		return;
	}
	n->limit[n->n_limits++] = (struct limit){
		.mask = ones(f->width),
		.min = min,
		.span = max - min,
		.at = (uint16_t)(byte - low),
		.shift = (uint8_t)(f->lsb + 64 - low * 8 - f->word),
		.zero = f->has_zero_means && f->zero_means >= min && f->zero_means <= max,
	};
}

static void exclude(struct notes *n, const struct segue_field_desc *f, uint32_t at, uint64_t value)
{
	const uint32_t low = (at + f->byte) & 7u;
	struct segue_field_desc in_its_word = *f;
	/* in_word() reads 8 bytes at an offset of up to 8 */
	uint8_t mask[16] = {0}, bits[16] = {0};
	struct word *w = &n->excluded[n->n_excluded];

	if (n->n_excluded == LIMITS || !in_word(f, at)) {
		n->full = true;
		return;
	}
	in_its_word.byte = (uint16_t)low;
	put_bits(mask, &in_its_word, UINT64_MAX);
	put_bits(bits, &in_its_word, value);
	w->at = at + f->byte - low;
	memcpy(&w->mask, mask, sizeof(w->mask));
	memcpy(&w->bits, bits, sizeof(w->bits));
	n->n_excluded++;
}

/* Bits outside of all members must stay clear. */
static void limit_flags(struct notes *n, const struct segue_field_desc *f, uint32_t at)
{
	uint64_t none = UINT64_MAX;

	for (uint16_t i = 0; i < f->flags->member_count; i++)
		none &= ~f->flags->members[i].value;
	put_bits(n->fixed + at, f, none);
}

/* Most fields may have any value, or any value but 0. */
static void bound_field(struct notes *n, const struct segue_field_desc *f, uint32_t at)
{
	const bool zero_ok = f->has_zero_means && f->zero_means >= f->min &&
			     f->zero_means <= f->max;

	if (f->max < ones(f->width) || f->min > 1)
		limit_field(n, f, at, f->min, f->max);
	else if (f->min && !zero_ok)
		exclude(n, f, at, 0);
	if (f->closed && f->flags)
		limit_flags(n, f, at);
	for (uint16_t i = 0; i < f->never_count; i++)
		exclude(n, f, at, f->never[i]);
}

/* The length of a payload may be any that keeps the segment's length. */
static void limit_tail(struct notes *n, const struct segue_segment_desc *segment, uint32_t at,
		       uint32_t size)
{
	const struct segue_field_desc *f = &segment->fields[segment->tail_length];
	const uint64_t pad = segment->tail_pad ? segment->tail_pad : 1;
	uint64_t min = size <= segment->tail_min_size ? 0 : size - pad + 1,
		 max = size - segment->tail_at;

	min = min > segment->tail_at ? min - segment->tail_at : 0;
	limit_field(n, f, at, min > f->min ? min : f->min, max < f->max ? max : f->max);
}

static bool announces(const struct segue_machine *machine, const struct segue_segment_desc *segment,
		      uint16_t field)
{
	for (uint16_t i = 0; i < machine->n_announces; i++)
		if (machine->announces[i].segment == segment &&
		    machine->announces[i].field == field)
			return true;
	return false;
}

static void note_field(struct notes *n, const struct segue_segment_desc *segment, uint16_t field,
		       uint32_t at)
{
	const struct segue_field_desc *f = &segment->fields[field];

	if (f->reserved ? !f->stale && !seguei_under_payload(segment, f) : f->is_const)
		fix_field(n, f, at);
	else if (!f->reserved && announces(n->machine, segment, field))
		fix_field(n, f, at);
	else if (!f->reserved && f->word)
		bound_field(n, f, at);
}

static void note_fields(struct notes *n, const struct segue_segment_desc *segment, uint32_t at,
			uint32_t size)
{
	for (uint16_t i = 0; i < segment->field_count; i++)
		if (segment->has_tail && i == segment->tail_length)
			limit_tail(n, segment, at, size);
		else
			note_field(n, segment, i, at);
}

/* Notes entries one by one. Filling zeros stay zeros, summed-up fields keep their values. */
static void note_list(struct notes *n, const struct seguei_step_seen *seen)
{
	const uint32_t entry = seen->segment->size;
	uint32_t at = 0;

	for (; at + entry <= seen->size; at += entry) {
		if (seen->size - at < seen->symbol->pad &&
		    seguei_all_zero(seen->bytes + at, seen->size - at))
			break;
		note_fields(n, seen->segment, seen->offset + at, entry);
		if (seen->symbol->sum != SEGUE_MACHINE_NO_SLOT)
			fix_field(n, &seen->segment->fields[seen->symbol->sum_of],
				  seen->offset + at);
	}
	memset(n->fixed + seen->offset + at, 0xff, seen->size - at);
}

/* Request and size determine the shape. All other fields are as in other segments. */
static void note_control(struct notes *n, const struct segue_segment_desc *segment)
{
	for (uint16_t i = 0; i < segment->field_count; i++)
		if (i == the_queue.tables->control->opcode ||
		    i == the_queue.tables->control->opmod || i == the_queue.tables->control->size)
			fix_field(n, &segment->fields[i], 0);
		else
			note_field(n, segment, i, 0);
}

static void note(void *arg, const struct seguei_step_seen *seen)
{
	const struct segue_machine_symbol *symbol = seen->symbol;
	struct notes *n = arg;

	if (!symbol) {
		note_control(n, seen->segment);
		return;
	}
	if (n->n_steps == SOFTHCA_STEPS_MAX) {
		n->full = true;
		return;
	}
	n->step[n->n_steps] = (struct softhca_step){seen->segment, softhca_part_of(seen->segment),
						    (uint16_t)seen->offset, (uint16_t)seen->size};
	n->ethernet |= n->step[n->n_steps++].part == SOFTHCA_PART_ETH;
	if (symbol->op == SEGUE_MACHINE_SYMBOL_LIST)
		note_list(n, seen);
	else
		note_fields(n, seen->segment, seen->offset, seen->size);
	for (uint16_t i = 0; i < symbol->n_fixed; i++)
		fix_field(n, &seen->segment->fields[symbol->fixed[i].field], seen->offset);
}

/* Flags that a request may not carry must stay clear. */
static void note_flags(struct notes *n, const struct segue_machine_start *start)
{
	const struct segue_segment_desc *segment = the_queue.tables->control->segment;
	const uint8_t byte = segment->fields[the_queue.tables->control->flags[0]].byte;
	const uint64_t legal = start->flags | n->machine->option_flags;

	for (uint16_t i = 0; i < segment->field_count; i++) {
		const struct segue_field_desc *f = &segment->fields[i];

		if (f->byte == byte && !f->reserved && !f->stale &&
		    i != the_queue.tables->control->signature)
			put_bits(n->fixed, f, ~legal >> f->lsb);
	}
}

/* ---- keeping it ---- */

static void make_words(struct shape *s, const struct notes *n, const uint8_t *raw)
{
	s->n_fixed = 0;
	for (unsigned at = 0; at < s->len; at += 8) {
		struct word w = {.at = at};

		memcpy(&w.mask, n->fixed + at, sizeof(w.mask));
		memcpy(&w.bits, raw + at, sizeof(w.bits));
		w.bits &= w.mask;
		if (w.mask)
			s->word[s->n_fixed++] = w;
	}
	s->n_excluded = n->n_excluded;
	memcpy(s->word + s->n_fixed, n->excluded, n->n_excluded * sizeof(struct word));
}

static struct shape *make_shape(const struct notes *n, const uint8_t *raw, unsigned len)
{
	const size_t words = (len / 8u + n->n_excluded) * sizeof(struct word);
	const size_t limits = n->n_limits * sizeof(struct limit),
		     steps = n->n_steps * sizeof(struct softhca_step);
	struct shape *s = malloc(sizeof(*s) + words + limits + steps);
	struct softhca_step *step;

	if (!s)
		return NULL;
	s->len = len;
	make_words(s, n, raw);
	s->n_limits = n->n_limits;
	s->limit = memcpy((uint8_t *)s->word + words, n->limit, limits);
	step = memcpy(s->limit + s->n_limits, n->step, steps);
	s->plan = (struct softhca_plan){n->start, step, n->n_steps, n->ethernet,
					softhca_meaning(n->machine, n->start)};
	return s;
}

static void keep(unsigned grammar, struct shape *s)
{
	unsigned at = the_queue.known[grammar].n;

	if (at < SHAPES) {
		the_queue.known[grammar].n++;
	} else {
		at = the_queue.known[grammar].oldest;
		the_queue.known[grammar].oldest = (at + 1) % SHAPES;
		free(the_queue.known[grammar].shape[at]);
	}
	the_queue.known[grammar].shape[at] = s;
	the_queue.known[grammar].last = s;
}

/* ---- all together ---- */

/* Plan of the last walk, valid until the next. */
static const struct softhca_plan *plan_once(const struct notes *n)
{
	the_queue.once = (struct softhca_plan){n->start, n->step, n->n_steps, n->ethernet,
					       softhca_meaning(n->machine, n->start)};
	return &the_queue.once;
}

/* Walks as a device would, which does not check all fields. */
static const struct softhca_plan *walk_lax(struct notes *n, const uint8_t *raw, unsigned len)
{
	struct segue_offence offence;

	n->n_steps = 0;
	n->start = the_queue.tables->walk_lax(n->machine, raw, len, note, n, &offence);
	return offence.kind == SEGUE_OFFENCE_NONE ? plan_once(n) : NULL;
}

/* Finds the plan of a WQE without a known shape. */
__attribute__((noinline, cold)) static const struct softhca_plan *
make_plan(unsigned grammar, const uint8_t *raw, unsigned len, const struct segue_offence **offence)
{
	struct notes *const n = &the_queue.notes;
	struct shape *made;

	memset(n, 0, sizeof(*n));
	n->machine = softhca_machine(grammar);
	n->start = the_queue.tables->walk(n->machine, raw, len, note, n, &the_queue.found);
	if (the_queue.found.kind != SEGUE_OFFENCE_NONE) {
		*offence = &the_queue.found;
		return walk_lax(n, raw, len);
	}
	if (n->machine->send)
		note_flags(n, n->start);
	made = n->full || len % 8u ? NULL : make_shape(n, raw, len);
	if (!made)
		return plan_once(n);
	keep(grammar, made);
	return &made->plan;
}

const struct softhca_plan *softhca_plan_of(unsigned grammar, const uint8_t *raw, unsigned len,
					   const struct segue_offence **offence)
{
	const struct shape *s = the_queue.known[grammar].last;

	*offence = NULL;
	if (s && fits(s, raw, len))
		return &s->plan;
	s = search(grammar, raw, len);
	return s ? &s->plan : make_plan(grammar, raw, len, offence);
}
