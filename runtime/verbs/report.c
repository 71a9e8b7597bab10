/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of taken and left queue pairs, for `segue run --report`. */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/verbs/layer.h"

static struct {
	uint64_t taken, left[SEGUEI_LAYER_REASONS];
	uint64_t sends, recvs, polls, completions;
} counts;

static const char *const reasons[SEGUEI_LAYER_REASONS] = {
	[SEGUEI_LAYER_TYPE] = "of a type other than RC, UC and UD",
	[SEGUEI_LAYER_OPTION] = "made with an option that the layer does not know",
	[SEGUEI_LAYER_DOMAIN] = "of a parent domain",
	[SEGUEI_LAYER_POLLED] = "on a completion queue that the program reads in another way",
	[SEGUEI_LAYER_REFUSED] = "for which the device or Segue had no resources",
};

static void add(uint64_t *to, uint64_t n)
{
	(void)__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

void seguei_layer_left(enum seguei_layer_reason reason)
{
	add(&counts.left[reason], 1);
}

void seguei_layer_took(void)
{
	add(&counts.taken, 1);
}

void seguei_layer_count(const struct seguei_layer_qp *q)
{
	add(&counts.sends, q->sends);
	add(&counts.recvs, q->recvs);
}

void seguei_layer_count_cq(const struct seguei_layer_cq *c)
{
	add(&counts.polls, c->polls);
	add(&counts.completions, c->completions);
}

void seguei_layer_report(FILE *out, const struct seguei_layer_saved *saved)
{
	int i;

	fprintf(out, "segue run: %" PRIu64 " queue pair%s taken\n", counts.taken,
		counts.taken == 1 ? "" : "s");
	for (i = 0; i < SEGUEI_LAYER_REASONS; i++)
		if (counts.left[i])
			fprintf(out, "segue run: %" PRIu64 " left to libmlx5: %s\n", counts.left[i],
				reasons[i]);
	fprintf(out,
		"segue run: %" PRIu64 " calls that post sends, %" PRIu64
		" that post receives; %" PRIu64 " polls, %" PRIu64 " completions\n",
		counts.sends, counts.recvs, counts.polls, counts.completions);
	if (!counts.sends && !counts.completions)
		return;
	fprintf(out, "segue run: at least %" PRIu64 " instructions saved\n",
		counts.sends * saved->by_post + counts.completions * saved->by_completion);
	fprintf(out, "segue run: all doorbells were plain; libmlx5 copies requests that are posted "
		     "alone to a register (BlueFlame), which saves a card a read of memory\n");
}
