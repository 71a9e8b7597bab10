/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out which argument of a refused request was wrong, and words it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/text/decode.h"
#include "runtime/text/walk.h"
#include "segue/base.h"
#include "segue/decode.h"
#include "segue/detail/range.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"

static void print_value(struct seguei_out *out, const struct segue_segment_desc *segment,
			const struct segue_field_desc *field, uint64_t value)
{
	seguei_out_printf(out, "'%s' of segment '%s' is ", field->name, segment->name);
	seguei_field_number(out, field, value);
	if (!field->is_signed)
		seguei_out_printf(out, " (0x%" PRIx64 ")", value);
	seguei_out_printf(out, ", expected ");
	seguei_field_expected(out, field);
}

size_t seguei_value_print(uint32_t field, uint64_t value, char *text, size_t size)
{
	const struct segue_segment_desc *segment = segue_segments[field >> 8];
	struct seguei_out out;

	seguei_out_init(&out, text, size, SEGUE_FORMAT_TEXT);
	print_value(&out, segment, &segment->fields[field & 0xff], value);
	return seguei_out_finish(&out);
}

#define LOOKS_LIKE_ANOTHER                                                                         \
	"a value does not fit its field, so that one segment looks like another (a checked build " \
	"says which and where)"

/* The longest WQE that is tried with other values. */
#define MOST_BYTES 1024u

/* A replacement of one field's bits, in the segment at byte `at`. */
struct instead {
	const struct segue_field_desc *field;
	uint32_t at;
	uint64_t bits;
};

static void put_instead(uint8_t *wqe, const struct instead *instead)
{
	const struct segue_field_desc *field = instead->field;
	const size_t first = seguei_first_bit(field);

	for (uint16_t i = 0; i < field->width; i++) {
		const size_t at = field->little ? first + i : first + field->width - 1 - i;
		uint8_t *byte = wqe + instead->at + at / 8;
		const uint8_t bit = (uint8_t)(field->little ? 1u << at % 8 : 0x80u >> at % 8);

		*byte = (uint8_t)(instead->bits >> i & 1 ? *byte | bit : *byte & ~bit);
	}
}

/* True if the WQE would be legal with other bits in some fields, which are then the cause. */
static bool valid_with(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       const struct instead *instead, unsigned int count)
{
	uint8_t copy[MOST_BYTES];

	if (len > sizeof(copy))
		return false;
	memcpy(copy, wqe, len);
	for (unsigned int i = 0; i < count; i++)
		put_instead(copy, &instead[i]);
	return !segue_wqe_validate(machine, copy, len, NULL);
}

/* A value too large for its field. */
struct overflow {
	const struct segue_segment_desc *segment;
	const struct segue_field_desc *field;
	uint64_t value;
	bool explains; /* the value is the cause of everything that is wrong */
};

/*
 * A field with nearly a dword for itself shows its argument even if that was too large: the bit
 * above the field is set.
 */
static bool overflow_of(const struct segue_segment_desc *segment, const uint8_t *unit,
			struct overflow *found)
{
	for (uint16_t i = 0; i < segment->field_count; i++) {
		struct segue_field_desc wide = segment->fields[i];

		if (wide.word != 32 || wide.lsb || wide.width != 31 || wide.reserved ||
		    wide.is_const)
			continue;
		wide.width = 32;
		if (!seguei_field_get(&wide, unit, segment->size, &found->value) ||
		    found->value <= wide.max)
			continue;
		found->segment = segment;
		found->field = &segment->fields[i];
		return true;
	}
	return false;
}

/* Searches the segments that are possible where the offence is. */
static bool find_overflow(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
			  const struct segue_offence *offence, struct overflow *found)
{
	const uint32_t at = offence->offset / 16 * 16;

	for (uint16_t i = 0; i < machine->n_states; i++) {
		const struct segue_machine_state *state = &machine->states[i];

		if (!offence->segment || !offence->state ||
		    strcmp(state->name, offence->state) != 0)
			continue;
		for (uint16_t j = 0; j < state->n_edges; j++) {
			const struct segue_machine_symbol *symbol =
				&machine->symbols[machine->edges[state->first_edge + j].symbol];

			if (symbol->op == SEGUE_MACHINE_SYMBOL_SEGMENT &&
			    overflow_of(symbol->segment, wqe + at, found)) {
				const uint64_t bits = found->value & found->field->max;
				struct segue_field_desc wide = *found->field;
				const struct instead cut = {&wide, at,
							    bits < wide.min ? wide.min : bits};

				wide.width = 32;
				found->explains = valid_with(machine, wqe, len, &cut, 1);
				return true;
			}
		}
	}
	return false;
}

/* Width of the C type of a field's value. */
static unsigned int type_bits(const struct segue_field_desc *field)
{
	const unsigned int bits = field->width + (field->has_zero_means || field->minus ? 1u : 0u);

	return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

/* True if a value too large for one field may have reached the other in the same word. */
static bool reaches(const struct segue_field_desc *field, const struct segue_field_desc *other)
{
	return !field->reserved && !field->is_const && field->word == other->word &&
	       field->byte == other->byte && field->lsb < other->lsb &&
	       field->lsb + type_bits(field) > other->lsb;
}

/*
 * Prints the field below the reserved bits, and its argument, if only that field can have reached
 * them.
 */
static void print_spilled(struct seguei_out *out, const struct segue_segment_desc *segment,
			  const struct segue_field_desc *field,
			  const struct segue_field_desc *above, const uint8_t *bytes)
{
	struct segue_field_desc wide = *field;
	uint64_t value = 0;

	wide.width = (uint16_t)(above->lsb + above->width - field->lsb);
	(void)seguei_field_get(&wide, bytes, segment->size, &value);
	print_value(out, segment, field, value);
}

static const struct segue_segment_desc *segment_named(const char *name)
{
	for (uint16_t i = 0; segue_segments[i]; i++)
		if (strcmp(segue_segments[i]->name, name) == 0)
			return segue_segments[i];
	return NULL;
}

/*
 * Wrong bits may belong to a value too large for a field below them. If several fields reach that
 * far, the bits do not show which one it was.
 */
static bool print_reached(struct seguei_out *out, const uint8_t *wqe,
			  const struct segue_offence *offence)
{
	const struct segue_segment_desc *segment = segment_named(offence->segment);
	const struct segue_field_desc *wrong = NULL, *only = NULL;
	unsigned int count = 0;
	const char *comma = "";

	for (uint16_t i = 0; segment && i < segment->field_count; i++)
		if (strcmp(segment->fields[i].name, offence->field) == 0)
			wrong = &segment->fields[i];
	/* A value outside its enum is more often a mistake of its own. */
	if (wrong && !wrong->reserved && !wrong->is_const)
		return false;
	for (uint16_t i = 0; wrong && i < segment->field_count; i++)
		if (reaches(&segment->fields[i], wrong)) {
			only = &segment->fields[i];
			count++;
		}
	if (!count)
		return false;
	if (count == 1 && wrong->reserved) {
		print_spilled(out, segment, only, wrong, wqe + offence->segment_at);
		return true;
	}
	seguei_out_printf(out,
			  "a value does not fit its field (a checked build says which), one "
			  "of segment '%s': ",
			  segment->name);
	for (uint16_t i = 0; i < segment->field_count; i++) {
		const struct segue_field_desc *field = &segment->fields[i];

		if (!reaches(field, wrong))
			continue;
		seguei_out_printf(out, "%s'%s', expected ", comma, field->name);
		seguei_field_expected(out, field);
		comma = "; ";
	}
	return true;
}

/* Flags that are legal alone but not together. */
static bool print_clash(struct seguei_out *out, const struct segue_control_desc *control,
			uint32_t flags)
{
	for (uint16_t i = 0; i < control->n_flags; i++) {
		const struct segue_field_desc *field = &control->segment->fields[control->flags[i]];
		const uint32_t mask = UINT32_MAX >> (32 - field->width),
			       value = flags >> field->lsb & mask;
		char names[192];

		if (seguei_field_takes(field, value))
			continue;
		seguei_flags_legal(value << field->lsb, names, sizeof(names));
		seguei_out_printf(out,
				  "the flags %s do not go together: '%s' would be %u, expected ",
				  names, field->name, value);
		seguei_field_expected(out, field);
		return true;
	}
	return false;
}

/* The control segment of a request, or the queue's first one if the request is unknown. */
static const struct segue_control_desc *control_of(const struct segue_machine_start *start)
{
	return start && start->control ? start->control : &segue_control;
}

/* Illegal flags may overlap with other settings. */
static bool print_flags(struct seguei_out *out, const struct segue_machine_start *start,
			const struct segue_machine *machine, const uint8_t *wqe)
{
	uint64_t value;

	if (!start || !seguei_flags_dword(control_of(start), wqe, &value) ||
	    !(value & ~(uint64_t)(start->flags | machine->option_flags)))
		return false;
	seguei_out_printf(out, "the flags hold 0x%" PRIx64 ", which %s does not take",
			  value & ~(uint64_t)(start->flags | machine->option_flags), start->name);
	return true;
}

/* State of the search for fields that are narrower than the arguments which fill them. */
struct narrow {
	struct seguei_out *out; /* NULL counts them only */
	unsigned int count;
	bool brief; /* prints names only, for lack of room */
	const struct segue_segment_desc *last;
};

/* This number of fields fits a sentence together with the expected values. */
#define NARROW_IN_FULL 3u

static bool is_narrow(const struct segue_field_desc *field)
{
	return field->word && !field->reserved && !field->is_const &&
	       (field->has_zero_means || field->minus || (field->width % 32 && field->width != 31));
}

static void print_brief(struct narrow *narrow, const struct segue_segment_desc *segment,
			const char *field)
{
	if (narrow->out && segment != narrow->last)
		seguei_out_printf(narrow->out, "%ssegment '%s': '%s'", narrow->count ? "; " : "",
				  segment->name, field);
	else if (narrow->out)
		seguei_out_printf(narrow->out, ", '%s'", field);
	narrow->last = segment;
	narrow->count++;
}

static void print_narrow(void *arg, const struct seguei_step_seen *step)
{
	struct narrow *narrow = (struct narrow *)arg;
	uint16_t i;

	if (!step->symbol) /* the builder fills the control segment */
		return;
	if (narrow->brief && step->segment == narrow->last) /* already printed */
		return;
	for (i = 0; i < step->segment->field_count; i++) {
		if (!is_narrow(&step->segment->fields[i]))
			continue;
		if (!narrow->out || narrow->brief) {
			print_brief(narrow, step->segment, step->segment->fields[i].name);
			continue;
		}
		seguei_out_printf(narrow->out, "%s'%s' of segment '%s' (expected ",
				  narrow->count++ ? ", " : "", step->segment->fields[i].name,
				  step->segment->name);
		seguei_field_expected(narrow->out, &step->segment->fields[i]);
		seguei_out_printf(narrow->out, ")");
	}
}

/* Takes the bytes as this segment. Returns the wrong field, or NULL if there is not exactly one. */
static const struct segue_field_desc *only_wrong(const struct segue_segment_desc *segment,
						 const uint8_t *bytes, uint64_t *wrong)
{
	const struct segue_field_desc *found = NULL;
	uint64_t value;

	for (uint16_t i = 0; i < segment->field_count; i++) {
		const struct segue_field_desc *field = &segment->fields[i];

		if (!field->word || !seguei_field_get(field, bytes, segment->size, &value))
			continue;
		value = seguei_field_meant(field, value);
		if (field->is_const ? value == field->const_value
				    : seguei_field_takes(field, value))
			continue;
		if (found || field->is_const || field->reserved)
			return NULL;
		found = field;
		*wrong = value;
	}
	return found;
}

static void keep_last(void *arg, const struct seguei_step_seen *step)
{
	*(struct seguei_step_seen *)arg = *step;
}

static bool leads_to(const struct segue_machine *machine, const struct segue_machine_state *state,
		     const struct segue_machine_symbol *symbol)
{
	for (uint16_t i = 0; i < state->n_edges; i++)
		if (&machine->symbols[machine->edges[state->first_edge + i].symbol] == symbol)
			return true;
	return false;
}

/* Makes that value of the segment at byte `at` the offence. */
static void blame_value(struct segue_offence *offence, const struct segue_segment_desc *segment,
			const struct segue_field_desc *field, uint32_t at, uint64_t value)
{
	offence->kind = SEGUE_OFFENCE_VALUE;
	offence->offset = at + (uint32_t)seguei_first_bit(field) / 8;
	offence->segment_at = at;
	offence->segment = segment->name;
	offence->field = field->name;
	snprintf(offence->found, sizeof(offence->found), "0x%" PRIx64, value);
	snprintf(offence->expected, sizeof(offence->expected), "0x%" PRIx64 " to 0x%" PRIx64,
		 field->min, field->max);
}

/* A value so large that it turned one segment into another. */
struct misread {
	const struct segue_machine *machine;
	const uint8_t *wqe;
	size_t len;
	struct overflow found;
	uint32_t at;
	unsigned int count; /* number of such explanations */
};

/*
 * The right value of the bits that a field of such a segment has reached, or 0 if it cannot have.
 */
static unsigned int undo(const struct segue_segment_desc *segment,
			 const struct segue_field_desc *field, const struct seguei_step_seen *step,
			 struct instead *instead, unsigned int most)
{
	unsigned int count = 0;

	for (uint16_t i = 0; i < segment->field_count && count < most; i++) {
		const struct segue_field_desc *above = &segment->fields[i];
		const uint64_t meant = above->is_const ? above->const_value : 0;
		uint64_t value;

		if (!reaches(field, above) || !(above->reserved || above->is_const))
			continue;
		if (!seguei_field_get(above, step->bytes, segment->size, &value) ||
		    (value & meant) != meant)
			return 0; /* a value that is too large sets bits, and clears none */
		instead[count++] = (struct instead){above, step->offset, meant};
	}
	return count;
}

/*
 * The field of which too large a value explains the wrong bits above it, if nothing else is wrong.
 * NULL if there is none.
 */
static const struct segue_field_desc *reached_from(const struct segue_machine *machine,
						   const uint8_t *wqe, size_t len,
						   const struct segue_offence *offence)
{
	const struct segue_segment_desc *segment = segment_named(offence->segment);
	const struct seguei_step_seen step = {.bytes = wqe + offence->segment_at,
					      .offset = offence->segment_at};

	for (uint16_t i = 0; segment && i < segment->field_count; i++) {
		struct instead instead[8];
		const unsigned int count = undo(segment, &segment->fields[i], &step, instead, 8);

		if (count && valid_with(machine, wqe, len, instead, count))
			return &segment->fields[i];
	}
	return NULL;
}

/* Notes a wrong value of a segment, if the WQE would be legal without it. */
static void note(struct misread *m, const struct seguei_step_seen *step,
		 const struct overflow *value, const struct instead *instead, unsigned int count)
{
	if (!count || (m->found.field == value->field && m->at == step->offset) ||
	    !valid_with(m->machine, m->wqe, m->len, instead, count))
		return;
	m->count++;
	m->at = step->offset;
	m->found = *value;
}

/* Checks whether the segment would be a valid `other` if one of its values were different. */
static void try_as(struct misread *m, const struct seguei_step_seen *step,
		   const struct segue_segment_desc *other)
{
	struct overflow one = {.segment = other};

	one.field = only_wrong(other, step->bytes, &one.value);
	if (one.field) {
		const struct instead legal = {one.field, step->offset, one.field->min};

		note(m, step, &one, &legal, 1);
	}
	for (uint16_t i = 0; i < other->field_count; i++) {
		const struct segue_field_desc *field = &other->fields[i];
		const unsigned int left = (unsigned int)(field->word - field->lsb);
		struct segue_field_desc wide = *field;
		struct instead instead[8];

		wide.width = (uint16_t)(type_bits(field) < left ? type_bits(field) : left);
		one.field = field;
		if (!seguei_field_get(&wide, step->bytes, other->size, &one.value) ||
		    one.value <= field->max)
			continue;
		note(m, step, &one, instead, undo(other, field, step, instead, 8));
	}
}

/* Tries all other segments that are possible at this place. */
static void try_others(void *arg, const struct seguei_step_seen *step)
{
	struct misread *m = (struct misread *)arg;
	const struct segue_machine *machine = m->machine;

	for (uint16_t s = 0; step->symbol && s < machine->n_states; s++) {
		const struct segue_machine_state *state = &machine->states[s];

		for (uint16_t i = 0; i < state->n_edges && leads_to(machine, state, step->symbol);
		     i++) {
			const struct segue_machine_symbol *other =
				&machine->symbols[machine->edges[state->first_edge + i].symbol];

			if (other->op == SEGUE_MACHINE_SYMBOL_SEGMENT &&
			    other->segment != step->segment &&
			    step->offset + other->segment->size <= m->len)
				try_as(m, step, other->segment);
		}
	}
}

/* Tries a segment with bits that no builder writes, which the walk has not reported. */
static void try_last(struct misread *m, const struct segue_offence *offence)
{
	struct seguei_step_seen step = {.bytes = m->wqe + offence->segment_at,
					.offset = offence->segment_at};

	for (uint16_t s = 0; offence->kind == SEGUE_OFFENCE_RESERVED && s < m->machine->n_states;
	     s++) {
		const struct segue_machine_state *state = &m->machine->states[s];

		for (uint16_t i = 0; i < state->n_edges; i++) {
			const struct segue_machine_edge *edge =
				&m->machine->edges[state->first_edge + i];

			step.symbol = &m->machine->symbols[edge->symbol];
			step.segment = step.symbol->segment;
			if (strcmp(step.segment->name, offence->segment) == 0)
				try_others(m, &step);
		}
	}
}

/* Searches the request for values that have turned one segment into another. */
static void find_misread(struct misread *m, const struct segue_offence *offence)
{
	struct segue_offence ignored;

	(void)seguei_walk(m->machine, m->wqe, m->len, try_others, m, &ignored);
	try_last(m, offence);
}

/*
 * Names the value that was too large, if it alone explains the rest. Otherwise prints that the
 * cause is not known.
 */
static bool print_overflow(struct seguei_out *out, const struct misread *m,
			   struct segue_offence *offence)
{
	struct overflow here;
	const bool found = find_overflow(m->machine, m->wqe, m->len, offence, &here);

	if (found && !m->count) {
		print_value(out, here.segment, here.field, here.value);
		return true;
	}
	if (m->count == 1 && !(found && here.explains)) {
		const uint16_t width = m->found.field->width;

		if (width < 64 && m->found.value >> width) {
			print_value(out, m->found.segment, m->found.field, m->found.value);
			return true;
		}
		/* The field holds the value, so the offence reads as that of any other segment. */
		blame_value(offence, m->found.segment, m->found.field, m->at, m->found.value);
		return false;
	}
	if (m->count)
		seguei_out_printf(out, "%s", LOOKS_LIKE_ANOTHER);
	return m->count;
}

/*
 * Prints what is known of wrong bits that a value too large for a field below them explains. A
 * value of another name may have turned its segment into this one, which explains them, too.
 */
static bool print_explained(struct seguei_out *out, const struct misread *m,
			    const struct segue_offence *offence)
{
	const struct segue_field_desc *from = reached_from(m->machine, m->wqe, m->len, offence);

	if (!from)
		return false;
	if (!m->count || (m->count == 1 && strcmp(m->found.field->name, from->name) == 0))
		return print_reached(out, m->wqe, offence);
	seguei_out_printf(out, "%s", LOOKS_LIKE_ANOTHER);
	return true;
}

/*
 * Builders end a request only where it may end. If it seems to go on, a value has turned its last
 * segment into another. Names that value.
 */
static void look_again(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       struct segue_offence *offence)
{
	struct seguei_step_seen last = {.symbol = NULL};
	struct segue_offence ignored;

	(void)seguei_walk(machine, wqe, len, keep_last, &last, &ignored);
	for (uint16_t s = 0; last.symbol && s < machine->n_states; s++) {
		const struct segue_machine_state *state = &machine->states[s];

		for (uint16_t i = 0; i < state->n_edges && leads_to(machine, state, last.symbol);
		     i++) {
			const struct segue_machine_symbol *other =
				&machine->symbols[machine->edges[state->first_edge + i].symbol];
			const struct segue_field_desc *field;
			uint64_t value;

			if (other == last.symbol || other->op != SEGUE_MACHINE_SYMBOL_SEGMENT ||
			    last.offset + other->segment->size != len)
				continue;
			field = only_wrong(other->segment, last.bytes, &value);
			if (!field)
				continue;
			blame_value(offence, other->segment, field, last.offset, value);
			return;
		}
	}
}

/*
 * A value that its field takes, but not in this request. Builders set such values by themselves, so
 * another request was meant.
 */
static bool is_other_request(const uint8_t *wqe, const struct segue_offence *offence)
{
	const struct segue_segment_desc *segment = offence->segment && offence->field
							   ? segment_named(offence->segment)
							   : NULL;

	for (uint16_t i = 0; segment && i < segment->field_count; i++) {
		const struct segue_field_desc *field = &segment->fields[i];
		uint64_t value;

		if (strcmp(field->name, offence->field) != 0 || !field->word || field->reserved ||
		    field->is_const || field->never_count ||
		    !seguei_field_get(field, wqe + offence->segment_at, segment->size, &value))
			continue;
		return seguei_field_takes(field, seguei_field_meant(field, value));
	}
	return false;
}

/* Ends a list that was cut: drops the last names, and adds that there are others. */
static void say_more(char *text, size_t size)
{
	static const char more[] = " and others";
	char *comma = text;

	for (size_t i = 0; i + sizeof(more) < size; i++)
		if (text[i] == ',' || text[i] == ';')
			comma = text + i;
	if (comma != text)
		memcpy(comma, more, sizeof(more));
}

size_t seguei_refusal_print(const struct segue_machine *machine, const void *wqe, size_t len,
			    char *text, size_t size)
{
	struct misread m = {.machine = machine, .wqe = (const uint8_t *)wqe, .len = len};
	struct segue_offence offence;
	struct narrow narrow = {.count = 0};
	const struct segue_machine_start *start;
	struct seguei_out out;
	char sentence[384];
	uint64_t flags;

	seguei_out_init(&out, text, size, SEGUE_FORMAT_TEXT);
	start = seguei_walk(machine, (const uint8_t *)wqe, len, NULL, NULL, &offence);
	if (machine->send && seguei_flags_dword(control_of(start), (const uint8_t *)wqe, &flags) &&
	    print_clash(&out, control_of(start), (uint32_t)flags))
		return seguei_out_finish(&out);
	if (segue_wqe_validate(machine, wqe, len, &offence)) {
		const bool one = offence.kind == SEGUE_OFFENCE_RESERVED ||
				 offence.kind == SEGUE_OFFENCE_VALUE;

		find_misread(&m, &offence);
		if ((one && print_explained(&out, &m, &offence)) ||
		    print_overflow(&out, &m, &offence) ||
		    (one && print_reached(&out, (const uint8_t *)wqe, &offence)))
			return seguei_out_finish(&out);
		if (offence.kind == SEGUE_OFFENCE_SEGMENT || offence.kind == SEGUE_OFFENCE_LENGTH)
			look_again(machine, (const uint8_t *)wqe, len, &offence);
		if (offence.kind == SEGUE_OFFENCE_SEGMENT || offence.kind == SEGUE_OFFENCE_LENGTH ||
		    (offence.kind == SEGUE_OFFENCE_VALUE &&
		     is_other_request((const uint8_t *)wqe, &offence))) {
			/* The order is right, because the builder's code compiled. */
			seguei_out_printf(&out, "%s", LOOKS_LIKE_ANOTHER);
			return seguei_out_finish(&out);
		}
		segue_offence_print(&offence, sentence, sizeof(sentence));
		seguei_out_printf(&out, "%s", sentence);
		return seguei_out_finish(&out);
	}
	if (machine->send && print_flags(&out, start, machine, (const uint8_t *)wqe))
		return seguei_out_finish(&out);
	/* A value that was cut to its field's width looks right. */
	seguei_out_printf(
		&out,
		"a value does not fit its field (a checked build says which and where), one of ");
	(void)seguei_walk(machine, (const uint8_t *)wqe, len, print_narrow, &narrow, &offence);
	narrow.brief = narrow.count > NARROW_IN_FULL;
	narrow.count = 0;
	narrow.last = NULL;
	narrow.out = &out;
	(void)seguei_walk(machine, (const uint8_t *)wqe, len, print_narrow, &narrow, &offence);
	if (!narrow.count)
		seguei_out_printf(&out, "the request's");
	if (seguei_out_finish(&out) >= size)
		say_more(text, size);
	return strlen(text);
}

/* The last builder that was called with NULL, and the argument. */
static __thread struct {
	const char *call, *member;
} missing = {"a step", "an argument"};

void seguei_note_null(const char *call, const char *member)
{
	if (SEGUE_CHECKED)
		seguei_die_at_caller("%s: %s is NULL, expected what the request needs of it.", call,
				     member);
	missing.call = call;
	missing.member = member;
}

size_t seguei_null_print(char *text, size_t size)
{
	struct seguei_out out;

	seguei_out_init(&out, text, size, SEGUE_FORMAT_TEXT);
	seguei_out_printf(&out, "%s was given NULL for %s, expected what the request needs of it",
			  missing.call, missing.member);
	return seguei_out_finish(&out);
}

void seguei_check_flags(const char *request, uint32_t flags, uint32_t legal)
{
	char wrong[64], names[192];

	seguei_flags_named(flags & ~legal, wrong, sizeof(wrong));
	seguei_flags_legal(legal, names, sizeof(names));
	seguei_die_at_caller("segue_%s(): the request does not take the flag %s, expected of %s.",
			     request, wrong, names);
}

void seguei_check_clash(const char *request, uint32_t flags)
{
	struct seguei_out out;
	char why[320];

	seguei_out_init(&out, why, sizeof(why), SEGUE_FORMAT_TEXT);
	(void)print_clash(&out, &segue_control, flags);
	(void)seguei_out_finish(&out);
	seguei_die_at_caller("segue_%s(): %s.", request, why);
}

int seguei_no_argument(const char *call, const char *member)
{
	return seguei_fail(EINVAL, "%s(): %s is NULL, expected what the request needs of it.", call,
			   member);
}

int seguei_wrong_count(const char *call, const char *member, uint32_t count, uint32_t least,
		       uint32_t most)
{
	return seguei_fail(
		EINVAL,
		"%s(): %s is %u, expected %u to %u; give as many entries as the request takes.",
		call, member, count, least, most);
}

void seguei_check_value(uint32_t field, uint64_t value)
{
	char why[320];

	(void)seguei_value_print(field, value, why, sizeof(why));
	seguei_die_at_caller("%s.", why);
}
