/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many at once: one call with a request for each of a set of peers, and a result for each. A peer
 * that fails neither hides nor blocks the others.
 *
 * segue_fan_begin() posts without waiting, also in a scope; the usual patterns, which wait, are
 * below it. Requests have no order, also those of a peer that is in the set several times. The
 * first one goes to the entry behind this side's own, so that ranks do not all begin with the same
 * peer.
 *
 * Owner: everything is the caller's, and stays as it is until the call returns, or
 * segue_fan_end() has.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(); what became of each request is in its result.
 * Source: Segue's own.
 */
#ifndef SEGUE_FAN_H
#define SEGUE_FAN_H

#include "segue/detail/function.h"
#include "segue/multi_channel.h"
#include "segue/request.h"

#include "segue/detail/begin.h"

/** Result of one peer's request. */
struct segue_fan_result {
	/*
	 * 0, or a negative errno: -ENOTCONN not up, -EIO failed, -ETIMEDOUT still under way at the
	 * deadline, -EAGAIN no room or DCI until then, -ECANCELED nothing was posted at all
	 */
	int error;
	enum segue_outcome end; /* may it be repeated? */
	uint32_t bytes;	      /* moved */
	const char *sentence; /* why it failed: the channel's reason, valid as long as that is.
				 "" if there is none, or it has not failed */
};

/** Peers, where their results go, and until when to wait. */
struct segue_fan {
	struct segue_multi_channel *multi;
	const uint32_t *peers; /* indices. NULL means 0 to count - 1 */
	uint32_t count;	       /* number of them, and entries of the arrays */
	struct segue_fan_result *results;
	segue_deadline deadline; /* for all of them */
};

/** The requests, as in struct segue_request_args. Arrays have an element for each peer. */
struct segue_fan_args {
	enum segue_request_kind kind;
	/*
	 * `pieces` for each entry, one behind the other. All of 0 bytes leave the peer alone, which
	 * need not even be up; but a SEND of 0 bytes is a message
	 */
	const struct segue_local_buf *local;
	uint32_t pieces;		   /* of each, at most max_send_sge. 0 means 1 */
	bool same;			   /* those of the first entry are for all */
	const struct segue_remote_buf *remote; /* not for SEND */
	const uint64_t *add_or_swap;	   /* atomics */
	const uint64_t *compare;	   /* COMPARE_SWAP */
};

struct segue_fan_run;

/**
 * segue_fan_begin() - post a request for each peer, as far as there is room, and wait for none.
 * @fan: whom; what it points to stays
 * @what: not kept, but the arrays and the memory that it names stay
 * @out: set on success; for segue_fan_end(), before the multi-channel is closed
 *
 * Returns 0; -EINVAL, -ERANGE, -ENOTSUP or -ENOMEM before anything is posted.
 */
SEGUEI_MUST_CHECK int segue_fan_begin(const struct segue_fan *fan,
				      const struct segue_fan_args *what,
				      struct segue_fan_run **out);

/**
 * segue_fan_test() - post what there is room for now, poll once, and look whether all is over.
 * @run: begun
 *
 * Returns 0 if all is over, well or not: segue_fan_end() does not wait then; -EAGAIN while
 * something is under way; what a poll says.
 */
SEGUEI_MUST_CHECK int segue_fan_test(struct segue_fan_run *run);

/**
 * segue_fan_end() - wait until all is over, or for the fan's deadline, and fill its results.
 * @run: begun; freed, whatever this returns
 *
 * In a scope: before that ends. Returns as segue_fan_write().
 */
SEGUEI_MUST_CHECK int segue_fan_end(struct segue_fan_run *run);

/**
 * segue_fan_write() - write to the memory of each peer.
 * @fan: whom; results are filled
 * @from: local pieces, one for each peer; one of 0 bytes leaves its peer alone, which need not even
 * be up
 * @to: memory of the peers, each at least as long
 *
 * RC and DC. Requests are posted to all before any is waited for. Returns 0 if all were carried
 * out; -EIO if some were not, see the results; -ETIMEDOUT, naming the peers, if some were still
 * under way at the deadline: their memory must stay until they are flushed; -EINVAL, -ERANGE,
 * -ENOTSUP before anything is posted.
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

/** segue_fan_send() sends each peer a message of its own, which may have 0 bytes, and says who
 * sends (segue_channel_send()). Returns as segue_fan_write(). */
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
 * @fan: whom; results are filled
 * @to: 8 bytes of local memory for each peer: the value before, in the byte order of the peer's
 *   memory
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
 * @fan: whom; results are filled, `bytes` with the message's length
 * @to: local memory for each peer's message: what does not fit is cut, and the result's error is
 *   -EMSGSIZE
 *
 * Over DC with imm_names_sender only. Messages of others, and further ones of the same, go to the
 * multi-channel's handler; without one they are kept, and the next of these calls, or
 * segue_multi_channel_poll_each(), takes them first. Returns as segue_fan_write(); -ETIMEDOUT names
 * who has sent nothing; -ENOBUFS if all receives hold messages of others, so that none can come.
 */
SEGUEI_MUST_CHECK int segue_fan_receive(const struct segue_fan *fan,
					const struct segue_local_buf *to);

#include "segue/detail/end.h"

#endif
