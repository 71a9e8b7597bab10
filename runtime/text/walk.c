/* SPDX-License-Identifier: BSD-2-Clause */
/* Walks raw bytes along a queue's machine, and reports the first offence. */
#include "runtime/text/walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/text/decode.h"
#include "runtime/text/walk_parts.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"

bool seguei_walk_offend(struct walk *w, enum segue_offence_kind kind, const char *expected, ...)
{
	struct segue_offence *o = w->offence;
	va_list args;

	o->kind = kind;
	o->offset = w->at;
	o->segment_at = w->at;
	o->machine = w->machine->name;
	o->request = w->start ? w->start->name : NULL;
	o->state = w->state ? w->state->name : NULL;
	va_start(args, expected);
	vsnprintf(o->expected, sizeof(o->expected), expected, args);
	va_end(args);
	return false;
}

void seguei_walk_found(struct walk *w, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	vsnprintf(w->offence->found, sizeof(w->offence->found), text, args);
	va_end(args);
}

/* Finds the next four bytes, or those that are left of a block. */
static void found_next(struct walk *w)
{
	const uint32_t left = w->len - w->at, n = left < 4 ? left : 4;
	uint32_t next = 0;

	for (uint32_t i = 0; i < n; i++)
		next = next << 8 | w->wqe[w->at + i];
	seguei_walk_found(w, "%0*" PRIx32, 2 * (int)n, next);
}

/* The field's value as the device reads it. A field that does not lie within `len` reads as 0. */
uint64_t seguei_walk_value_of(const struct segue_segment_desc *segment, uint16_t field,
			      const uint8_t *bytes, size_t len)
{
	uint64_t value = 0;

	(void)seguei_field_get(&segment->fields[field], bytes, len, &value);
	return value;
}

static bool is_never(const struct segue_field_desc *field, uint64_t value)
{
	for (uint16_t i = 0; i < field->never_count; i++)
		if (field->never[i] == value)
			return true;
	return false;
}

static bool in_range(const struct segue_field_desc *field, uint64_t value)
{
	return seguei_field_takes(field, seguei_field_meant(field, value));
}

/* The range in words: hexadecimal as values are shown, with a sign, or the members' names. */
static const char *expected_values(const struct segue_field_desc *field, char *text, size_t size)
{
	struct seguei_out out;

	if (!field->closed && !field->is_signed) {
		snprintf(text, size, "0x%" PRIx64 " to 0x%" PRIx64, field->min, field->max);
		return text;
	}
	seguei_out_init(&out, text, size, SEGUE_FORMAT_TEXT);
	seguei_field_expected(&out, field);
	(void)seguei_out_finish(&out);
	return text;
}

/* How strictly a segment is compared. */
enum look { LOOK_CLOSELY, LOOK_WITHOUT_RANGES, LOOK_AT_CONSTANTS };

/*
 * True if no field that distinguishes segments contradicts this symbol. A value out of range may
 * contradict, too, but it is more often a mistake, so a second look ignores ranges.
 */
static bool looks_like(const struct segue_machine_symbol *symbol, const uint8_t *bytes, size_t len,
		       enum look look)
{
	const struct segue_segment_desc *segment = symbol->segment;

	for (uint16_t i = 0; i < segment->field_count; i++) {
		const struct segue_field_desc *field = &segment->fields[i];
		uint64_t value;

		if (field->word == 0 || field->reserved)
			continue;
		value = seguei_walk_value_of(segment, i, bytes, len);
		if (field->is_const ? value != field->const_value
				    : (look == LOOK_CLOSELY && !in_range(field, value)))
			return false;
		if (look != LOOK_AT_CONSTANTS && is_never(field, value))
			return false;
	}
	for (uint16_t i = 0; i < symbol->n_fixed; i++)
		if (seguei_walk_value_of(segment, symbol->fixed[i].field, bytes, len) !=
		    symbol->fixed[i].value)
			return false;
	return true;
}

bool seguei_walk_bad_value(struct walk *w, enum segue_offence_kind kind,
			   const struct segue_segment_desc *segment,
			   const struct segue_field_desc *field, const uint8_t *bytes,
			   const char *expected)
{
	uint64_t value;

	w->at += (uint32_t)seguei_first_bit(field) / 8;
	(void)seguei_walk_offend(w, kind, "%s", expected);
	w->offence->segment = segment->name;
	w->offence->field = field->name;
	if (!seguei_field_get(field, bytes, segment->size, &value))
		seguei_walk_found(w, "a byte that is set");
	else if (field->is_signed)
		seguei_walk_found(w, "%" PRId64, (int64_t)seguei_field_meant(field, value));
	else
		seguei_walk_found(w, "0x%" PRIx64, value);
	return false;
}

/* True if a reserved range is not zero. The offence names the byte of its first bit that is set. */
static bool reserved_is_set(struct walk *w, const struct segue_segment_desc *segment,
			    const struct segue_field_desc *field, const uint8_t *bytes)
{
	const uint32_t first = (uint32_t)seguei_first_bit(field);
	uint32_t bit = first;

	while (bit < first + field->width &&
	       !(bytes[bit / 8] >> (field->little ? bit % 8 : 7 - bit % 8) & 1))
		bit++;
	w->at += bit / 8 - first / 8;
	return seguei_walk_bad_value(w, SEGUE_OFFENCE_RESERVED, segment, field, bytes,
				     "zero, the bits are reserved");
}

static bool check_reserved(struct walk *w, const struct segue_segment_desc *segment,
			   const struct segue_field_desc *field, const uint8_t *bytes)
{
	if (w->lax || field->stale || !seguei_reserved_is_set(segment, field, bytes))
		return true;
	w->reserved_set = true;
	return !w->strict || reserved_is_set(w, segment, field, bytes);
}

static bool check_field(struct walk *w, const struct segue_segment_desc *segment,
			const struct segue_field_desc *field, const uint8_t *bytes)
{
	char expected[192];
	uint64_t value;

	if (field->reserved)
		return check_reserved(w, segment, field, bytes);
	if (field->word == 0 || !seguei_field_get(field, bytes, segment->size, &value))
		return true;
	if (field->is_const && value != field->const_value) {
		w->foreign = true;
		snprintf(expected, sizeof(expected), "0x%" PRIx64, field->const_value);
		return seguei_walk_bad_value(w, SEGUE_OFFENCE_VALUE, segment, field, bytes,
					     expected);
	}
	if (w->lax)
		return true;
	if (!field->is_const && !in_range(field, value))
		return seguei_walk_bad_value(w, SEGUE_OFFENCE_VALUE, segment, field, bytes,
					     expected_values(field, expected, sizeof(expected)));
	if (is_never(field, value))
		return seguei_walk_bad_value(
			w, SEGUE_OFFENCE_VALUE, segment, field, bytes,
			"another value, this one would make it another segment");
	return true;
}

static bool check_fixed(struct walk *w, const struct segue_segment_desc *segment,
			const struct segue_machine_fixed_value *fixed, const uint8_t *bytes)
{
	char expected[96];

	if (seguei_walk_value_of(segment, fixed->field, bytes, segment->size) == fixed->value)
		return true;
	w->foreign = true;
	snprintf(expected, sizeof(expected), "0x%" PRIx64 " in this request", fixed->value);
	return seguei_walk_bad_value(w, SEGUE_OFFENCE_VALUE, segment,
				     &segment->fields[fixed->field], bytes, expected);
}

/* Checks a field or, after the fields, a value that this use of the segment fixes. */
static bool check_part(struct walk *w, const struct segue_machine_symbol *symbol,
		       const struct segue_segment_desc *segment, uint32_t part,
		       const uint8_t *bytes)
{
	if (part < segment->field_count)
		return check_field(w, segment, &segment->fields[part], bytes);
	return check_fixed(w, segment, &symbol->fixed[part - segment->field_count], bytes);
}

/* If a segment has several offences, the one at the lowest byte is reported. */
bool seguei_walk_check_fields(struct walk *w, const struct segue_machine_symbol *symbol,
			      const struct segue_segment_desc *segment, const uint8_t *bytes)
{
	const uint32_t parts = segment->field_count + (symbol ? symbol->n_fixed : 0u),
		       start = w->at;
	uint32_t lowest = UINT32_MAX, first = 0;

	w->wrong = 0;
	for (uint32_t part = 0; part < parts; part++) {
		if (check_part(w, symbol, segment, part, bytes))
			continue;
		w->wrong++;
		if (w->offence->offset < lowest) {
			lowest = w->offence->offset;
			first = part;
		}
		w->at = start;
	}
	if (lowest == UINT32_MAX)
		return true;
	(void)check_part(w, symbol, segment, first, bytes);
	w->offence->segment_at = start;
	return false;
}

/* "segment 'raddr'" or "segment 'data' or 'inline_data' or the end". */
static void list_expected(const struct walk *w, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (uint16_t i = 0; i < w->state->n_edges && len < size; i++) {
		const struct segue_machine_edge *edge =
			&w->machine->edges[w->state->first_edge + i];

		len += (size_t)snprintf(text + len, size - len, "%s'%s'", i ? " or " : "segment ",
					w->machine->symbols[edge->symbol].segment->name);
	}
	if (w->state->accepting && len < size)
		snprintf(text + len, size - len, "%sthe end of the WQE",
			 w->state->n_edges ? " or " : "");
}

static bool is_empty_list(const struct walk *w, const struct segue_machine_symbol *symbol)
{
	return symbol->op == SEGUE_MACHINE_SYMBOL_LIST && symbol->min == 0 &&
	       w->announced[symbol->slot] == symbol->head;
}

/* The edge of a list that was announced as empty, which no bytes can show. */
static const struct segue_machine_edge *empty_list_edge(const struct walk *w)
{
	const struct segue_machine_edge *edges = &w->machine->edges[w->state->first_edge];

	for (uint16_t i = 0; i < w->state->n_edges && w->idle < w->machine->n_states; i++)
		if (is_empty_list(w, &w->machine->symbols[edges[i].symbol]))
			return &edges[i];
	return NULL;
}

static const struct segue_machine_edge *choose_edge(const struct walk *w)
{
	const struct segue_machine_edge *edges = &w->machine->edges[w->state->first_edge];
	const struct segue_machine_edge *empty = empty_list_edge(w);
	const enum look last = w->lax ? LOOK_AT_CONSTANTS : LOOK_WITHOUT_RANGES;

	for (int look = LOOK_CLOSELY; look <= (int)last && w->at < w->len; look++)
		for (uint16_t i = 0; i < w->state->n_edges; i++) {
			const struct segue_machine_symbol *symbol =
				&w->machine->symbols[edges[i].symbol];

			if (!is_empty_list(w, symbol) && seguei_walk_is_open(w, &edges[i]) &&
			    looks_like(symbol, w->wqe + w->at, w->len - w->at, (enum look)look))
				return &edges[i];
		}
	if (empty)
		return empty;
	/* The only possible one is reported field by field. */
	return w->state->n_edges == 1 && seguei_walk_is_open(w, edges) ? edges : NULL;
}

static uint32_t entry_limit(const struct walk *w, const struct segue_machine_symbol *symbol)
{
	return symbol->max ? symbol->max : w->len / symbol->segment->size;
}

/*
 * True if only padding may follow. Either all entries are there, by their count or their limit, or
 * zeros follow that may be padding because the entries are not counted.
 */
static bool entries_end(const struct walk *w, const struct segue_machine_symbol *symbol,
			uint32_t entries, uint32_t left)
{
	if (symbol->entries != SEGUE_MACHINE_NO_SLOT)
		return entries == w->announced[symbol->entries];
	return (symbol->max && entries == symbol->max) ||
	       (left < symbol->pad && seguei_all_zero(w->wqe + w->at, left));
}

/* Checks each entry, and the padding after the list. */
static bool check_entries(struct walk *w, const struct segue_machine_symbol *symbol, uint32_t bytes)
{
	const uint32_t entry = symbol->segment->size;
	const uint32_t first = w->at, end = first + bytes;
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; w->at < end; w->at += entry, i++) {
		w->begun = w->at;
		if (entries_end(w, symbol, i, end - w->at))
			break;
		if (end - w->at < entry) {
			seguei_walk_found(w, "%u bytes", end - w->at);
			return seguei_walk_offend(w, SEGUE_OFFENCE_LIST,
						  "entries of %u bytes, then zeros", entry);
		}
		if (!seguei_walk_check_fields(w, NULL, symbol->segment, w->wqe + w->at))
			return false;
		if (symbol->sum != SEGUE_MACHINE_NO_SLOT)
			sum += seguei_walk_value_of(symbol->segment, symbol->sum_of, w->wqe + w->at,
						    entry);
	}
	if (!w->lax && !seguei_all_zero(w->wqe + w->at, end - w->at)) {
		seguei_walk_found(w, "a byte that is set");
		return seguei_walk_offend(
			w, SEGUE_OFFENCE_LIST,
			"zeros up to a multiple of %u bytes, behind the %u entries", symbol->pad,
			i);
	}
	w->at = first;
	if (!w->lax && symbol->sum != SEGUE_MACHINE_NO_SLOT && sum != w->announced[symbol->sum]) {
		w->offence->field = symbol->segment->fields[symbol->sum_of].name;
		seguei_walk_found(w, "%" PRIu64 " bytes over all entries", sum);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LIST, "%u bytes, as announced",
					  w->announced[symbol->sum]);
	}
	return true;
}

/* Size of so many entries with head and padding. */
static uint64_t padded(const struct segue_machine_symbol *symbol, uint64_t entries)
{
	return (symbol->head + entries * symbol->segment->size + symbol->pad - 1) / symbol->pad *
	       symbol->pad;
}

/* Finds "128 bytes announced ('klm_octowords' of segment 'umr_ctrl' is 8)", and adds `more`. */
__attribute__((format(printf, 3, 4))) static void found_announced(struct walk *w, uint8_t slot,
								  const char *more, ...)
{
	const struct segue_machine_announce *a = w->announcer[slot];
	char behind[64];
	va_list args;

	va_start(args, more);
	vsnprintf(behind, sizeof(behind), more, args);
	va_end(args);
	if (a)
		seguei_walk_found(w, "%u bytes announced ('%s' of segment '%s' is %u)%s",
				  w->announced[slot], a->segment->fields[a->field].name,
				  a->segment->name, w->announced[slot] / a->unit, behind);
	else
		seguei_walk_found(w, "%u bytes announced%s", w->announced[slot], behind);
}

/* Takes a list of entries whose size an earlier segment has announced. */
static bool take_list(struct walk *w, const struct segue_machine_symbol *symbol, uint32_t *size)
{
	const uint32_t entry = symbol->segment->size;
	const uint32_t whole = w->announced[symbol->slot]; /* with the head */

	w->offence->segment = symbol->segment->name;
	if (whole < symbol->head || whole % symbol->pad || whole - symbol->head > w->len - w->at) {
		found_announced(w, symbol->slot, ", %u left in the WQE",
				w->len - w->at + symbol->head);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LIST,
					  "a list of a multiple of %u bytes within the WQE",
					  symbol->pad);
	}
	if (whole - symbol->head < (uint32_t)symbol->min * entry ||
	    whole > padded(symbol, entry_limit(w, symbol))) {
		found_announced(w, symbol->slot, "%s", "");
		return seguei_walk_offend(w, SEGUE_OFFENCE_LIST, "%u to %u entries of %u bytes",
					  symbol->min, entry_limit(w, symbol), entry);
	}
	if (symbol->entries != SEGUE_MACHINE_NO_SLOT &&
	    (w->announced[symbol->entries] < symbol->min ||
	     (symbol->max && w->announced[symbol->entries] > symbol->max))) {
		seguei_walk_found(w, "%u entries announced", w->announced[symbol->entries]);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LIST, "%u to %u entries", symbol->min,
					  entry_limit(w, symbol));
	}
	if (symbol->entries != SEGUE_MACHINE_NO_SLOT &&
	    padded(symbol, w->announced[symbol->entries]) != whole) {
		found_announced(w, symbol->slot, "%s", "");
		return seguei_walk_offend(
			w, SEGUE_OFFENCE_LIST,
			"%" PRIu64 " bytes for %u entries, with what stands before them and zeros",
			padded(symbol, w->announced[symbol->entries]),
			w->announced[symbol->entries]);
	}
	*size = whole - symbol->head;
	return check_entries(w, symbol, *size);
}

static void remember_announcements(struct walk *w, const struct segue_segment_desc *segment,
				   const uint8_t *bytes)
{
	for (uint16_t i = 0; i < w->machine->n_announces; i++) {
		const struct segue_machine_announce *a = &w->machine->announces[i];

		if (a->segment != segment)
			continue;
		w->announcer[a->slot] = a;
		w->announced[a->slot] = (uint32_t)seguei_walk_value_of(segment, a->field, bytes,
								       segment->size) *
					a->unit;
	}
}

/* Takes one segment with its payload. It may consume more bytes than the segment has. */
static bool take_segment(struct walk *w, const struct segue_machine_symbol *symbol, uint32_t *size,
			 uint32_t *taken)
{
	const struct segue_segment_desc *segment = symbol->segment;
	const uint8_t *bytes = w->wqe + w->at;
	const bool rest = segment->has_tail && segment->tail_length == SEGUE_TAIL_REST;
	const uint32_t left = w->len - w->at;
	const uint32_t behind = left < segment->tail_at ? 0 : left - segment->tail_at,
		       payload = rest ? seguei_walk_payload_of(w, behind, symbol->told) : 0;

	w->offence->segment = segment->name;
	if (left < (rest ? segment->tail_at + 1u : segment->size)) {
		seguei_walk_found(w, "%u bytes", left);
		return seguei_walk_offend(
			w, SEGUE_OFFENCE_LENGTH,
			"%u bytes, the segment's size; the control segment's size is too "
			"small or the segment is "
			"wrong",
			segment->size);
	}
	if (!seguei_walk_check_fields(w, symbol, segment, bytes))
		return false;
	if (rest && payload > segment->tail_max) {
		seguei_walk_found(w, "%u bytes of payload", payload);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH, "at most %u", segment->tail_max);
	}
	*size = rest ? segment->tail_at + payload
		     : (uint32_t)seguei_segment_bytes(segment, bytes, left);
	if (*size > left) {
		seguei_walk_found(w, "%u bytes with its payload, %u left", *size, left);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
					  "a payload that ends within the WQE");
	}
	*taken = symbol->told ? seguei_walk_place_of(segment, payload) : rest ? left : *size;
	if (*taken > left ||
	    (symbol->told && !w->lax && !seguei_all_zero(bytes + *size, *taken - *size))) {
		seguei_walk_found(w, "%u bytes of payload, %u left", payload, left);
		return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
					  "zeros up to the %u bytes that it takes", *taken);
	}
	seguei_walk_take_piece(w, symbol->piece, symbol->last, segment, bytes);
	seguei_walk_add_up(w, segment, bytes, rest ? payload : 0);
	remember_announcements(w, segment, bytes);
	return true;
}

static bool take_edge(struct walk *w, seguei_visit *visit, void *arg)
{
	const struct segue_machine_edge *edge = choose_edge(w);
	const struct segue_machine_symbol *symbol;
	struct seguei_step_seen step;
	uint32_t size = 0, taken = 0;
	char expected[160];

	w->begun = w->at;
	w->foreign = false;
	if (!edge) {
		list_expected(w, expected, sizeof(expected));
		if (!w->state->n_edges) {
			if (w->list)
				found_announced(w, w->list->slot, ", and %u more behind them",
						w->len - w->at);
			else
				seguei_walk_found(w, "%u more bytes", w->len - w->at);
			return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH, "%s", expected);
		}
		found_next(w);
		return seguei_walk_offend(w, SEGUE_OFFENCE_SEGMENT, "%s", expected);
	}
	symbol = &w->machine->symbols[edge->symbol];
	if (!(symbol->op == SEGUE_MACHINE_SYMBOL_LIST ? take_list(w, symbol, &size)
						      : take_segment(w, symbol, &size, &taken)))
		return false;
	step.symbol = symbol;
	step.segment = symbol->segment;
	step.bytes = w->wqe + w->at;
	step.offset = w->at;
	step.size = size;
	if (visit)
		visit(arg, &step);
	w->at += symbol->op == SEGUE_MACHINE_SYMBOL_LIST ? size : taken;
	w->list = symbol->op == SEGUE_MACHINE_SYMBOL_LIST ? symbol : NULL;
	w->idle = size ? 0 : w->idle + 1;
	w->state = &w->machine->states[edge->to];
	if (symbol->op == SEGUE_MACHINE_SYMBOL_TERMINATOR)
		w->at = w->len; /* the rest of the stride is ignored */
	w->offence->segment = NULL;
	return true;
}

/* Passes the table in front of the pieces. Its values are compared at the end. */
static void pass_table(struct walk *w, seguei_visit *visit, void *arg)
{
	const struct seguei_step_seen step = {NULL, w->table, w->wqe + w->at, w->at,
					      w->table->size};

	if (visit)
		visit(arg, &step);
	w->table_at = w->at;
	w->at += w->table->size;
}

/* Follows the layout of one request to its end. */
static bool follow(struct walk *w, seguei_visit *visit, void *arg)
{
	char expected[160];
	bool over;

	if (w->table)
		pass_table(w, visit, arg);
	w->state = &w->machine->states[w->start->to];
	while (w->at < w->len || (!w->state->accepting && empty_list_edge(w))) {
		if (!seguei_walk_take_end(w, &over))
			return false;
		if (over || (w->state->accepting && seguei_walk_in_block(w->machine) &&
			     seguei_walk_is_padding(w)))
			break;
		if (w->at < w->len && w->len - w->at < segue_control.unit && !segue_control.block) {
			seguei_walk_found(w, "%u bytes", w->len - w->at);
			return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH,
						  "whole units of %u bytes",
						  (unsigned int)segue_control.unit);
		}
		if (!take_edge(w, visit, arg))
			return false;
	}
	w->begun = w->at;
	w->foreign = false;
	if (w->state->accepting)
		return seguei_walk_take_end(w, &over);
	seguei_walk_found(w, "the end of the WQE");
	list_expected(w, expected, sizeof(expected));
	return seguei_walk_offend(w, SEGUE_OFFENCE_LENGTH, "%s", expected);
}

/* Walks the bytes as one request. */
static bool walk_as(struct walk *w, const struct segue_machine_start *start, seguei_visit *visit,
		    void *arg, struct segue_offence *offence)
{
	memset(offence, 0, sizeof(*offence));
	w->offence = offence;
	w->start = start;
	memset(w->sums, 0, sizeof(w->sums));
	w->table = NULL;
	w->ended = false;
	if (w->machine->send && seguei_walk_has_controls(w->machine) &&
	    !seguei_walk_check_control(w))
		return false;
	if (w->machine->send && !w->lax && !seguei_walk_check_control_bits(w))
		return false;
	if (seguei_walk_in_block(w->machine) && !seguei_walk_take_count(w))
		return false;
	return follow(w, visit, arg) && seguei_walk_check_table(w) && seguei_walk_check_sums(w) &&
	       seguei_walk_check_rest(w);
}

/*
 * True if this failed walk explains the bytes better than another one: it came further, it ended at
 * a segment of its request where the other met a foreign one, or fewer fields were wrong.
 */
static bool fits_better(const struct walk *w, const struct walk *other)
{
	if (w->begun != other->begun)
		return w->begun > other->begun;
	if (w->foreign != other->foreign)
		return other->foreign;
	if (w->wrong != other->wrong)
		return w->wrong < other->wrong;
	return w->offence->offset > other->offence->offset;
}

/* The first request from `first` on that the control segment fits. */
static uint16_t next_candidate(const struct walk *w, uint16_t first)
{
	while (first < w->machine->n_starts &&
	       !seguei_walk_is_request(w, &w->machine->starts[first]))
		first++;
	return first;
}

/*
 * The request that the bytes are or resemble. `best` becomes the result of its walk, and `w` the
 * walk itself.
 */
static const struct segue_machine_start *best_start(struct walk *w, struct segue_offence *best)
{
	const struct segue_machine *machine = w->machine;
	struct segue_offence offences[2];
	struct walk chosen = {.start = NULL};
	unsigned int free = 0;
	bool valid = false;

	for (uint16_t i = next_candidate(w, 0); i < machine->n_starts;
	     i = next_candidate(w, i + 1u)) {
		struct walk trial = *w;
		const bool good = walk_as(&trial, &machine->starts[i], NULL, NULL, &offences[free]);

		if (!chosen.start || (good && (!valid || !trial.reserved_set)) ||
		    (!valid && fits_better(&trial, &chosen))) {
			chosen = trial;
			free = 1 - free;
		}
		valid = valid || good;
		if (good && !trial.reserved_set)
			/* reserved bits are set, so another request may fit without any */
			break;
	}
	if (!chosen.start)
		return NULL;
	*best = *chosen.offence;
	w->reserved_set = chosen.reserved_set;
	return chosen.start;
}

/* A single candidate needs no trial before its visit. */
static const struct segue_machine_start *visit_start(struct walk *w, seguei_visit *visit, void *arg,
						     struct segue_offence *offence)
{
	const struct segue_machine *machine = w->machine;
	const uint16_t first = next_candidate(w, 0);
	const struct segue_machine_start *start;
	struct walk again = *w;

	if (first < machine->n_starts && next_candidate(w, first + 1u) == machine->n_starts) {
		(void)walk_as(w, &machine->starts[first], visit, arg, offence);
		return w->start;
	}
	start = best_start(w, offence);
	if (start && visit)
		(void)walk_as(&again, start, visit, arg, offence);
	return start;
}

/*
 * If one field separates the bytes from each request of their opcode, the offence is that field's.
 */
static bool blame_difference(struct walk *w)
{
	const struct segue_machine *const machine = w->machine;
	const struct segue_machine_fixed_value *wrong = NULL, *other = NULL;

	w->start = NULL;
	for (uint16_t i = 0; i < machine->n_starts; i++) {
		if (seguei_walk_differs(w, &machine->starts[i], &other) != 1)
			continue;
		if (wrong && wrong->field != other->field)
			return false;
		wrong = other;
		w->start = &machine->starts[i];
	}
	w->at = 0;
	return wrong && !check_fixed(w, seguei_walk_control_of(w)->segment, wrong, w->wqe);
}

static void blame_opcode(struct walk *w, const struct segue_control_desc *control)
{
	const struct segue_segment_desc *const segment = control->segment;
	const bool opmod = control->opmod != SEGUE_MACHINE_NO_PART;

	w->start = NULL;
	if (control->opcode == SEGUE_MACHINE_NO_PART) {
		w->at = 0;
		found_next(w);
		(void)seguei_walk_offend(w, SEGUE_OFFENCE_OPCODE,
					 "the first bytes of a work request of %s",
					 w->machine->name);
		return;
	}
	w->at = segment->fields[control->opcode].byte;
	if (opmod)
		seguei_walk_found(w, "opcode 0x%" PRIx64 " with opmod 0x%" PRIx64, w->opcode,
				  w->opmod);
	else
		seguei_walk_found(w, "opcode 0x%" PRIx64, w->opcode);
	(void)seguei_walk_offend(w, SEGUE_OFFENCE_OPCODE, "the opcode%s of a work request of %s",
				 opmod ? " and opmod" : "", w->machine->name);
	w->offence->segment = segment->name;
	w->offence->field = segment->fields[control->opcode].name;
}

static const struct segue_machine_start *walk(struct walk *w, size_t len, seguei_visit *visit,
					      void *arg)
{
	const struct segue_machine *machine = w->machine;
	const struct segue_control_desc *first = seguei_walk_control_of(w);
	const struct segue_segment_desc *segment = first->segment;
	const struct seguei_step_seen control = {NULL, segment, w->wqe, 0, segment->size};
	struct segue_offence *offence = w->offence;
	const struct segue_machine_start *start;

	memset(offence, 0, sizeof(*offence));
	w->block = (uint32_t)len;
	if (machine->send && !seguei_walk_take_control(w, len))
		return NULL;
	if (machine->send && visit && segment->size <= len)
		visit(arg, &control);
	start = visit_start(w, visit, arg, offence);
	if (start)
		return start;
	if (!blame_difference(w))
		blame_opcode(w, first);
	return NULL;
}

const struct segue_machine_start *seguei_walk(const struct segue_machine *machine,
					      const uint8_t *wqe, size_t len, seguei_visit *visit,
					      void *arg, struct segue_offence *offence)
{
	const struct walk fresh = {
		.machine = machine, .wqe = wqe, .len = (uint32_t)len, .offence = offence};
	struct walk w = fresh;
	const struct segue_machine_start *start = walk(&w, len, visit, arg);

	/* Reserved bits are reported only if all else is legal. They never hide another offence. */
	if (offence->kind == SEGUE_OFFENCE_NONE && w.reserved_set) {
		w = fresh;
		w.strict = true;
		w.only = start;
		start = walk(&w, len, NULL, NULL);
	}
	return start;
}

void seguei_walk_again(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       const struct segue_machine_start *start, seguei_visit *visit, void *arg)
{
	struct segue_offence ignored;
	struct walk w = {.machine = machine,
			 .wqe = wqe,
			 .len = (uint32_t)len,
			 .offence = &ignored,
			 .only = start};

	(void)walk(&w, len, visit, arg);
}

const struct segue_machine_start *seguei_walk_lax(const struct segue_machine *machine,
						  const uint8_t *wqe, size_t len,
						  seguei_visit *visit, void *arg,
						  struct segue_offence *offence)
{
	struct walk w = {.machine = machine,
			 .wqe = wqe,
			 .len = (uint32_t)len,
			 .offence = offence,
			 .lax = true};

	return walk(&w, len, visit, arg);
}
