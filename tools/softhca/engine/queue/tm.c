/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tag matching: a shared receive queue with a list of tagged buffers. Its driver changes the list
 * through WQEs on a command queue pair of its own. Messages begin with a header (TMH), and the
 * device compares its tag with the list.
 *
 * Unexpected messages are counted (the phase). Entries from a driver that had not yet seen all
 * unexpected messages (its count differs) may be for one of those. They match nothing until the
 * driver's count has caught up (rdma-core, libibverbs/man/ibv_post_srq_ops.3).
 *
 * The device reads the data of a rendezvous itself, on the send side of the queue pair that the
 * request came to (UCX: "Send queue of this QP will be used by FW for HW RNDV").
 */
#include "tools/softhca/engine/tm.h"
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/queue/wqe.h"
#include "tools/softhca/engine/scheduler.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

struct entry {
	struct entry *next;
	uint64_t tag, mask;
	struct softhca_span span; /* none if its length is 0 */
	uint16_t index;
	bool held; /* until the driver's count has caught up */
};

struct softhca_tm {
	struct entry *first;
	unsigned n, most;
	uint16_t next_index; /* of the entry that is appended next */
	uint16_t hw_phase, sw_phase;
};

int softhca_tm_init(struct softhca_srq *srq)
{
	if (srq->attr.type != IBV_SRQT_TM)
		return 0;
	srq->tm = calloc(1, sizeof(*srq->tm));
	if (!srq->tm)
		return softhca_fail(-ENOMEM, "out of memory");
	srq->tm->most = srq->attr.max_tags;
	return 0;
}

void softhca_tm_fini(struct softhca_srq *srq)
{
	struct entry *e, *next;

	for (e = srq->tm ? srq->tm->first : NULL; e; e = next) {
		next = e->next;
		free(e);
	}
	free(srq->tm);
	srq->tm = NULL;
}

/* ---- the list ---- */

static bool append(struct softhca_tm *tm, const struct segue_seg_tm *seg,
		   const struct softhca_span *span)
{
	struct entry *e, **p;

	if (tm->n == tm->most)
		return false;
	e = calloc(1, sizeof(*e));
	if (!e)
		return false;
	e->tag = seg->append_tag;
	e->mask = seg->append_mask;
	e->span = *span;
	e->index = tm->next_index;
	e->held = tm->sw_phase != tm->hw_phase && !softhca_contrary(SOFTHCA_CONTRARY_TAG_BEHIND);
	/* The segment names the entry after this one, because the driver lists its free entries. */
	tm->next_index = seg->index;
	for (p = &tm->first; *p; p = &(*p)->next)
		;
	*p = e;
	tm->n++;
	return true;
}

static void unlink_entry(struct softhca_tm *tm, struct entry **p)
{
	struct entry *e = *p;

	*p = e->next;
	tm->n--;
	free(e);
}

static bool remove_entry(struct softhca_tm *tm, uint16_t index)
{
	struct entry **p = &tm->first;

	while (*p && (*p)->index != index)
		p = &(*p)->next;
	if (!*p)
		return false;
	unlink_entry(tm, p);
	return true;
}

/* Takes the number of unexpected messages that the driver has seen. */
static void sync_phase(struct softhca_tm *tm, uint16_t sw_count)
{
	tm->sw_phase = sw_count;
	if (tm->sw_phase != tm->hw_phase)
		return;
	for (struct entry *e = tm->first; e; e = e->next)
		e->held = false;
}

static struct entry **find(struct softhca_tm *tm, uint64_t tag)
{
	struct entry **p = &tm->first;

	while (*p && ((*p)->held || ((*p)->tag ^ tag) & (*p)->mask))
		p = &(*p)->next;
	return *p ? p : NULL;
}

/* ---- commands ---- */

static bool parse_buffer(const uint8_t *raw, struct softhca_span *span)
{
	struct segue_seg_data seg;

	if (raw[0] & 0x80)
		return false; /* inline data */
	segue_seg_data_unpack(&seg, raw);
	*span = (struct softhca_span){seg.addr, seg.byte_count, seg.lkey};
	return true;
}

int softhca_tm_command(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	struct softhca_tm *tm = qp->srq ? qp->srq->tm : NULL;
	struct softhca_tm_cqe cqe = {.wqe_counter = ctrl->index,
				     .opcode = SEGUE_CQE_OPCODE_NO_PACKET};
	struct softhca_span span = {0, 0, 0};
	struct segue_seg_tm seg;

	if (!tm) {
		softhca_referee(qp, SOFTHCA_RULE_OPCODE,
				"a tag matching command on a queue pair whose receive queue has "
				"no tag list");
		return SOFTHCA_LOCAL_QP_OP;
	}
	segue_seg_tm_unpack(&seg, raw + SEGUE_SEG_CTRL_SIZE);
	if (seg.flags & SEGUE_TM_FLAG_SW_CNT)
		sync_phase(tm, seg.sw_cnt);
	switch (seg.opcode) {
	case SEGUE_TM_OPCODE_APPEND:
		if (!parse_buffer(raw + SEGUE_SEG_CTRL_SIZE + SEGUE_SEG_TM_SIZE, &span))
			return SOFTHCA_LOCAL_QP_OP;
		cqe.app_op = SEGUE_TM_APP_OP_APPEND;
		cqe.success = append(tm, &seg, &span);
		break;
	case SEGUE_TM_OPCODE_REMOVE:
		cqe.app_op = SEGUE_TM_APP_OP_REMOVE;
		cqe.success = remove_entry(tm, seg.index);
		break;
	default:
		cqe.app_op = SEGUE_TM_APP_OP_NOOP;
		cqe.success = true;
	}
	cqe.phase = tm->hw_phase;
	if (seg.flags & SEGUE_TM_FLAG_CQE_REQ)
		softhca_cq_push_tm(qp, &cqe);
	return SOFTHCA_OK;
}

/* ---- messages ---- */

static void set_match(struct softhca_rwqe *rwqe, uint8_t op, const struct entry *e,
		      const uint8_t *tmh)
{
	rwqe->tm.op = op;
	rwqe->tm.matched = true;
	rwqe->tm.info = e->index;
	memcpy(rwqe->tm.tmh, tmh, sizeof(rwqe->tm.tmh));
	rwqe->tm.skip = SEGUE_SEG_TMH_SIZE;
}

/* Uses the entry's buffer in place of a receive. */
static void use_buffer(struct softhca_qp *qp, struct softhca_rwqe *rwqe, const struct entry *e)
{
	memset(rwqe, 0, offsetof(struct softhca_rwqe, inline_data));
	rwqe->qp = qp;
	rwqe->srq = qp->srq;
	rwqe->nspans = e->span.len != 0;
	rwqe->span[0] = e->span;
	rwqe->length = e->span.len;
}

static void push_consumed(struct softhca_qp *qp, const struct softhca_rwqe *rwqe)
{
	const struct softhca_tm_cqe cqe = {.opcode = SEGUE_CQE_OPCODE_NO_PACKET,
					   .app_op = SEGUE_TM_APP_OP_CONSUMED,
					   .info = rwqe->tm.info,
					   .tmh = rwqe->tm.tmh};

	softhca_cq_push_tm(qp, &cqe);
}

void softhca_tm_cancel(struct softhca_qp *qp, uint16_t info)
{
	const struct softhca_tm_cqe cqe = {.opcode = SEGUE_CQE_OPCODE_RESP_SEND,
					   .app_op = SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED,
					   .info = info};

	softhca_cq_push_tm(qp, &cqe);
}

/* ---- rendezvous ---- */

static void fin_sent(struct softhca_qp *qp, const struct softhca_tm_move *move, int syndrome)
{
	(void)qp;
	(void)move;
	(void)syndrome; /* its failure is the queue pair's */
}

/* Notifies the sender that its data have been read. */
static void send_fin(struct softhca_qp *qp, const struct softhca_tm_move *move)
{
	struct softhca_msg *msg = softhca_sq_new(qp);

	if (!msg)
		return;
	msg->kind = SOFTHCA_MSG_SEND;
	msg->opcode = SEGUE_OPCODE_SEND;
	msg->internal = fin_sent;
	msg->length = msg->inline_len = SEGUE_SEG_TMH_SIZE;
	memcpy(msg->u.inline_data, move->tmh, SEGUE_SEG_TMH_SIZE);
	msg->u.inline_data[0] = SEGUE_TMH_OPCODE_FIN;
	softhca_sq_post_internal(qp, msg);
}

static void data_read(struct softhca_qp *qp, const struct softhca_tm_move *move, int syndrome)
{
	const struct softhca_tm_cqe cqe = {.opcode = SEGUE_CQE_OPCODE_RESP_SEND,
					   .app_op = SEGUE_TM_APP_OP_EXPECTED,
					   .info = move->info,
					   .bytes = move->len};

	if (syndrome) {
		softhca_tm_cancel(qp, move->info);
		return;
	}
	softhca_cq_push_tm(qp, &cqe);
	send_fin(qp, move);
}

static bool start_read(struct softhca_qp *qp, const struct entry *e, const uint8_t *tmh,
		       const struct segue_seg_rvh *rvh)
{
	struct softhca_msg *msg = softhca_sq_new(qp);

	if (!msg)
		return false;
	msg->kind = SOFTHCA_MSG_READ;
	msg->opcode = SEGUE_OPCODE_RDMA_READ;
	msg->internal = data_read;
	msg->raddr = rvh->va;
	msg->rkey = rvh->rkey;
	msg->length = rvh->len;
	msg->nspans = rvh->len != 0;
	msg->u.span[0] = e->span;
	msg->u.span[0].len = rvh->len;
	msg->move.info = e->index;
	msg->move.len = rvh->len;
	memcpy(msg->move.tmh, tmh, sizeof(msg->move.tmh));
	softhca_sq_post_internal(qp, msg);
	return true;
}

/* Data that the device cannot read are left to software, in the buffer after the header. */
static bool can_read(const struct softhca_qp *qp, const struct entry *e,
		     const struct segue_seg_rvh *rvh)
{
	return qp->type == SOFTHCA_QP_RC && qp->state == IBV_QPS_RTS && rvh->len <= e->span.len &&
	       rvh->len <= UINT32_C(1) << 31;
}

static enum softhca_tm_taken rendezvous(struct softhca_qp *qp, const uint8_t *data,
					struct entry **p, struct softhca_rwqe *rwqe)
{
	struct segue_seg_rvh rvh;

	segue_seg_rvh_unpack(&rvh, data + SEGUE_SEG_TMH_SIZE);
	use_buffer(qp, rwqe, *p);
	if (can_read(qp, *p, &rvh) && start_read(qp, *p, data, &rvh)) {
		set_match(rwqe, SEGUE_TM_APP_OP_CONSUMED, *p, data);
		push_consumed(qp, rwqe);
		unlink_entry(qp->srq->tm, p);
		return SOFTHCA_TM_DONE;
	}
	set_match(rwqe, SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV, *p, data);
	unlink_entry(qp->srq->tm, p);
	return SOFTHCA_TM_MATCHED;
}

static enum softhca_tm_taken eager(struct softhca_qp *qp, const uint8_t *data, bool only,
				   struct entry **p, struct softhca_rwqe *rwqe)
{
	use_buffer(qp, rwqe, *p);
	set_match(rwqe, only ? SEGUE_TM_APP_OP_CONSUMED_MSG : SEGUE_TM_APP_OP_EXPECTED, *p, data);
	if (!only)
		push_consumed(qp, rwqe);
	unlink_entry(qp->srq->tm, p);
	return SOFTHCA_TM_MATCHED;
}

enum softhca_tm_taken softhca_tm_take(struct softhca_qp *qp, const struct softhca_tm_start *start,
				      struct softhca_rwqe *rwqe)
{
	struct softhca_tm *tm = qp->srq->tm;
	struct segue_seg_tmh tmh;
	struct entry **p = NULL;
	bool tagged;
	int err;

	if (start->len < SEGUE_SEG_TMH_SIZE)
		return SOFTHCA_TM_MALFORMED;
	segue_seg_tmh_unpack(&tmh, start->data);
	if (tmh.opcode > SEGUE_TMH_OPCODE_EAGER)
		return SOFTHCA_TM_MALFORMED;
	tagged = tmh.opcode == SEGUE_TMH_OPCODE_EAGER || tmh.opcode == SEGUE_TMH_OPCODE_RNDV;
	if (tagged)
		p = find(tm, tmh.tag);
	if (p && tmh.opcode == SEGUE_TMH_OPCODE_EAGER)
		return eager(qp, start->data, start->only, p, rwqe);
	/* A request is one packet and names the place of its data. Software handles others. */
	if (p && start->only && start->len >= SEGUE_SEG_TMH_SIZE + SEGUE_SEG_RVH_SIZE)
		return rendezvous(qp, start->data, p, rwqe);
	err = softhca_rq_take(qp, 0, rwqe);
	if (err)
		return err == -EAGAIN ? SOFTHCA_TM_NONE : SOFTHCA_TM_BROKEN;
	if (softhca_contrary(SOFTHCA_CONTRARY_TAG_HEADER))
		rwqe->tm.skip = SEGUE_SEG_TMH_SIZE;
	rwqe->tm.op = tagged ? SEGUE_TM_APP_OP_UNEXPECTED : SEGUE_TM_APP_OP_NO_TAG;
	tm->hw_phase = (uint16_t)(tm->hw_phase + tagged);
	return SOFTHCA_TM_MATCHED;
}
