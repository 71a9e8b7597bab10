/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The control segment in a walk: the request it belongs to, the counts it holds, and its legal
 * values.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/text/decode.h"
#include "runtime/text/walk_parts.h"

const struct segue_control_desc *seguei_walk_control_of(const struct walk *w)
{
	const struct segue_machine_start *start = w->start  ? w->start
						  : w->only ? w->only
							    : w->machine->starts;

	return w->machine->n_starts && start->control ? start->control : &segue_control;
}

/* The value of a part, or 0 if the part does not exist. */
static uint64_t control_part(const struct walk *w, uint16_t part)
{
	const struct segue_segment_desc *segment = seguei_walk_control_of(w)->segment;

	return part == SEGUE_MACHINE_NO_PART
		       ? 0
		       : seguei_walk_value_of(segment, part, w->wqe, segment->size);
}

uint32_t seguei_walk_payload_of(const struct walk *w, uint32_t left, bool told)
{
	const uint32_t filled = w->start->round ? w->start->round : 1;

	for (uint16_t i = 0; i < w->start->n_sums; i++) {
		const uint64_t bytes = control_part(w, w->start->sums[i].field);

		if (w->start->sums[i].what == SEGUE_MACHINE_SUM_BYTES)
			return bytes <= left && (told || left - bytes < filled) ? (uint32_t)bytes
										: left;
	}
	return left;
}

uint32_t seguei_walk_place_of(const struct segue_segment_desc *segment, uint32_t payload)
{
	const uint32_t pad = segment->tail_pad ? segment->tail_pad : 1;
	const uint32_t bytes = (segment->tail_at + payload + pad - 1) / pad * pad;

	return bytes < segment->tail_min_size ? segment->tail_min_size : bytes;
}

void seguei_walk_add_up(struct walk *w, const struct segue_segment_desc *segment,
			const uint8_t *bytes, uint32_t payload)
{
	const uint32_t unit = w->machine->unit ? w->machine->unit : segue_control.unit;

	for (uint16_t i = 0; i < w->start->n_sums; i++) {
		const struct segue_machine_sum *sum = &w->start->sums[i];

		if (sum->what == SEGUE_MACHINE_SUM_BYTES)
			w->sums[i] += payload;
		else if (sum->what == SEGUE_MACHINE_SUM_PAYLOAD_UNITS)
			w->sums[i] += (payload + unit - 1) / unit;
		else if (sum->segment && sum->segment == segment)
			w->sums[i] += sum->what == SEGUE_MACHINE_SUM_ENTRIES
					      ? 1
					      : seguei_walk_value_of(segment, sum->of, bytes,
								     segment->size);
	}
}

/* A count in the units of its field. */
static uint64_t scaled(const struct walk *w, uint16_t i)
{
	const struct segue_machine_sum *sum = &w->start->sums[i];
	const uint64_t round = sum->round ? sum->round : 1;

	if (sum->what == SEGUE_MACHINE_SUM_PADDING)
		return (w->len - w->at) / w->start->count_unit;
	return (w->sums[i] * (sum->times ? sum->times : 1) + sum->plus + round - 1) / round *
		       round -
	       sum->less;
}

bool seguei_walk_check_sums(struct walk *w)
{
	const struct segue_segment_desc *segment = seguei_walk_control_of(w)->segment;

	for (uint16_t i = 0; i < w->start->n_sums && !w->lax; i++) {
		const struct segue_field_desc *field = &segment->fields[w->start->sums[i].field];
		const uint64_t wanted = scaled(w, i);
		char expected[64];

		if (control_part(w, w->start->sums[i].field) == wanted)
			continue;
		w->at = 0;
		snprintf(expected, sizeof(expected), "0x%" PRIx64 ", which follows from the rest",
			 wanted);
		return seguei_walk_bad_value(w, SEGUE_OFFENCE_VALUE, segment, field, w->wqe,
					     expected);
	}
	return true;
}

bool seguei_walk_in_block(const struct segue_machine *machine)
{
	return machine->send && segue_control.block;
}

bool seguei_walk_check_control_bits(struct walk *w)
{
	const struct segue_control_desc *control = seguei_walk_control_of(w);
	const struct segue_segment_desc *segment = control->segment;
	const uint32_t legal = w->start->flags | w->machine->option_flags;
	char expected[192];
	uint64_t flags;
	uint16_t byte;

	if (!seguei_flags_dword(control, w->wqe, &flags) || !(flags & ~(uint64_t)legal))
		return true;
	byte = segment->fields[control->flags[0]].byte;
	for (uint16_t i = 0; i < segment->field_count; i++) {
		const struct segue_field_desc *field = &segment->fields[i];
		const uint32_t set = (uint32_t)flags & seguei_field_in_dword(field, byte);

		if (field->reserved || field->stale || i == control->signature || !(set & ~legal))
			continue;
		w->at = 0;
		snprintf(expected, sizeof(expected), "what '%s' may carry on %s: ", w->start->name,
			 w->machine->name);
		seguei_flags_legal(w->start->flags, expected + strlen(expected),
				   sizeof(expected) - strlen(expected));
		(void)seguei_walk_bad_value(w, SEGUE_OFFENCE_FLAGS, segment, field, w->wqe,
					    expected);
		seguei_flags_named(set, w->offence->found, sizeof(w->offence->found));
		return false;
	}
	return true;
}

/* Takes the length that the control segment gives by itself. */
static bool take_length(struct walk *w, size_t len)
{
	const struct segue_segment_desc *segment = segue_control.segment;

	w->len = (uint32_t)control_part(w, segue_control.size) * segue_control.unit;
	if (w->len > (uint32_t)segue_control.largest * segue_control.unit) {
		w->offence->field = segment->fields[segue_control.size].name;
		seguei_walk_found(w, "%u bytes", w->len);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
					  "at most %u bytes, the largest WQE of the device",
					  (uint32_t)segue_control.largest * segue_control.unit);
	}
	if (w->len > len) {
		w->offence->field = segment->fields[segue_control.size].name;
		seguei_walk_found(w, "%u bytes", w->len);
		return seguei_walk_offend(w, SEGUE_OFFENCE_TRUNCATED,
					  "at most the %zu bytes that are there", len);
	}
	return true;
}

bool seguei_walk_check_control(struct walk *w)
{
	const struct segue_segment_desc *segment = seguei_walk_control_of(w)->segment;

	w->at = 0;
	w->offence->segment = segment->name;
	if (w->block < segment->size) {
		seguei_walk_found(w, "%u bytes", w->block);
		return seguei_walk_offend(w, SEGUE_OFFENCE_TRUNCATED,
					  "%u bytes, the control segment's size", segment->size);
	}
	if (!seguei_walk_check_fields(w, NULL, segment, w->wqe))
		return false;
	w->at = segment->size;
	w->offence->segment = NULL;
	return true;
}

bool seguei_walk_has_controls(const struct segue_machine *machine)
{
	for (uint16_t i = 1; i < machine->n_starts; i++)
		if (machine->starts[i].control != machine->starts[0].control)
			return true;
	return false;
}

bool seguei_walk_take_control(struct walk *w, size_t len)
{
	const struct segue_control_desc *control = seguei_walk_control_of(w);

	w->block = (uint32_t)len;
	w->len = (uint32_t)len;
	if (!seguei_walk_has_controls(w->machine) && !seguei_walk_check_control(w))
		return false;
	w->offence->segment = control->segment->name;
	if (!control->block && !take_length(w, len))
		return false;
	if (control->opcode != SEGUE_MACHINE_NO_PART)
		w->opcode = seguei_walk_value_of(control->segment, control->opcode, w->wqe, len);
	if (control->opmod != SEGUE_MACHINE_NO_PART)
		w->opmod = seguei_walk_value_of(control->segment, control->opmod, w->wqe, len);
	w->offence->segment = NULL;
	return true;
}

uint16_t seguei_walk_differs(const struct walk *w, const struct segue_machine_start *start,
			     const struct segue_machine_fixed_value **last)
{
	const struct segue_segment_desc *segment =
		(start->control ? start->control : &segue_control)->segment;
	uint16_t n = 0;

	if (start->opcode != w->opcode || start->opmod != w->opmod)
		return UINT16_MAX;
	for (uint16_t i = 0; i < start->n_fixed; i++)
		if (seguei_walk_value_of(segment, start->fixed[i].field, w->wqe, w->block) !=
		    start->fixed[i].value) {
			*last = &start->fixed[i];
			n++;
		}
	return n;
}

bool seguei_walk_is_request(const struct walk *w, const struct segue_machine_start *start)
{
	const struct segue_machine_fixed_value *last;

	if (w->only && w->only != start)
		return false;
	return !w->machine->send || !seguei_walk_differs(w, start, &last);
}

/* Bytes of the longest WQE of the queue. */
static uint32_t largest_wqe(const struct walk *w)
{
	const struct segue_machine *const m = w->machine;

	return (uint32_t)(m->largest ? m->largest : segue_control.largest) *
	       (m->unit ? m->unit : segue_control.unit);
}

void seguei_walk_take_piece(struct walk *w, uint16_t piece, uint8_t last,
			    const struct segue_segment_desc *segment, const uint8_t *bytes)
{
	if (piece)
		w->ended = seguei_walk_value_of(segment, piece - 1u, bytes, segment->size) == last;
}

bool seguei_walk_is_open(const struct walk *w, const struct segue_machine_edge *edge)
{
	const struct segue_machine_edge *const first = &w->machine->edges[w->state->first_edge];
	bool pieces = false;

	for (uint16_t i = 0; i < w->state->n_edges; i++)
		pieces = pieces || w->machine->symbols[first[i].symbol].piece;
	return !pieces || !w->machine->symbols[edge->symbol].piece == w->ended;
}

bool seguei_walk_take_end(struct walk *w, bool *over)
{
	*over = w->start->ends && w->ended && w->state->accepting;
	if (*over)
		w->len = w->at;
	if (*over || !w->start->ends || w->at < w->len || !w->state->accepting)
		return true;
	seguei_walk_found(w, "the end of the WQE");
	return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH, "a last piece that says that it is");
}

/* The memory is enough for the request, however short it is. */
static bool check_least(struct walk *w)
{
	if (w->block < w->start->least) {
		seguei_walk_found(w, "%u bytes", w->block);
		return seguei_walk_offend(w, SEGUE_OFFENCE_TRUNCATED,
					  "a WQE of at least %u bytes for this request",
					  w->start->least);
	}
	return true;
}

/* Finds the table in front of so many pieces. False with an offence if it cannot be there. */
static bool take_table(struct walk *w, uint64_t count)
{
	const struct segue_segment_desc *segment = seguei_walk_control_of(w)->segment;
	const struct segue_machine_table *table = w->start->table;
	const struct segue_machine_table_form *form = table->forms;
	const uint64_t told = control_part(w, table->told);
	char expected[64] = "0, as there is no table of so few pieces";

	while (form[1].segment && count > form->segment->field_count)
		form++;
	w->table = NULL;
	if (count > table->above && count <= form->segment->field_count) {
		snprintf(expected, sizeof(expected), "0, or 0x%x for a table of %" PRIu64 " pieces",
			 form->value, count);
		w->table = told ? form->segment : NULL;
	} else if (count > table->above) {
		snprintf(expected, sizeof(expected), "0, as no table has %" PRIu64 " pieces",
			 count);
	}
	if (!told || (w->table && told == form->value))
		return true;
	w->at = 0;
	return seguei_walk_bad_value(w, SEGUE_OFFENCE_VALUE, segment, &segment->fields[table->told],
				     w->wqe, expected);
}

bool seguei_walk_check_table(struct walk *w)
{
	const struct segue_segment_desc *const piece = w->table ? w->start->table->piece : NULL;
	const uint32_t first = w->table ? w->table_at + w->table->size : 0;

	for (uint16_t i = 0; piece && i < w->table->field_count && !w->lax; i++) {
		const uint32_t at = first + (uint32_t)i * piece->size;
		uint64_t wanted = 0;
		char expected[96];

		if (at < w->len)
			wanted = seguei_walk_value_of(piece, w->start->table->field, w->wqe + at,
						      piece->size);
		if (seguei_walk_value_of(w->table, i, w->wqe + w->table_at, w->table->size) ==
		    wanted)
			continue;
		w->at = w->table_at;
		snprintf(expected, sizeof(expected), "0x%" PRIx64 ", as piece %u has", wanted,
			 i + 1u);
		return seguei_walk_bad_value(w, SEGUE_OFFENCE_LIST, w->table, &w->table->fields[i],
					     w->wqe + w->table_at, expected);
	}
	return true;
}

bool seguei_walk_take_count(struct walk *w)
{
	const struct segue_control_desc *control = seguei_walk_control_of(w);
	const struct segue_segment_desc *segment = control->segment;
	const uint64_t count = w->start->count_unit ? control_part(w, w->start->size) : 0;
	const bool tabled = !w->start->table || take_table(w, count);
	const int64_t length = w->start->count_base + (int64_t)count * w->start->count_unit +
			       (w->table ? w->table->size : 0);
	const uint64_t bytes = length < 0 ? 0 : (uint64_t)length;
	const uint32_t largest = largest_wqe(w);

	if (!tabled)
		return false;
	w->at = segment->size;
	w->offence->segment = segment->name;
	w->offence->field = w->start->count_unit ? segment->fields[w->start->size].name : NULL;
	if (!check_least(w))
		return false;
	if (w->start->ends) {
		w->offence->segment = NULL;
		w->len = w->block < largest ? w->block : largest;
		seguei_walk_take_piece(w, w->start->piece, w->start->last, segment, w->wqe);
		return true;
	}
	if (bytes > w->block) {
		seguei_walk_found(w, "%" PRIu64, w->start->count_unit ? count : bytes);
		return seguei_walk_offend(w, SEGUE_OFFENCE_TRUNCATED,
					  "what fits the %u bytes that are there", w->block);
	}
	if (bytes > largest) {
		seguei_walk_found(w, "%" PRIu64, count);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
					  "what fits the %u bytes of the device's largest WQE",
					  largest);
	}
	if (w->start->round && (length - w->start->round_from) % w->start->round) {
		seguei_walk_found(w, "%" PRIu64, count);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
					  "what a multiple of %u bytes has", w->start->round);
	}
	if (bytes < segment->size) {
		seguei_walk_found(w, "%" PRIu64, count);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
					  "no less than the control segment");
	}
	w->offence->segment = NULL;
	w->offence->field = NULL;
	w->len = (uint32_t)bytes;
	return true;
}

/*
 * True if the control segment gives the size of the zeros at the end, or of the payload before
 * them.
 */
static bool padding_is_said(const struct walk *w)
{
	for (uint16_t i = 0; i < w->start->n_sums; i++) {
		const struct segue_machine_sum *sum = &w->start->sums[i];
		const uint64_t said = control_part(w, sum->field);

		if (sum->what == SEGUE_MACHINE_SUM_BYTES && said != w->sums[i])
			return false; /* payload of any content */
		if (sum->what == SEGUE_MACHINE_SUM_PADDING &&
		    said != (w->len - w->at) / w->start->count_unit)
			return false; /* entries of any content */
	}
	return true;
}

bool seguei_walk_is_padding(const struct walk *w)
{
	if (w->len - w->at >= w->start->round || !padding_is_said(w))
		return false;
	for (uint32_t at = w->at; at < w->len; at++)
		if (w->wqe[at])
			return false;
	return true;
}

bool seguei_walk_check_rest(struct walk *w)
{
	if (!(seguei_walk_in_block(w->machine) || w->start->ends) || w->lax ||
	    seguei_walk_control_of(w)->stale_rest)
		return true;
	for (w->at = w->len; w->at < w->block; w->at++) {
		if (!w->wqe[w->at])
			continue;
		w->reserved_set = true;
		if (!w->strict)
			break;
		seguei_walk_found(w, "0x%02x", w->wqe[w->at]);
		return seguei_walk_offend(w, SEGUE_OFFENCE_RESERVED,
					  "zeros behind the %u bytes of the request", w->len);
	}
	return true;
}
