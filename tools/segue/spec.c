// SPDX-License-Identifier: BSD-2-Clause
/* segue spec: the catalogue that this program was built with. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "segue/gen/transports.h"
#include "tools/segue/commands.h"

#define STATES_MAX 1024 /* of a queue */

/* ---- segments and enums ---- */

/* "15:8" of the dword at byte 4, as the reference counts. */
static void put_place(struct report *r, const struct segue_field_desc *f)
{
	if (f->word)
		seguei_out_printf(&r->out, "  byte %3u bits %2u:%-2u", f->byte,
				  f->lsb + f->width - 1, f->lsb);
	else
		seguei_out_printf(&r->out, "  byte %3u %5u bytes", f->byte, f->width / 8);
}

static void put_range(struct report *r, const struct segue_field_desc *f)
{
	const uint64_t all = f->width >= 64 ? UINT64_MAX : (UINT64_C(1) << f->width) - 1;

	if (f->is_const)
		seguei_out_printf(&r->out, " always 0x%" PRIx64 ".", f->const_value);
	else if (f->min || f->max != all)
		seguei_out_printf(&r->out, " From %" PRIu64 " to %" PRIu64 ".", f->min, f->max);
	if (f->has_zero_means)
		seguei_out_printf(&r->out, " 0 means %" PRIu64 ".", f->zero_means);
	if (f->minus)
		seguei_out_printf(&r->out, " Written less %u.", f->minus);
	if (f->enumeration || f->flags)
		seguei_out_printf(&r->out, " enum %s.",
				  f->enumeration ? f->enumeration->name : f->flags->name);
	if (f->format)
		seguei_out_printf(&r->out, " %u of %s.", f->count, f->format->name);
	if (f->unit)
		seguei_out_printf(&r->out, " Unit: %s.", f->unit);
}

static void put_field(struct report *r, const struct segue_field_desc *f)
{
	report_opens(r, NULL, '{');
	report_string(r, "name", f->name);
	report_number(r, "byte", f->byte);
	report_number(r, "word", f->word);
	report_number(r, "lsb", f->lsb);
	report_number(r, "width", f->width);
	report_bool(r, "reserved", f->reserved);
	report_string(r, "enum",
		      f->enumeration ? f->enumeration->name
		      : f->flags     ? f->flags->name
				     : NULL);
	report_string(r, "doc", f->doc);
	report_closes(r, '}');
	if (r->json || f->reserved)
		return;
	put_place(r, f);
	report_text(r, "  %s%s%s: %s", report_strong(r), f->name, report_plain(r), f->doc);
	put_range(r, f);
	report_text(r, "\n");
}

static void put_segment(struct report *r, const struct segue_segment_desc *desc)
{
	uint16_t i;

	report_record(r);
	report_string(r, "kind", desc->is_cqe ? "cqe" : "segment");
	report_string(r, "name", desc->name);
	report_number(r, "size", desc->size);
	report_string(r, "doc", desc->doc);
	report_text(r, "%s %s%s%s, %u bytes%s: %s\n", desc->is_cqe ? "completion" : "segment",
		    report_strong(r), desc->name, report_plain(r), desc->size,
		    desc->has_tail ? " and a payload" : "", desc->doc);
	report_opens(r, "fields", '[');
	for (i = 0; i < desc->field_count; i++)
		put_field(r, &desc->fields[i]);
	report_closes(r, ']');
	report_record_end(r);
}

static void put_enum(struct report *r, const struct segue_enum_desc *desc)
{
	uint16_t i;

	report_record(r);
	report_string(r, "kind", "enum");
	report_string(r, "name", desc->name);
	report_bool(r, "flags", desc->flags);
	report_string(r, "doc", desc->doc);
	report_text(r, "enum %s%s%s%s: %s\n", report_strong(r), desc->name, report_plain(r),
		    desc->flags ? " (flags)" : "", desc->doc);
	report_opens(r, "members", '[');
	for (i = 0; i < desc->member_count; i++) {
		const struct segue_member_desc *const m = &desc->members[i];

		report_opens(r, NULL, '{');
		report_member(r, m);
		report_closes(r, '}');
		report_text(r, "  0x%-8" PRIx64 " %s%s%s: %s [%s]%s\n", m->value, report_strong(r),
			    m->name, report_plain(r), m->doc, m->source,
			    m->secondary ? " at second hand" : "");
	}
	report_closes(r, ']');
	report_record_end(r);
}

/* ---- queues and requests ---- */

static void put_symbol(struct report *r, const struct segue_machine_symbol *s)
{
	seguei_out_printf(&r->out, "%s%s",
			  s->op == SEGUE_MACHINE_SYMBOL_TERMINATOR ? "end mark " : "",
			  s->segment->name);
	if (s->op == SEGUE_MACHINE_SYMBOL_LIST)
		seguei_out_printf(&r->out, " (a list)");
}

/*
 * The states of a request, or of all requests of a queue, in the order in which they are reached. A
 * state is named by what is expected, if that is not enough by the step before, and then by number.
 * The types of the builders have their names by the same rule.
 */
struct states {
	const struct segue_machine *machine;
	uint16_t n, at[STATES_MAX];
	const char *after[STATES_MAX]; /* the segment, or the request, that leads there first */
};

static uint16_t place_of(const struct states *s, uint16_t state)
{
	uint16_t i;

	for (i = 0; i < s->n && s->at[i] != state; i++)
		;
	return i;
}

static void add_state(struct states *s, uint16_t state, const char *after)
{
	const uint16_t place = place_of(s, state);

	if (place < s->n || place == STATES_MAX)
		return;
	s->at[place] = state;
	s->after[place] = after;
	s->n++;
}

static void reach(struct states *s, uint16_t first, const char *request)
{
	uint16_t i, next = s->n;

	add_state(s, first, request);
	for (; next < s->n; next++) {
		const struct segue_machine_state *const state = &s->machine->states[s->at[next]];

		for (i = 0; i < state->n_edges; i++) {
			const struct segue_machine_edge *const e =
				&s->machine->edges[state->first_edge + i];

			add_state(s, e->to, s->machine->symbols[e->symbol].segment->name);
		}
	}
}

static bool same_name(const struct states *s, uint16_t a, uint16_t b)
{
	return strcmp(s->machine->states[s->at[a]].name, s->machine->states[s->at[b]].name) == 0;
}

static void put_state_name(struct report *r, const struct states *s, uint16_t state)
{
	const uint16_t place = place_of(s, state);
	unsigned int number = 1;
	bool alone = true;
	uint16_t i;

	seguei_out_printf(&r->out, "%s", s->machine->states[state].name);
	for (i = 0; i < s->n; i++) {
		if (i == place || !same_name(s, i, place))
			continue;
		alone = false;
		number += i < place && strcmp(s->after[i], s->after[place]) == 0;
	}
	if (!alone)
		seguei_out_printf(&r->out, "_after_%s", s->after[place]);
	if (number > 1)
		seguei_out_printf(&r->out, "_%u", number);
}

static void put_state(struct report *r, const struct states *states, uint16_t state)
{
	const struct segue_machine *const m = states->machine;
	const struct segue_machine_state *const s = &m->states[state];
	uint16_t i;

	seguei_out_printf(&r->out, "    ");
	put_state_name(r, states, state);
	seguei_out_printf(&r->out, ":%s", s->accepting ? " may end here" : "");
	for (i = 0; i < s->n_edges; i++) {
		const struct segue_machine_edge *const e = &m->edges[s->first_edge + i];

		seguei_out_printf(&r->out, "%s ", i || s->accepting ? "," : "");
		put_symbol(r, &m->symbols[e->symbol]);
		seguei_out_printf(&r->out, " -> ");
		put_state_name(r, states, e->to);
	}
	seguei_out_printf(&r->out, "\n");
}

static void put_states(struct report *r, const struct states *states)
{
	uint16_t i;

	for (i = 0; i < states->n; i++)
		put_state(r, states, states->at[i]);
}

/* The names of the members that are set. */
static void put_mask(struct report *r, const struct segue_enum_desc *desc, uint32_t mask,
		     const char *none)
{
	const char *between = "";
	uint16_t i;

	for (i = 0; i < desc->member_count; i++) {
		const struct segue_member_desc *const m = &desc->members[i];

		if (m->value && (mask & m->value) == m->value) {
			seguei_out_printf(&r->out, "%s%s", between, m->name);
			between = ", ";
		}
	}
	seguei_out_printf(&r->out, "%s", *between ? "" : none);
}

static void put_start(struct report *r, const struct segue_machine *m,
		      const struct segue_machine_start *start)
{
	struct states states = {.machine = m};

	if (r->json) {
		report_opens(r, NULL, '{');
		report_string(r, "queue", m->name);
		report_string(r, "request", start->name);
		report_number(r, "opcode", start->opcode);
		report_number(r, "opmod", start->opmod);
		report_number(r, "flags", start->flags);
		report_string(r, "state", m->states[start->to].name);
		report_closes(r, '}');
		return;
	}
	seguei_out_printf(&r->out, "  on %s%s%s: opcode 0x%02x, opmod 0x%02x, flags ",
			  report_strong(r), m->name, report_plain(r), start->opcode, start->opmod);
	put_mask(r, &segue_post_flag_desc, start->flags, "none");
	seguei_out_printf(&r->out, "\n");
	reach(&states, start->to, start->name);
	put_states(r, &states);
}

static bool put_request(struct report *r, const char *name)
{
	bool found = false;
	size_t i;
	uint16_t s;

	for (i = 0; segue_machines[i]; i++) {
		for (s = 0; s < segue_machines[i]->n_starts; s++) {
			if (strcasecmp(segue_machines[i]->starts[s].name, name) != 0)
				continue;
			if (!found) {
				report_begin(r);
				report_opens(r, NULL, '[');
				report_text(r, "request %s%s%s\n", report_strong(r), name,
					    report_plain(r));
			}
			found = true;
			put_start(r, segue_machines[i], &segue_machines[i]->starts[s]);
		}
	}
	if (found) {
		report_closes(r, ']');
		report_end(r);
	}
	return found;
}

/* All states of a queue: those of its requests, one after the other. */
static struct states states_of(const struct segue_machine *m)
{
	struct states states = {.machine = m};
	uint16_t s;

	for (s = 0; s < m->n_starts; s++)
		reach(&states, m->starts[s].to, m->starts[s].name);
	return states;
}

static void put_starts(struct report *r, const struct segue_machine *m)
{
	const struct states states = states_of(m);
	uint16_t s;

	report_text(r, "queue %s%s%s: %u requests, %u states\n", report_strong(r), m->name,
		    report_plain(r), m->n_starts, m->n_states);
	for (s = 0; s < m->n_starts; s++) {
		if (r->json) {
			put_start(r, m, &m->starts[s]);
			continue;
		}
		seguei_out_printf(&r->out, "  %s: opcode 0x%02x, opmod 0x%02x, begins at ",
				  m->starts[s].name, m->starts[s].opcode, m->starts[s].opmod);
		put_state_name(r, &states, m->starts[s].to);
		seguei_out_printf(&r->out, "\n");
	}
	if (!r->json)
		put_states(r, &states);
}

static bool put_machine(struct report *r, const char *name)
{
	size_t i;

	for (i = 0; segue_machines[i] && strcasecmp(segue_machines[i]->name, name) != 0; i++)
		;
	if (!segue_machines[i])
		return false;
	report_begin(r);
	report_opens(r, NULL, '[');
	put_starts(r, segue_machines[i]);
	report_closes(r, ']');
	report_end(r);
	return true;
}

/* ---- transports ---- */

static void put_transition(struct report *r, const struct segue_transport_table *t, uint32_t from,
			   uint32_t to)
{
	const struct segue_transition *const way = segue_transition_between(t, from, to);

	if (!way || (!way->valid && !way->by_device))
		return;
	report_opens(r, NULL, '{');
	report_string(r, "from", t->states[from].name);
	report_string(r, "to", t->states[to].name);
	report_bool(r, "by_device", !way->valid);
	report_number(r, "required", way->required);
	report_number(r, "optional", way->optional);
	report_closes(r, '}');
	report_text(r, "  %s -> %s", t->states[from].name, t->states[to].name);
	if (way->valid && !r->json) {
		report_text(r, ": needs ");
		put_mask(r, &segue_qp_attr_desc, way->required, "nothing");
		report_text(r, "; takes ");
		put_mask(r, &segue_qp_attr_desc, way->optional, "nothing");
	}
	report_text(r, way->valid ? "\n" : ", by the device only\n");
}

static bool put_transport(struct report *r, const char *name)
{
	const struct segue_transport_table *t;
	uint32_t from, to;
	size_t i;

	for (i = 0; segue_transports[i] && strcasecmp(segue_transports[i]->name, name) != 0; i++)
		;
	t = segue_transports[i];
	if (!t)
		return false;
	report_begin(r);
	report_opens(r, NULL, '[');
	report_text(r, "transport %s%s%s: %s\n", report_strong(r), t->name, report_plain(r),
		    t->doc);
	for (from = 0; from < t->n_states; from++)
		for (to = 0; to < t->n_states; to++)
			put_transition(r, t, from, to);
	report_closes(r, ']');
	report_end(r);
	return true;
}

/* ---- all of it ---- */

static bool put_tables(struct report *r, const char *name)
{
	bool found = false;
	size_t i;

	for (i = 0; i < SEGUE_SEGMENT_COUNT + SEGUE_CQE_COUNT; i++) {
		const struct segue_segment_desc *const desc =
			i < SEGUE_SEGMENT_COUNT ? segue_segments[i]
						: segue_cqes[i - SEGUE_SEGMENT_COUNT];

		if (strcasecmp(desc->name, name) != 0)
			continue;
		put_segment(r, desc);
		found = true;
	}
	for (i = 0; segue_enums[i]; i++) {
		if (strcasecmp(segue_enums[i]->name, name) != 0)
			continue;
		put_enum(r, segue_enums[i]);
		found = true;
	}
	return found;
}

static void begin_names(struct report *r, const char *kind)
{
	report_record(r);
	report_string(r, "kind", kind);
	report_opens(r, "names", '[');
	report_text(r, "%s%s:%s", report_strong(r), kind, report_plain(r));
}

static void put_name(struct report *r, const char *name)
{
	report_string(r, NULL, name);
	report_text(r, " %s", name);
}

static void end_names(struct report *r)
{
	report_closes(r, ']');
	report_text(r, "\n");
	report_record_end(r);
}

static bool seen_before(size_t machine, const char *request)
{
	size_t i;
	uint16_t s;

	for (i = 0; i < machine; i++)
		for (s = 0; s < segue_machines[i]->n_starts; s++)
			if (strcmp(segue_machines[i]->starts[s].name, request) == 0)
				return true;
	return false;
}

static int list_names(struct report *r)
{
	size_t i;
	uint16_t s;

	begin_names(r, "requests");
	for (i = 0; segue_machines[i]; i++)
		for (s = 0; s < segue_machines[i]->n_starts; s++)
			if (!seen_before(i, segue_machines[i]->starts[s].name))
				put_name(r, segue_machines[i]->starts[s].name);
	end_names(r);
	begin_names(r, "queues");
	for (i = 0; segue_machines[i]; i++)
		put_name(r, segue_machines[i]->name);
	end_names(r);
	begin_names(r, "transports");
	for (i = 0; segue_transports[i]; i++)
		put_name(r, segue_transports[i]->name);
	end_names(r);
	begin_names(r, "segments");
	for (i = 0; i < SEGUE_SEGMENT_COUNT; i++)
		put_name(r, segue_segments[i]->name);
	end_names(r);
	begin_names(r, "completions");
	for (i = 0; i < SEGUE_CQE_COUNT; i++)
		put_name(r, segue_cqes[i]->name);
	end_names(r);
	begin_names(r, "enums");
	for (i = 0; segue_enums[i]; i++)
		put_name(r, segue_enums[i]->name);
	end_names(r);
	return SEGUE_EXIT_OK;
}

int command_spec(struct report *r, int argc, char **argv)
{
	int status = SEGUE_EXIT_OK;
	bool found;

	if (!report_options(r, argc, argv, help_spec, &(struct report_option){.name = NULL},
			    &status))
		return status;
	if (optind == argc)
		return list_names(r);
	for (; optind < argc; optind++) {
		found = put_tables(r, argv[optind]);
		found |= put_request(r, argv[optind]);
		found |= put_machine(r, argv[optind]);
		found |= put_transport(r, argv[optind]);
		if (found)
			continue;
		fprintf(stderr,
			"segue: there is nothing called '%s' in this spec; 'segue spec' lists the "
			"names\n",
			argv[optind]);
		status = SEGUE_EXIT_OFFENCE;
	}
	return status;
}
