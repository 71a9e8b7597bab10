/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cold path of requests in the caller's own blocks: refusals, and the validation of checked builds.
 */
#include "segue/detail/device/block.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "segue/base.h"
#include "segue/decode.h"
#include "segue/detail/device/overflow.h"
#include "segue/tables.h"

/* Most bytes that are read of a request that continues in another ring. */
#define MOST_SPILLED 4096

/* The request in one piece: the part in the other ring follows the rest. */
static const uint8_t *whole_of(const struct seguei_block *b, const struct segue_machine *machine,
			       uint8_t whole[MOST_SPILLED], uint32_t *size)
{
	uint32_t from = b->entry;

	*size = machine->send ? b->size : b->bytes;
	if (!b->spill || !b->spill->ring || b->bytes > MOST_SPILLED)
		return b->start;
	memcpy(whole, b->start, b->entry);
	for (; from < b->bytes; from++)
		whole[from] = *seguei_spill_place(b, from);
	*size = from;
	return whole;
}

int seguei_block_refuse(const struct seguei_block *b, const struct segue_machine *machine)
{
	const int refusal = seguei_block_refusal(b);
	uint8_t whole[MOST_SPILLED];
	const uint8_t *bytes;
	uint32_t size;
	char why[320];

	if (refusal == EINVAL)
		return seguei_fail(refusal,
				   "Block for a request on %s: at is NULL, expected its address.",
				   machine->name);
	if (refusal == EMSGSIZE && b->block->size < b->least)
		return seguei_fail(refusal,
				   "Block for a request on %s: size is %u, expected at least %u "
				   "bytes for this request.",
				   machine->name, b->block->size, b->least);
	if (refusal == EMSGSIZE)
		return seguei_fail(refusal,
				   "Block for a request on %s: the request does not fit its %u "
				   "bytes; give fewer buffers or less inline "
				   "data, or a queue with larger entries.",
				   machine->name, b->limit);
	bytes = whole_of(b, machine, whole, &size);
	if (b->why & SEGUEI_NULL)
		(void)seguei_null_print(why, sizeof(why));
	else
		(void)seguei_refusal_print(machine, bytes, size, why, sizeof(why));
	return seguei_fail(
		refusal, "Block for a request on %s: %s; correct the argument and build it again.",
		machine->name, why);
}

void seguei_block_check(const struct seguei_block *b, const struct segue_machine *machine)
{
	uint8_t whole[MOST_SPILLED];
	struct segue_offence offence;
	char sentence[384];
	uint32_t size;
	const uint8_t *bytes = whole_of(b, machine, whole, &size);

	if (!segue_wqe_validate(machine, bytes, size, &offence))
		return;
	(void)segue_offence_print(&offence, sentence, sizeof(sentence));
	(void)fprintf(stderr, "segue: block for a request on %s: %s\n", machine->name, sentence);
	abort();
}
