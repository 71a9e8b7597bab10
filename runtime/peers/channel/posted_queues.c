/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues that have been used, in a scope or outside of all. Over RC there are many queues, so a
 * scan of all is too slow. Each is watched instead: its first request takes the slow path, which
 * adds the queue to the list of the innermost scope or of the multi-channel. Later requests take
 * the fast path. A new scope watches the queues again that were listed since. So the cost of a
 * scope depends on what is posted in it. Over DC and UD there are few queues, and a scope lists all
 * of them when it begins.
 */
#include <stdlib.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/detail/build.h"
#include "segue/peers/scope.h"

#define ROOM_MIN 8u

static bool add(struct seguei_posted_list *list, const struct seguei_posted *entry)
{
	const uint32_t room = list->room ? 2 * list->room : ROOM_MIN;
	struct seguei_posted *entries = list->entries;

	if (list->count == list->room) {
		entries = realloc(entries, room * sizeof(*entries));
		if (!entries)
			return false;
		list->entries = entries;
		list->room = room;
	}
	entries[list->count++] = *entry;
	return true;
}

static uint32_t count_queues(const struct segue_multi_channel *multi)
{
	return multi->transport == SEGUE_TRANSPORT_RC
		       ? multi->count
		       : (multi->transport == SEGUE_TRANSPORT_DC ? multi->more->options.dcis : 1);
}

struct segue_qp *seguei_multi_queue(const struct segue_multi_channel *multi, uint32_t queue)
{
	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC:
		return multi->channels[queue].more->qp ? multi->channels[queue].more->qp
						       : &seguei_qp_none;
	case SEGUE_TRANSPORT_DC:
		return multi->more->dcis.all[queue].qp;
	default:
		return multi->more->queues.ud;
	}
}

/* ---- RC ---- */

/*
 * Adds a queue to a list, of a scope or outside of all. It stays there once, while requests are in
 * flight.
 */
static void note_in(struct segue_scope *scope, struct segue_channel *channel,
		    const struct seguei_posted *entry)
{
	struct seguei_multi_more *more = channel->multi->more;

	if (scope && channel->more->scope != scope->number) {
		channel->more->scope = scope->number;
		scope->all |= !add(&scope->posted, entry);
	} else if (!scope && !channel->more->noted) {
		channel->more->noted = add(&more->scopes.posted, entry);
		more->scopes.posted_unknown |= !channel->more->noted;
	}
}

static void note(void *arg, uint32_t pi)
{
	struct segue_channel *channel = ((struct seguei_owner *)arg)->channel;
	const struct seguei_posted entry = {
		.queue = channel->index, .from = pi, .outer = channel->more->scope};

	note_in(channel->multi->more->scopes.innermost, channel, &entry);
}

void seguei_posted_watch(struct segue_channel *channel)
{
	struct segue_sq *sq = channel->more->owner.sq;

	sq->watch = note;
	sq->watch_arg = &channel->more->owner;
	seguei_sq_watch_next(sq);
}

static void watch_again(struct segue_multi_channel *multi, const struct seguei_posted_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (multi->channels[list->entries[i].queue].more->qp)
			seguei_posted_watch(&multi->channels[list->entries[i].queue]);
}

/* Queues with earlier requests in flight stay listed. */
static void drop_quiet(struct segue_multi_channel *multi)
{
	struct seguei_posted_list *list = &multi->more->scopes.posted;
	uint32_t i, left = 0;

	for (i = 0; i < list->count; i++) {
		const uint32_t queue = list->entries[i].queue;
		const struct segue_sq *sq = seguei_qp_sq(seguei_multi_queue(multi, queue));

		if (!seguei_sq_is_idle(sq))
			list->entries[left++] = list->entries[i];
		else
			multi->channels[queue].more->noted = false;
	}
	list->count = left;
}

/* There was no memory to list a queue, so all are watched again. */
static void watch_all(struct segue_multi_channel *multi)
{
	for (uint32_t i = 0; i < multi->count; i++)
		if (multi->channels[i].more->qp)
			seguei_posted_watch(&multi->channels[i]);
}

static void begin_rc(struct segue_scope *scope)
{
	struct segue_multi_channel *multi = scope->multi;
	const bool unknown = scope->outer ? scope->outer->all : multi->more->scopes.posted_unknown;

	if (unknown)
		watch_all(multi);
	else
		watch_again(multi,
			    scope->outer ? &scope->outer->posted : &multi->more->scopes.posted);
	if (!scope->outer && !unknown)
		drop_quiet(multi);
}

/* Requests of a scope belong to the scope around it, too. */
static void hand_on(struct segue_scope *scope, const struct seguei_posted *entry)
{
	struct segue_channel *channel = &scope->multi->channels[entry->queue];

	channel->more->scope = entry->outer;
	note_in(scope->outer, channel, entry);
}

/* ---- scopes ---- */

void seguei_posted_begin(struct segue_scope *scope)
{
	const uint32_t queues = count_queues(scope->multi);
	struct seguei_posted entry = {.queue = 0};

	scope->number = ++scope->multi->more->scopes.last_number;
	if (scope->multi->transport == SEGUE_TRANSPORT_RC) {
		begin_rc(scope);
		return;
	}
	for (; entry.queue < queues && !scope->all; entry.queue++) {
		entry.from = seguei_qp_sq(seguei_multi_queue(scope->multi, entry.queue))->pi;
		scope->all = !add(&scope->posted, &entry);
	}
}

void seguei_posted_end(struct segue_scope *scope)
{
	for (uint32_t i = 0;
	     i < scope->posted.count && scope->multi->transport == SEGUE_TRANSPORT_RC; i++)
		hand_on(scope, &scope->posted.entries[i]);
	if (scope->all && scope->outer)
		scope->outer->all = true;
	else if (scope->all)
		scope->multi->more->scopes.posted_unknown = true;
	free(scope->posted.entries);
	scope->posted = (struct seguei_posted_list){NULL, 0, 0};
}

uint32_t seguei_posted_count(const struct segue_scope *scope)
{
	return scope->all ? count_queues(scope->multi) : scope->posted.count;
}

struct seguei_posted seguei_posted_at(const struct segue_scope *scope, uint32_t i)
{
	struct seguei_posted entry = {.queue = i};

	if (!scope->all)
		return scope->posted.entries[i];
	entry.from = seguei_sq_ci(seguei_qp_sq(seguei_multi_queue(scope->multi, i)));
	return entry;
}

/* Requests after this moment belong to the scope. */
static void restart_in(const struct segue_scope *scope, struct segue_qp *qp)
{
	for (uint32_t i = 0; i < scope->posted.count; i++)
		if (seguei_multi_queue(scope->multi, scope->posted.entries[i].queue) == qp)
			scope->posted.entries[i].from = seguei_qp_sq(qp)->pi;
}

void seguei_scopes_restarted(struct segue_multi_channel *multi, struct segue_qp *qp)
{
	const struct segue_scope *scope;

	for (scope = multi->more->scopes.innermost; scope; scope = scope->outer)
		restart_in(scope, qp);
}

/* ---- all requests in flight ---- */

static bool drive(const struct segue_multi_channel *multi, uint32_t queue)
{
	struct segue_qp *qp = seguei_multi_queue(multi, queue);

	if (seguei_sq_is_idle(seguei_qp_sq(qp)))
		return false;
	/* the last unsignaled requests are not reported unless a request after them completes */
	seguei_queue_drive(qp);
	return true;
}

static bool drive_list(const struct segue_multi_channel *multi,
		       const struct seguei_posted_list *list)
{
	bool busy = false;
	uint32_t i;

	for (i = 0; i < list->count; i++)
		busy |= drive(multi, list->entries[i].queue);
	return busy;
}

bool seguei_posted_drive(const struct segue_multi_channel *multi)
{
	const struct segue_scope *scope = multi->more->scopes.innermost;
	const bool some = multi->transport == SEGUE_TRANSPORT_RC &&
			  !multi->more->scopes.posted_unknown;
	const uint32_t queues = some ? 0 : count_queues(multi);
	bool busy = some && drive_list(multi, &multi->more->scopes.posted);
	uint32_t i;

	for (i = 0; i < queues; i++)
		busy |= drive(multi, i);
	for (; some && scope; scope = scope->outer)
		busy |= drive_list(multi, &scope->posted);
	return busy;
}
