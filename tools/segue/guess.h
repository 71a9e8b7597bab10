/* SPDX-License-Identifier: BSD-2-Clause */
/* Kind of bytes that was not given: requests, completions, or unknown. */
#ifndef SEGUE_TOOL_GUESS_H
#define SEGUE_TOOL_GUESS_H

#include <stdbool.h>
#include <stddef.h>

#include "segue/tables.h"
#include "tools/segue/dump.h"

enum kind { KIND_ANY, KIND_WQE, KIND_CQE, KIND_RING };

struct guess {
	enum kind kind;	  /* KIND_ANY: not known, or known to be in a wrong order */
	bool doubtful;	  /* it could be that, and as well be noise */
	/* bytes of a word. Turned round in each, they are requests or completions. 0: they are
	 * not */
	unsigned int turned;
};

/* @machine: of a send queue, or NULL. @cqe_size: of completions, in bytes. */
struct guess guess_of(const struct segue_machine *machine, size_t cqe_size,
		      const struct dump *dump);

/* Bytes of the words in which a dump's bytes have to be turned round to be legal. 0 if they are
 * legal already, or no order makes them so. */
unsigned int guess_turned(const struct segue_machine *machine, size_t cqe_size,
			  const struct dump *dump);

#endif
