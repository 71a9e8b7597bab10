/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Line so far; what does not fit is counted only. */
struct line {
	char *out;
	size_t outlen, length;
};

/* @polled: of the half that polls, or NULL: only errors are counted there. */
static void fill(const struct seguei_counts *counts, const struct seguei_counts *polled,
		 struct segue_counters *out)
{
	uint32_t i;

	memset(out, 0, sizeof(*out));
	out->posted = counts->posted;
	out->rung = counts->rung;
	out->refused = counts->refused;
	out->forced = counts->forced;
	for (i = 0; i < SEGUE_COUNTED_SYNDROMES; i++)
		out->errors[i] = counts->errors[i] + (polled ? polled->errors[i] : 0);
}

void segue_sq_get_counters(const struct segue_sq *sq, struct segue_counters *out)
{
	fill(&sq->counts, sq->polled ? &sq->polled->counts : NULL, out);
}

void segue_rq_get_counters(const struct segue_rq *rq, struct segue_counters *out)
{
	fill(&rq->ring.counts, rq->ring.polled ? &rq->ring.polled->counts : NULL, out);
}

void segue_srq_get_counters(const struct segue_srq *srq, struct segue_counters *out)
{
	fill(&srq->ring.counts, srq->front ? &srq->front->ring.counts : NULL, out);
}

void segue_cq_get_counters(const struct segue_cq *cq, struct segue_counters *out)
{
	memset(out, 0, sizeof(*out));
	out->polls = cq->counts.polls;
	out->empty = cq->counts.empty;
	out->entries = cq->ci;
	memcpy(out->errors, cq->counts.errors, sizeof(out->errors));
}

static void say(struct line *line, const char *name, uint64_t value)
{
	const size_t at = line->length < line->outlen ? line->length : line->outlen;
	int n;

	if (!value)
		return;
	n = snprintf(line->outlen ? line->out + at : NULL, line->outlen - at, "%s%s=%" PRIu64,
		     line->length ? " " : "", name, value);
	if (n > 0)
		line->length += (size_t)n;
}

size_t segue_counters_print(const struct segue_counters *counters, char *out, size_t outlen)
{
	struct line line = {out, outlen, 0};
	uint32_t i;

	if (outlen)
		out[0] = 0;
	say(&line, "posted", counters->posted);
	say(&line, "rung", counters->rung);
	say(&line, "refused", counters->refused);
	say(&line, "forced", counters->forced);
	say(&line, "polls", counters->polls);
	say(&line, "empty", counters->empty);
	say(&line, "entries", counters->entries);
	for (i = 1; i < SEGUE_COUNTED_SYNDROMES; i++) {
		const char *const name = segue_cqe_syndrome_name(i);

		say(&line, name ? name : "UNKNOWN_ERR", counters->errors[i]);
	}
	say(&line, "OTHER_ERR", counters->errors[0]);
	return line.length;
}
