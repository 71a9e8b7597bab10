/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions that arrived while a call waited for others, and that no handler took. They are kept
 * for the next poll.
 *
 * Polls read one completion queue, and nothing else while it has entries. So while completions are
 * kept, polls read a completion queue that is always empty, and then notice the kept ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

#define ROOM_MIN 64u

void seguei_kept_begin(struct seguei_multi_more *more)
{
	static const uint8_t no_entry[SEGUE_CQE64_SIZE];

	more->backlog.no_cq.entry = no_entry;
	more->backlog.no_cq.own_mask = 1;
	more->backlog.no_cq.own = seguei_cq_widen(more->backlog.no_cq.own_mask);
}

static void point_polls(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;

	multi->cq = more->backlog.count ? &more->backlog.no_cq : more->queues.cq;
	multi->due &= ~SEGUEI_DUE_KEPT;
	if (more->backlog.count || more->backlog.lost)
		multi->due |= SEGUEI_DUE_KEPT;
}

int seguei_kept_add(struct segue_multi_channel *multi, const struct segue_wc *wc)
{
	struct seguei_multi_more *more = multi->more;
	const uint32_t room = more->backlog.room ? 2 * more->backlog.room : ROOM_MIN;
	struct seguei_kept *kept = more->backlog.kept;

	if (more->backlog.count == more->backlog.room) {
		kept = realloc(more->backlog.kept, room * sizeof(*kept));
		multi->due |= SEGUEI_DUE_KEPT; /* even if one is lost */
		if (!kept)
			return -ENOMEM;
		more->backlog.kept = kept;
		more->backlog.room = room;
	}
	kept[more->backlog.count].wc = *wc;
	if (wc->cqe) /* completions made by a reset have no CQE */
		memcpy(kept[more->backlog.count].cqe, wc->cqe, sizeof(kept->cqe));
	more->backlog.count++;
	point_polls(multi);
	return 0;
}

void seguei_kept_take(struct segue_multi_channel *multi, seguei_kept_taker *taker, void *arg)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t i, left = 0;

	for (i = 0; i < more->backlog.count; i++) {
		struct seguei_kept kept = more->backlog.kept[i];

		if (kept.wc.cqe)
			kept.wc.cqe = kept.cqe;
		if (!taker(&kept.wc, arg))
			more->backlog.kept[left++] = more->backlog.kept[i];
	}
	more->backlog.count = left;
	point_polls(multi);
}

struct handing_out {
	segue_wc_handler handler;
	void *arg;
	int left;
};

static bool hand_out(const struct segue_wc *wc, void *arg)
{
	struct handing_out *to = arg;

	if (to->left <= 0)
		return false;
	to->left--;
	to->handler(wc, to->arg);
	return true;
}

int seguei_multi_catch_up(struct segue_multi_channel *multi, int ret, int max,
			  segue_wc_handler handler, void *arg)
{
	struct handing_out to = {handler, arg, max};
	struct seguei_multi_more *more = multi->more;
	uint32_t lost;

	seguei_multi_see_to(multi);
	if (ret < 0 || !(multi->due & SEGUEI_DUE_KEPT))
		return ret;
	if (more->turns.in_turn)
		return seguei_multi_refuse_turn();
	lost = more->backlog.lost;
	more->backlog.lost = 0;
	more->turns.in_turn = true;
	seguei_kept_take(multi, hand_out, &to);
	more->turns.in_turn = false;
	if (!lost)
		return max - to.left;
	return seguei_fail(ENOMEM,
			   "Multi-channel: %u completions that came while a call waited were lost, "
			   "as there was no memory to keep them.",
			   lost);
}
