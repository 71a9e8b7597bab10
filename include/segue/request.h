/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One request to one peer, which can be waited for or tested. It takes pieces of memory from
 * segue_mr_local_buf() and segue_mr_remote_buf().
 *
 *	segue_request_begin(channel, &(struct segue_request_args){…}, &request);
 *	…                                        // other work
 *	segue_request_wait(&request, deadline);
 *
 * Requests begun in a scope (segue/scope.h) have completed when the scope is over. For many peers
 * at once see segue/fan.h. Programs that poll find posts by peer with pieces in segue/piece.h.
 *
 * Owner: a request is the program's, and stays in its place until it is over or forgotten. Its
 *   memory stays until it is over, forgotten or not.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own, and IBTA vol. 1, 9.4.5, for atomics.
 */
#ifndef SEGUE_REQUEST_H
#define SEGUE_REQUEST_H

#include "segue/channel.h"
#include "segue/detail/function.h"

#include "segue/detail/begin.h"

/** Kinds of requests to a peer. Over UD only SEND. */
enum segue_request_kind {
	SEGUE_REQUEST_WRITE,
	SEGUE_REQUEST_READ,
	/* a message with segue_multi_channel_imm() as its immediate */
	SEGUE_REQUEST_SEND,
	SEGUE_REQUEST_FETCH_ADD,
	SEGUE_REQUEST_COMPARE_SWAP,
};

/** One request. */
struct segue_request_args {
	enum segue_request_kind kind;
	/*
	 * source pieces, or target pieces for READ and atomics. For an atomic: 8 bytes for the
	 * value before, in the byte order of the peer's memory
	 */
	const struct segue_local_buf *local;
	uint32_t pieces; /* number of them, at most max_send_sge. 0 means 1 */
	/*
	 * memory of the peer, at least as long as all pieces, for an atomic aligned to 8. Not for
	 * SEND
	 */
	const struct segue_remote_buf *remote;
	uint64_t add_or_swap; /* the addend of FETCH_ADD, or the new value of COMPARE_SWAP */
	uint64_t compare;     /* the expected value, which add_or_swap replaces */
};

/** A request that has begun. */
struct segue_request {
	/* fate of the request once it is over: whether it may be repeated */
	enum segue_outcome end;
	/* Programs do not read the rest. */
	struct segue_multi_channel *multi; /* NULL: there is none, or it was closed */
	uint64_t wr_id;
	uint32_t *pending; /* counted down when it is over */
	uint32_t peer;
	uint8_t syndrome;
	bool posted, done;
};

/**
 * segue_request_begin() - post a request.
 * @channel: up
 * @what: not kept. The memory that it names stays
 * @request: filled, also on failure
 *
 * Returns 0, or -EAGAIN or -ENOSPC if there is no DCI or no room for it now
 * (segue_channel_make_room()). Other errors are -ERANGE if its memory is too short, -EINVAL naming
 * the member, -ENOTCONN with the reason, -ENOTSUP over UD, and -ENOMEM.
 */
SEGUEI_MUST_CHECK int segue_request_begin(struct segue_channel *channel,
					  const struct segue_request_args *what,
					  struct segue_request *request);

/**
 * segue_request_test() - test whether it is over, and poll once if not.
 * @request: from segue_request_begin()
 *
 * Completions of other requests go to the multi-channel's handler, as in calls that wait. Returns 0
 * if it was carried out, -EAGAIN while it is under way, -EIO with the reason if it failed, or the
 * error of the poll.
 */
SEGUEI_MUST_CHECK int segue_request_test(struct segue_request *request);

/**
 * segue_request_wait() - wait until it is over.
 * @request: from segue_request_begin()
 * @deadline: when to give up
 *
 * Returns as segue_request_test(), but -ETIMEDOUT in place of -EAGAIN. Then it is still under way,
 * and can be waited for again, or forgotten.
 */
SEGUEI_MUST_CHECK int segue_request_wait(struct segue_request *request, segue_deadline deadline);

/**
 * segue_request_forget() - stop waiting for it, and free the struct for other uses. The request
 * uses its memory until it is over, or its channel has failed. Cannot fail.
 */
void segue_request_forget(struct segue_request *request);

/**
 * segue_channel_make_room() - poll until the peer's queue has room for a request.
 * @channel: up
 * @deadline: when to give up
 *
 * Over DC the peer has a DCI then. The next post to it is not refused with -EAGAIN or -ENOSPC.
 * Returns 0, -ETIMEDOUT, -ENOTCONN, or the error of a poll.
 */
SEGUEI_MUST_CHECK int segue_channel_make_room(struct segue_channel *channel,
					      segue_deadline deadline);

/**
 * segue_channel_fetch_add() - add to 8 bytes of the peer's memory, and wait for the value before.
 * @channel: up, over RC or DC
 * @to: 8 bytes of local memory, for the value before, in the byte order of the peer's memory
 * @at: 8 bytes of the peer's memory, aligned
 * @add: number to add
 * @deadline: when to give up
 *
 * Returns as segue_channel_write().
 */
SEGUEI_MUST_CHECK int segue_channel_fetch_add(struct segue_channel *channel,
					      const struct segue_local_buf *to,
					      const struct segue_remote_buf *at, uint64_t add,
					      segue_deadline deadline);

/**
 * segue_channel_compare_swap() - replace a value that is expected in 8 bytes of the peer's memory.
 * @channel: up, over RC or DC
 * @to: 8 bytes of local memory, for the value before. If it is @compare, it was swapped
 * @at: 8 bytes of the peer's memory, aligned
 * @compare: number that is expected there
 * @swap: number that takes its place
 * @deadline: when to give up
 *
 * Returns as segue_channel_write().
 */
SEGUEI_MUST_CHECK int segue_channel_compare_swap(struct segue_channel *channel,
						 const struct segue_local_buf *to,
						 const struct segue_remote_buf *at,
						 uint64_t compare, uint64_t swap,
						 segue_deadline deadline);

#include "segue/detail/end.h"

#endif
