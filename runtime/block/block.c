/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/block.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "segue/errmsg.h"
#include "segue/machine.h"
#include "segue/validate.h"

int seguei_block_refuse(const struct seguei_block *b, const struct segue_machine *machine)
{
	char why[320];

	if (!b->start)
		return seguei_fail(EINVAL,
				   "Block for a request on %s: at is NULL, expected its address.",
				   machine->name);
	if (b->block->size < b->least)
		return seguei_fail(EMSGSIZE,
				   "Block for a request on %s: size is %u, expected at least %u "
				   "bytes for this request.",
				   machine->name, b->block->size, b->least);
	if (b->why & SEGUEI_TOO_LONG)
		return seguei_fail(EMSGSIZE,
				   "Block for a request on %s: the request does not fit its %u "
				   "bytes; give fewer buffers or less inline "
				   "data, or a queue with larger entries.",
				   machine->name, b->limit);
	if (b->why & SEGUEI_NULL)
		(void)seguei_null_print(why, sizeof(why));
	else
		(void)seguei_refusal_print(machine, b->start, machine->send ? b->size : b->bytes,
					   why, sizeof(why));
	return seguei_fail(
		ERANGE, "Block for a request on %s: %s; correct the argument and build it again.",
		machine->name, why);
}

void seguei_block_check(const struct seguei_block *b, const struct segue_machine *machine)
{
	struct segue_offence offence;
	char sentence[384];

	if (!segue_wqe_validate(machine, b->start, machine->send ? b->size : b->bytes, &offence))
		return;
	(void)segue_offence_print(&offence, sentence, sizeof(sentence));
	(void)fprintf(stderr, "segue: block for a request on %s: %s\n", machine->name, sentence);
	abort();
}
