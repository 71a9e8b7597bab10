/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Channels: one peer of a multi-channel. Its queue, its address, its state, and why it failed.
 *
 * Three levels of control: the blocking calls here; what is posted by peer and polled for
 * (segue/gen/peers.h, segue_multi_channel_poll_each()); and the typed builders
 * (segue/gen/builders.h) on the queue that segue_channel_rc_sq() and its siblings return.
 *
 * Owner: a channel is its multi-channel's, and lives as long.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own; what a failure leaves carried out: IBTA vol. 1, 9.9 and 11.6.
 */
#ifndef SEGUE_CHANNEL_H
#define SEGUE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/ah.h"
#include "segue/cq.h"
#include "segue/deadline.h"
#include "segue/detail/function.h"
#include "segue/mr.h"
#include "segue/peer.h"

#include "segue/detail/begin.h"

struct segue_dci_sq;
struct segue_multi_channel;
struct segue_qp;
struct segue_rc_sq;
struct segue_ud_sq;
struct seguei_channel_more;
struct seguei_dci;

/** How far a channel has come. */
enum segue_channel_state {
	SEGUE_CHANNEL_MADE,   /* its queue exists */
	SEGUE_CHANNEL_READY,  /* its endpoint can be given to the peer */
	SEGUE_CHANNEL_UP,     /* requests are taken */
	/* see segue_channel_reason(); segue_multi_channel_meet_peer() begins the next generation */
	SEGUE_CHANNEL_FAILED,
	SEGUE_CHANNEL_CLOSED,
};

/** What became of a request. */
enum segue_outcome {
	SEGUE_OUTCOME_EXECUTED, /* it was done */
	/*
	 * it was refused, as a whole or, for a WRITE of several packets, behind those that were in
	 * range
	 */
	SEGUE_OUTCOME_FAILED,
	SEGUE_OUTCOME_NOT_EXECUTED, /* it was never executed: it may be posted again */
	/*
	 * not known: READs and idempotent WRITEs may be repeated, others need a number the receiver
	 * checks
	 */
	SEGUE_OUTCOME_UNKNOWN,
};

/*
 * Members are for the inline functions here and in segue/gen/peers.h. Those that posts read come
 * first.
 */
struct segue_channel {
	/* RC, UD: where requests go; DC: of the DCI it had last. NULL while it is not up */
	struct segue_sq *sq;
	uint32_t tag;           /* index and generation, as beside each wr_id */
	uint32_t number;        /* of the peer's DCT or queue pair */
	uint64_t key;           /* its DC key or queue key */
	struct seguei_dci *dci; /* DC: which it had last, perhaps not any more */
	struct segue_address_vector av; /* UD, DC */
	uint32_t index;
	uint8_t state; /* enum segue_channel_state */
	struct segue_multi_channel *multi;
	struct seguei_channel_more *more;
	/*
	 * segue/credit.h: messages that the peer takes, 0: it does not count; sent; and given back
	 * by it, which it writes
	 */
	uint32_t credits, sent;
	const volatile uint64_t *taken;
	/* makes it 128 bytes: found by a shift, and in two cache lines, not three */
	uint8_t seguei_room[8];
};

/** segue_channel_state() is how far it has come. Cannot fail. */
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
 * segue_channel_reason() says why it failed, in a sentence; "" if it has not. Never NULL; stays
 * until the next generation.
 */
const char *segue_channel_reason(const struct segue_channel *channel);

/** segue_channel_state_name() is a word for a state. Cannot fail. */
const char *segue_channel_state_name(enum segue_channel_state state);

/**
 * segue_channel_rc_sq() - the typed queue to a peer, for builder chains over RC.
 * @channel: channel
 *
 * Returns NULL with segue_errmsg() if it is not up, or of another transport. Valid while the
 * generation lasts.
 */
struct segue_rc_sq *segue_channel_rc_sq(struct segue_channel *channel);

/** Where a chain over DC or UD goes: queue, address vector, and what belongs to it. */
struct segue_dci_sender {
	struct segue_dci_sq *sq;
	const struct segue_address_vector *ah;
	uint32_t dctn;
	uint64_t dc_key;
};

struct segue_ud_sender {
	struct segue_ud_sq *sq;
	const struct segue_address_vector *ah;
	uint32_t qpn;
	uint32_t qkey;
};

/**
 * segue_channel_dci_sender() - the typed queue to a peer, for one builder chain over DC.
 * @channel: channel
 * @out: filled on success: segue_av(…, out.ah, out.dctn, out.dc_key)
 *
 * Call it before each request, because DCIs change hands. The request must be SEGUE_SIGNALED,
 * because a DCI is free for other peers when nothing is outstanding. Returns 0; -EAGAIN if all DCIs
 * are busy for other peers (poll, and call again: peers keep their turn); -ENOTCONN with the
 * reason.
 */
SEGUEI_MUST_CHECK int segue_channel_dci_sender(struct segue_channel *channel,
					       struct segue_dci_sender *out);

/**
 * segue_channel_ud_sender() is the same over UD: one queue for all peers. Returns 0 or -ENOTCONN.
 * Ask before each request.
 */
SEGUEI_MUST_CHECK int segue_channel_ud_sender(struct segue_channel *channel,
					      struct segue_ud_sender *out);

/**
 * segue_channel_qp() is the queue pair behind a channel, for calls that want one
 * (segue_qp_bind_mw(), segue_qp_supports()): of RC its own; of UD that of all peers; of DC the DCI
 * that segue_channel_dci_sender() has given it, until it changes hands, and what is posted there is
 * SEGUE_SIGNALED. Windows and UMR want max_wqe_units of the multi-channel's options. It stays the
 * multi-channel's. NULL with segue_errmsg() if it is not up, or has no DCI.
 */
struct segue_qp *segue_channel_qp(struct segue_channel *channel);

/**
 * segue_channel_write() - write to the peer's memory, and wait until it is there.
 * @channel: up; RC or DC
 * @from: local memory; with 0 bytes the call only waits for the peer to answer
 * @to: at least as long
 * @deadline: when to give up
 *
 * Completions of other requests go to the multi-channel's handler meanwhile. Returns 0; -EIO with
 * the reason; -ETIMEDOUT: the request is still under way, and its memory must stay; -ERANGE;
 * -ENOTCONN; -ENOTSUP over UD. segue_channel_read() is the other direction.
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
 * @from: local memory; UD: at most the path's MTU
 * @deadline: when to give up
 *
 * The message says who sends: its immediate is segue_multi_channel_imm(). Returns as
 * segue_channel_write().
 */
SEGUEI_MUST_CHECK int segue_channel_send(struct segue_channel *channel,
					 const struct segue_local_buf *from,
					 segue_deadline deadline);

#include "segue/detail/end.h"

#endif
