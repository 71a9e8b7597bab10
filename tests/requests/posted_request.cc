// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/posted_request.h"

#include <gtest/gtest.h>
#include <string.h>

extern "C" {
#include "runtime/text/decode.h"
}
#include "runtime/text/walk.h"
#include "segue/decode.h"
#include "segue/tables.h"

namespace requests {

namespace {

size_t entries_of(const Part &part)
{
	return part.segment->has_tail || part.size < part.segment->size
		       ? 1
		       : part.size / part.segment->size;
}

} // namespace

bool Posted::has(const char *segment) const
{
	return count(segment) > 0;
}

size_t Posted::count(const char *segment) const
{
	size_t n = 0;

	for (const Part &part : parts)
		if (!strcmp(part.segment->name, segment))
			n += entries_of(part);
	return n;
}

uint64_t Posted::value(const char *segment, const char *field, size_t nth) const
{
	const Part *part = &parts[0];
	uint64_t value = 0;
	size_t at = 0;

	for (const Part &p : parts) {
		if (strcmp(p.segment->name, segment))
			continue;
		part = &p;
		at = nth * p.segment->size;
		if (at < p.size)
			break;
		nth -= entries_of(p);
	}
	for (uint16_t i = 0; i < part->segment->field_count; i++)
		if (!strcmp(part->segment->name, segment) && at < part->size &&
		    !strcmp(part->segment->fields[i].name, field)) {
			EXPECT_TRUE(seguei_field_get(&part->segment->fields[i],
						     bytes.data() + part->at + at, part->size - at,
						     &value));
			return value;
		}
	ADD_FAILURE() << request << " has no " << segment << "." << field;
	return 0;
}

const uint8_t *Posted::payload(const char *segment, size_t *length) const
{
	uint64_t size = 0;

	for (const Part &part : parts)
		if (!strcmp(part.segment->name, segment)) {
			EXPECT_TRUE(seguei_tail_length(part.segment, bytes.data() + part.at,
						       part.size, &size));
			*length = size;
			return bytes.data() + part.at + part.segment->tail_at;
		}
	*length = 0;
	return nullptr;
}

Posted take_apart(const segue_machine &machine, const std::vector<uint8_t> &bytes)
{
	Posted posted;
	segue_offence offence = {};
	char text[512] = "";
	const segue_machine_start *start = seguei_walk(
		&machine, bytes.data(), bytes.size(),
		[](void *arg, const seguei_step_seen *step) {
			Posted *const found = static_cast<Posted *>(arg);

			found->end = step->offset + step->size;
			if (!step->symbol ||
			    (step->symbol->op != SEGUE_MACHINE_SYMBOL_TERMINATOR && step->size))
				found->parts.push_back({step->segment, step->offset, step->size});
		},
		&posted, &offence);

	if (offence.kind != SEGUE_OFFENCE_NONE)
		segue_offence_print(&offence, text, sizeof(text));
	posted.offence = text;
	posted.queue = machine.name;
	posted.request = start ? start->name : "";
	posted.bytes = bytes;
	if (machine.send)
		posted.bytes.resize(posted.end); // of its last block
	return posted;
}

} // namespace requests
