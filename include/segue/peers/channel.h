/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A channel is one peer of a multi-channel: its queue, its address, its state, and the reason of
 * its failure.
 *
 * A program has three levels of control:
 *
 * - the blocking calls here
 * - posts by peer and polls (segue/gen/peers.h, segue_multi_channel_poll_each())
 * - the typed builders (segue/gen/builders.h) on the queue of segue_channel_rc_sq() and the like
 *
 * Owner: a channel is its multi-channel's, and lives as long.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own, and IBTA vol. 1, 9.9 and 11.6, on the requests that a failure leaves carried
 *   out.
 */
#ifndef SEGUE_CHANNEL_H
#define SEGUE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/ah.h"
#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/declaration.h"
#include "segue/mcast.h"
#include "segue/mr.h"
#include "segue/wc.h"

#include "segue/detail/begin.h"

struct segue_dci_sq;
struct segue_multi_channel;
struct segue_qp;
struct segue_rc_sq;
struct seguei_channel_more;
struct seguei_dci;

/** States of a channel, in their order. */
enum segue_channel_state {
	SEGUE_CHANNEL_MADE,   /* its queue exists */
	SEGUE_CHANNEL_READY,  /* its endpoint can be given to the peer */
	SEGUE_CHANNEL_UP,     /* requests are taken */
	/* see segue_channel_reason(). segue_multi_channel_meet_peer() begins the next generation */
	SEGUE_CHANNEL_FAILED,
	SEGUE_CHANNEL_CLOSED,
};

/** Fate of a request by peer. */
enum segue_outcome {
	SEGUE_OUTCOME_EXECUTED, /* the request was carried out */
	/*
	 * it was refused as a whole, or, if it is a WRITE of several packets, after the packets
	 * that were in range
	 */
	SEGUE_OUTCOME_FAILED,
	SEGUE_OUTCOME_NOT_EXECUTED, /* it was not carried out, and may be posted again */
	/*
	 * not known: READs and idempotent WRITEs may be repeated, but others need a number that the
	 * receiver checks
	 */
	SEGUE_OUTCOME_UNKNOWN,
};

/*
 * Members are for the inline functions here and in segue/gen/peers.h. The members that posts read
 * come first.
 */
struct segue_channel {
	/* RC, UD: the queue of its requests. DC: that of its last DCI. NULL while it is not up */
	struct segue_sq *sq;
	uint32_t tag;           /* index and generation, as stored beside each wr_id */
	uint32_t number;        /* number of the peer's DCT or queue pair */
	uint64_t key;           /* DC key or queue key of the peer */
	struct seguei_dci *dci; /* DC: its last DCI, which may serve another peer by now */
	struct segue_address_vector av; /* UD, DC */
	uint32_t index;
	uint8_t state; /* enum segue_channel_state */
	struct segue_multi_channel *multi;
	struct seguei_channel_more *more;
	/*
	 * messages that the peer takes, or 0 if it does not count them, and messages sent
	 * (segue/peers/multi_channel.h)
	 */
	uint32_t credits, sent;
	const volatile uint64_t *taken; /* messages given back, a count that the peer writes */
	/* pads the struct to 128 bytes, for finding it by a shift and in two cache lines */
	uint8_t seguei_room[8];
};

/** segue_channel_state() is its state. Cannot fail. */
SEGUEI_HOT_FUNCTION enum segue_channel_state segue_channel_state(
	const struct segue_channel *channel)
{
	return (enum segue_channel_state)channel->state;
}

/** segue_channel_peer() is the peer's index and present generation. Cannot fail. */
SEGUEI_HOT_FUNCTION struct segue_peer_id segue_channel_peer(const struct segue_channel *channel)
{
	return seguei_peer_of_tag(channel->tag);
}

/**
 * segue_channel_reason() is the reason of its failure, as a sentence, or "" if it has not failed.
 * Never NULL. The text lives until the next generation.
 */
const char *segue_channel_reason(const struct segue_channel *channel);

/** segue_channel_state_name() is a word for a state. Cannot fail. */
const char *segue_channel_state_name(enum segue_channel_state state);

/**
 * segue_channel_rc_sq() - the typed queue to a peer, for builder chains over RC.
 * @channel: channel
 *
 * Returns NULL with segue_errmsg() if the channel is not up, or has another transport. The queue is
 * valid while the generation lasts.
 */
struct segue_rc_sq *segue_channel_rc_sq(struct segue_channel *channel);

/** Destination of a chain over DC or UD: queue, address vector, and numbers of the peer. */
struct segue_dci_sender {
	struct segue_dci_sq *sq;
	const struct segue_address_vector *ah;
	uint32_t dctn;
	uint64_t dc_key;
};

/**
 * segue_channel_dci_sender() - the typed queue to a peer, for one builder chain over DC.
 * @channel: channel
 * @out: filled on success: segue_av(…, out.ah, out.dctn, out.dc_key)
 *
 * Call it before each request, because DCIs change hands. The request must be SEGUE_SIGNALED,
 * because a DCI is free for other peers when nothing is outstanding. Returns 0, or -ENOTCONN with
 * the reason. Returns -EAGAIN if all DCIs are busy for other peers: poll, and call again. Peers
 * keep their turn.
 */
SEGUEI_MUST_CHECK int segue_channel_dci_sender(struct segue_channel *channel,
					       struct segue_dci_sender *out);

/**
 * segue_channel_ud_sender() is the same over UD, with one queue for all peers. Returns 0 or
 * -ENOTCONN. Call it before each request.
 */
SEGUEI_MUST_CHECK int segue_channel_ud_sender(struct segue_channel *channel,
					      struct segue_ud_sender *out);

/**
 * segue_channel_qp() is the queue pair below a channel, for calls that need one
 * (segue_qp_bind_mw(), segue_qp_supports()). Over RC it is the channel's own, and over UD that of
 * all peers. Over DC it is the DCI that segue_channel_dci_sender() has given it, until that changes
 * hands, and requests posted there must be SEGUE_SIGNALED. Windows and UMR need max_wqe_units of
 * the multi-channel's options. The multi-channel keeps owning the queue pair. NULL with
 * segue_errmsg() if the channel is not up, or has no DCI.
 */
struct segue_qp *segue_channel_qp(struct segue_channel *channel);

/**
 * segue_channel_write() - write to the peer's memory, and wait until it is there.
 * @channel: up, over RC or DC
 * @from: local memory. With 0 bytes the call only waits for the peer to answer
 * @to: at least as long
 * @deadline: when to give up
 *
 * Completions of other requests go to the multi-channel's handler. Returns 0, -EIO with the reason,
 * -ERANGE, -ENOTCONN, or -ENOTSUP over UD. After -ETIMEDOUT the request is still under way, and its
 * memory must stay. segue_channel_read() is the other direction.
 */
SEGUEI_MUST_CHECK int segue_channel_write(struct segue_channel *channel,
					  const struct segue_local_buf *from,
					  const struct segue_remote_buf *to,
					  segue_deadline deadline);

/**
 * segue_channel_read() reads the peer's memory @from into local memory @to. Returns as
 * segue_channel_write().
 */
SEGUEI_MUST_CHECK int segue_channel_read(struct segue_channel *channel,
					 const struct segue_local_buf *to,
					 const struct segue_remote_buf *from,
					 segue_deadline deadline);

/**
 * segue_channel_send() - send a message, and wait until the peer's card has taken it (UD: until it
 * is sent).
 * @channel: up
 * @from: local memory. Over UD at most the path's MTU
 * @deadline: when to give up
 *
 * The message identifies the sender: its immediate is segue_multi_channel_imm(). Returns as
 * segue_channel_write().
 */
SEGUEI_MUST_CHECK int segue_channel_send(struct segue_channel *channel,
					 const struct segue_local_buf *from,
					 segue_deadline deadline);

/*
 * One request to one peer, which can be waited for or tested. It takes pieces of memory from
 * segue_mr_local_buf() and segue_mr_remote_buf().
 *
 *	segue_request_begin(channel, &(struct segue_request_args){…}, &request);
 *	…                                        // other work
 *	segue_request_wait(&request, deadline);
 *
 * Requests begun in a scope (segue/peers/scope.h) have completed when the scope is over. For many
 * peers
 * at once see segue/peers/fan.h. Programs that poll find posts by peer with pieces in
 * segue/peers/post.h.
 *
 * Owner: a request is the program's, and stays in its place until it is over or forgotten. Its
 *   memory stays until it is over, forgotten or not.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own, and IBTA vol. 1, 9.4.5, for atomics.
 */

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
