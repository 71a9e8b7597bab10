/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fans: one call with a request for each of a set of peers, and a result for each. A peer that
 * fails neither hides nor blocks the others.
 *
 * segue_fan_begin() posts without waiting, also in a scope. The usual patterns, which wait, follow
 * below it. Requests have no order, not even those of a peer that is in the set several times. The
 * first one goes to the entry after this side's own, so that ranks do not all begin with the same
 * peer.
 *
 * Owner: everything is the caller's, and must not change until the call, or segue_fan_end(), has
 * returned.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(). The fate of each request is in its result.
 * Source: Segue's own.
 */
#ifndef SEGUE_FAN_H
#define SEGUE_FAN_H

#include "segue/detail/declaration.h"
#include "segue/peers/channel.h"
#include "segue/peers/multi_channel.h"

#include "segue/detail/begin.h"

/** Result of one peer's request. */
struct segue_fan_result {
	/*
	 * 0 or a negative errno. -ENOTCONN: not up, -EIO: failed, -ETIMEDOUT: still under way at
	 * the deadline, -EAGAIN: no room or DCI until then, -ECANCELED: nothing was posted at all
	 */
	int error;
	enum segue_outcome end; /* whether it may be repeated */
	uint32_t bytes;	      /* bytes moved */
	const char *sentence; /* why it failed: the channel's reason, valid as long as that is.
				 "" if there is none, or it has not failed */
};

/** A set of peers, the array of their results, and a deadline. */
struct segue_fan {
	struct segue_multi_channel *multi;
	const uint32_t *peers; /* indices. NULL means 0 to count - 1 */
	uint32_t count;	       /* number of them, and entries of the arrays */
	struct segue_fan_result *results;
	segue_deadline deadline; /* deadline for all requests */
};

/** The requests, as in struct segue_request_args. Arrays have an element for each peer. */
struct segue_fan_args {
	enum segue_request_kind kind;
	/*
	 * `pieces` for each entry, one after the other. If all have 0 bytes, the peer gets no
	 * request and need not be up. But a SEND of 0 bytes is a message
	 */
	const struct segue_local_buf *local;
	/* pieces of each entry, at most max_send_sge. 0 means 1 */
	uint32_t pieces;
	bool same;			   /* the pieces of the first entry are for all */
	const struct segue_remote_buf *remote; /* not for SEND */
	const uint64_t *add_or_swap;	   /* atomics */
	const uint64_t *compare;	   /* COMPARE_SWAP */
};

struct segue_fan_run;

/**
 * segue_fan_begin() - post a request for each peer, as far as there is room, without waiting.
 * @fan: its peers. The arrays that it points to must stay
 * @what: not kept, but its arrays and the memory that they name must stay
 * @out: set on success, for segue_fan_end(), which must come before the multi-channel is closed
 *
 * Returns 0, or -EINVAL, -ERANGE, -ENOTSUP or -ENOMEM before anything is posted.
 */
SEGUEI_MUST_CHECK int segue_fan_begin(const struct segue_fan *fan,
				      const struct segue_fan_args *what,
				      struct segue_fan_run **out);

/**
 * segue_fan_test() - post as far as there is room, poll once, and test whether all requests are
 * over.
 * @run: from segue_fan_begin()
 *
 * Returns 0 if all are over, successful or not, so that segue_fan_end() does not wait. Returns
 * -EAGAIN while a request is under way, or the negative errno of the poll.
 */
SEGUEI_MUST_CHECK int segue_fan_test(struct segue_fan_run *run);

/**
 * segue_fan_end() - wait until all requests are over, or for the deadline, and fill the results.
 * @run: from segue_fan_begin(). It is freed, whatever this returns
 *
 * In a scope it must be called before the scope ends. Returns as segue_fan_write().
 */
SEGUEI_MUST_CHECK int segue_fan_end(struct segue_fan_run *run);

/**
 * segue_fan_write() - write to the memory of each peer.
 * @fan: its peers. Results are filled
 * @from: local pieces, one for each peer. If one has 0 bytes, its peer gets no request and need not
 * be up
 * @to: memory of the peers, each at least as long
 *
 * RC and DC. Requests are posted to all peers before any is waited for. Returns 0 if all were
 * carried out, or -EIO if some were not, see the results. Returns -ETIMEDOUT, naming the peers, if
 * some were still under way at the deadline: their memory must stay until they are flushed. Returns
 * -EINVAL, -ERANGE or -ENOTSUP before anything is posted.
 */
SEGUEI_MUST_CHECK int segue_fan_write(const struct segue_fan *fan,
				      const struct segue_local_buf *from,
				      const struct segue_remote_buf *to);

/**
 * segue_fan_read() reads the memory of each peer @from into local pieces @to. Returns as
 * segue_fan_write().
 */
SEGUEI_MUST_CHECK int segue_fan_read(const struct segue_fan *fan, const struct segue_local_buf *to,
				     const struct segue_remote_buf *from);

/** segue_fan_send() sends each peer a message of its own, which may have 0 bytes and identifies its
 * sender (segue_channel_send()). Returns as segue_fan_write(). */
SEGUEI_MUST_CHECK int segue_fan_send(const struct segue_fan *fan,
				     const struct segue_local_buf *from);

/**
 * segue_fan_send_same() sends each peer the same message, by a request each. Returns as
 * segue_fan_write().
 */
SEGUEI_MUST_CHECK int segue_fan_send_same(const struct segue_fan *fan,
					  const struct segue_local_buf *from);

/**
 * segue_fan_fetch_add() - fetch and add at each peer.
 * @fan: its peers. Results are filled
 * @to: 8 bytes of local memory for each peer, which get the value before the addition, in the byte
 *   order of the peer's memory
 * @at: 8 bytes of each peer's memory, aligned
 * @add: numbers to add
 *
 * RC and DC. Returns as segue_fan_write().
 */
SEGUEI_MUST_CHECK int segue_fan_fetch_add(const struct segue_fan *fan,
					  const struct segue_local_buf *to,
					  const struct segue_remote_buf *at, const uint64_t *add);

/**
 * segue_fan_receive() - wait for one message of each peer.
 * @fan: its peers. Results are filled, `bytes` with the message's length
 * @to: local memory for each peer's message. A longer message is cut, and the result's error is
 *   -EMSGSIZE
 *
 * Over DC with imm_names_sender only. Messages of other peers, and more messages of the same peers,
 * go to the multi-channel's handler. Without a handler they are kept, and the next of these calls,
 * or segue_multi_channel_poll_each(), takes them first. Returns as segue_fan_write(). -ETIMEDOUT
 * names the peers that have sent nothing. Returns -ENOBUFS if all receives hold messages of other
 * peers, so that none can come.
 */
SEGUEI_MUST_CHECK int segue_fan_receive(const struct segue_fan *fan,
					const struct segue_local_buf *to);

#include "segue/detail/end.h"

#endif
