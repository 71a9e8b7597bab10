/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Validates a WQE and prints it, both by a walk along the queue's machine.
 *
 * Reserved bits never hide another error. They are reported, as a kind of their own, only if
 * nothing else is wrong, because libmlx5 leaves old bytes in some places.
 *
 * Requests that share an opcode (all UMR forms, LOCAL_INV, BIND_MW) are start edges of one machine.
 * Each is tried, and the one that fits furthest is reported. codegen/check proves that no bytes can
 * be two of them.
 */
#include "segue/decode.h"

#include <errno.h>
#include <stdio.h>

#include "runtime/text/decode.h"
#include "runtime/text/walk.h"

int segue_wqe_validate(const struct segue_machine *machine, const void *wqe, size_t len,
		       struct segue_offence *offence)
{
	struct segue_offence unused;

	if (!offence)
		offence = &unused;
	(void)seguei_walk(machine, (const uint8_t *)wqe, len, NULL, NULL, offence);
	return offence->kind == SEGUE_OFFENCE_NONE ? 0 : -EINVAL;
}

size_t segue_offence_print(const struct segue_offence *o, char *out, size_t outlen)
{
	struct seguei_out text;

	seguei_out_init(&text, out, outlen, SEGUE_FORMAT_TEXT);
	if (o->kind == SEGUE_OFFENCE_NONE) {
		seguei_out_printf(&text, "no offence");
		return seguei_out_finish(&text);
	}
	seguei_out_printf(&text, "byte %u", o->offset);
	if (o->segment)
		seguei_out_printf(&text, ", %s%s%s", o->segment,
				  !o->field			      ? ""
				  : o->kind == SEGUE_OFFENCE_RESERVED ? ", "
								      : ".",
				  o->field ? o->field : "");
	seguei_out_printf(&text, ": found %s, expected %s", o->found, o->expected);
	if (o->request)
		seguei_out_printf(&text, " (work request %s on %s", o->request, o->machine);
	else
		seguei_out_printf(&text, " (on %s", o->machine);
	if (o->state)
		seguei_out_printf(&text, ", state %s", o->state);
	seguei_out_printf(&text, ")");
	return seguei_out_finish(&text);
}

/* Prints each segment that the walk visits. */
static void print_step(void *arg, const struct seguei_step_seen *step)
{
	struct seguei_out *out = (struct seguei_out *)arg;
	const uint32_t entry = step->segment->size;
	const bool list = step->symbol && step->symbol->op == SEGUE_MACHINE_SYMBOL_LIST;
	const uint32_t size = list ? entry : step->size;
	char title[32] = "";
	uint32_t at;

	for (at = 0; at + size <= step->size && size; at += size) {
		if (out->format == SEGUE_FORMAT_JSON)
			seguei_json_next(out); /* JSON has no titles */
		else
			snprintf(title, sizeof(title), "byte %u", step->offset + at);
		(void)seguei_segment_put(out, step->segment, step->bytes + at, size, title);
	}
}

static void print_json(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       struct seguei_out *out, struct segue_offence *offence)
{
	const struct segue_machine_start *start = seguei_walk(machine, wqe, len, NULL, NULL,
							      offence);
	char sentence[384];

	seguei_json_open(out, '{');
	seguei_json_key(out, "queue");
	seguei_json_string(out, machine->name);
	seguei_json_key(out, "request");
	if (start)
		seguei_json_string(out, start->name);
	else
		seguei_out_text(out, "null");
	seguei_json_key(out, "segments");
	seguei_json_open(out, '[');
	seguei_walk_again(machine, wqe, len, start, print_step, out);
	seguei_json_close(out, ']');
	seguei_json_key(out, "valid");
	seguei_out_text(out, offence->kind == SEGUE_OFFENCE_NONE ? "true" : "false");
	seguei_json_key(out, "offence");
	if (offence->kind == SEGUE_OFFENCE_NONE) {
		seguei_out_text(out, "null");
	} else {
		segue_offence_print(offence, sentence, sizeof(sentence));
		seguei_json_string(out, sentence);
	}
	seguei_json_close(out, '}');
}

static void print_text(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       struct seguei_out *out, struct segue_offence *offence)
{
	const struct segue_machine_start *start = seguei_walk(machine, wqe, len, NULL, NULL,
							      offence);
	char sentence[384];

	seguei_out_printf(out, "%s on %s\n", start ? start->name : "no work request",
			  machine->name);
	seguei_walk_again(machine, wqe, len, start, print_step, out);
	if (offence->kind == SEGUE_OFFENCE_NONE)
		return;
	segue_offence_print(offence, sentence, sizeof(sentence));
	seguei_out_printf(out, "offence at %s\n", sentence);
}

size_t segue_wqe_print(const struct segue_machine *machine, const void *wqe, size_t len,
		       enum segue_print_format format, char *out, size_t outlen)
{
	struct segue_offence offence;
	struct seguei_out text;

	seguei_out_init(&text, out, outlen, format);
	if (format == SEGUE_FORMAT_JSON)
		print_json(machine, (const uint8_t *)wqe, len, &text, &offence);
	else
		print_text(machine, (const uint8_t *)wqe, len, &text, &offence);
	return seguei_out_finish(&text);
}
