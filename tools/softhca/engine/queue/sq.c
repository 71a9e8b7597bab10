/* SPDX-License-Identifier: BSD-2-Clause */
/* Send queues: WQEs are fetched in order, executed or sent, and completed in order. */
#include "segue/gen/enums.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/packet/clear.h"
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/transport.h"
#include "wqe.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK  64u
#define LINE   64u   /* of the processor's cache */
#define BATCH  64    /* WQEs per turn, so that one queue cannot starve the others */
#define WINDOW 1024u /* messages a queue may have with the requester */

enum { FENCE_NONE, FENCE_SMALL, FENCE_READS, FENCE_ALL, FENCE_READS_SMALL };

/* ---- messages ---- */

static struct softhca_msg *msg_alloc(struct softhca_dev *dev)
{
	struct softhca_msg *msg = dev->msg_pool;

	if (msg) {
		dev->msg_pool = msg->next;
		__builtin_prefetch(dev->msg_pool, 1); /* the next one is needed soon */
	} else {
		msg = aligned_alloc(LINE, (sizeof(*msg) + LINE - 1) & ~(size_t)(LINE - 1));
	}
	if (msg)
		softhca_clear(msg, offsetof(struct softhca_msg, u));
	return msg;
}

static void msg_free(struct softhca_dev *dev, struct softhca_msg *msg)
{
	msg->next = dev->msg_pool;
	dev->msg_pool = msg;
}

static void append(struct softhca_sq *sq, struct softhca_msg *msg)
{
	msg->next = NULL;
	*sq->tail = msg;
	sq->tail = &msg->next;
	sq->in_flight++;
	if (msg->kind == SOFTHCA_MSG_READ || msg->kind == SOFTHCA_MSG_ATOMIC)
		sq->reads++;
}

static void pop(struct softhca_qp *qp)
{
	struct softhca_sq *sq = &qp->sq;
	struct softhca_msg *msg = sq->head;

	sq->head = msg->next;
	if (!sq->head)
		sq->tail = &sq->head;
	sq->in_flight--;
	if (msg->kind == SOFTHCA_MSG_READ || msg->kind == SOFTHCA_MSG_ATOMIC)
		sq->reads--;
	if (!msg->internal)
		sq->done = (uint16_t)(msg->wqe_index + msg->wqebbs);
	msg_free(qp->dev, msg);
}

/* Ends a message that the device has posted itself. */
static void end_internal(struct softhca_qp *qp, int syndrome)
{
	const struct softhca_msg *msg = qp->sq.head;
	void (*const end)(struct softhca_qp *, const struct softhca_tm_move *, int) = msg->internal;
	const struct softhca_tm_move move = msg->move;

	pop(qp);
	end(qp, &move, syndrome);
}

int softhca_msg_gather(struct softhca_qp *qp, const struct softhca_msg *msg, uint64_t offset,
		       void *buf, size_t len)
{
	const struct softhca_access a = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_READ};
	uint8_t *to = buf;
	int syndrome;

	if (offset < msg->inline_len) {
		size_t n = msg->inline_len - offset < len ? msg->inline_len - offset : len;

		memcpy(to, msg->u.inline_data + offset, n);
		to += n;
		offset += n;
		len -= n;
	}
	if (!len)
		return SOFTHCA_OK;
	if (!msg->internal)
		softhca_about_send(qp, msg->wqe_index);
	syndrome = softhca_spans_copy(
		&a, msg->u.span, msg->nspans,
		&(struct softhca_range){.offset = offset - msg->inline_len, .len = len, .dst = to});
	qp->about = SOFTHCA_ABOUT_NOTHING;
	return syndrome;
}

int softhca_msg_scatter(struct softhca_qp *qp, struct softhca_msg *msg, uint64_t offset,
			const void *buf, size_t len)
{
	/* Data that the device reads for a tag list go where the list's domain allows. */
	struct softhca_pd *pd = msg->internal && qp->srq ? qp->srq->pd : qp->pd;
	const struct softhca_access a = {qp->dev, pd, qp, SOFTHCA_LOCAL_WRITE};

	int syndrome;

	/* The program must not have written to the destination since the request. */
	if (msg->watched)
		softhca_watch_complete(qp, msg);
	msg->watched = false;
	if (!msg->internal)
		softhca_about_send(qp, msg->wqe_index);
	syndrome = softhca_spans_copy(
		&a, msg->u.span, msg->nspans,
		&(struct softhca_range){.offset = offset, .len = len, .src = buf});
	qp->about = SOFTHCA_ABOUT_NOTHING;
	return syndrome;
}

struct softhca_msg *softhca_sq_new(struct softhca_qp *qp)
{
	return msg_alloc(qp->dev);
}

void softhca_sq_post_internal(struct softhca_qp *qp, struct softhca_msg *msg)
{
	append(&qp->sq, msg);
	softhca_req_post(qp, msg);
}

/* ---- fetching ---- */

int softhca_sq_fetch(const struct softhca_sq *sq, uint16_t index, unsigned blocks, uint8_t *raw)
{
	while (blocks) {
		uint32_t slot = index & (sq->wqes - 1);
		uint32_t n = sq->wqes - slot < blocks ? sq->wqes - slot : blocks;

		if (softhca_copy_in(raw, sq->va + (uint64_t)slot * BLOCK, (size_t)n * BLOCK))
			return -EFAULT;
		raw += (size_t)n * BLOCK;
		index = (uint16_t)(index + n);
		blocks -= n;
	}
	return 0;
}

/* Number of blocks of the request at `index`, of those up to the producer index. */
static uint16_t look_at(const struct softhca_sq *sq, uint16_t index, struct softhca_ctrl *ctrl)
{
	const uint16_t left = (uint16_t)(sq->pi - index);
	unsigned blocks = 1;
	uint8_t raw[BLOCK];

	memset(ctrl, 0, sizeof(*ctrl));
	if (!softhca_sq_fetch(sq, index, 1, raw)) {
		softhca_ctrl_parse(ctrl, raw);
		blocks = softhca_wqe_blocks(ctrl);
	}
	return blocks < left ? (uint16_t)blocks : left;
}

/* ---- the run list ---- */

void softhca_sq_schedule(struct softhca_qp *qp)
{
	if (qp->on_run_list)
		return;
	qp->on_run_list = true;
	qp->run_next = qp->dev->run_list;
	qp->dev->run_list = qp;
}

/* ---- completion ---- */

/* After a send error, the receive side of UC, UD and raw queues stays alive. */
static bool has_sqe_state(const struct softhca_qp *qp)
{
	return qp->type == SOFTHCA_QP_UC || qp->type == SOFTHCA_QP_UD || qp->type == SOFTHCA_QP_RAW;
}

/* ---- DCI streams ---- */

#define STREAMS 65536u

static bool has_streams(const struct softhca_qp *qp)
{
	return qp->type == SOFTHCA_QP_DCI && qp->create.log_dci_streams;
}

static bool stream_failed(const struct softhca_qp *qp, uint16_t stream)
{
	return qp->stream_err && qp->stream_err[stream / 8] & 1u << stream % 8;
}

/* The stream's requests after `msg` are flushed in their turn. */
static void flush_behind(struct softhca_msg *msg)
{
	const uint16_t stream = msg->stream;

	for (msg = msg->next; msg; msg = msg->next)
		if (msg->stream == stream && !(msg->done && msg->kind == SOFTHCA_MSG_LOCAL)) {
			msg->done = msg->of_stream = true;
			msg->syndrome = SOFTHCA_FLUSH;
			msg->vendor = SOFTHCA_VENDOR_FLUSH;
		}
}

/* Returns whether another request has failed that is not reported yet. */
static bool others_failed(const struct softhca_qp *qp, const struct softhca_msg *msg)
{
	for (const struct softhca_msg *m = qp->sq.head; m; m = m->next)
		if (m != msg && m->done && m->syndrome && !m->of_stream)
			return true;
	return false;
}

/* Stops the stream of `msg`, which has failed. False if the whole queue pair goes to ERR. */
static bool fail_stream(struct softhca_qp *qp, struct softhca_msg *msg)
{
	const uint16_t stream = msg->stream;

	if (!has_streams(qp) || stream_failed(qp, stream))
		return false;
	if (!qp->stream_err)
		qp->stream_err = calloc(1, STREAMS / 8);
	if (!qp->stream_err || qp->stream_errs + 1 >= 1u << qp->create.log_dci_errored)
		return false;
	qp->stream_err[stream / 8] |= (uint8_t)(1u << stream % 8);
	qp->stream_errs++;
	softhca_req_stop_stream(qp, stream);
	msg->of_stream = true;
	flush_behind(msg);
	qp->sq.stalled = others_failed(qp, msg);
	return true;
}

/* mlx5dv_dci_stream_id_reset(3) is allowed when all of the stream's requests are flushed. Those
 * from `index` on were not reported. */
static void judge_reset(struct softhca_qp *qp, uint16_t stream, uint16_t index)
{
	struct softhca_ctrl ctrl;
	uint16_t blocks;

	for (; index != qp->sq.pi; index = (uint16_t)(index + blocks)) {
		blocks = look_at(&qp->sq, index, &ctrl);
		if (ctrl.stream != stream)
			continue;
		softhca_referee_send(
			qp, index, SOFTHCA_RULE_STREAM_RESET,
			"stream %u is reset, and a request of it has not completed: poll what was "
			"posted on it first",
			stream);
		return;
	}
}

int softhca_qp_reset_stream(struct softhca_qp *qp, unsigned stream)
{
	const uint16_t told = qp->sq.done;

	if (!has_streams(qp) || stream >= STREAMS)
		return softhca_fail(-EINVAL, "QP 0x%x has no DCI stream %u", qp->qpn, stream);
	softhca_qp_catch_up(qp); /* requests posted before are flushed */
	if (qp->state != IBV_QPS_RTS)
		return softhca_fail(-EINVAL, "QP 0x%x is not in RTS", qp->qpn);
	if (!stream_failed(qp, (uint16_t)stream))
		return softhca_fail(-EINVAL, "stream %u of QP 0x%x is not in error", stream,
				    qp->qpn);
	judge_reset(qp, (uint16_t)stream, told);
	qp->stream_err[stream / 8] &= (uint8_t) ~(1u << stream % 8);
	qp->stream_errs--;
	return 0;
}

static void forget_streams(struct softhca_qp *qp)
{
	free(qp->stream_err);
	qp->stream_err = NULL;
	qp->stream_errs = 0;
}

/* Returns whether a flushed request ends without a completion, as in completion mode 1. */
static bool flushed_silently(bool first_error_only)
{
	return first_error_only && !softhca_contrary(SOFTHCA_CONTRARY_FIRST_ERROR);
}

/* Handles the first message in order, which has failed. True if only its stream is affected. */
static bool fail_head(struct softhca_qp *qp)
{
	struct softhca_msg *msg = qp->sq.head;
	uint16_t index = msg->wqe_index;
	uint8_t opcode = msg->opcode, syndrome = msg->syndrome, vendor = msg->vendor;
	const bool of_stream = msg->of_stream || fail_stream(qp, msg);
	const bool silent = (!msg->signalled && softhca_contrary(SOFTHCA_CONTRARY_SILENT)) ||
			    (of_stream && syndrome == SOFTHCA_FLUSH &&
			     flushed_silently(msg->first_error_only));

	pop(qp);
	if (!silent)
		softhca_cq_push_send_err(qp, index, opcode, syndrome, vendor);
	if (of_stream)
		return true;
	if (!has_sqe_state(qp)) {
		softhca_qp_error(qp);
		return false;
	}
	qp->state = qp->attr.qp_state = IBV_QPS_SQE;
	softhca_sq_flush(qp);
	return false;
}

void softhca_sq_drained(struct softhca_qp *qp)
{
	if (qp->state != IBV_QPS_SQD || qp->sq.head || qp->sq.drain_told)
		return;
	qp->sq.drain_told = true;
	softhca_event_qp(qp, IBV_EVENT_SQ_DRAINED);
}

/* Requests under way end as usual. The others wait until the queue pair returns to RTS. */
void softhca_sq_sig_error(struct softhca_qp *qp)
{
	if (!qp->drain_sigerr || qp->state != IBV_QPS_RTS)
		return;
	qp->state = qp->attr.qp_state = IBV_QPS_SQD;
	qp->sq.drain_told = false;
}

static void retire(struct softhca_qp *qp)
{
	struct softhca_sq *sq = &qp->sq;

	while (sq->head && sq->head->done) {
		if (sq->head->internal) {
			uint8_t syndrome = sq->head->syndrome;

			end_internal(qp, syndrome);
			if (!syndrome)
				continue;
			softhca_qp_fatal(qp, IBV_EVENT_QP_FATAL);
			return;
		}
		if (sq->head->syndrome) {
			if (!fail_head(qp))
				return;
			continue;
		}
		if (sq->head->watched)
			softhca_watch_complete(qp, sq->head);
		if (sq->head->signalled) {
			softhca_cq_push_send(qp, sq->head);
			softhca_fence_completed(qp, sq->head->wqe_index);
		}
		pop(qp);
	}
	softhca_sq_drained(qp);
	/* A queue that waited (for a fence or a full window) may go on. */
	if (sq->ci != sq->pi && qp->state == IBV_QPS_RTS)
		softhca_sq_schedule(qp);
}

static void complete(struct softhca_qp *qp, struct softhca_msg *msg, uint8_t syndrome,
		     uint8_t vendor)
{
	msg->done = true;
	msg->syndrome = syndrome;
	msg->vendor = vendor;
	if (qp->sq.head == msg)
		retire(qp);
}

void softhca_sq_complete(struct softhca_qp *qp, struct softhca_msg *msg, uint8_t syndrome,
			 uint8_t vendor)
{
	/* A failed request is reported in its turn. Until then its stream is stopped. */
	if (syndrome && has_streams(qp) && qp->sq.head != msg && !fail_stream(qp, msg)) {
		softhca_req_stop_stream(qp, msg->stream);
		qp->sq.stalled = true;
	}
	complete(qp, msg, syndrome, vendor);
}

void softhca_sq_flush(struct softhca_qp *qp)
{
	struct softhca_sq *sq = &qp->sq;
	struct softhca_ctrl ctrl;

	softhca_wait_end(qp);
	softhca_req_stop(qp);
	while (sq->head) {
		uint16_t index = sq->head->wqe_index;
		uint8_t opcode = sq->head->opcode;
		bool silent = flushed_silently(sq->head->first_error_only);

		if (sq->head->internal) {
			end_internal(qp, SOFTHCA_FLUSH);
			continue;
		}
		pop(qp);
		if (!silent)
			softhca_cq_push_send_err(qp, index, opcode, SOFTHCA_FLUSH,
						 SOFTHCA_VENDOR_FLUSH);
	}
	while (sq->ci != sq->pi) {
		const uint16_t blocks = look_at(sq, sq->ci, &ctrl);

		if (!flushed_silently(ctrl.ce == SEGUE_COMPLETION_MODE_ON_FIRST_ERROR))
			softhca_cq_push_send_err(qp, sq->ci, ctrl.opcode, SOFTHCA_FLUSH,
						 SOFTHCA_VENDOR_FLUSH);
		sq->ci = (uint16_t)(sq->ci + blocks);
		sq->done = sq->ci;
	}
	sq->stalled = false;
}

void softhca_sq_reset(struct softhca_qp *qp)
{
	struct softhca_sq *sq = &qp->sq;

	softhca_wait_end(qp);
	softhca_req_stop(qp);
	while (sq->head)
		pop(qp);
	sq->used = sq->used || sq->pi;
	sq->ci = sq->pi = sq->done = 0;
	sq->stalled = sq->drain_told = sq->change.on = false;
	forget_streams(qp);
}

/* ---- executing ---- */

static bool fence_blocks(const struct softhca_qp *qp, uint8_t fm)
{
	const struct softhca_sq *sq = &qp->sq;

	/* The queue must stop between a request with a signature error and the next fenced one. */
	if (qp->drain_sigerr && fm >= FENCE_READS)
		return sq->head != NULL;
	switch (fm) {
	case FENCE_READS:
	case FENCE_READS_SMALL:
		return sq->reads != 0;
	case FENCE_ALL:
		return sq->head != NULL;
	default:
		return false; /* local operations are done before the next WQE is fetched */
	}
}

/* Queues a finished message: local work, and wrong WQEs. */
static void finish(struct softhca_qp *qp, struct softhca_msg *msg, int syndrome, uint8_t vendor)
{
	append(&qp->sq, msg);
	/* No WQE after a failed one is executed. */
	qp->sq.stalled = syndrome != SOFTHCA_OK && !stream_failed(qp, msg->stream);
	complete(qp, msg, (uint8_t)syndrome, vendor);
}

/* Executes a request that never leaves the device. `opcode` gives the operation. */
static int execute_here(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
			uint8_t opcode)
{
	struct softhca_ctrl as = *ctrl;

	as.opcode = opcode;
	return softhca_local_exec(qp, &as, raw);
}

/* The following requests wait too, so completions come in bursts. A DCI's streams are separate. */
static uint64_t latency(struct softhca_config *cfg)
{
	if (!cfg->jitter_ns)
		return cfg->latency_ns;
	cfg->seed = cfg->seed * 1664525u + 1013904223u;
	return cfg->latency_ns + ((uint64_t)cfg->seed * cfg->jitter_ns >> 32);
}

/* Its buffer belongs to the device from now on. */
static void hand_over(struct softhca_qp *qp, struct softhca_msg *msg)
{
	const bool sends = msg->kind == SOFTHCA_MSG_SEND || msg->kind == SOFTHCA_MSG_WRITE;
	const uint64_t delay = (sends ? qp->dev->cfg.gather_ns : 0) + latency(&qp->dev->cfg);

	softhca_watch_post(qp, msg);
	if (!delay)
		return;
	msg->late = true;
	msg->watch.ready_ns = softhca_now_ns() + delay;
}

static void execute(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		    struct softhca_msg *msg)
{
	uint8_t vendor = 0;
	int syndrome;

	qp->cur_wqe = raw;
	if (ctrl->index != msg->wqe_index && !softhca_contrary(SOFTHCA_CONTRARY_INDEX)) {
		softhca_referee(qp, SOFTHCA_RULE_WQE_INDEX,
				"%s in block %u of the ring says wqe_index %u",
				softhca_opcode_name(ctrl->opcode), msg->wqe_index, ctrl->index);
		finish(qp, msg, SOFTHCA_LOCAL_QP_OP, SOFTHCA_VENDOR_WQE_INDEX);
		return;
	}
	syndrome = softhca_wqe_parse(qp, ctrl, raw, msg);
	if (stream_failed(qp, msg->stream)) {
		msg->of_stream = true;
		finish(qp, msg, SOFTHCA_FLUSH, SOFTHCA_VENDOR_FLUSH);
		return;
	}
	if (!syndrome)
		softhca_fence_judge(qp, msg,
				    ctrl->fence == FENCE_SMALL || ctrl->fence >= FENCE_ALL);
	if (!syndrome)
		syndrome = softhca_fault_complete(ctrl->opcode, &vendor);
	if (!syndrome && msg->kind == SOFTHCA_MSG_LOCAL)
		syndrome = execute_here(qp, ctrl, raw, msg->executes);
	else if (!syndrome && qp->type == SOFTHCA_QP_RAW)
		syndrome = the_engine.raw ? the_engine.raw->send(qp, msg) : SOFTHCA_LOCAL_QP_OP;
	else if (!syndrome) {
		append(&qp->sq, msg);
		hand_over(qp, msg);
		softhca_req_post(qp, msg);
		return;
	}
	finish(qp, msg, syndrome, vendor);
}

/* Executes one WQE. False if no more can be done now. */
static bool step(struct softhca_qp *qp)
{
	struct softhca_sq *sq = &qp->sq;
	unsigned avail = (uint16_t)(sq->pi - sq->ci), blocks;
	uint8_t raw[SOFTHCA_WQE_MAX];
	struct softhca_ctrl ctrl;
	struct softhca_msg *msg;

	if (qp->type == SOFTHCA_QP_RAW && !softhca_pace_ready(qp))
		return false; /* it is scheduled when it may go on */
	qp->no_room = qp->type == SOFTHCA_QP_RAW && the_engine.raw && !the_engine.raw->ready(qp);
	if (qp->no_room) {
		softhca_sq_schedule(qp);
		return false;
	}
	if (softhca_sq_fetch(sq, sq->ci, 1, raw)) {
		softhca_qp_fatal(qp, IBV_EVENT_QP_FATAL);
		return false;
	}
	softhca_ctrl_parse(&ctrl, raw);
	if (fence_blocks(qp, ctrl.fence))
		return false; /* retire() schedules the QP */
	blocks = softhca_wqe_blocks(&ctrl);
	if (blocks > 1 && blocks <= sq->wqes &&
	    softhca_sq_fetch(sq, (uint16_t)(sq->ci + 1), blocks - 1, raw + BLOCK)) {
		softhca_qp_fatal(qp, IBV_EVENT_QP_FATAL);
		return false;
	}
	if (blocks <= avail && softhca_wait_holds(qp, &ctrl, raw))
		return false; /* cross_channel.c schedules the QP */
	msg = msg_alloc(qp->dev);
	if (!msg)
		return false;
	msg->wqe_index = sq->ci;
	msg->wqebbs = (uint16_t)(blocks > avail ? avail : blocks);
	if (blocks > avail && ctrl.index == sq->ci) {
		qp->cur_wqe = blocks <= sq->wqes ? raw : NULL;
		softhca_referee(qp, SOFTHCA_RULE_DS,
				"ds %u needs %u blocks, but the producer index allows %u", ctrl.ds,
				blocks, avail);
	}
	sq->ci = (uint16_t)(sq->ci + msg->wqebbs);
	if (blocks > avail || blocks > sq->wqes)
		finish(qp, msg, SOFTHCA_LOCAL_QP_OP, 0);
	else
		execute(qp, &ctrl, raw, msg);
	qp->cur_wqe = NULL;
	return true;
}

void softhca_sq_run(struct softhca_qp *qp)
{
	struct softhca_sq *sq = &qp->sq;
	int budget = BATCH;

	if (qp->cq_dead && qp->state != IBV_QPS_ERR && qp->state != IBV_QPS_RESET) {
		softhca_qp_fatal(qp, IBV_EVENT_QP_FATAL);
		return;
	}
	if (qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_SQE) {
		softhca_sq_flush(qp);
		return;
	}
	while (qp->state == IBV_QPS_RTS && sq->ci != sq->pi && !sq->stalled &&
	       sq->in_flight < WINDOW) {
		if (!budget--) {
			softhca_sq_schedule(qp);
			break;
		}
		if (!step(qp))
			break;
	}
	softhca_req_kick(qp);
}

/* All blocks before `pi` may execute. True if this is new. */
static bool take_producer(struct softhca_qp *qp, uint16_t pi)
{
	struct softhca_sq *sq = &qp->sq;

	if (pi == sq->pi)
		return false;
	if ((uint16_t)(pi - sq->done) > sq->wqes) {
		softhca_referee(qp, SOFTHCA_RULE_OVERWRITTEN,
				"the producer index went to %u with WQE %u not completed: a ring "
				"of %u blocks cannot hold both",
				pi, sq->done, sq->wqes);
		/* The number of lost WQEs is unknown. */
		if ((uint16_t)(pi - sq->ci) > sq->wqes) {
			softhca_qp_fatal(qp, IBV_EVENT_QP_FATAL);
			return true;
		}
	}
	sq->pi = pi;
	sq->record_since = 0;
	/* Otherwise kept until the queue may send. */
	return qp->state != IBV_QPS_RESET && qp->state != IBV_QPS_INIT && qp->state != IBV_QPS_RTR;
}

bool softhca_sq_release(struct softhca_qp *qp, uint16_t pi)
{
	if ((int16_t)(pi - qp->sq.pi) <= 0 || !take_producer(qp, pi))
		return false;
	softhca_sq_schedule(qp);
	return true;
}

bool softhca_sq_doorbell(struct softhca_qp *qp, uint32_t value)
{
	struct softhca_sq *sq = &qp->sq;
	uint16_t pi, index = (uint16_t)(value >> 8);
	bool is_producer;
	uint32_t raw;

	if (!sq->wqes || !sq->db_va || softhca_copy_in(&raw, sq->db_va + 4, sizeof(raw)))
		return false;
	pi = (uint16_t)be32toh(raw);
	/* Queues of GPUs write the producer index and no opcode: NVSHMEM (IBGDA), DOCA GPUNetIO. */
	is_producer = !(value & 0xff) && index == pi;
	/* A full ring of the largest size is half the circle ahead of its first request. */
	if (value && !is_producer && (uint16_t)(pi - index - 1) >= 0x8000u) {
		softhca_referee_send(
			qp, index, SOFTHCA_RULE_DOORBELL_NO_RECORD,
			"a doorbell was rung for WQE %u, but the doorbell record says %u: it does "
			"not execute",
			index, pi);
	}
	if (!take_producer(qp, pi))
		return false;
	softhca_sq_run(qp);
	return true;
}
