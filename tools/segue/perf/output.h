/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows for people, as JSON, and as a picture. */
#ifndef SEGUE_TOOL_PERF_OUTPUT_H
#define SEGUE_TOOL_PERF_OUTPUT_H

#include <stdio.h>

#include "tools/segue/perf/perf.h"
#include "tools/segue/report.h"

/* Microseconds, and megabytes a second, as they are shown. */
static inline double us(uint64_t ns)
{
	return (double)ns / 1e3;
}

static inline double row_mb_per_second(const struct perf_row *row)
{
	return row->per_second * row->bytes / 1e6;
}

#define SHOW_BARS 16u /* of a histogram in the terminal */

/* The table's head, its rows, or with --json one object each, and a histogram in the terminal. */
void show_head(struct report *r, const struct perf_side *side);
void show_row(struct report *r, const struct perf_side *side);
void show_histogram(const struct perf_row *row);

/* An SVG of all rows: a histogram of each latency, and the rates. 0, or -1 with errno. */
int show_svg(const char *path, const struct perf_side *side, const struct perf_row *rows,
	     uint32_t count);

/* End of a histogram: one in a thousand lies after it. At least 1 after the least. */
uint64_t show_end(const struct perf_times *times);

#endif
