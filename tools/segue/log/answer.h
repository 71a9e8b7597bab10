/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what public reports and the spec know of values, with causes, checks and the next step. */
#ifndef SEGUE_TOOL_LOG_ANSWER_H
#define SEGUE_TOOL_LOG_ANSWER_H

#include "tools/segue/log/findings.h"
#include "tools/segue/report.h"

/* answer_all() prints a record for each failure, the first one first, and one for what else the
 * text holds. Returns how many of them are understood. */
unsigned int answer_all(struct report *report, const struct find *find);

/*
 * The parts of an answer, put into a record that is open: how a vendor code was seen, and the
 * causes. `hints` are bits of enum values of spec/logs. Unknown values are missing in `values`.
 */
void answer_seen(struct report *report, const struct values *values);
void answer_causes(struct report *report, const struct values *values, uint32_t hints);

/* The next step of a completion, as failed_next(). */
void answer_next(struct report *report, const struct values *values);

/* A next step that stands in a table. */
void answer_step(struct report *report, const char *step);

void answer_counter(struct report *report, const struct log_counter *counter,
		    const uint64_t *value);
const struct log_event *answer_event_of(const char *words);

/* A firmware command's syndrome and status. */
void answer_command(struct report *report, const struct values *values);

#endif
