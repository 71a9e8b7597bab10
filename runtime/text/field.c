/* SPDX-License-Identifier: BSD-2-Clause */
/* Legal values of a field, as a check and in words. */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/text/decode.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"

/* Enums with more members than this are named, not listed. */
#define MOST_LISTED 6

/* True if the members of a closed field's enum cover all bits of the value. */
static bool is_known(const struct segue_field_desc *field, uint64_t value)
{
	if (field->enumeration)
		return seguei_enum_name(field->enumeration, value);
	for (uint16_t i = 0; i < field->flags->member_count; i++)
		value &= ~field->flags->members[i].value;
	return !value;
}

bool seguei_field_takes(const struct segue_field_desc *field, uint64_t value)
{
	return value - field->min <= field->max - field->min && /* with or without a sign */
	       (!field->closed || is_known(field, value));
}

/* The same for one part of a field. */
static uint32_t span_in_dword(const struct segue_field_desc *span, uint16_t byte)
{
	const uint64_t mask = (span->width < 64 ? (UINT64_C(1) << span->width) - 1 : UINT64_MAX)
			      << span->lsb;
	const bool high = span->word == 64 && (byte == span->byte) != span->little;

	if (span->word == 0 || (byte != span->byte && (span->word != 64 || byte != span->byte + 4)))
		return 0;
	return (uint32_t)(high ? mask >> 32 : mask);
}

uint32_t seguei_field_in_dword(const struct segue_field_desc *field, uint16_t byte)
{
	uint32_t mask = 0;

	if (!field->n_pieces)
		return span_in_dword(field, byte);
	for (uint8_t i = 0; i < field->n_pieces; i++)
		mask |= span_in_dword(&field->pieces[i], byte);
	return mask;
}

bool seguei_flags_dword(const struct segue_control_desc *control, const uint8_t *wqe,
			uint64_t *value)
{
	struct segue_field_desc flags;

	if (!control->n_flags)
		return false;
	flags = control->segment->fields[control->flags[0]];
	flags.lsb = 0;
	flags.width = 32;
	return seguei_field_get(&flags, wqe, control->segment->size, value);
}

void seguei_field_number(struct seguei_out *out, const struct segue_field_desc *field,
			 uint64_t value)
{
	if (field->is_signed)
		seguei_out_printf(out, "%" PRId64, (int64_t)value);
	else
		seguei_out_number(out, value);
}

void seguei_field_expected(struct seguei_out *out, const struct segue_field_desc *field)
{
	const struct segue_enum_desc *members = field->enumeration;
	uint16_t i;

	if (!field->closed) {
		seguei_field_number(out, field, field->min);
		seguei_out_text(out, " to ");
		seguei_field_number(out, field, field->max);
		return;
	}
	if (!members) {
		seguei_out_printf(out, "flags of enum %s", field->flags->name);
		return;
	}
	if (members->member_count > MOST_LISTED) {
		seguei_out_printf(out, "a member of enum %s", members->name);
		return;
	}
	for (i = 0; i < members->member_count; i++)
		seguei_out_printf(out, "%s%s (%" PRIu64 ")",
				  i == 0			   ? ""
				  : i + 1 == members->member_count ? " or "
								   : ", ",
				  members->members[i].name, members->members[i].value);
}

/* The member with exactly these bits, or NULL. */
static const char *flag_name(uint64_t bits)
{
	const struct segue_enum_desc *flags = segue_control.flag_names;

	for (uint16_t i = 0; flags && bits && i < flags->member_count; i++)
		if (flags->members[i].value == bits)
			return flags->members[i].name;
	return NULL;
}

void seguei_flags_named(uint32_t value, char *text, size_t size)
{
	const char *name = flag_name(value);

	if (name)
		snprintf(text, size, "%s (0x%x)", name, value);
	else
		snprintf(text, size, "0x%x", value);
}

void seguei_flags_legal(uint32_t legal, char *text, size_t size)
{
	const struct segue_enum_desc *flags = segue_control.flag_names;
	const char *comma = "";
	struct seguei_out out;

	seguei_out_init(&out, text, size, SEGUE_FORMAT_TEXT);
	for (uint16_t i = 0; flags && i < flags->member_count; i++) {
		const struct segue_member_desc *member = &flags->members[i];

		if (!member->value || (member->value & ~(uint64_t)legal))
			continue;
		seguei_out_printf(&out, "%s%s", comma, member->name);
		comma = ", ";
	}
	if (!*comma)
		seguei_out_printf(&out, "no flag");
	(void)seguei_out_finish(&out);
}
