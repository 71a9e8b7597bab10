/* SPDX-License-Identifier: BSD-2-Clause */
/* segue explain of a text: what failed first, why, and what to do. */
#ifndef SEGUE_TOOL_LOG_LOG_H
#define SEGUE_TOOL_LOG_LOG_H

#include <stdio.h>

#include "tools/segue/log/findings.h"
#include "tools/segue/report.h"

/* log_find() reads a text to its end, but not a capture. @size: of the file, for reports of
 * progress, or 0 for none. Returns 0 or -ENOMEM. */
int log_find(FILE *file, uint64_t size, struct find *find);

/* log_explain() reads a text to its end. @name: for messages. Returns what the command ends
 * with. */
int log_explain(struct report *report, FILE *file, const char *name);

#endif
