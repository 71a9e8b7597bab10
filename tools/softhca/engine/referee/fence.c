/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small fences. A request that changes a key (UMR: windows, invalidation, layouts) is ordered
 * before the next one only if that has the small fence or a stronger one, or if the program has
 * seen the change complete. libmlx5 (`fm_cache`, providers/mlx5/qp.c) and the kernel's driver
 * (`next_fence`, drivers/infiniband/hw/mlx5/wr.c) set it by themselves. softhca applies a change at
 * once, so it only reports a missing fence.
 */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/qp.h"

#define CQ_COUNT 0xffffffu /* consumer indices have 24 bits */

void softhca_fence_changed(struct softhca_qp *qp, uint16_t index, uint32_t key, bool remote)
{
	qp->sq.change = (struct softhca_key_change){
		.on = true, .remote = remote, .index = index, .key = key};
}

void softhca_fence_completed(struct softhca_qp *qp, uint16_t index)
{
	struct softhca_key_change *const c = &qp->sq.change;

	if (!c->on || c->written || (int16_t)(index - c->index) < 0)
		return;
	c->written = true;
	c->cqe = qp->send_cq->pi;
}

/* Returns whether the program has taken the completion of the change, or a later one. */
static bool has_seen(struct softhca_qp *qp)
{
	const struct softhca_key_change *const c = &qp->sq.change;

	if (!c->written)
		return false;
	/* Some CQs do not need the consumer's index. */
	if (qp->send_cq->attr.overrun_ignore || qp->send_cq->attr.collapsed)
		return true;
	softhca_cq_check_consumer(qp->send_cq);
	return ((qp->send_cq->last_ci - c->cqe) & CQ_COUNT) <= CQ_COUNT / 2;
}

/* Whether a request concerns the key. A message may give a peer any key. */
static bool concerns(const struct softhca_key_change *c, const struct softhca_msg *msg)
{
	if (c->remote && (msg->kind == SOFTHCA_MSG_SEND || msg->kind == SOFTHCA_MSG_WRITE))
		return true;
	for (unsigned i = 0; i < msg->nspans; i++)
		if (msg->u.span[i].lkey >> 8 == c->key >> 8)
			return true;
	return false;
}

void softhca_fence_judge(struct softhca_qp *qp, const struct softhca_msg *msg, bool fenced)
{
	struct softhca_key_change *const c = &qp->sq.change;

	if (!c->on)
		return;
	if (fenced || has_seen(qp)) {
		c->on = false;
		return;
	}
	if (msg->kind == SOFTHCA_MSG_LOCAL)
		return;
	if (!concerns(c, msg)) {
		c->remote = false; /* drivers fence only the next request */
		return;
	}
	softhca_referee(qp, SOFTHCA_RULE_SMALL_FENCE,
			"WQE %u follows the change of key 0x%x by WQE %u without the small fence "
			"(fm), and that has not been seen to complete: "
			"a card may carry it out before the change",
			msg->wqe_index, c->key, c->index);
	c->on = false;
}
