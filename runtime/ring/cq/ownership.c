/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks that checked builds make when posting and polling. Unchecked libraries lack them, so a
 * checked program does not link with one.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/ring/cq/map.h"
#include "runtime/text/walk.h"
#include "segue/cq.h"
#include "segue/decode.h"
#include "segue/detail/build.h"
#include "segue/pattern.h"
#include "segue/rq.h"

#if SEGUE_CHECKED

#define LARGEST_WQE 1024u

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	fputs("segue: ", stderr);
	vfprintf(stderr, sentence, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}

/* A queue belongs to the thread that used it first. */
static void check_owner(uint64_t *owner, const char *queue, uint32_t number, const char *way)
{
	const uint64_t self = (uint64_t)(uintptr_t)pthread_self();

	if (*owner == 0)
		*owner = self;
	if (*owner == SEGUEI_OWNER_NOBODY)
		die("%s 0x%x is shared, and used by a thread that has not locked it; call "
		    "segue_srq_lock() or segue_cq_lock() before, and unlock it afterwards.",
		    queue, number);
	if (*owner == SEGUEI_OWNER_CLOSED)
		die("%s 0x%x is posted to after it was closed; keep no pointer to a queue after "
		    "segue_qp_close() or segue_srq_close().",
		    queue, number);
	if (*owner != self)
		die("%s 0x%x is used by a second thread; a queue belongs to one thread at a time; "
		    "give each thread "
		    "its own, or hand it over with %s.",
		    queue, number, way);
}

/* The thread that polls is the one that posts. */
static void check_polled(uint64_t *owner, const char *queue, uint32_t number, const char *way)
{
	const uint64_t self = (uint64_t)(uintptr_t)pthread_self();

	if (*owner == SEGUEI_OWNER_POLLER)
		return;
	if (*owner == 0)
		*owner = self;
	if (*owner != self)
		die("%s 0x%x is posted to by one thread while another polls its completions; both "
		    "are uses of the queue, which belongs "
		    "to one thread at a time: poll where you post, declare it so "
		    "(segue_qp_options.split, segue_srq_options.locked), or hand it over with %s.",
		    queue, number, way);
}

static void check_turn(uint32_t *taken, uint32_t step, const char *what, const char *queue,
		       uint32_t number)
{
	if (*taken != step)
		seguei_die_at_caller("%s on %s 0x%x is given a builder that was already used, or "
				     "one from before a later work request was "
				     "begun; use each builder value once, in order.",
				     what, queue, number);
	++*taken;
}

/* A dropped request is legal but seldom intended. */
static void note_begun(struct seguei_begun *begun, const char *queue, uint32_t number)
{
	if (begun->line)
		fprintf(stderr,
			"segue: %s:%d: the request begun here on %s 0x%x was never posted; it is "
			"forgotten, as another one is begun.\n",
			begun->file, begun->line, queue, number);
	begun->line = seguei_caller(&begun->file);
}

static void check_bytes(const struct segue_machine *machine, const void *wqe, size_t len,
			const char *queue, uint32_t number)
{
	struct segue_offence offence;
	char sentence[384], print[8192];

	if (segue_wqe_validate(machine, wqe, len, &offence) == 0)
		return;
	segue_offence_print(&offence, sentence, sizeof(sentence));
	segue_wqe_print(machine, wqe, len, SEGUE_FORMAT_TEXT, print, sizeof(print));
	seguei_die_at_caller("%s 0x%x: the request is not a legal WQE, %s.\n%s", queue, number,
			     sentence, print);
}

static void check_tso(const struct segue_machine *machine, const struct segue_sq *sq,
		      const uint8_t *wqe, size_t bytes)
{
	const uint64_t payload = seguei_tso_beyond(machine, wqe, bytes, sq->max_tso);

	if (payload)
		seguei_die_at_caller("Send queue of QP 0x%x: the request has %" PRIu64
				     " bytes cut into frames, and the device takes %u at most "
				     "(max_tso); post several.",
				     sq->qpn, payload, sq->max_tso);
}

void seguei_check_begin(struct segue_sq *sq)
{
	check_owner(&sq->checked_owner, "Send queue of QP", sq->qpn, "segue_sq_hand_over()");
	sq->checked_step++;
	note_begun(&sq->checked_begun, "send queue of QP", sq->qpn);
}

void seguei_check_no_batch(const struct segue_sq *sq)
{
	if (sq->checked_batch)
		seguei_die_at_caller("Send queue of QP 0x%x: a batch was begun and not ended; "
				     "begin requests with that batch until segue_batch_end().",
				     sq->qpn);
}

void seguei_check_repeat(struct seguei_pattern *pattern, uint32_t set)
{
	if (!pattern->set)
		pattern->set = set;
	if (pattern->set != set)
		seguei_die_at_caller("Send queue of QP 0x%x: a pattern is repeated with other "
				     "fields set than before (bytes 0x%x of the request, in units "
				     "of 4, and now 0x%x); set each of them in each repetition.",
				     pattern->sq->qpn, pattern->set, set);
}

void seguei_check_step(struct segue_sq *sq, uint32_t step, const char *what)
{
	check_owner(&sq->checked_owner, "Send queue of QP", sq->qpn, "segue_sq_hand_over()");
	check_turn(&sq->checked_step, step, what, "send queue of QP", sq->qpn);
}

void seguei_check_wqe(const struct segue_machine *machine, const struct segue_sq *sq,
		      const uint8_t *start, uint32_t units)
{
	const size_t bytes = (size_t)units * SEGUEI_UNIT;
	const size_t first = (size_t)(sq->end - start) < bytes ? (size_t)(sq->end - start) : bytes;
	uint8_t wqe[LARGEST_WQE];

	memcpy(wqe, start, first);
	memcpy(wqe + first, sq->buf, bytes - first);
	check_bytes(machine, wqe, bytes, "Send queue of QP", sq->qpn);
	check_tso(machine, sq, wqe, bytes);
}

void seguei_recv_check_begin(struct seguei_recv_ring *ring)
{
	check_owner(&ring->checked_owner, "Receive queue", ring->qpn,
		    "segue_rq_hand_over() or segue_srq_hand_over()");
	ring->checked_step++;
	note_begun(&ring->checked_begun, "receive queue", ring->qpn);
}

void seguei_recv_check_step(struct seguei_recv_ring *ring, uint32_t step, const char *what)
{
	check_owner(&ring->checked_owner, "Receive queue", ring->qpn,
		    "segue_rq_hand_over() or segue_srq_hand_over()");
	check_turn(&ring->checked_step, step, what, "receive queue", ring->qpn);
}

void seguei_recv_check_wqe(const struct segue_machine *machine, const struct seguei_recv *b)
{
	check_bytes(machine, b->start, b->sq->stride, "Receive queue", b->sq->qpn);
}

static void begin_turn(uint64_t *owner, const char *queue, uint32_t number)
{
	if (*owner != SEGUEI_OWNER_NOBODY)
		die("%s 0x%x is locked, and it was not declared to be shared (see "
		    "segue_srq_enable_lock(), segue_cq_enable_lock()); others use it without its "
		    "lock.",
		    queue, number);
	*owner = (uint64_t)(uintptr_t)pthread_self();
}

static void end_turn(uint64_t *owner, const char *queue, uint32_t number)
{
	check_owner(owner, queue, number, "its lock");
	*owner = SEGUEI_OWNER_NOBODY;
}

void seguei_srq_check_lock(struct segue_srq *srq)
{
	begin_turn(&srq->ring.checked_owner, "Shared receive queue", srq->ring.qpn);
}

void seguei_srq_check_unlock(struct segue_srq *srq)
{
	end_turn(&srq->ring.checked_owner, "Shared receive queue", srq->ring.qpn);
}

void seguei_cq_check_lock(struct segue_cq *cq)
{
	begin_turn(&cq->checked_owner, "Completion queue", cq->cqn);
}

void seguei_cq_check_unlock(struct segue_cq *cq)
{
	end_turn(&cq->checked_owner, "Completion queue", cq->cqn);
}

void seguei_cq_check_begin(struct segue_cq *cq)
{
	check_owner(&cq->checked_owner, "Completion queue", cq->cqn, "segue_cq_hand_over()");
	if (cq->checked_polling)
		die("Completion queue 0x%x is polled while a poll of it is under way: from a "
		    "handler, or before segue_cq_end_poll(). Poll again when the first poll is "
		    "over.",
		    cq->cqn);
	cq->checked_polling = true;
}

void seguei_cq_check_end(struct segue_cq *cq)
{
	cq->checked_polling = false;
}

/* Polling retires requests, so it counts as a use of their queues. */
void seguei_cq_check_route(struct seguei_cq_route route)
{
	struct segue_sq *sq = route.page->sq[route.at];
	struct segue_rq *rq = route.page->rq[route.at];
	struct segue_srq *srq = route.page->srq[route.at];

	if (seguei_cq_route_has_sq(route))
		check_polled(&sq->checked_owner, "Send queue of QP", sq->qpn,
			     "segue_sq_hand_over()");
	if (seguei_cq_route_has_rq(route))
		check_polled(&rq->ring.checked_owner, "Receive queue of QP", rq->ring.qpn,
			     "segue_rq_hand_over()");
	if (seguei_cq_route_has_srq(route))
		check_polled(&srq->ring.checked_owner, "Shared receive queue", srq->ring.qpn,
			     "segue_srq_hand_over()");
}

#endif
