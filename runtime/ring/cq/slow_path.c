/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions that the fast path does not take: errors, payload in the CQE, compressed blocks and
 * invalid entries.
 *
 * All entries but plain good completions leave the fast path until the next entry may be plain. So
 * does the last entry of the ring, which saves the others a test, and so do all entries of queues
 * with the enhanced layout. If few entries are left over, some before the last one leave too. They
 * report to the device what it may overwrite, so that a handler that posts cannot fill the ring
 * within a poll.
 *
 * Index and count stay in registers until the poll ends. Meanwhile the queue names an entry
 * (`busy`) that is always new and belongs to no queue. So the control path and another poll see
 * that a handler calls them, and the poll pays one store.
 *
 * A CQE that is read again a lap later names a block that another request may use by then. Only
 * checked builds compare all 16 bits of its counter, because that costs two instructions per
 * completion for a defect that no device has shown.
 */
#include <errno.h>

#include "runtime/ring/cq/compression.h"
#include "runtime/ring/cq/geometry.h"
#include "runtime/ring/cq/map.h"
#include "runtime/ring/cq/payload.h"
#include "runtime/ring/split.h"
#include "runtime/ring/strides.h"
#include "runtime/ring/tags.h"
#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/cq_payload.h"

#define STRAY		SEGUEI_CQ_STRAY

/* ---- the queue of a completion ---- */

/* Takes a completion from a shared queue, or posts its receive again. */
static int retire_shared(struct seguei_cq_route route, struct segue_wc *wc, bool again)
{
	struct segue_srq *const srq = route.page->srq[route.at], *behind = seguei_srq_behind(srq);
	int ret;

	seguei_srq_lock_behind(srq);
	ret = again ? seguei_srq_post_again(behind, wc->wqe_counter)
		    : segue_srq_retire(behind, wc->wqe_counter, &wc->wr_id);
	seguei_srq_unlock_behind(srq);
	return ret;
}

/*
 * Takes the completion from its queue, with all results that it may have. Returns 1, 0 or a
 * negative errno.
 */
static int retire(struct seguei_cq_route route, bool send, struct segue_wc *wc)
{
	int ret;

	wc->context = route.page->context[route.at];
	if (SEGUE_CHECKED)
		seguei_cq_check_route(route);
	if (send)
		return seguei_cq_route_has_sq(route) ? segue_sq_retire(route.page->sq[route.at],
								       wc->wqe_counter, &wc->wr_id)
						     : STRAY;
	if (seguei_cq_route_has_rq(route)) {
		seguei_recv_widen(&route.page->rq[route.at]->ring);
		ret = segue_rq_retire(route.page->rq[route.at], &wc->wr_id);
	} else {
		ret = seguei_cq_route_has_srq(route) ? retire_shared(route, wc, false) : STRAY;
	}
	return ret ? ret : 1;
}

/* Handles a good completion. Its payload, if any, is already in place. */
static int good(struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	uint32_t last;

	memcpy(&last, bytes + SEGUEI_CQE_LAST, sizeof(last));
	seguei_cq_parse(bytes, last, false, wc);
	return retire(seguei_cq_find(cq, wc->cqe), wc->opcode == SEGUE_CQE_OPCODE_REQ, wc);
}

/*
 * A page fault of on-demand paging at a shared receive. The device fetches the page and receives
 * the message again, so no handler is called. Source: rdma-core providers/mlx5/cq.c,
 * is_odp_pfault_err().
 */
static bool is_page_fault(const struct segue_err_cqe *cqe)
{
	return cqe->opcode == SEGUE_CQE_OPCODE_RESP_ERR &&
	       cqe->syndrome == SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR &&
	       cqe->vendor_err_synd == SEGUE_VENDOR_SYNDROME_ODP_PFAULT;
}

/* A send that failed. It is reported even if it was unsignaled. */
static int failed_send(struct seguei_cq_route route, struct segue_wc *wc)
{
	struct segue_sq *const sq = route.page->sq[route.at];
	uint32_t tag;
	bool marker;
	int ret;

	if (seguei_sq_retire_plain(sq, (uint32_t)wc->wqe_counter << 16, &wc->wr_id, &tag))
		return 1;
	if (!seguei_cq_route_has_sq(route))
		return STRAY;
	seguei_sq_widen(sq);
	marker = seguei_sq_is_marker(sq, wc->wqe_counter);
	ret = seguei_sq_retire_other(sq, wc->wqe_counter, &wc->wr_id);
	return ret < 0 ? ret : !marker;
}

/* An error also retires all requests posted before it, signaled or not. */
static int failed(struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	struct seguei_cq_route route;
	struct segue_err_cqe cqe;
	int ret;

	(void)segue_err_cqe_unpack(&cqe, bytes);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->wqe_counter = cqe.wqe_counter;
	wc->opcode = cqe.opcode;
	wc->s_wqe_opcode = cqe.s_wqe_opcode;
	wc->syndrome = cqe.syndrome;
	wc->vendor_syndrome = cqe.vendor_err_synd;
	if (cqe.opcode == SEGUE_CQE_OPCODE_REQ_ERR) {
		route = seguei_cq_route_of(&cq->queues, bytes);
		wc->context = route.page->context[route.at];
		ret = failed_send(route, wc);
	} else {
		route = seguei_cq_find(cq, bytes);
		if (is_page_fault(&cqe) && seguei_cq_route_has_srq(route))
			return retire_shared(route, wc, true);
		ret = retire(route, false, wc);
	}
	cq->counts.errors[wc->syndrome]++;
	SEGUEI_PROBE4(error, cqe.qpn, (uint32_t)cqe.syndrome,
		      (uint32_t)cqe.vendor_err_synd, wc->wr_id);
	return ret;
}

/* ---- compressed blocks ---- */

/* Advances past the entry. */
static void advance(struct segue_cq *cq)
{
	cq->ci++;
	if ((seguei_cq_ci(cq) & (cq->ring.cqe_cnt - 1)) && cq->entry != cq->last)
		cq->entry += cq->entry_size;
	else
		seguei_cq_seek(cq);
}

/* Enhanced layout: keeps the last consumed entry, which may be the title of a later block. */
static void keep_title(struct segue_cq *cq)
{
	struct seguei_cq_block *block = &cq->block;

	if (block->left || block->title_ci == seguei_cq_ci(cq))
		return;
	block->title_ci = seguei_cq_ci(cq);
	seguei_cq_block_title(cq, seguei_cq_ring_entry(&cq->ring, seguei_cq_ci(cq) - 1));
}

/*
 * The device writes only some entries of a block. The others keep the mark of an earlier round, and
 * must not look new in the next one.
 */
static void step_over_block(struct segue_cq *cq)
{
	uint32_t i;

	for (i = 0; i < cq->block.entries; i++) {
		seguei_cq_ring_make_old(&cq->ring, seguei_cq_ci(cq) + cq->ring.cqe_cnt);
		advance(cq);
	}
}

static void given(struct segue_cq *cq)
{
	struct seguei_cq_block *block = &cq->block;

	seguei_cq_block_advance(cq, seguei_cq_ci(cq));
	if (block->left)
		return;
	step_over_block(cq);
	block->title_ci = cq->ring.enhanced ? seguei_cq_ci(cq)
					    : block->title_ci; /* the title stays */
}

static int compressed(struct segue_cq *cq, struct segue_wc *wc, bool step_over)
{
	int ret;

	if (!cq->block.left) {
		if (cq->ring.enhanced)
			keep_title(cq);
		if (!seguei_cq_block_begin(cq, seguei_cq_ci(cq))) {
			ret = seguei_fail(EINVAL,
					  "Completion queue 0x%x: a compressed block of %u "
					  "entries, expected 1 to %u.",
					  cq->cqn, cq->block.left, cq->ring.cqe_cnt);
			cq->block.left = 0;
			if (step_over)
				advance(cq);
			return ret;
		}
	}
	seguei_cq_block_make(cq);
	ret = seguei_strides_own(cq, cq->made) ? seguei_strides_complete(cq, cq->made, wc)
					       : good(cq, cq->made, wc);
	wc->flags |= SEGUE_WC_COMPRESSED;
	if (ret >= 0 || step_over)
		given(cq);
	return ret;
}

/* ---- every entry ---- */

static int no_queue(const struct segue_cq *cq, const struct segue_wc *wc)
{
	return seguei_fail(EINVAL,
			   "Completion queue 0x%x: a CQE (opcode %s, WQE 0x%04x) belongs to QP "
			   "0x%x, expected one of the %u "
			   "queue pairs attached; attach it with the queue that the CQE is about.",
			   cq->cqn,
			   segue_cqe_opcode_name(wc->opcode) ? segue_cqe_opcode_name(wc->opcode)
							     : "unknown",
			   wc->wqe_counter, wc->qpn, cq->queues.count);
}

static int unexpected(const struct segue_cq *cq, uint32_t opcode)
{
	const char *name = segue_cqe_opcode_name(opcode);

	return seguei_fail(EINVAL,
			   "Completion queue 0x%x: a CQE has opcode %s (0x%x), which is neither a "
			   "completion nor an error.",
			   cq->cqn, name ? name : "unknown", opcode);
}

/* A signature error belongs to a queue pair, but completes no request. */
static int signature_error(const struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	const struct seguei_cq_route route = seguei_cq_find(cq, bytes);
	struct segue_sig_err_cqe cqe;

	(void)segue_sig_err_cqe_unpack(&cqe, bytes);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->opcode = cqe.opcode;
	wc->syndrome = SEGUE_WC_SIGNATURE_ERR;
	wc->context = route.page->context[route.at];
	return 1;
}

/* Payload is in the entry, or in the half before it. */
static int with_payload(struct segue_cq *cq, struct segue_wc *wc)
{
	const uint8_t *bytes = cq->entry;
	const bool here = seguei_cq_format(bytes) == SEGUE_CQE_FORMAT_INLINE_32;
	struct segue_cqe64 cqe;
	int ret;

	if (!here && cq->entry_size == SEGUE_CQE_SIZE)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: a CQE has its payload in the half "
				   "before it, but entries "
				   "have %u bytes.",
				   cq->cqn, (unsigned int)SEGUE_CQE_SIZE);
	(void)segue_cqe64_unpack(&cqe, bytes);
	wc->qpn = cqe.qpn;
	wc->byte_len = cqe.byte_cnt;
	wc->opcode = cqe.opcode;
	wc->s_wqe_opcode = cqe.s_wqe_opcode;
	wc->byte_len = segue_wc_byte_len(wc);
	wc->wqe_counter = cqe.wqe_counter;
	ret = seguei_cq_scatter(cq, here ? bytes : bytes - SEGUE_CQE_INLINE64_SIZE,
				here ? SEGUE_CQE64_SIZE / 2 : SEGUE_CQE64_SIZE, wc);
	return ret ? ret : good(cq, bytes, wc);
}

/* Turns SEGUEI_CQ_STRAY into an errno and a sentence. */
static int said(const struct segue_cq *cq, const struct segue_wc *wc, int ret)
{
	return ret == STRAY ? no_queue(cq, wc) : ret;
}

/*
 * Takes one entry. Returns 1 if *wc holds a completion for the handler, 0 if the entry has none,
 * -EAGAIN if there is no new entry, or another negative errno with segue_errmsg() if the CQE is
 * invalid. An invalid entry is skipped only if `step_over`.
 */
static int take(struct segue_cq *cq, struct segue_wc *wc, bool step_over)
{
	const uint8_t *bytes = cq->entry;
	const uint32_t opcode = bytes[SEGUEI_CQE_OP_OWN] >> 4;
	int ret;

	memset(wc, 0, sizeof(*wc));
	if (!cq->block.left && opcode == SEGUE_CQE_OPCODE_INVALID)
		return -EAGAIN;
	if (seguei_cq_format(bytes) == SEGUE_CQE_FORMAT_COMPRESSED)
		return said(cq, wc, compressed(cq, wc, step_over));
	if (cq->strides && seguei_strides_own(cq, bytes))
		ret = seguei_strides_complete(cq, bytes, wc);
	else if (opcode == SEGUE_CQE_OPCODE_REQ_ERR || opcode == SEGUE_CQE_OPCODE_RESP_ERR)
		ret = failed(cq, bytes, wc);
	else if (opcode == SEGUE_CQE_OPCODE_SIG_ERR)
		ret = signature_error(cq, bytes, wc);
	else if (seguei_tags_own(cq, bytes))
		ret = seguei_tags_complete(cq, bytes, wc);
	else if (opcode > SEGUE_CQE_OPCODE_RESP_SEND_INV && bytes == cq->busy)
		return seguei_cq_refuse_polled(cq, "Polling");
	else if (opcode > SEGUE_CQE_OPCODE_RESP_SEND_INV)
		ret = unexpected(cq, opcode);
	else if (seguei_cq_format(bytes) != SEGUE_CQE_FORMAT_NO_INLINE)
		ret = with_payload(cq, wc);
	else
		ret = good(cq, bytes, wc);
	ret = said(cq, wc, ret);
	if (ret >= 0 || step_over)
		advance(cq);
	return ret;
}

void seguei_cq_give_back(struct segue_cq *cq)
{
	if (cq->ring.enhanced)
		keep_title(cq);
	/* stores into entries precede the device's next writes to them */
	seguei_order_memory_stores();
	if (!cq->barred) /* the lanes that poll it write the record */
		seguei_cq_tell_consumed(cq);
}

/* True if the fast path may take the next entry. */
static bool straight_ahead(const struct segue_cq *cq)
{
	return cq->entry < cq->last && !cq->block.left;
}

/* Takes an entry that the fast path may take. */
static __attribute__((noinline)) int take_ahead(struct segue_cq *cq, struct segue_wc *wc,
						bool step_over)
{
	const uint8_t *const bytes = cq->entry;
	const uint32_t last = seguei_cq_look(cq);

	if (!seguei_cq_take_at(cq, bytes, last, wc) && !seguei_cq_take_payload(cq, bytes, last, wc))
		return take(cq, wc, step_over);
	cq->ci++;
	cq->entry = bytes + cq->entry_size;
	return 1;
}

static int take_any(struct segue_cq *cq, struct segue_wc *wc, bool step_over)
{
	if (straight_ahead(cq) && cq->entry[SEGUEI_CQE_OP_OWN] >> 4 < SEGUE_CQE_OPCODE_SIG_ERR)
		return take_ahead(cq, wc, step_over);
	return take(cq, wc, step_over);
}

/*
 * Frees entries within a poll when few are left. The entries that the poll holds are not
 * overwritten, because at most as many completions are in flight as there are other entries.
 */
static void give_back_early(struct segue_cq *cq)
{
	if (cq->stretch < cq->ring.cqe_cnt)
		seguei_cq_give_back(cq);
}

static inline __attribute__((always_inline)) int take_next(struct segue_cq *cq, struct segue_wc *wc,
							   bool step_over)
{
	while (seguei_cq_new(cq, seguei_cq_look(cq))) {
		int ret;

		seguei_order_memory_loads(); /* the owner bit is read before the rest of the
						entry */
		ret = take_any(cq, wc, step_over);
		/* as in seguei_cq_give_back(), for the next notification of the device */
		seguei_order_memory_stores();
		give_back_early(cq);
		if (ret)
			return ret > 0 ? 0 : (ret == -EAGAIN ? -ENOENT : ret);
	}
	return -ENOENT;
}

int seguei_cq_take_one(struct segue_cq *cq, struct segue_wc *wc)
{
	return take_next(cq, wc, true);
}

int seguei_cq_take_or_leave(struct segue_cq *cq, struct segue_wc *wc)
{
	return take_next(cq, wc, false);
}

static inline __attribute__((always_inline)) struct seguei_cq_progress go_on(
	struct segue_cq *cq, int max, int count, segue_wc_handler handler, void *arg,
	bool to_the_end)
{
	const int most = count + max;
	struct segue_wc wc;
	int ret;

	cq->slow = true;
	do {
		seguei_order_memory_loads(); /* the owner bit is read before the rest of the
						entry */
		ret = take_any(cq, &wc, count == 0);
		if (SEGUEI_UNLIKELY(ret < 0)) {
			if (count == 0 && ret != -EAGAIN)
				count = ret;
			break;
		}
		give_back_early(cq);
		/* Entries without a completion do not count: 0 has to mean that none is left. */
		if (ret > 0) {
			handler(&wc, arg);
			if (++count == most)
				break;
		}
		if (!seguei_cq_new(cq, seguei_cq_look(cq)))
			break;
		if (!to_the_end && straight_ahead(cq)) {
			cq->slow = false;
			/* As in seguei_cq_give_back(), which ends a poll. */
			seguei_order_memory_stores();
			return (struct seguei_cq_progress){count, false};
		}
	} while (true);
	seguei_cq_give_back(cq);
	cq->slow = false;
	return (struct seguei_cq_progress){count, true};
}

struct seguei_cq_progress seguei_cq_poll_slow(struct segue_cq *cq, int max, int count,
					      segue_wc_handler handler, void *arg)
{
	return go_on(cq, max, count, handler, arg, false);
}

int seguei_cq_poll_on(struct segue_cq *cq, int max, int count, segue_wc_handler handler, void *arg)
{
	const int ret = go_on(cq, max, count, handler, arg, true).count;

	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return ret;
}
