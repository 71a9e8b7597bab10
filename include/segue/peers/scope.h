/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scopes: when a scope ends, all requests posted in it have completed, on the error path too.
 * Memory that requests name may therefore be the function's own.
 *
 *	int rank_sum(struct segue_multi_channel *multi, …)
 *	{
 *		uint64_t sums[8];
 *		SEGUE_SCOPE(scope, multi, segue_deadline_in_ms(1000));
 *
 *		…                              // post; return when something is wrong
 *		return segue_scope_end(&scope); // or return the result here
 *	}
 *
 * A peer that has not answered by the scope's deadline is given up: its channel fails, and requests
 * in flight to it are flushed, so that the card no longer touches that memory. segue_scope_leave()
 * is the manual end, which does not wait and counts the requests in flight.
 *
 * Scopes may be nested, and end in the reverse order. A scope does not wait for requests posted
 * before it, unless they are ahead of its own on the same queue.
 *
 * Owner: a scope is the program's, and stays in its place until it is over. Its multi-channel may
 *   be closed before.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg().
 * Source: Segue's own.
 */
#ifndef SEGUE_SCOPE_H
#define SEGUE_SCOPE_H

#include <string.h>

#include "segue/detail/declaration.h"
#include "segue/peers/multi_channel.h"

#include "segue/detail/begin.h"

struct seguei_posted;

/* Queues that were posted to, and the index of the first post to each. */
struct seguei_posted_list {
	struct seguei_posted *entries;
	uint32_t count, room;
};

/** A scope. Programs do not read its members. */
struct segue_scope {
	struct segue_multi_channel *multi; /* NULL: over */
	struct segue_scope *outer;
	segue_deadline deadline;
	struct seguei_posted_list posted;
	uint32_t number;
	bool all; /* there was no memory for the list: all requests in flight count */
	uint32_t failed;
	char why[256]; /* reason of the first failure */
};

/** Requests that a scope has left in flight. */
struct segue_scope_left {
	uint32_t requests; /* number of them */
	uint32_t peers;    /* number of peers that they are for */
};

/**
 * segue_scope_begin() - begin a scope. Requests posted from now on belong to it.
 * @scope: filled
 * @multi: with a completion queue of its own
 * @deadline: by which all requests must have completed. SEGUE_NEVER waits as long as the peers'
 *   retries last, which may be without end (rnr_retry 7)
 *
 * Cannot fail.
 */
void segue_scope_begin(struct segue_scope *scope, struct segue_multi_channel *multi,
		       segue_deadline deadline);

/**
 * segue_scope_end() - wait until all requests posted in it have completed, also unsignaled ones.
 * @scope: begun. One that is over is allowed
 *
 * Completions go to the multi-channel's handler. Requests that the handler posts are waited for as
 * well. Returns 0, or -EIO if requests posted in it have failed, with their number and the reason
 * of the first. Calls that wait report their failures themselves. Returns -ETIMEDOUT naming the
 * peers that were given up at the deadline, or the error of a poll. After all of these nothing of
 * it is in flight. On a shared completion queue returns -ENOTSUP, and does not wait.
 */
SEGUEI_MUST_CHECK int segue_scope_end(struct segue_scope *scope);

/**
 * segue_scope_leave() - end it without polling or waiting.
 * @scope: begun. One that is over is allowed
 * @left: filled with the number of requests posted in it that are in flight, or NULL
 *
 * Returns 0 if none is in flight, or -EBUSY naming the peers: memory of those requests must stay
 * until they have completed.
 */
SEGUEI_MUST_CHECK int segue_scope_leave(struct segue_scope *scope, struct segue_scope_left *left);

/*
 * The end of a block: as segue_scope_end(), but segue_errmsg() keeps its sentence.
 */
void seguei_scope_close(struct segue_scope *scope);

SEGUE_FUNCTION struct segue_scope seguei_scope_none(void)
{
	struct segue_scope scope;

	memset(&scope, 0, sizeof(scope));
	return scope;
}

/**
 * SEGUE_SCOPE(name, multi, deadline) declares a scope that ends with its block, however the block
 * is left, unless segue_scope_end() or segue_scope_leave() has ended it before. It may stand where
 * a declaration may. With gcc and clang. C++ has segue::scope in segue/segue.hpp.
 */
#define SEGUE_SCOPE(name, multi, deadline)                                                   \
	__attribute__((                                                                      \
		cleanup(seguei_scope_close))) struct segue_scope name = seguei_scope_none(); \
	segue_scope_begin(&(name), multi, deadline)

#include "segue/detail/end.h"

#endif
