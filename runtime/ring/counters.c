/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters of queues: reading and printing them, and the counting variants of the cold functions.
 */
#include "segue/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "segue/pattern.h"

/* The line so far. Characters that do not fit are counted only. */
struct line {
	char *out;
	size_t outlen, length;
};

static void fill(const struct seguei_counts *counts, struct segue_counters *out)
{
	memset(out, 0, sizeof(*out));
	out->posted = counts->posted;
	out->rung = counts->rung;
	out->refused = counts->refused;
	out->forced = counts->forced;
}

void segue_sq_get_counters(const struct segue_sq *sq, struct segue_counters *out)
{
	fill(&sq->counts, out);
}

void segue_rq_get_counters(const struct segue_rq *rq, struct segue_counters *out)
{
	fill(&rq->ring.counts, out);
}

void segue_srq_get_counters(const struct segue_srq *srq, struct segue_counters *out)
{
	fill(&srq->ring.counts, out);
}

void segue_cq_get_counters(const struct segue_cq *cq, struct segue_counters *out)
{
	memset(out, 0, sizeof(*out));
	out->polls = cq->counts.polls;
	out->empty = cq->counts.empty;
	out->entries = seguei_cq_ci(cq);
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
	uint64_t others = 0;
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
	for (i = 0; i < SEGUE_COUNTED_SYNDROMES; i++) {
		const char *const name = segue_cqe_syndrome_name(i);

		if (name)
			say(&line, name, counters->errors[i]);
		else
			others += counters->errors[i];
	}
	say(&line, "OTHER_ERR", others);
	return line.length;
}

/* ---- calls of sources that were compiled with counting ---- */

static void count(struct segue_sq *sq, int ret, uint32_t forced)
{
	sq->counts.forced += sq->forced != forced;
	if (ret)
		sq->counts.refused++;
	else
		SEGUEI_COUNT_FOR_PROGRAM(sq->counts.posted);
}

int seguei_finish_unusual_counted(struct segue_sq *sq, uint64_t packed, int32_t bad,
				  const struct segue_machine *machine)
{
	const uint32_t forced = sq->forced;
	const int ret = seguei_finish_unusual(sq, packed, bad, machine);

	count(sq, ret, forced);
	if (!ret && seguei_form_unpack(packed).how != SEGUEI_COMMIT)
		SEGUEI_COUNT_FOR_PROGRAM(sq->counts.rung);
	return ret;
}

int seguei_pattern_unusual_counted(struct seguei_pattern *pattern, uint32_t pi, uint64_t wr_id,
				   uint32_t flags, int32_t bad)
{
	const uint32_t forced = pattern->sq->forced;
	const int ret = seguei_pattern_unusual(pattern, pi, wr_id, flags, bad);

	count(pattern->sq, ret, forced);
	return ret;
}

void seguei_sq_blueflame_counted(struct segue_sq *sq, uint32_t pi)
{
	seguei_sq_blueflame(sq, pi);
	SEGUEI_COUNT_FOR_PROGRAM(sq->counts.rung);
}

int seguei_rq_refused_counted(struct seguei_recv_ring *ring, uint64_t wr_id, uint32_t bytes,
			      uint32_t why, const struct segue_machine *machine, int32_t bad)
{
	const int ret = seguei_rq_refused(ring, wr_id, bytes, why, machine, bad);

	if (ret) {
		ring->counts.refused++;
		return ret;
	}
	SEGUEI_COUNT_FOR_PROGRAM(ring->counts.posted);
	if (why & SEGUEI_RUNG)
		SEGUEI_COUNT_FOR_PROGRAM(ring->counts.rung);
	return 0;
}
