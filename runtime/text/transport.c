/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of queue pair transitions: states, required attributes and allowed ones. */
#include "segue/tables.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/transports.h"

/* A sentence under construction. Text that does not fit is left out. */
struct text {
	char chars[400];
	size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int written;

	va_start(args, format);
	written = vsnprintf(text->chars + text->used, sizeof(text->chars) - text->used, format,
			    args);
	va_end(args);
	if (written > 0)
		text->used += (size_t)written;
	if (text->used >= sizeof(text->chars))
		text->used = sizeof(text->chars) - 1;
}

/* The attribute STATE, which each modify command sets, if the device has one. */
static uint32_t state_bit(void)
{
	const struct segue_enum_desc *desc = seguei_attributes;

	for (uint32_t i = 0; desc && i < desc->member_count; i++)
		if (!strcmp(desc->members[i].name, "STATE"))
			return (uint32_t)desc->members[i].value;
	return 0;
}

/* The names of attributes, as "A, B, C". */
static void add_attributes(struct text *text, uint32_t mask)
{
	const struct segue_enum_desc *desc = seguei_attributes;
	const char *comma = "";
	uint32_t i;

	for (i = 0; desc && i < desc->member_count; i++) {
		const uint32_t value = (uint32_t)desc->members[i].value;

		if (mask & value)
			add(text, "%s%s", comma, desc->members[i].name);
		if (mask & value)
			comma = ", ";
		mask &= ~value;
	}
	if (mask)
		add(text, "%sunknown bits 0x%x", comma, mask);
}

static const char *state_name(const struct segue_transport_table *transport, uint32_t state)
{
	const struct segue_enum_desc *desc = seguei_states;
	uint32_t i;

	if (state < transport->n_states && transport->states[state].name)
		return transport->states[state].name;
	for (i = 0; desc && i < desc->member_count; i++)
		if (desc->members[i].value == state)
			return desc->members[i].name;
	return "no state";
}

static int refuse_way(const struct segue_transport_table *transport, uint32_t from, uint32_t to)
{
	const struct segue_transition *way = segue_transition_between(transport, from, to);
	struct text text = {.used = 0};
	const char *comma = "";
	uint32_t i;

	for (i = 0; i < transport->n_states; i++) {
		if (!segue_transition_is_valid(transport, from, i))
			continue;
		add(&text, "%s%s", comma, transport->states[i].name);
		comma = ", ";
	}
	if (way && way->by_device)
		return seguei_fail(EINVAL,
				   "%s queue pair: only the device itself goes from %s to %s; a "
				   "modify may go to: %s.",
				   transport->name, state_name(transport, from),
				   state_name(transport, to), text.chars);
	if (!text.used)
		add(&text, "nowhere");
	return seguei_fail(
		EINVAL,
		"%s queue pair: there is no way from %s to %s; from there a modify may go to: %s.",
		transport->name, state_name(transport, from), state_name(transport, to),
		text.chars);
}

int segue_transition_check(const struct segue_transport_table *transport, uint32_t from,
			   uint32_t to, uint32_t mask)
{
	const struct segue_transition *way = segue_transition_between(transport, from, to);
	struct text text = {.used = 0};
	uint32_t missing, surplus;

	if (!way || !way->valid)
		return refuse_way(transport, from, to);
	mask &= ~state_bit();
	missing = way->required & ~mask;
	surplus = mask & ~(way->required | way->optional);
	if (!missing && !surplus)
		return 0;
	if (missing) {
		add(&text, "missing: ");
		add_attributes(&text, missing);
	}
	if (surplus) {
		add(&text, "%snot allowed: ", missing ? "; " : "");
		add_attributes(&text, surplus);
	}
	return seguei_fail(EINVAL, "%s queue pair, %s to %s: %s.", transport->name,
			   state_name(transport, from), state_name(transport, to), text.chars);
}
