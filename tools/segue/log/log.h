/* SPDX-License-Identifier: BSD-2-Clause */
/* segue explain of a text: what failed first, why, and what to do. */
#ifndef SEGUE_TOOL_LOG_LOG_H
#define SEGUE_TOOL_LOG_LOG_H

#include <stdio.h>

#include "tools/segue/log/find.h"
#include "tools/segue/report.h"

/* The first bytes of a file, which have been read to see what it is. */
struct log_begin {
	char bytes[4];
	size_t len;
	uint64_t size; /* of the whole, for reports of progress, or 0 for none */
};

/* log_find() reads a text to its end. Returns 0 or -ENOMEM. */
int log_find(FILE *file, const struct log_begin *begin, struct find *find);

/* log_explain() reads a text to its end. @name: for messages. Returns what the command ends
 * with. */
int log_explain(struct report *report, FILE *file, const char *name);

#endif
