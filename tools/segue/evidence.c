// SPDX-License-Identifier: BSD-2-Clause
/*
 * Weighs whether bytes are receive entries or noise, by the bits that a shorter description of them
 * saves.
 */
#include "tools/segue/evidence.h"

#include "runtime/text/decode.h"
#include "tools/segue/dump.h"
#include "tools/segue/wqe.h"

#define ENOUGH 20

/*
 * Codes of a value, and the bits that each takes to name itself: the value's own bits (1 in 2
 * values), the value of the segment before, or a count of zeros and the rest (1 in 4 each). Every
 * value has a code word, so noise saves N bits no more often than once in 2^N.
 */
enum { AS_IT_IS = 1, AS_BEFORE = 2, WITH_ZEROS = 2 + 7 /* up to 64 of them */ };

static int64_t spared(const struct segue_field_desc *field, uint64_t value, const uint64_t *before)
{
	/* The bit after the zeros is a one, which takes no bit either. */
	const unsigned int zeros = value ? (unsigned int)__builtin_clzll(value) -
						   (64 - field->width)
					 : field->width;
	const int64_t small = (int64_t)(zeros < field->width ? zeros + 1 : zeros) - WITH_ZEROS;
	const int64_t repeated = before && *before == value ? (int64_t)field->width - AS_BEFORE
							    : -AS_IT_IS;

	return small > repeated ? small : repeated;
}

static void take_field(struct evidence *e, const struct segue_field_desc *field,
		       const struct seguei_step_seen *step, const uint8_t *before)
{
	uint64_t value, old = 0;

	if (!field->word) {
		if (field->reserved && !field->stale)
			e->demanded += field->width;
		else
			e->usual += (dump_is_zero(step->bytes + field->byte, field->width / 8)
					     ? field->width
					     : 0) -
				    AS_IT_IS;
		return;
	}
	if (!seguei_field_get(field, step->bytes, step->segment->size, &value))
		return;
	if (field->is_const || (field->reserved && !field->stale)) {
		e->demanded += field->width;
		return;
	}
	if (before)
		(void)seguei_field_get(field, before, step->segment->size, &old);
	e->usual += spared(field, value, before ? &old : NULL);
}

void evidence_take(void *evidence, const struct seguei_step_seen *step)
{
	struct evidence *const e = evidence;
	const uint32_t place = step->offset / step->segment->size;
	const uint8_t **const before = place < EVIDENCE_PIECES ? &e->before[place] : NULL;
	uint16_t i;

	for (i = 0; i < step->segment->field_count; i++)
		take_field(e, &step->segment->fields[i], step, before ? *before : NULL);
	if (before)
		*before = step->bytes;
}

bool evidence_enough(const struct evidence *e)
{
	return e->demanded + (e->usual > 0 ? e->usual : 0) >= ENOUGH;
}
