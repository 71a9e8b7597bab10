/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scopes: all that is posted in one has completed when it ends, on the error path too. So memory
 * that requests name may be the function's own.
 *
 *	int rank_sum(struct segue_multi_channel *multi, …)
 *	{
 *		uint64_t sums[8];
 *		SEGUE_SCOPE(scope, multi, segue_deadline_in_ms(1000));
 *
 *		…                              // post; return when something is wrong
 *		return segue_scope_end(&scope); // or say here how it went
 *	}
 *
 * A peer that has not answered by the scope's deadline is given up: its channel fails, and what is
 * in flight to it is flushed, so that the card touches that memory no more. segue_scope_leave() is
 * the manual end: it waits for nothing and says what is left.
 *
 * Scopes may be nested, and are over in the reverse order. A scope does not wait for requests
 * posted before it, unless they are ahead of its own on the same queue.
 *
 * Owner: a scope is the program's, and stays where it is until it is over; its multi-channel may be
 *   closed before.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg().
 * Source: Segue's own.
 */
#ifndef SEGUE_SCOPE_H
#define SEGUE_SCOPE_H

#include <string.h>

#include "segue/detail/function.h"
#include "segue/multi_channel.h"

#include "segue/detail/begin.h"

struct seguei_posted;

/* Queues that were posted to, and from where on. */
struct seguei_posted_list {
	struct seguei_posted *entries;
	uint32_t count, room;
};

/** A scope. Its members are not for programs. */
struct segue_scope {
	struct segue_multi_channel *multi; /* NULL: over */
	struct segue_scope *outer;
	segue_deadline deadline;
	struct seguei_posted_list posted;
	uint32_t number;
	bool all; /* there was no memory: all that is in flight counts */
	uint32_t failed;
	char why[256]; /* the first one did */
};

/** What a scope has left in flight. */
struct segue_scope_left {
	uint32_t requests; /* number of them */
	uint32_t peers;    /* number of peers that they are for */
};

/**
 * segue_scope_begin() - requests posted from now on belong to the scope.
 * @scope: filled
 * @multi: with a completion queue of its own
 * @deadline: by when all is to have completed; SEGUE_NEVER waits as long as the peers' retries
 *   last, which may be for ever (rnr_retry 7)
 *
 * Cannot fail.
 */
void segue_scope_begin(struct segue_scope *scope, struct segue_multi_channel *multi,
		       segue_deadline deadline);

/**
 * segue_scope_end() - wait until all that was posted in it has completed, silent requests too.
 * @scope: begun; or over, which is no error
 *
 * Completions go to the multi-channel's handler; what that posts is waited for as well. Returns 0;
 * -EIO if requests posted in it have failed, saying how many and why the first (not those of calls
 * that wait, which have told already); -ETIMEDOUT naming the peers that were given up at the
 * deadline; what a poll says; -ENOTSUP on a completion queue that is shared, where nothing is
 * waited for. But for that, nothing of it is in flight any more whatever it returns.
 */
SEGUEI_MUST_CHECK int segue_scope_end(struct segue_scope *scope);

/**
 * segue_scope_leave() - end it without polling or waiting.
 * @scope: begun; or over, which is no error
 * @left: filled with the number of requests posted in it that are in flight; or NULL
 *
 * Returns 0 if nothing is, or -EBUSY naming the peers: memory of those requests must stay until
 * they have completed.
 */
SEGUEI_MUST_CHECK int segue_scope_leave(struct segue_scope *scope, struct segue_scope_left *left);

/*
 * The end of a block: as segue_scope_end(), but segue_errmsg() still says why the block was left.
 */
void seguei_scope_close(struct segue_scope *scope);

SEGUE_FUNCTION struct segue_scope seguei_scope_none(void)
{
	struct segue_scope scope;

	memset(&scope, 0, sizeof(scope));
	return scope;
}

/**
 * SEGUE_SCOPE(name, multi, deadline) declares a scope that ends with the block it stands in,
 * however that is left, unless segue_scope_end() or segue_scope_leave() has ended it before. It
 * stands where a declaration may. With gcc and clang. C++ has segue::scope in segue/segue.hpp.
 */
#define SEGUE_SCOPE(name, multi, deadline)                                                   \
	__attribute__((                                                                      \
		cleanup(seguei_scope_close))) struct segue_scope name = seguei_scope_none(); \
	segue_scope_begin(&(name), multi, deadline)

#include "segue/detail/end.h"

#endif
