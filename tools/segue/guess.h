/* SPDX-License-Identifier: BSD-2-Clause */
/* What bytes are whose kind nobody gave: requests, completions, or neither. Who cannot tell says
 * so. */
#ifndef SEGUE_TOOL_GUESS_H
#define SEGUE_TOOL_GUESS_H

#include <stdbool.h>
#include <stddef.h>

#include "segue/tables.h"
#include "tools/segue/dump.h"

enum kind { KIND_ANY, KIND_WQE, KIND_CQE, KIND_RING };

struct guess {
	enum kind kind;	  /* KIND_ANY: nobody knows, or it is known that the order is wrong */
	bool doubtful;	  /* it could be that, and as well be noise */
	/* bytes of a word; turned round in each, they are requests or completions; 0: they are not
	 */
	unsigned int turned;
};

/* @machine: of a send queue, or NULL; @cqe_size: of completions, in bytes */
struct guess guess_of(const struct segue_machine *machine, size_t cqe_size,
		      const struct dump *dump);

/* Bytes of the words in which a dump's bytes have to be turned round to be legal; 0: they are legal
 * already, or no order makes them so. */
unsigned int guess_turned(const struct segue_machine *machine, size_t cqe_size,
			  const struct dump *dump);

#endif
