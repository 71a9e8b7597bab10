/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of queue pairs and calls, for `segue run --report`. */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/verbs/layer.h"

static uint64_t counts[SEGUEI_LAYER_COUNTERS];

static const char *const reasons[SEGUEI_LAYER_REASONS] = {
	[SEGUEI_LAYER_TYPE] = "of a type that posts nothing, as DCTs and XRC targets",
	[SEGUEI_LAYER_OPTION] = "made with an option that the layer does not know",
	[SEGUEI_LAYER_DOMAIN] = "of a parent domain",
	[SEGUEI_LAYER_POLLED] = "on a completion queue that the program reads in another way",
	[SEGUEI_LAYER_REFUSED] = "for which the device or Segue had no resources",
};

void seguei_layer_count(enum seguei_layer_counter what, uint64_t more)
{
	(void)__atomic_fetch_add(&counts[what], more, __ATOMIC_RELAXED);
}

void seguei_layer_report(FILE *out, uint32_t by_post, uint32_t by_completion)
{
	const uint64_t sends = counts[SEGUEI_LAYER_SENDS], taken = counts[SEGUEI_LAYER_TAKEN];
	const uint64_t completions = counts[SEGUEI_LAYER_COMPLETIONS];
	int i;

	fprintf(out, "segue run: %" PRIu64 " queue pair%s taken\n", taken, taken == 1 ? "" : "s");
	for (i = 0; i < SEGUEI_LAYER_REASONS; i++)
		if (counts[i])
			fprintf(out, "segue run: %" PRIu64 " left to libmlx5: %s\n", counts[i],
				reasons[i]);
	fprintf(out,
		"segue run: %" PRIu64 " calls that post sends, %" PRIu64
		" that post receives; %" PRIu64 " polls, %" PRIu64 " completions\n",
		sends, counts[SEGUEI_LAYER_RECVS], counts[SEGUEI_LAYER_POLLS], completions);
	if (!sends && !completions)
		return;
	fprintf(out, "segue run: at least %" PRIu64 " instructions saved\n",
		sends * by_post + completions * by_completion);
	fprintf(out, "segue run: all doorbells were plain; libmlx5 copies requests that are posted "
		     "alone to a register (BlueFlame), which saves a card a read of memory\n");
}
