/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues that wait for each other. WAIT holds a send queue until a completion queue, a word of
 * memory or the clock reaches a value. SEND_EN lets a managed send queue go on.
 *
 * A WAIT that must wait is not taken from its ring. Its queue joins the device's list of waiting
 * queues, and checks again when its condition may hold. Completions wake it, a clock's time is
 * known, and memory, which changes without a notification, is polled at intervals.
 */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/queue/plan.h"
#include "tools/softhca/engine/queue/wqe.h"
#include "tools/softhca/engine/scheduler.h"

#include <endian.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define LOOK_SOON_NS UINT64_C(20000)   /* memory: time until the first check */
#define LOOK_LATE_NS UINT64_C(1000000) /* and between two checks after a long time */
#define FAIL_ACTION  UINT64_C(7)       /* low bits of the address */

enum look { LOOK_GO, LOOK_HOLD, LOOK_FAIL };

/* ---- the list ---- */

static void wait_begin(struct softhca_qp *qp, enum softhca_wait_for what, uint64_t now)
{
	struct softhca_wait *w = &qp->wait;

	if (w->what)
		return;
	w->what = what;
	w->since = now;
	w->next = qp->dev->waiting;
	qp->dev->waiting = qp;
	/* The device thread might sleep longer than this wait. */
	if (what != SOFTHCA_WAIT_CQ)
		softhca_thread_kick();
}

void softhca_wait_end(struct softhca_qp *qp)
{
	struct softhca_qp **p;

	if (!qp->wait.what)
		return;
	qp->wait.what = SOFTHCA_WAIT_NOTHING;
	for (p = &qp->dev->waiting; *p; p = &(*p)->wait.next)
		if (*p == qp) {
			*p = qp->wait.next;
			break;
		}
}

/* Checks whether the CQ has reached the index. Both count modulo 2 to the power 24. */
static bool reached(const struct softhca_cq *cq, uint32_t index)
{
	index += softhca_contrary(SOFTHCA_CONTRARY_WAIT_COUNT);
	return ((softhca_cq_produced(cq) - index) & SOFTHCA_NUM_MASK) <= SOFTHCA_NUM_MASK / 2;
}

void softhca_wait_wake(struct softhca_cq *cq)
{
	const bool gone = softhca_cq_find(cq->dev, cq->cqn) != cq;
	bool any = false;

	for (struct softhca_qp *qp = cq->dev->waiting; qp; qp = qp->wait.next)
		if (qp->wait.what == SOFTHCA_WAIT_CQ && qp->wait.cqn == cq->cqn &&
		    (gone || reached(cq, qp->wait.index))) {
			softhca_sq_schedule(qp);
			any = true;
		}
	if (any)
		softhca_thread_kick();
}

/* Returns a queue pair that is due. */
static struct softhca_qp *due(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns)
{
	for (struct softhca_qp *qp = dev->waiting; qp; qp = qp->wait.next) {
		if (qp->wait.what == SOFTHCA_WAIT_CQ)
			continue;
		if (qp->wait.look_at <= now)
			return qp;
		if (qp->wait.look_at < *next_ns)
			*next_ns = qp->wait.look_at;
	}
	return NULL;
}

int softhca_wait_run(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns)
{
	struct softhca_qp *qp;
	uint16_t was;
	int n = 0;

	while ((qp = due(dev, now, next_ns))) {
		was = qp->sq.ci;
		qp->wait.look_at = UINT64_MAX; /* unless it checks again and has to go on waiting */
		softhca_sq_run(qp);
		n += qp->sq.ci != was;
	}
	return n;
}

/* ---- conditions ---- */

/* Returns whether a is smaller than b, in numbers that wrap where the mask ends. */
static bool cyclic_smaller(uint64_t a, uint64_t b, uint64_t mask)
{
	uint64_t ahead = (b - a) & mask;
	uint64_t half = mask ? UINT64_C(1) << (63 - __builtin_clzll(mask)) : 0;

	return ahead && !(ahead & half);
}

struct comparison {
	unsigned operation;
	bool invert;
	uint64_t left, right, mask;
};

static enum look compare(const struct comparison *c)
{
	const uint64_t left = c->left & c->mask, right = c->right & c->mask;
	bool holds;

	switch (c->operation) {
	case SEGUE_WAIT_COND_ALWAYS_TRUE:
		holds = true;
		break;
	case SEGUE_WAIT_COND_EQUAL:
		holds = left == right;
		break;
	case SEGUE_WAIT_COND_BIGGER:
		holds = left > right ||
			(left == right && softhca_contrary(SOFTHCA_CONTRARY_WAIT_BIGGER));
		break;
	case SEGUE_WAIT_COND_SMALLER:
		holds = left < right;
		break;
	case SEGUE_WAIT_COND_CYCLIC_BIGGER:
		holds = softhca_contrary(SOFTHCA_CONTRARY_WAIT_CYCLIC)
				? left > right
				: cyclic_smaller(right, left, c->mask);
		break;
	case SEGUE_WAIT_COND_CYCLIC_SMALLER:
		holds = cyclic_smaller(left, right, c->mask);
		break;
	default:
		return LOOK_FAIL;
	}
	return holds != c->invert ? LOOK_GO : LOOK_HOLD;
}

static enum look look_at_cq(struct softhca_qp *qp, const uint8_t *raw)
{
	struct segue_seg_wait_cq seg;
	const struct softhca_cq *cq;

	segue_seg_wait_cq_unpack(&seg, raw);
	cq = softhca_cq_find(qp->dev, seg.cqn);
	if (!cq) {
		softhca_referee(qp, SOFTHCA_RULE_VALUE,
				"WAIT for CQ 0x%x, which does not exist (any more)", seg.cqn);
		return softhca_contrary(SOFTHCA_CONTRARY_WAIT_GONE) ? LOOK_GO : LOOK_FAIL;
	}
	if (reached(cq, seg.max_index))
		return LOOK_GO;
	wait_begin(qp, SOFTHCA_WAIT_CQ, 0);
	qp->wait.cqn = seg.cqn;
	qp->wait.index = seg.max_index;
	return LOOK_HOLD;
}

static enum look look_at_data(struct softhca_qp *qp, const uint8_t *raw)
{
	const struct softhca_access a = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_READ};
	struct softhca_wait *w = &qp->wait;
	struct segue_seg_wait_on_data seg;
	uint64_t word, now, pause;
	enum look look;
	int err;

	segue_seg_wait_on_data_unpack(&seg, raw);
	err = softhca_mem_read(&a, seg.lkey, seg.va_fail & ~FAIL_ACTION, &word, sizeof(word));
	if (err) {
		w->syndrome = (uint8_t)err;
		return LOOK_FAIL;
	}
	word = softhca_contrary(SOFTHCA_CONTRARY_WAIT_WORD) ? le64toh(word) : be64toh(word);
	look = compare(
		&(struct comparison){seg.operation, seg.invert, word, seg.data, seg.data_mask});
	if (look != LOOK_HOLD)
		return look;
	if ((seg.va_fail & FAIL_ACTION) != SEGUE_WAIT_FAIL_ACTION_RETRY &&
	    !softhca_contrary(SOFTHCA_CONTRARY_WAIT_ERROR))
		return LOOK_FAIL; /* SEND_ERR_CQE, and undefined actions */
	now = softhca_now_ns();
	wait_begin(qp, SOFTHCA_WAIT_DATA, now);
	pause = (now - w->since) / 8;
	pause = pause < LOOK_SOON_NS ? LOOK_SOON_NS : pause > LOOK_LATE_NS ? LOOK_LATE_NS : pause;
	w->look_at = now + pause;
	return LOOK_HOLD;
}

static enum look look_at_time(struct softhca_qp *qp, const uint8_t *raw)
{
	struct segue_seg_wait_on_time seg;
	uint64_t clock, now;
	enum look look;

	segue_seg_wait_on_time_unpack(&seg, raw);
	clock = softhca_dev_clock(qp->dev);
	look = compare(&(struct comparison){seg.operation, seg.invert, seg.value, clock, seg.mask});
	if (look != LOOK_HOLD)
		return look;
	now = softhca_now_ns();
	wait_begin(qp, SOFTHCA_WAIT_TIME, now);
	qp->wait.look_at = now + LOOK_LATE_NS;
	/* The usual case: the clock counts nanoseconds, so the time is known. */
	if (seg.mask == UINT64_MAX && !seg.invert && seg.value >= clock &&
	    (seg.operation == SEGUE_WAIT_COND_SMALLER ||
	     seg.operation == SEGUE_WAIT_COND_CYCLIC_SMALLER) &&
	    seg.value - clock < UINT64_MAX - now)
		qp->wait.look_at = now + (seg.value - clock) + 1;
	return LOOK_HOLD;
}

static enum look (*const kinds[])(struct softhca_qp *qp, const uint8_t *raw) = {
	[SEGUE_OPMOD_WAIT_CQ_PI] = look_at_cq,
	[SEGUE_OPMOD_WAIT_DATA] = look_at_data,
	[SEGUE_OPMOD_WAIT_TIME] = look_at_time,
};

static bool has_kind(const struct softhca_dev *dev, unsigned int opmod)
{
	return opmod == SEGUE_OPMOD_WAIT_CQ_PI	? dev->cfg.wait_cq
	       : opmod == SEGUE_OPMOD_WAIT_DATA ? dev->cfg.wait_on_data
						: dev->cfg.wait_on_time;
}

/* Returns whether this is an executable WAIT. Its execution reports the faults. */
static bool is_wait(const struct softhca_qp *qp, const struct softhca_ctrl *ctrl,
		    const uint8_t *raw)
{
	const struct segue_offence *offence;

	return ctrl->index == qp->sq.ci && ctrl->qpn == qp->qpn && ctrl->ds &&
	       ctrl->opmod < sizeof(kinds) / sizeof(kinds[0]) && kinds[ctrl->opmod] &&
	       softhca_plan_of(qp->type, raw, ctrl->ds * 16u, &offence);
}

bool softhca_wait_holds(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	enum look look = LOOK_FAIL;

	if (ctrl->opcode != SEGUE_OPCODE_WAIT)
		return false;
	qp->wait.syndrome = SOFTHCA_LOCAL_QP_OP;
	if (has_kind(qp->dev, ctrl->opmod) && is_wait(qp, ctrl, raw)) {
		qp->cur_wqe = raw;
		look = kinds[ctrl->opmod](qp, raw + SEGUE_SEG_CTRL_SIZE);
		qp->cur_wqe = NULL;
	}
	if (look == LOOK_HOLD)
		return true;
	softhca_wait_end(qp);
	if (look == LOOK_GO)
		qp->wait.syndrome = SOFTHCA_OK;
	return false;
}

/* ---- SEND_EN ---- */

int softhca_send_enable(struct softhca_qp *qp, const uint8_t *raw)
{
	struct segue_seg_send_en seg;
	struct softhca_qp *target;

	if (!qp->create.cross_master) {
		softhca_referee(qp, SOFTHCA_RULE_OPCODE,
				"SEND_EN on a queue that was not created to control others "
				"(cd_master)");
		return SOFTHCA_LOCAL_QP_OP;
	}
	segue_seg_send_en_unpack(&seg, raw + SEGUE_SEG_CTRL_SIZE);
	target = softhca_qp_find(qp->dev, seg.qpn);
	if (!target || !target->create.managed_send) {
		softhca_referee(qp, SOFTHCA_RULE_VALUE, "SEND_EN of QP 0x%x, which %s", seg.qpn,
				target ? "was not created to be controlled (cd_slave_send)"
				       : "does not exist");
		return SOFTHCA_LOCAL_QP_OP;
	}
	if (softhca_sq_release(target, seg.max_index))
		softhca_thread_kick();
	return SOFTHCA_OK;
}
