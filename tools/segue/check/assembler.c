// SPDX-License-Identifier: BSD-2-Clause
/*
 * Builds requests from text along the generated automata and posts them as they are:
 *
 *	raddr remote_addr=there+512; data addr=here+101 byte_count=700
 *
 * A semicolon separates segments, each with fields and their values: numbers, members of the
 * field's enum, places in the kit's memory and their keys, the kit's values v0 to v7. + and | join
 * values. A byte string is copied from the address given. `all=` copies a whole segment, `payload=`
 * names the bytes after one. The spec gives what the automaton fixes: constants, the address of the
 * peer and padding.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/text/decode.h"
#include "segue/ah.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/detail/commit.h"
#include "segue/gen/machines.h"
#include "tools/segue/check/kit.h"

#define WQE_MAX 1008u

struct assembly {
	struct kit_ends *ends;
	const struct segue_machine *machine;
	uint16_t state;
	uint8_t bytes[WQE_MAX + 64]; /* without the control segment */
	size_t len;
	size_t list_from;		 /* where the list that is being written began */
	const struct segue_machine_symbol *list; /* it, or NULL */
};

/* ---- values ---- */

static bool member_of(const struct segue_enum_desc *e, const char *name, size_t len,
		      uint64_t *value)
{
	uint16_t i;

	for (i = 0; e && i < e->member_count; i++) {
		if (strlen(e->members[i].name) != len ||
		    strncmp(e->members[i].name, name, len) != 0)
			continue;
		*value = e->members[i].value;
		return true;
	}
	return false;
}

static bool is(const char *name, size_t len, const char *other)
{
	return strlen(other) == len && strncmp(name, other, len) == 0;
}

static bool place(const struct kit_memory *m, const char *name, size_t len, const char *own,
		  uint64_t *value)
{
	const size_t n = strlen(own);

	if (len < n || strncmp(name, own, n) != 0)
		return false;
	if (len == n)
		*value = (uintptr_t)m->bytes;
	else if (is(name + n, len - n, ".lkey"))
		*value = m->lkey;
	else if (is(name + n, len - n, ".rkey"))
		*value = m->rkey;
	else
		return false;
	return true;
}

static bool term(struct assembly *a, const struct segue_field_desc *f, const char *text, size_t len,
		 uint64_t *value)
{
	struct kit *const kit = a->ends->kit;
	char *end;

	if (len == 2 && text[0] == 'v' && text[1] >= '0' && text[1] < '0' + KIT_VALUES) {
		*value = kit->value[text[1] - '0'];
		return true;
	}
	if (place(&kit->here, text, len, "here", value) ||
	    place(&kit->there, text, len, "there", value))
		return true;
	if (f &&
	    (member_of(f->enumeration, text, len, value) || member_of(f->flags, text, len, value)))
		return true;
	*value = strtoull(text, &end, 0);
	return end == text + len;
}

/* Terms joined by + and |, from left to right. */
static bool evaluate(struct assembly *a, const struct segue_field_desc *f, const char *text,
		     size_t len, uint64_t *sum)
{
	char join = '+';

	*sum = 0;
	while (len) {
		size_t n = 0;
		uint64_t value;

		while (n < len && text[n] != '+' && text[n] != '|')
			n++;
		if (!term(a, f, text, n, &value))
			return kit_say(a->ends->kit, "the recipe has '%.*s', which is no value",
				       (int)n, text);
		*sum = join == '+' ? *sum + value : *sum | value;
		join = n < len ? text[n] : 0;
		text += n < len ? n + 1 : n;
		len -= n < len ? n + 1 : n;
	}
	return true;
}

/* ---- fields ---- */

static void put_field(uint8_t *segment, const struct segue_field_desc *f, uint64_t value)
{
	const uint64_t mask = f->width >= 64 ? UINT64_MAX : (UINT64_C(1) << f->width) - 1;
	uint8_t *const at = segment + f->byte;
	uint64_t word;

	if (!f->word) {
		memcpy(at, (const void *)(uintptr_t)value, f->width / 8);
		return;
	}
	word = f->word == 64 ? segue_get_be64(at) : segue_get_be32(at);
	word = (word & ~(mask << f->lsb)) | (value & mask) << f->lsb;
	if (f->word == 64)
		segue_put_be64(at, word);
	else
		segue_put_be32(at, (uint32_t)word);
}

static const struct segue_field_desc *field_of(const struct segue_segment_desc *s, const char *name,
					       size_t len)
{
	uint16_t i;

	for (i = 0; i < s->field_count; i++)
		if (!s->fields[i].reserved && is(name, len, s->fields[i].name))
			return &s->fields[i];
	return NULL;
}

static void set(uint8_t *segment, const struct segue_segment_desc *s, const char *name,
		uint64_t value)
{
	const struct segue_field_desc *const f = field_of(s, name, strlen(name));

	if (f)
		put_field(segment, f, value);
}

/* Constants, and what this use of the segment fixes. */
static void put_fixed(uint8_t *segment, const struct segue_machine_symbol *symbol)
{
	const struct segue_segment_desc *const s = symbol->segment;
	uint16_t i;

	for (i = 0; i < s->field_count; i++)
		if (s->fields[i].is_const)
			put_field(segment, &s->fields[i], s->fields[i].const_value);
	for (i = 0; i < symbol->n_fixed; i++)
		put_field(segment, &s->fields[symbol->fixed[i].field], symbol->fixed[i].value);
}

/* ---- segments ---- */

static const struct segue_machine_edge *edge_for(const struct assembly *a, const char *name,
						 size_t len)
{
	const struct segue_machine_state *const s = &a->machine->states[a->state];
	uint16_t i;

	for (i = 0; i < s->n_edges; i++) {
		const struct segue_machine_edge *const e = &a->machine->edges[s->first_edge + i];
		const struct segue_machine_symbol *const symbol = &a->machine->symbols[e->symbol];

		if (symbol->op != SEGUE_MACHINE_SYMBOL_TERMINATOR &&
		    is(name, len, symbol->segment->name))
			return e;
	}
	return NULL;
}

/* A list is as long as it was announced: with zeroes behind it. */
static void end_list(struct assembly *a)
{
	if (!a->list)
		return;
	while (a->list->pad && (a->len - a->list_from + a->list->head) % a->list->pad != 0 &&
	       a->len + 16 <= WQE_MAX) {
		memset(a->bytes + a->len, 0, 16);
		a->len += 16;
	}
	a->list = NULL;
}

static uint8_t *take_edge(struct assembly *a, const struct segue_machine_edge *e)
{
	const struct segue_machine_symbol *const symbol = &a->machine->symbols[e->symbol];
	uint8_t *const segment = a->bytes + a->len;

	if (symbol->op == SEGUE_MACHINE_SYMBOL_LIST) {
		a->list = symbol;
		a->list_from = a->len;
	}
	a->state = e->to;
	return segment;
}

static bool put_fields(struct assembly *a, uint8_t *segment,
		       const struct segue_machine_symbol *symbol, const char *text, const char *end,
		       const uint8_t **payload)
{
	const struct segue_segment_desc *const s = symbol->segment;

	while (text < end) {
		const size_t len = strcspn(text, " ;"), name = strcspn(text, "= ;");
		const struct segue_field_desc *const f = field_of(s, text, name);
		uint64_t value;

		if (name < len) {
			if (!evaluate(a, f, text + name + 1, len - name - 1, &value))
				return false;
			if (is(text, name, "all"))
				memcpy(segment, (const void *)(uintptr_t)value, s->size);
			else if (is(text, name, "payload"))
				*payload = (const uint8_t *)(uintptr_t)value;
			else if (f)
				put_field(segment, f, value);
			else
				return kit_say(
					a->ends->kit,
					"the recipe names %.*s.%.*s, which is not in the spec",
					(int)strlen(s->name), s->name, (int)name, text);
		}
		text += len;
		text += strspn(text, " ");
	}
	put_fixed(segment, symbol);
	return true;
}

static size_t tail(uint8_t *segment, const struct segue_segment_desc *s, const uint8_t *payload)
{
	uint64_t length = 0;
	size_t size;

	if (payload && s->tail_length != SEGUE_TAIL_REST)
		(void)seguei_field_get(&s->fields[s->tail_length], segment, s->size, &length);
	if (payload)
		memcpy(segment + s->tail_at, payload, length);
	size = s->tail_at + length;
	if (s->tail_pad)
		size = (size + s->tail_pad - 1) / s->tail_pad * s->tail_pad;
	return size < s->tail_min_size ? s->tail_min_size : size;
}

static bool put_segment(struct assembly *a, const char *text, const char *end)
{
	const size_t name = strcspn(text, " ;");
	const bool more = a->list && is(text, name, a->list->segment->name); /* of the same list */
	const struct segue_machine_edge *e = NULL;
	const struct segue_machine_symbol *symbol;
	const uint8_t *payload = NULL;
	uint8_t *segment;

	if (!more) {
		end_list(a);
		e = edge_for(a, text, name);
		if (!e)
			return kit_say(a->ends->kit,
				       "the spec has no %.*s at this place of the request",
				       (int)name, text);
	}
	segment = more ? a->bytes + a->len : take_edge(a, e);
	symbol = more ? a->list : &a->machine->symbols[e->symbol];
	if (a->len + symbol->segment->size > WQE_MAX)
		return kit_say(a->ends->kit, "the recipe is longer than a request can be");
	text += name;
	text += strspn(text, " ");
	memset(segment, 0, symbol->segment->size);
	if (!put_fields(a, segment, symbol, text, end, &payload))
		return false;
	a->len += symbol->segment->has_tail ? tail(segment, symbol->segment, payload)
					    : symbol->segment->size;
	return true;
}

/* The element that names the peer, on queues that have one and for requests that take it. */
static void put_address(struct assembly *a)
{
	struct kit_ends *const e = a->ends;
	const struct segue_machine_edge *const edge = e->address
							      ? (edge_for(a, "av_dc", 5)
									 ? edge_for(a, "av_dc", 5)
									 : edge_for(a, "av_ud", 5))
							      : edge_for(a, "xrc", 3);
	const struct segue_machine_symbol *symbol;
	uint8_t *segment;

	if (!edge)
		return;
	segment = take_edge(a, edge);
	symbol = &a->machine->symbols[edge->symbol];
	memset(segment, 0, symbol->segment->size);
	if (e->address)
		memcpy(segment, segue_ah_av(e->address)->bytes, symbol->segment->size);
	set(segment, symbol->segment, "dqp_dct", segue_qp_number(e->b));
	set(segment, symbol->segment, "qkey", KIT_QKEY);
	set(segment, symbol->segment, "dc_key", e->dc_key);
	set(segment, symbol->segment, "xrc_srqn", e->srq ? segue_srq_number(e->srq) : 0);
	put_fixed(segment, symbol);
	a->len += symbol->segment->size;
}

/* ---- requests ---- */

static const struct segue_machine_start *start_of(const struct segue_machine *machine,
						  const char *request)
{
	uint16_t i;

	for (i = 0; i < machine->n_starts; i++)
		if (strcmp(machine->starts[i].name, request) == 0)
			return &machine->starts[i];
	return NULL;
}

static bool assemble(struct assembly *a, const struct segue_machine_start *start,
		     const char *layout)
{
	a->state = start->to;
	put_address(a);
	while (layout && *layout) {
		const size_t len = strcspn(layout, ";");

		if (!put_segment(a, layout, layout + len))
			return false;
		layout += len;
		layout += strspn(layout, "; ");
	}
	end_list(a);
	a->len = (a->len + 15) / 16 * 16;
	if (!a->machine->states[a->state].accepting)
		return kit_say(a->ends->kit, "the recipe of %s ends where the request may not",
			       start->name);
	return true;
}

static bool commit(struct assembly *a, struct segue_sq *sq, const struct segue_machine_start *start,
		   const struct kit_post *post)
{
	struct seguei_build b = seguei_begin(sq);
	bool own_bell;
	size_t at;

	seguei_request(&b, post->wr_id, start->opcode, start->opmod, post->flags, post->imm);
	for (at = 0; at < a->len; at += SEGUEI_UNIT) {
		if (!seguei_fits(&b, 1))
			break;
		memcpy(seguei_here_or_wrapped(&b, true), a->bytes + at, SEGUEI_UNIT);
		seguei_advance(&b, 1);
	}
	own_bell = post->wrong_index || post->bell_of_index;
	if (own_bell ? seguei_commit_only(&b, a->machine) : seguei_post(&b, a->machine))
		return kit_say(a->ends->kit, "%s", segue_errmsg());
	if (post->wrong_index) /* spoilt before the doorbell rings */
		put_field(b.start, &segue_control.segment->fields[segue_control.index], b.pi + 1);
	if (own_bell)
		seguei_sq_ring(sq, sq->pi,
			       post->wrong_index
				       ? segue_be64(segue_get_be64(b.start))
				       : segue_be64(sq->ctrl + seguei_control_first(
								       0, sq->pi & 0xffff, 0, 0)));
	return true;
}

bool kit_post_on(struct kit_ends *e, struct segue_qp *qp, const struct kit_post *post)
{
	/* The requester's transport. Other queue pairs that send are of RC. */
	const struct segue_machine *const machine = qp == e->a ? e->machine : &segue_rc_machine;
	const struct segue_machine_start *const start = start_of(machine, post->request);
	struct assembly a = {.ends = e, .machine = machine};

	if (!start)
		return kit_say(e->kit, "this spec has no %s on %s", post->request, machine->name);
	if (!assemble(&a, start, post->layout))
		return false;
	return commit(&a, kit_sq(qp, machine->name), start, post);
}

bool kit_post(struct kit_ends *e, const struct kit_post *post)
{
	return kit_post_on(e, e->a, post);
}
