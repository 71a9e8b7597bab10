// SPDX-License-Identifier: BSD-2-Clause
/* The kit's completions: waited for, but not for ever, and kept. */
#include <string.h>
#include <time.h>

#include "segue/base.h"
#include "segue/gen/tables.h"
#include "tools/segue/check/kit.h"

#define TAKE_MS 3000

static void keep(const struct segue_wc *wc, void *arg)
{
	struct kit *const kit = arg;

	if (kit->n_taken == KIT_TAKEN)
		return;
	kit->taken[kit->n_taken].wc = *wc;
	if (wc->cqe)
		memcpy(kit->taken[kit->n_taken].cqe, wc->cqe, 64);
	kit->n_taken++;
}

bool kit_take(struct kit *kit, struct segue_cq *cq, unsigned int count)
{
	const segue_deadline deadline = segue_deadline_in_ms(TAKE_MS);
	unsigned int looks = 0;

	kit->n_taken = 0;
	while (kit->n_taken < count) {
		if (segue_cq_poll_each(cq ? cq : kit->cq, (int)(count - kit->n_taken), keep, kit) <
		    0)
			return kit_say(kit, "%s", segue_errmsg());
		if (kit->n_taken < count && segue_deadline_left_ms(deadline) == 0)
			return kit_say(kit, "%u of %u completions came within %u ms", kit->n_taken,
				       count, TAKE_MS);
		/* One that is late may take long, and other threads need the processor. */
		if (++looks > 2000)
			nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return true;
}

bool kit_quiet(struct kit *kit, struct segue_cq *cq, unsigned int ms)
{
	const segue_deadline deadline = segue_deadline_in_ms(ms);

	kit->n_taken = 0;
	do {
		if (segue_cq_poll_each(cq ? cq : kit->cq, 1, keep, kit) < 0)
			return kit_say(kit, "%s", segue_errmsg());
		if (kit->n_taken)
			return kit_say(kit, "request %llu completed, which was to wait",
				       (unsigned long long)kit->taken[0].wc.wr_id);
	} while (segue_deadline_left_ms(deadline) > 0);
	return true;
}

const struct kit_wc *kit_taken(const struct kit *kit, uint64_t wr_id)
{
	unsigned int i;

	for (i = 0; i < kit->n_taken; i++)
		if (kit->taken[i].wc.wr_id == wr_id)
			return &kit->taken[i];
	return NULL;
}

bool kit_complete(struct kit *kit, const uint64_t *wr_ids)
{
	unsigned int n = 0, i;
	const char *name;

	while (wr_ids[n])
		n++;
	if (!kit_take(kit, NULL, n))
		return false;
	for (i = 0; i < n; i++) {
		const struct kit_wc *const wc = kit_taken(kit, wr_ids[i]);

		if (!wc)
			return kit_say(kit, "the completion of %s is missing",
				       wr_ids[i] == KIT_RECEIVE ? "the receive" : "the request");
		if (!wc->wc.syndrome)
			continue;
		name = seguei_enum_name(&segue_cqe_syndrome_desc, wc->wc.syndrome);
		return kit_say(
			kit, "%s completed with syndrome 0x%02x (%s), vendor syndrome 0x%02x",
			wr_ids[i] == KIT_RECEIVE ? "the receive" : "the request", wc->wc.syndrome,
			name ? name : "a syndrome that nobody knows", wc->wc.vendor_syndrome);
	}
	return true;
}

bool kit_carry_out(struct kit_ends *e, struct segue_qp *qp, const char *request, uint32_t imm,
		   const char *layout)
{
	const struct kit_post post = {.request = request,
				      .layout = layout,
				      .wr_id = KIT_OTHER,
				      .imm = imm,
				      .flags = SEGUE_SIGNALED};

	return kit_post_on(e, qp, &post) && kit_complete(e->kit, (const uint64_t[]){KIT_OTHER, 0});
}
