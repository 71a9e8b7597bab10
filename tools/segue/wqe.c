// SPDX-License-Identifier: BSD-2-Clause
/* Decodes one request or completion, as a line or in full. */
#include "tools/segue/wqe.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/text/walk.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "tools/segue/failed_completion.h"

const struct segue_machine *wqe_machine(const char *name)
{
	size_t i;

	for (i = 0; segue_machines[i]; i++)
		if (strcmp(segue_machines[i]->name, name) == 0)
			return segue_machines[i];
	return NULL;
}

uint64_t wqe_control(const uint8_t *bytes, uint16_t field)
{
	const struct segue_segment_desc *const control = segue_control.segment;
	uint64_t value = 0;

	(void)seguei_field_get(&control->fields[field], bytes, control->size, &value);
	return value;
}

/* How well bytes fit a queue: 0 not at all, and more than any length if they are legal. */
static uint32_t fit(const struct segue_machine *machine, const uint8_t *bytes, size_t len)
{
	struct segue_offence offence;
	const struct segue_machine_start *const start = seguei_walk(machine, bytes, len, NULL, NULL,
								    &offence);

	if (offence.kind == SEGUE_OFFENCE_NONE)
		return UINT32_MAX;
	return start ? offence.offset : 0;
}

const struct segue_machine *wqe_guess(const uint8_t *bytes, size_t len, bool *legal)
{
	const struct segue_machine *best = NULL;
	uint32_t best_fit = 0, this_fit;
	size_t i;

	for (i = 0; segue_machines[i]; i++) {
		if (!segue_machines[i]->send)
			continue;
		this_fit = fit(segue_machines[i], bytes, len);
		if (best &&
		    (this_fit < best_fit ||
		     (this_fit == best_fit && segue_machines[i]->n_starts <= best->n_starts)))
			continue;
		best = segue_machines[i];
		best_fit = this_fit;
	}
	*legal = best_fit == UINT32_MAX;
	return best;
}

/* "(or uc, dci)": where the same bytes are legal, too. */
static void put_others(struct seguei_out *out, const struct segue_machine *machine,
		       const struct wqe_view *view)
{
	const char *between = " (or ";
	size_t i;

	for (i = 0; segue_machines[i]; i++) {
		if (segue_machines[i] == machine || !segue_machines[i]->send ||
		    fit(segue_machines[i], view->bytes, view->len) != UINT32_MAX)
			continue;
		seguei_out_printf(out, "%s%s", between, segue_machines[i]->name);
		between = ", ";
	}
	if (strcmp(between, ", ") == 0)
		seguei_out_printf(out, ")");
}

/* Prints a value in as few characters as it takes. */
static void put_value(struct seguei_out *out, const struct segue_field_desc *field, uint64_t value)
{
	const char *const name = field->enumeration ? seguei_enum_name(field->enumeration, value)
						    : NULL;

	if (name)
		seguei_out_printf(out, "%s", name);
	else if (field->unit) /* "16 bytes" multiplies */
		seguei_out_printf(out, "%" PRIu64 "%s%s", value,
				  field->unit[0] >= '0' && field->unit[0] <= '9' ? " x " : " ",
				  field->unit);
	else
		seguei_out_printf(out, value < 10 ? "%" PRIu64 : "0x%" PRIx64, value);
}

/* True for a value that is not zero, reserved or always the same. */
static void put_fields(struct seguei_out *out, const struct segue_segment_desc *desc,
		       const uint8_t *bytes, size_t len)
{
	const char *between = "";
	uint64_t value;
	uint16_t i;

	for (i = 0; i < desc->field_count; i++) {
		const struct segue_field_desc *const field = &desc->fields[i];

		if (field->reserved || field->is_const ||
		    !seguei_field_get(field, bytes, len, &value) || !value)
			continue;
		seguei_out_printf(out, "%s%s ", between, field->name);
		put_value(out, field, value);
		between = ", ";
	}
}

static void put_step(void *arg, const struct seguei_step_seen *step)
{
	struct seguei_out *const out = arg;
	const bool list = step->symbol && step->symbol->op == SEGUE_MACHINE_SYMBOL_LIST;

	if (!step->symbol) /* the control segment has been printed already */
		return;
	seguei_out_printf(out, "  %s(", step->segment->name);
	if (list)
		seguei_out_printf(out, "%u entries",
				  step->segment->size ? step->size / step->segment->size : 0);
	else
		put_fields(out, step->segment, step->bytes, step->size);
	seguei_out_printf(out, ")");
}

static void put_flag_names(struct seguei_out *out, const struct segue_machine_start *start,
			   const uint8_t *bytes)
{
	const char *between = "";
	uint64_t image = 0;
	uint16_t i;

	for (i = 0; i < segue_control.n_flags; i++)
		image |= wqe_control(bytes, segue_control.flags[i])
			 << segue_control.segment->fields[segue_control.flags[i]].lsb;
	if (start)
		image &= start->flags;
	for (i = 0; image && i < segue_post_flag_desc.member_count; i++) {
		const struct segue_member_desc *const member = &segue_post_flag_desc.members[i];

		if (!member->value || (image & member->value) != member->value)
			continue;
		seguei_out_printf(out, "%s%s", *between ? between : "  ", member->name);
		between = "|";
	}
}

static void put_line(struct report *r, const struct wqe_view *view,
		     const struct segue_machine *machine, const struct segue_machine_start *start)
{
	struct seguei_out *const out = &r->out;
	struct segue_offence offence;

	seguei_out_printf(out, "0x%04zx  %s%s%s on %s", view->at, report_strong(r),
			  start ? start->name : "no work request", report_plain(r), machine->name);
	if (!view->machine && start)
		put_others(out, machine, view);
	if (machine->send && view->len >= segue_control.segment->size) {
		seguei_out_printf(
			out, "  index 0x%" PRIx64 "  qpn 0x%" PRIx64 "  %" PRIu64 " bytes",
			wqe_control(view->bytes, segue_control.index),
			wqe_control(view->bytes, segue_control.queue),
			wqe_control(view->bytes, segue_control.size) * segue_control.segment->size);
		put_flag_names(out, start, view->bytes);
	}
	(void)seguei_walk(machine, view->bytes, view->len, put_step, out, &offence);
	seguei_out_printf(out, "\n");
}

/* The library's own JSON or text of a request, as part of ours. */
static void put_whole(struct report *r, const struct wqe_view *view,
		      const struct segue_machine *machine)
{
	static char text[1 << 18];

	(void)segue_wqe_print(machine, view->bytes, view->len,
			      r->json ? SEGUE_FORMAT_JSON : SEGUE_FORMAT_TEXT, text, sizeof(text));
	seguei_out_printf(&r->out, "%s", text);
}

bool wqe_print(struct report *r, const struct wqe_view *view)
{
	struct segue_offence offence;
	const struct segue_machine *machine = view->machine;
	const struct segue_machine_start *start;
	char sentence[512];
	bool legal;

	if (!machine)
		machine = wqe_guess(view->bytes, view->len, &legal);
	start = seguei_walk(machine, view->bytes, view->len, NULL, NULL, &offence);
	legal = offence.kind == SEGUE_OFFENCE_NONE;
	report_record(r);
	report_number(r, "at", view->at);
	report_bool(r, "legal", legal && !view->wrong);
	report_string(r, "note", view->note);
	if (r->json || r->verbose) {
		report_text(r, "0x%04zx  ", view->at);
		report_key(r, "wqe");
		put_whole(r, view, machine);
	} else {
		put_line(r, view, machine, start);
	}
	if (!legal && !r->verbose) {
		segue_offence_print(&offence, sentence, sizeof(sentence));
		report_text(r, "        %soffence%s at %s\n", report_bad(r), report_plain(r),
			    sentence);
	}
	if (view->note)
		report_text(r, "        %s%s%s%s\n", view->wrong ? report_bad(r) : "",
			    view->wrong ? "offence: " : "", view->note, report_plain(r));
	report_record_end(r);
	return legal && !view->wrong;
}

static const char *syndrome_doc(uint8_t syndrome)
{
	uint16_t i;

	for (i = 0; i < segue_cqe_syndrome_desc.member_count; i++)
		if (segue_cqe_syndrome_desc.members[i].value == syndrome)
			return segue_cqe_syndrome_desc.members[i].doc;
	return NULL;
}

/* Why it failed, and what to do. */
static void put_failed(struct report *r, const struct failed *failed)
{
	char next[512];

	failed_next(failed, next, sizeof(next));
	report_string(r, "cause", syndrome_doc(failed->syndrome));
	report_string(r, "next", next);
	report_text(r, "        cause: %s\n        next: %s\n", syndrome_doc(failed->syndrome),
		    next);
}

/* The half of a completion that holds its format: the second of 128 bytes. */
static void put_cqe_line(struct report *r, const uint8_t *half, bool second, size_t at)
{
	const struct segue_segment_desc *const desc = segue_cqe_match(half, FAILED_SIZE);

	seguei_out_printf(&r->out, "0x%04zx  %s%s%s%s  ", at, report_strong(r),
			  desc ? desc->name : "cqe128", desc && second ? " of a cqe128" : "",
			  report_plain(r));
	if (desc)
		put_fields(&r->out, desc, half, FAILED_SIZE);
	seguei_out_printf(&r->out, "\n");
}

bool cqe_print(struct report *r, const uint8_t *dumped, size_t len, size_t at)
{
	uint8_t bytes[2 * FAILED_SIZE];
	uint8_t *const half = bytes + len - FAILED_SIZE;
	static char text[1 << 16];
	struct failed failed;
	bool bad, known;

	memcpy(bytes, dumped, len);
	bad = failed_read(half, FAILED_SIZE, &failed);
	if (bad)
		(void)failed_unmark(half);
	known = segue_cqe_match(bytes, len) != NULL;
	report_record(r);
	report_number(r, "at", at);
	if (r->json || r->verbose || !known) {
		(void)segue_cqe_print(bytes, len, r->json ? SEGUE_FORMAT_JSON : SEGUE_FORMAT_TEXT,
				      text, sizeof(text));
		report_text(r, "0x%04zx  ", at);
		report_key(r, "cqe");
		seguei_out_printf(&r->out, "%s", text);
	} else {
		put_cqe_line(r, half, half != bytes, at);
	}
	if (bad)
		put_failed(r, &failed);
	report_record_end(r);
	return known;
}
