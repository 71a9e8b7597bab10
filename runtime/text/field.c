/* SPDX-License-Identifier: BSD-2-Clause */
/* What a field takes, as a check and in words. */
#include <inttypes.h>

#include "runtime/text/decode.h"
#include "segue/gen/tables.h"

/* Enums with more members than this are named, not listed. */
#define MOST_LISTED 6

bool seguei_field_takes(const struct segue_field_desc *field, uint64_t value)
{
	return value >= field->min && value <= field->max && (!field->closed || seguei_enum_name(field->enumeration, value));
}

void seguei_field_expected(struct seguei_out *out, const struct segue_field_desc *field)
{
	const struct segue_enum_desc *members = field->enumeration;
	uint16_t i;

	if (!field->closed) {
		seguei_out_printf(out, "%" PRIu64 " to %" PRIu64, field->min, field->max);
		return;
	}
	if (members->member_count > MOST_LISTED) {
		seguei_out_printf(out, "a member of enum %s", members->name);
		return;
	}
	for (i = 0; i < members->member_count; i++)
		seguei_out_printf(out, "%s%s (%" PRIu64 ")", i == 0 ? "" : i + 1 == members->member_count ? " or " : ", ",
				  members->members[i].name, members->members[i].value);
}
