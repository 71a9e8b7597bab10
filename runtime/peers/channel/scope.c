/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests of a scope lie in each queue after the index at which the scope began. The end of a
 * scope polls the queues until none of these is in flight. At the deadline the rest is taken from
 * the device by moving the queue to ERR, and if that does not help, to RESET.
 *
 * A scope ends with nothing in flight. If it ended at a time-out alone, the device could still
 * write to a stack frame that no longer exists.
 */
#include "segue/peers/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

/* Time limit of a flush. The device only has to write completions. */
#define FLUSH_MS 5000

/* The peer of the request at an index of a queue. */
static uint32_t peer_at(const struct segue_multi_channel *multi, uint32_t queue, uint32_t at)
{
	const struct segue_sq *sq = seguei_qp_sq(seguei_multi_queue(multi, queue));

	return multi->transport == SEGUE_TRANSPORT_RC
		       ? queue
		       : seguei_peer_of_tag(sq->slots[at & sq->mask].tag).index;
}

/* ---- beginning ---- */

void segue_scope_begin(struct segue_scope *scope, struct segue_multi_channel *multi,
		       segue_deadline deadline)
{
	memset(scope, 0, sizeof(*scope));
	scope->multi = multi;
	scope->outer = multi->more->scopes.innermost;
	scope->deadline = deadline;
	seguei_posted_begin(scope);
	multi->more->scopes.innermost = scope;
}

static void forget(struct segue_scope *scope)
{
	struct segue_scope **at = &scope->multi->more->scopes.innermost;

	while (*at && *at != scope)
		at = &(*at)->outer;
	if (*at)
		*at = scope->outer;
	seguei_posted_end(scope);
	scope->multi = NULL;
}

void seguei_scopes_forget(struct segue_multi_channel *multi)
{
	while (multi->more->scopes.innermost)
		forget(multi->more->scopes.innermost);
}

/* ---- requests in flight ---- */

/* Index of the scope's first request in flight, or the queue's producer index if there is none. */
static uint32_t first_in_flight(const struct segue_scope *scope, const struct seguei_posted *entry)
{
	const struct segue_sq *sq = seguei_qp_sq(seguei_multi_queue(scope->multi, entry->queue));

	return sq->pi - entry->from > sq->pi - seguei_sq_ci(sq) ? seguei_sq_ci(sq) : entry->from;
}

static bool is_busy(const struct segue_scope *scope, const struct seguei_posted *entry)
{
	return first_in_flight(scope, entry) !=
	       seguei_qp_sq(seguei_multi_queue(scope->multi, entry->queue))->pi;
}

void seguei_queue_drive(struct segue_qp *qp)
{
	seguei_sq_ring_committed(seguei_qp_sq(qp)); /* in case the program has not rung it */
	seguei_qp_end_tail(qp);
}

/* True if requests of the scope are in flight. Makes unsignaled ones complete. */
static bool drive(const struct segue_scope *scope)
{
	bool busy = false;
	uint32_t i;

	for (i = 0; i < seguei_posted_count(scope); i++) {
		const struct seguei_posted entry = seguei_posted_at(scope, i);

		if (!is_busy(scope, &entry))
			continue;
		seguei_queue_drive(seguei_multi_queue(scope->multi, entry.queue));
		busy = true;
	}
	return busy;
}

struct survey {
	const struct segue_scope *scope;
	bool *waits; /* by peer. NULL if there is no memory */
	uint32_t requests;
};

static void look(struct survey *survey, const struct seguei_posted *entry)
{
	const struct segue_multi_channel *multi = survey->scope->multi;
	const struct segue_sq *sq = seguei_qp_sq(seguei_multi_queue(multi, entry->queue));
	uint32_t at = first_in_flight(survey->scope, entry), next;

	for (; at != sq->pi; at = next) {
		const uint32_t peer = peer_at(multi, entry->queue, at);

		next = seguei_sq_behind(sq, &sq->slots[at & sq->mask]);
		if (seguei_sq_is_marker(sq, at))
			continue;
		survey->requests++;
		if (survey->waits && peer < multi->count)
			survey->waits[peer] = true;
	}
}

static struct survey survey_of(const struct segue_scope *scope)
{
	struct survey survey = {.scope = scope,
				.waits = calloc(scope->multi->count, sizeof(*survey.waits))};
	uint32_t i;

	for (i = 0; i < seguei_posted_count(scope); i++) {
		const struct seguei_posted entry = seguei_posted_at(scope, i);

		look(&survey, &entry);
	}
	return survey;
}

static bool waits(const void *arg, uint32_t peer)
{
	const struct survey *survey = arg;

	return survey->waits && survey->waits[peer];
}

static uint32_t name_peers(const struct survey *survey, char *out, size_t size)
{
	return seguei_world_name_ranks(out, size, survey->scope->multi->count, waits, survey);
}

/* ---- ending ---- */

/* At the deadline the completions that exist are still taken. */
static int wait_until(const struct segue_scope *scope, segue_deadline deadline)
{
	for (;;) {
		const bool late = !segue_deadline_left_ms(deadline);
		const int taken = seguei_multi_poll_for(scope->multi, seguei_multi_hand_out,
							scope->multi);

		if (taken < 0)
			return taken;
		if (!drive(scope))
			return 0;
		if (late && taken < SEGUEI_TURN)
			return -ETIMEDOUT;
	}
}

/* The last resort: a device in RESET has left the queue. */
static void start_over(struct segue_multi_channel *multi, uint32_t queue)
{
	struct segue_qp *qp = seguei_multi_queue(multi, queue);

	if (segue_qp_reset(qp, seguei_multi_reset_handler, multi))
		return;
	seguei_scopes_restarted(multi, qp);
	if (multi->transport == SEGUE_TRANSPORT_DC)
		(void)seguei_dci_start(multi, &multi->more->dcis.all[queue]);
	else if (multi->transport == SEGUE_TRANSPORT_UD)
		(void)segue_qp_connect(qp, &multi->more->path);
}

/* Leaves nothing of the scope in flight. UD has no acknowledgements, so its queue is reset. */
static void give_up(const struct segue_scope *scope, const struct survey *survey)
{
	struct segue_multi_channel *multi = scope->multi;
	struct seguei_posted entry;
	uint32_t i;

	for (i = 0; i < multi->count && multi->transport != SEGUE_TRANSPORT_UD; i++)
		if (waits(survey, i))
			(void)segue_multi_channel_fail_peer(
				multi, i,
				"it had not answered by the deadline of a scope, which gave it up");
	for (i = 0; i < seguei_posted_count(scope); i++) {
		entry = seguei_posted_at(scope, i);
		if (is_busy(scope, &entry) &&
		    (multi->transport == SEGUE_TRANSPORT_UD ||
		     segue_qp_stop_begin(seguei_multi_queue(multi, entry.queue),
					 SEGUE_QP_STOP_FLUSH)))
			start_over(multi, entry.queue);
	}
	if (!wait_until(scope, segue_deadline_in_ms(FLUSH_MS)))
		return;
	for (i = 0; i < seguei_posted_count(scope); i++) {
		entry = seguei_posted_at(scope, i);
		if (is_busy(scope, &entry))
			start_over(multi, entry.queue);
	}
}

static int end(const struct segue_scope *scope)
{
	char names[160], why[200];
	struct survey survey;
	int ret;

	if (!scope->multi->more->queues.own_cq)
		return seguei_fail(ENOTSUP, "Scope: the multi-channel's completion queue is "
					    "shared; poll that until all has completed, and use "
					    "segue_scope_leave().");
	ret = wait_until(scope, scope->deadline);
	if (!ret && scope->failed)
		return seguei_fail(EIO, "Scope: %u request%s failed, the first one: %s",
				   scope->failed, scope->failed == 1 ? "" : "s", scope->why);
	if (!ret)
		return 0;
	(void)snprintf(why, sizeof(why), "%.190s",
		       ret == -ETIMEDOUT ? "not done at the deadline" : segue_errmsg());
	survey = survey_of(scope);
	(void)name_peers(&survey, names, sizeof(names));
	give_up(scope, &survey);
	free(survey.waits);
	return seguei_fail(-ret, "Scope: %s; requests in flight to %s have been flushed.", why,
			   names);
}

int segue_scope_end(struct segue_scope *scope)
{
	int ret;

	if (!scope->multi)
		return 0;
	ret = end(scope);
	if (scope->multi) /* a handler may have closed it */
		forget(scope);
	return ret;
}

int segue_scope_leave(struct segue_scope *scope, struct segue_scope_left *left)
{
	struct segue_scope_left found = {0, 0};
	struct survey survey;
	char names[160];

	if (scope->multi) {
		survey = survey_of(scope);
		found.requests = survey.requests;
		found.peers = name_peers(&survey, names, sizeof(names));
		free(survey.waits);
		forget(scope);
	}
	if (left)
		*left = found;
	if (!found.requests)
		return 0;
	return seguei_fail(EBUSY,
			   "Scope: %u request%s to %s in flight still; memory that %s must stay.",
			   found.requests, found.requests == 1 ? "" : "s", names,
			   found.requests == 1 ? "it names" : "they name");
}

void seguei_scope_close(struct segue_scope *scope)
{
	char kept[512];

	if (!scope->multi)
		return;
	(void)snprintf(kept, sizeof(kept), "%s", segue_errmsg());
	(void)segue_scope_end(scope);
	(void)seguei_fail(0, "%s", kept);
}

/* ---- failed requests ---- */

/*
 * True if a request that has just completed belongs to the scope. Rings have at most 2^15 blocks,
 * so 16 bits suffice.
 */
static bool was_posted_in(const struct segue_scope *scope, const struct segue_wc *wc,
			  const struct segue_sq *sq)
{
	uint32_t i;

	for (i = 0; i < scope->posted.count; i++) {
		const struct seguei_posted *entry = &scope->posted.entries[i];

		if (seguei_qp_sq(seguei_multi_queue(scope->multi, entry->queue)) == sq)
			return (uint16_t)(sq->pi - wc->wqe_counter) <= sq->pi - entry->from;
	}
	return scope->all;
}

void seguei_scopes_note(struct segue_multi_channel *multi, const struct segue_wc *wc)
{
	const struct seguei_owner *owner = wc->context;
	struct segue_scope *scope;
	char sentence[512];
	bool in = false;

	for (scope = multi->more->scopes.innermost; scope && owner->sq; scope = scope->outer) {
		in = in || was_posted_in(scope, wc, owner->sq); /* and to the scopes around it */
		if (!in || scope->failed++)
			continue;
		seguei_multi_explain(wc, sentence, sizeof(sentence));
		(void)snprintf(scope->why, sizeof(scope->why), "peer %u: %.230s", wc->peer.index,
			       sentence);
	}
}
