/* SPDX-License-Identifier: BSD-2-Clause */
/* Completions of a tag list: answers to commands, and messages that matched or did not. */
#include "runtime/ring/tags.h"

#include <errno.h>

#include "segue/base.h"

void seguei_tags_init(struct seguei_tags *tags, struct seguei_tag *entries, uint32_t last)
{
	uint32_t i;

	tags->entries = entries;
	for (i = 0; i < last; i++)
		entries[i].next = (uint16_t)(i + 1);
	entries[last].next = SEGUEI_TAG_NONE;
	tags->last = (uint16_t)last;
	tags->head = 0;
	tags->tail = (uint16_t)last;
}

bool seguei_tags_own(const struct segue_cq *cq, const uint8_t *cqe)
{
	struct segue_cqe64 fields;

	if (!cq->tags)
		return false;
	(void)segue_cqe64_unpack(&fields, cqe);
	return fields.app == SEGUE_CQE_APP_TAG_MATCHING && fields.opcode < SEGUE_CQE_OPCODE_SIG_ERR;
}

static int out_of_step(const struct seguei_tags *tags, uint8_t op, uint32_t entry)
{
	const char *name = segue_tm_app_op_name(op);

	return seguei_fail(EINVAL,
			   "Shared receive queue 0x%x: a completion of its tag list (%s, entry %u) "
			   "belongs to nothing that is under way; commands of the list "
			   "are posted on its own queue only, and ask for their answer.",
			   tags->srq->ring.qpn, name ? name : "unknown", entry);
}

/* Counts one of the completions that an entry waits for. */
static void release(struct seguei_tags *tags, uint16_t entry)
{
	if (--tags->entries[entry].due)
		return;
	tags->entries[entry].next = SEGUEI_TAG_NONE;
	tags->entries[tags->tail].next = entry;
	tags->tail = entry;
}

/* ---- answers ---- */

/* True if the block holds a command that asks for an answer. */
static bool asks(const struct segue_sq *sq, uint32_t at, struct segue_seg_tm *tm)
{
	const uint8_t *wqe = seguei_sq_wqe_at(sq, at);
	struct segue_seg_ctrl ctrl;

	(void)segue_seg_ctrl_unpack(&ctrl, wqe);
	if (ctrl.opcode != SEGUE_OPCODE_TAG_MATCHING)
		return false;
	(void)segue_seg_tm_unpack(tm, wqe + SEGUE_SEG_CTRL_SIZE);
	return tm->flags & SEGUE_TM_FLAG_CQE_REQ;
}

/*
 * Answers do not name their command, but come in order. Source: rdma-core providers/mlx5/cq.c,
 * handle_tag_matching() (op_head).
 */
static bool oldest(const struct segue_sq *sq, uint32_t *at, struct segue_seg_tm *tm)
{
	for (*at = seguei_sq_ci(sq); *at != sq->pi;
	     *at = seguei_sq_behind(sq, seguei_sq_slot_at(sq, *at)))
		if (asks(sq, *at, tm))
			return true;
	return false;
}

static int answered(struct seguei_tags *tags, const struct segue_tm_cqe *cqe, struct segue_wc *wc)
{
	struct segue_sq *sq = tags->commands;
	struct segue_seg_tm tm;
	uint16_t entry;
	uint32_t at;

	if (!sq || !oldest(sq, &at, &tm))
		return out_of_step(tags, cqe->app_op, 0);
	wc->wr_id = seguei_sq_slot_at(sq, at)->wr_id;
	wc->wqe_counter = (uint16_t)at;
	entry = tm.opcode == SEGUE_TM_OPCODE_APPEND ? tags->of_command[at & sq->mask] : tm.index;
	seguei_sq_retire_to(sq, seguei_sq_behind(sq, seguei_sq_slot_at(sq, at)));
	tags->seen = cqe->hw_phase_cnt;
	if (!cqe->success)
		wc->flags |= SEGUE_WC_TAG_REFUSED;
	if (cqe->app_op == SEGUE_TM_APP_OP_APPEND) {
		if (!cqe->success) /* no message will come */
			release(tags, entry);
		release(tags, entry);
	} else if (cqe->app_op == SEGUE_TM_APP_OP_REMOVE && cqe->success) {
		release(tags, entry);
	}
	return 1;
}

/* ---- messages ---- */

static bool is_last(uint8_t op)
{
	return op != SEGUE_TM_APP_OP_CONSUMED && op != SEGUE_TM_APP_OP_CONSUMED_SW_RNDV;
}

static int matched(struct seguei_tags *tags, const struct segue_tm_match_cqe *cqe,
		   struct segue_wc *wc)
{
	if (cqe->app_info > tags->last || !tags->entries[cqe->app_info].due)
		return out_of_step(tags, cqe->app_op, cqe->app_info);
	wc->wr_id = tags->entries[cqe->app_info].wr_id;
	if (cqe->app_op == SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED)
		wc->syndrome = SEGUE_WC_TAG_CANCELED;
	if (is_last(cqe->app_op))
		release(tags, cqe->app_info);
	return 1;
}

static int received(struct seguei_tags *tags, struct segue_wc *wc)
{
	const int ret = segue_srq_retire(tags->srq, wc->wqe_counter, &wc->wr_id);

	if (!ret && segue_wc_tag_op(wc) == SEGUE_TM_APP_OP_UNEXPECTED)
		tags->count++;
	return ret ? ret : 1;
}

int seguei_tags_complete(struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	struct seguei_tags *tags = cq->tags;
	struct segue_tm_match_cqe match;
	struct segue_tm_cqe answer;
	uint32_t last;

	memcpy(&last, bytes + SEGUEI_CQE_LAST, sizeof(last));
	seguei_cq_parse(bytes, last, false, wc);
	(void)segue_tm_match_cqe_unpack(&match, bytes);
	wc->context = tags->context;
	wc->flags = SEGUE_WC_TAG | (wc->opcode == SEGUE_CQE_OPCODE_NO_PACKET ? 0 : wc->flags);
	wc->s_wqe_opcode = match.app_op;
	if (match.format != SEGUE_CQE_FORMAT_NO_INLINE)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: a message to the tag list of queue 0x%x "
				   "lies in the completion itself; open its queue pairs "
				   "without scatter_to_cqe.",
				   cq->cqn, tags->srq->ring.qpn);
	switch (match.app_op) {
	case SEGUE_TM_APP_OP_APPEND:
	case SEGUE_TM_APP_OP_REMOVE:
	case SEGUE_TM_APP_OP_NOOP:
		(void)segue_tm_cqe_unpack(&answer, bytes);
		return answered(tags, &answer, wc);
	case SEGUE_TM_APP_OP_UNEXPECTED:
	case SEGUE_TM_APP_OP_NO_TAG:
		return received(tags, wc);
	default:
		return matched(tags, &match, wc);
	}
}
