/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multi-channels: N peers over one protection domain and one completion queue, by RC, DC or UD.
 *
 * segue_multi_channel_open() prepares it: endpoints exist. Then peers meet over a world
 * (segue_multi_channel_meet()), or the program carries endpoints itself
 * (segue_multi_channel_connect()). Requests by peer are in segue/gen/peers.h. Completions name
 * their peer (segue_wc.peer).
 *
 * RC has a queue pair per peer. DC has a few initiators (DCIs) and one target for all peers. A DCI
 * belongs to one peer while it has work outstanding. A quota and a waiting list keep any peer from
 * holding it too long. If a receiver has no receive posted, a DCI may wait for ever (rnr_retry 7).
 * It is taken away if nothing moves for longer than its path's retries take, one of its requests
 * needs a receive (or the path's timeout is 0), and other peers wait. Its requests come back
 * flushed, SEGUE_OUTCOME_UNKNOWN, and the peer stays up. UD has one queue pair for all peers.
 *
 * Owner: the program's. It is a child of its protection domain, and closed with that at the latest.
 * Memory and queues given in options stay the caller's.
 * Threads: one per multi-channel. A program with several threads has a multi-channel in each, over
 * the same device and domain (docs/examples/threads.c). Worlds belong to one thread at a time as
 * well, so only one thread at a time may meet, publish and find.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own, and mlx5dv_create_qp(3) for DC.
 */
#ifndef SEGUE_MULTI_CHANNEL_H
#define SEGUE_MULTI_CHANNEL_H

#include "segue/cq.h"
#include "segue/detail/declaration.h"
#include "segue/endpoint.h"
#include "segue/mcast.h"
#include "segue/peers/channel.h"
#include "segue/peers/world.h"
#include "segue/pool.h"
#include "segue/srq.h"

#include "segue/detail/begin.h"

/** First wr_id of the library's own requests. Programs use smaller ones. */
#define SEGUE_WR_ID_LIMIT UINT64_C(0xfff0000000000000)

/** Never, for options that count milliseconds and have a default of 0. */
#define SEGUE_MS_NEVER	     UINT32_MAX

/** Most messages that keepalive writes within options.keepalive_ms, to all peers together. */
#define SEGUE_KEEPALIVE_MAX  16u

/** Groups that can have barriers of their own. */
#define SEGUE_BARRIER_GROUPS 16

/** The transport of a multi-channel. */
enum segue_channel_transport { SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC, SEGUE_TRANSPORT_UD };

/** Options of a multi-channel. All but `peers` may be zero. */
struct segue_multi_channel_options {
	enum segue_channel_transport transport;
	uint32_t peers;        /* 1 to SEGUE_PEERS_MAX. This side may be among them */
	uint32_t self;         /* this side's index, by which peers know it */
	/*
	 * incarnation of this process in its place, counted from 1. 0 means 1. A world knows it,
	 * see segue_multi_channel_meet()
	 */
	uint32_t life;
	uint8_t port;          /* port of the device. 0 means 1 */
	/*
	 * Retries, timeout, MTU, GID index, …. NULL: segue_path_init(). Members that name a peer
	 * are not read. RC takes the smaller MTU of both sides. Over DC all must have the same,
	 * because its queues are for all peers. qkey (UD) is the key of incoming datagrams. If it
	 * is 0, a random one is drawn and peers learn it.
	 */
	const struct segue_path *path;
	/* requests in flight per queue: RC per peer, DC per DCI, UD in all. 0 means 64 */
	uint32_t max_send_wr;
	uint32_t max_send_sge; /* 0 means 4 */
	uint32_t max_inline;   /* bytes. 0 means 64 */
	/*
	 * units of 16 bytes of the largest request, as in segue_qp_options. Windows and UMR need
	 * more. 0 means enough for the two members above
	 */
	uint32_t max_wqe_units;
	/* buffers posted, for all peers. 0 means 256, or those of the pool with srq and pool */
	uint32_t receives;
	uint32_t receive_size; /* bytes of the longest message. 0 means 4096 */
	/*
	 * RC, DC: messages that each peer may have there, see segue/peers/multi_channel.h. All
	 * peers together
	 * may have at most `receives`, and fewer than 2^16. Either all sides have credits or none.
	 * 0 means no limit
	 */
	uint32_t credits;
	uint32_t dcis;         /* DC: initiators. 0 means 8 */
	/* DC: blocks of 64 bytes that a peer may post while others wait for a DCI. 0 means 32 */
	uint32_t quota;
	/* shared only with other multi-channels of this thread. NULL: its own */
	struct segue_cq *cq;
	/*
	 * shared likewise: all of them take receives from it. It must be of the same domain, and
	 * its entries have one piece. Needs pool
	 */
	struct segue_srq *srq;
	/*
	 * buffers that are posted to srq, by nothing else. `receives` and `receive_size` are the
	 * pool's. NULL: srq and pool are its own
	 */
	struct segue_pool *pool;
	/* its own rings and buffers are on huge pages (see segue_pool_options) */
	bool huge_pages;
	bool near_device; /* its own rings and buffers are on the device's NUMA node */
	/*
	 * entries of its own cq. 0: as many as can complete at once. With fewer entries, the
	 * program must prevent overruns
	 */
	uint32_t cq_entries;
	/*
	 * RC, DC: if nothing has happened with a peer for this time, an empty WRITE tests it, at
	 * most SEGUE_KEEPALIVE_MAX peers in that time, see segue_multi_channel_keepalive(). Over
	 * DC only peers that were used, or are waited for. 0 and SEGUE_MS_NEVER: never
	 */
	uint32_t keepalive_ms;
	/*
	 * interval at which a call that waits asks the world of the rendezvous for dead ranks.
	 * Keepalive asks before it writes to a peer. 0 and SEGUE_MS_NEVER mean never. The world
	 * must stay open, and only this thread may use it
	 */
	uint32_t ask_world_ms;
	/*
	 * RC: a peer's queue pair is made by segue_multi_channel_meet_peer(), or
	 * segue_multi_channel_endpoint(). It saves memory and set-up time if each peer uses few of
	 * many
	 */
	bool on_demand;
	/*
	 * peers use other numbers for their peers, as a server's clients do: see
	 * segue_multi_channel_accept()
	 */
	bool own_numbers;
	/* its completion queue raises events: see segue_multi_channel_fd() */
	bool events;
	/*
	 * DC: the immediate of every incoming message is its sender's segue_multi_channel_imm(),
	 * and becomes wc.peer
	 */
	bool imm_names_sender;
	/*
	 * gets the completions that come while a call waits for others. NULL: they are kept, and
	 * the next segue_multi_channel_poll_each() hands them out first, in their order
	 */
	segue_wc_handler handler;
	void *arg;             /* argument of the handler */
	uint64_t reserved[4];  /* 0 */
};

/* Members are for the inline functions here and in segue/gen/peers.h. */
struct segue_multi_channel {
	struct segue_channel *channels;
	uint32_t count;
	uint32_t transport; /* enum segue_channel_transport */
	/*
	 * completion queue of polls. It has no entries while kept completions must come before
	 * those of the real one
	 */
	struct segue_cq *cq;
	uint32_t due; /* work for polls that find nothing: SEGUEI_DUE_... */
	uint32_t empty; /* polls in a row that found nothing */
	bool keeps_alive;
	bool counts_credits; /* the messages that peers may have in its receives are counted */
	struct segue_srq *srq;
	struct segue_pool *pool;
	uint32_t batch; /* receives that are posted together */
	uint32_t imm; /* segue_multi_channel_imm() */
	struct seguei_multi_more *more;
};

/**
 * segue_multi_channel_open() - make queues for all peers.
 * @pd: its owner. Memory that is registered in it once works with every peer
 * @options: not kept
 * @out: set on success. Every channel is ready
 *
 * Returns 0, -EINVAL naming the option, -ENOMEM, or another negative errno from the kernel.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_open(struct segue_pd *pd,
					       const struct segue_multi_channel_options *options,
					       struct segue_multi_channel **out);

/**
 * segue_multi_channel_close() - destroy its queues.
 * @multi: or NULL
 *
 * Requests in flight are dropped, so call segue_multi_channel_drain() first. Returns 0, or the
 * first error. After an error it stays open, and may be closed again, but not used.
 */
int segue_multi_channel_close(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_at() is the channel of a peer, by index. It returns NULL with segue_errmsg()
 * if there is none, or, over DC, where a channel is made at its first use, no memory for it.
 */
struct segue_channel *segue_multi_channel_at(struct segue_multi_channel *multi, uint32_t index);

/**
 * segue_multi_channel_imm() is the immediate by which this side's messages name their sender. Its
 * lower 20 bits are the index. Its upper 12 bits are the process's incarnation, so that a late
 * message of a former process is not taken for the present one's. If they are 0, receivers ignore
 * them. It is known once this side has met. Cannot fail.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_multi_channel_imm(const struct segue_multi_channel *multi)
{
	return multi->imm;
}

/**
 * segue_multi_channel_bytes_per_peer() is the memory for each peer, in bytes: Segue's own, and over
 * RC the ring and a share of the completion queue. Over DC and UD peers at one port share an
 * address, and take less. It does not include the memory of libmlx5, the kernel and the card for
 * each queue pair or address. Cannot fail.
 */
uint64_t segue_multi_channel_bytes_per_peer(const struct segue_multi_channel *multi);

/**
 * segue_multi_channel_bytes_shared() is the memory that does not depend on the number of peers:
 * receives, and over DC and UD queues and completion queue. Cannot fail.
 */
uint64_t segue_multi_channel_bytes_shared(const struct segue_multi_channel *multi);

/**
 * segue_multi_channel_endpoint() - the endpoint of this side, for a peer.
 * @multi: multi-channel
 * @index: of the peer. Over RC each peer gets another endpoint
 * @out: filled on success. segue_endpoint_pack() serialises it
 *
 * Returns 0 or -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_endpoint(struct segue_multi_channel *multi,
						   uint32_t index, struct segue_endpoint *out);

/**
 * segue_multi_channel_connect() - connect with endpoints that the program has exchanged itself.
 * @multi: prepared
 * @endpoints: by index: each peer's segue_multi_channel_endpoint() for this side
 * @count: number of endpoints
 *
 * Before the first message each side must know that the other is up. Returns 0, -EINVAL naming the
 * endpoint that is missing, of the wrong kind, or of or for another peer, or the error of
 * connecting. If one is refused, nothing is connected.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_connect(struct segue_multi_channel *multi,
						  const struct segue_endpoint *endpoints,
						  uint32_t count);

/**
 * segue_multi_channel_meet() - connect to the ranks of a world: peer i is rank i.
 * @multi: prepared. Its `peers` is the world's size and `self` this rank
 * @world: stays the caller's
 * @name: distinguishes multi-channels of one world, 1 to 16 characters
 * @deadline: when to give up
 *
 * With `on_demand` nothing is exchanged, and peers connect one by one
 * (segue_multi_channel_meet_peer()). A process that came back in place of another
 * (segue_world_incarnation()) meets each peer that calls segue_multi_channel_meet_peer(), at its
 * call. It may also meet all peers that call this function together: if a first attempt has failed
 * because a rank died, or if the multi-channel has another name. While it waits, it answers calls
 * of other multi-channels' peers, and polls completions. Returns 0, or -ETIMEDOUT naming the
 * missing peers: the others are met. Returns -ENOTCONN naming the peers that have died: call again
 * when they are back. Returns -EINVAL, or -EPROTO naming the field of a rank's record.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_meet(struct segue_multi_channel *multi,
					       struct segue_world *world, const char *name,
					       segue_deadline deadline);

/**
 * segue_multi_channel_meet_peer() - meet one peer: for the first time, or because it has come back.
 * @multi: has met over the world
 * @world: that it met over
 * @index: of the peer, which may have failed, or not be made yet (`on_demand`)
 * @deadline: time limit for the rank to come
 *
 * Either another process has taken the peer's place (and calls segue_multi_channel_meet()), or the
 * peer lives, and calls this as well: it is new, or was out of reach, for example because a link
 * was cut. Its next generation begins even if it is up, so with `on_demand` check
 * segue_channel_state() first. A side that calls it for several peers takes them in the order of
 * their indices. Completions of requests in flight go to the handler first. Other peers are not
 * affected. Not from a handler. Returns 0 when both sides are up. After -ETIMEDOUT naming the peer,
 * the peer has failed: call again, even if the other side's call has succeeded. Returns -EINVAL,
 * -ENOMEM, or another negative errno from the kernel if no queue pair can be made. Other
 * completions go to the handler during the call. See also segue_barrier_restart().
 */
SEGUEI_MUST_CHECK int segue_multi_channel_meet_peer(struct segue_multi_channel *multi,
						    struct segue_world *world, uint32_t index,
						    segue_deadline deadline);

/**
 * segue_multi_channel_restart_peer() - begin a peer's next generation by hand.
 * @multi: multi-channel
 * @index: of the peer, which has come back, or must be connected again. It may have failed
 * @deadline: for the completions of requests in flight to it
 *
 * This is the first of two steps, and segue_multi_channel_connect_peer() is the second. Requests in
 * flight go to the multi-channel's handler first, flushed. Messages of the former generation that
 * were kept are dropped. Then its segue_multi_channel_endpoint() is for the new generation. Other
 * peers work on. Returns 0, and the channel is ready. After -ETIMEDOUT the channel has failed.
 * Returns -EINVAL, or another negative errno from the kernel. segue_multi_channel_meet_peer() does
 * both steps over a world.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_restart_peer(struct segue_multi_channel *multi,
						       uint32_t index, segue_deadline deadline);

/**
 * segue_multi_channel_connect_peer() - connect one peer by an endpoint that the program has
 * carried.
 * @multi: multi-channel
 * @index: of the peer. Its channel is ready
 * @endpoint: the peer's segue_multi_channel_endpoint() for this side
 *
 * Returns as segue_multi_channel_connect(). Returns -EINVAL also if the channel is up or failed
 * (segue_multi_channel_restart_peer()), or the endpoint is of an earlier process than the last one
 * in that place.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_connect_peer(struct segue_multi_channel *multi,
						       uint32_t index,
						       const struct segue_endpoint *endpoint);

/**
 * segue_multi_channel_fail_peer() - treat a peer as dead.
 * @multi: multi-channel
 * @index: of the peer
 * @why: sentence for segue_channel_reason()
 *
 * Requests in flight to it come back flushed, without waiting for retries. If the peer still lives,
 * RC takes nothing more from it. Over DC it can still reach the memory that it has keys to, because
 * one target serves all peers: take windows back, or close regions. Returns 0 or -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_fail_peer(struct segue_multi_channel *multi,
						    uint32_t index, const char *why);

/**
 * segue_multi_channel_rotate_dc_key() - over DC: make the key that peers have invalid.
 * @multi: multi-channel
 *
 * A new target with a random key takes the place of the present one. Requests of peers to the
 * former target find none, end after their retries (SEGUE_OUTCOME_UNKNOWN), and their channel
 * fails. A peer that may go on needs the new endpoint: both sides call
 * segue_multi_channel_meet_peer(), or carry it otherwise. This side's requests continue. Messages
 * that had come are handed out first. Returns the number of messages that came so late that they
 * are lost, -ENOTSUP over RC and UD, or another negative errno from the kernel, and the former
 * target stays.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_rotate_dc_key(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_accept() - take a client that calls, as a peer.
 * @multi: a server's, with own_numbers. Its `peers` is the most clients at once
 * @listener: from segue_exchange_open(). poll(2) may wait for it
 * @deadline: when to give up waiting for a call. SEGUE_NOW takes only a call that waits already
 * @index: set to the client's own index, which wc.peer has
 *
 * Servers need no world, and clients need not know each other. The caller proves that it knows the
 * token (segue/peers/world.h), in at most two seconds, during which nothing else is done. Messages
 * that a
 * client sends at once are repeated by its card until they are taken. Over UD they may be lost.
 * keepalive_ms, or a request to it, finds a client that has gone. A client may also announce that
 * it leaves, and the server calls segue_multi_channel_fail_peer(). Then its index is free for
 * another client, in another generation. Clients learn of memory by messages
 * (segue_remote_buf_pack()). Returns 0, -ETIMEDOUT if no client calls, or one sends no valid
 * answer, -ENOSPC if all peers are up, -EINVAL, or an error of segue_exchange_accept().
 */
SEGUEI_MUST_CHECK int segue_multi_channel_accept(struct segue_multi_channel *multi, int listener,
						 segue_deadline deadline, uint32_t *index);

/**
 * segue_multi_channel_connect_host() - connect to a server, for the first time or again.
 * @multi: a client's, with own_numbers. It may have several servers
 * @index: of the server among this side's peers. The server has the same number as `self`
 * @host: name or address
 * @service: port number or name, of the server's listener
 * @deadline: when to give up
 *
 * Messages name their sender to the server that was called last. Returns 0, -EINVAL, or an error of
 * segue_exchange_connect().
 */
SEGUEI_MUST_CHECK int segue_multi_channel_connect_host(struct segue_multi_channel *multi,
						       uint32_t index, const char *host,
						       const char *service,
						       segue_deadline deadline);

/**
 * segue_multi_channel_fd() - one descriptor for poll(2) or epoll(7).
 * @multi: opened with `events`. It must have met for the world's events
 *
 * It is readable when a request has completed after segue_multi_channel_arm(), and, with
 * ask_world_ms over TCP, when the world has news. The descriptor stays the multi-channel's. Call
 * this again when it has met. Returns the descriptor, -EINVAL without `events`, or a negative errno
 * from epoll_create1(2).
 */
SEGUEI_MUST_CHECK int segue_multi_channel_fd(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_arm() - request an event before sleeping on that descriptor.
 * @multi: opened with `events`
 *
 * Takes the events that came, fails peers that have died, as the world knows, and posts receives.
 * Sleep no longer than segue_multi_channel_keepalive() returns, if there is keepalive_ms. Returns
 * 0: sleep until the descriptor is readable. Returns 1 if there is work already: poll and call
 * segue_multi_channel_next_change(). Or returns a negative errno.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_arm(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_next_change() - the next peer that has failed or come back.
 * @multi: multi-channel
 * @peer: set to index and present generation
 * @state: set to its present state: SEGUE_CHANNEL_FAILED, see segue_channel_reason(), or another
 *
 * Each change is reported once, and several changes of one peer are reported as one, in the order
 * of first changes. Returns true, or false if there is none. Cannot fail.
 */
bool segue_multi_channel_next_change(struct segue_multi_channel *multi, struct segue_peer_id *peer,
				     enum segue_channel_state *state);

/**
 * segue_multi_channel_publish() - publish memory under a name for peers.
 * @multi: met over a world
 * @name: 1 to 16 characters
 * @memory: from segue_mr_remote_buf()
 *
 * Returns 0, -EINVAL, or the world's error.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_publish(struct segue_multi_channel *multi,
						  const char *name,
						  const struct segue_remote_buf *memory);

/**
 * segue_multi_channel_find() - the memory that a peer has published under a name.
 * @multi: met over a world
 * @index: of the peer
 * @name: as published
 * @deadline: how long to wait for it
 * @out: filled on success. segue_remote_buf_part() keeps within its bounds
 *
 * The world is queried once per peer, generation and name, so remember the result. Returns 0,
 * -ETIMEDOUT or -ENOTCONN naming the peer, or -EPROTO naming the field.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_find(struct segue_multi_channel *multi, uint32_t index,
					       const char *name, segue_deadline deadline,
					       struct segue_remote_buf *out);

/**
 * segue_multi_channel_hand_over() - let another thread use it from now on.
 * @multi: multi-channel
 *
 * For a multi-channel that was opened, and has met, in the main thread. The threads synchronise
 * among themselves. Only checked builds need the call. A completion queue of the caller's is handed
 * over by the caller. Cannot fail.
 */
void segue_multi_channel_hand_over(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_drain() - poll until nothing is outstanding.
 * @multi: multi-channel
 * @deadline: when to give up
 *
 * Returns 0, or -ETIMEDOUT naming the peers.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_drain(struct segue_multi_channel *multi,
						segue_deadline deadline);

/**
 * segue_multi_channel_outcome() - the fate of a request, from its completion.
 * @multi: multi-channel
 * @wc: its completion, in the handler
 *
 * Returns enum segue_outcome. Cannot fail.
 */
enum segue_outcome segue_multi_channel_outcome(const struct segue_multi_channel *multi,
					       const struct segue_wc *wc);

/**
 * segue_multi_channel_keepalive() - test the peers with which nothing has happened for
 * options.keepalive_ms.
 * @multi: RC or DC
 *
 * An empty WRITE moves no bytes and needs no key, but must be acknowledged. The channel of a peer
 * that died unnoticed fails, with the reason, after its turn and the retries of its path (retry_cnt
 * times the timeout, and more on a slow card). The peers take turns, and SEGUE_KEEPALIVE_MAX bounds
 * the messages: up to 8 peers have their turn within keepalive_ms, n peers within n / 8 times that.
 * A peer with a full queue, or without a free DCI, is left for its next turn. With ask_world_ms the
 * world is queried first. A peer that has died, as the world knows, fails at once. A peer that has
 * its connection with the world (engine tcp) lives: nothing is written, and it does not fail for
 * being slow. If a link that carries only RDMA is cut, only the next request, or the deadline of a
 * wait, finds out. Only a peer without a connection to the world is written to: one that has left
 * it or was cut off from it, and all peers with pmix.
 *
 * Empty polls call this. A program that waits for events, and does not poll, must call it. Returns
 * the milliseconds after which to call it again, or 0 if there is no keepalive. Cannot fail.
 * Source: IBTA vol. 1, 9.4.3 and 9.7.4.1: the key of an empty WRITE is not checked.
 */
uint32_t segue_multi_channel_keepalive(struct segue_multi_channel *multi);

/* Empty polls in a row after which the clock is read, some ten microseconds. */
#define SEGUEI_EMPTY_POLLS 256u

/**
 * segue_multi_channel_payload() is the first byte of a message in a receive's buffer. Over UD it
 * comes after a header. Cannot fail.
 */
void *segue_multi_channel_payload(const struct segue_multi_channel *multi,
				  const struct segue_wc *wc);

/** segue_multi_channel_payload_size() is its length in bytes. Cannot fail. */
uint32_t segue_multi_channel_payload_size(const struct segue_multi_channel *multi,
					  const struct segue_wc *wc);

/* Work for a poll that finds nothing, or a failure. */
#define SEGUEI_DUE_RECEIVES 1u /* post buffers that were given back */
#define SEGUEI_DUE_MEND     2u /* repair queues that have failed */
#define SEGUEI_DUE_CREDITS  8u /* notify peers of messages that were given back */
#define SEGUEI_DUE_KEPT     4u /* hand out completions that came while a call waited */

/*
 * Rails: several ways to the same peers, for example over several ports of a device or several GIDs
 * of a port. Each rail is a multi-channel of its own, with its path, over one protection domain, so
 * memory is registered once and a key is good on every rail. They share a completion queue, and may
 * share receives: see the multi-channel's options. Over a world each meets by a name of its own.
 *
 * A peer's rail is number (own index + its index) modulo the number of rails. It is the same at
 * both ends, so that peers are spread evenly and messages to one peer stay in order. While its
 * channel on that rail is not up, the next rail with a channel that is up takes its place. A rail
 * that fails takes no other one with it, and segue_channel_reason() of its channels names it.
 * Requests in flight there have ends of their own (segue_multi_channel_outcome()), and the library
 * repeats none on another rail. A rail that works again takes its peers back when they are renewed
 * on it (segue_multi_channel_meet_peer()). If order matters, drain the other rail first.
 *
 * Owner: the program's. Multi-channels keep their owners.
 * Threads: that of the multi-channels.
 * Errors: cannot fail.
 * Source: Segue's own.
 */

/* In segue/detail/peers.h. */
SEGUEI_HOT_FUNCTION struct segue_channel *seguei_by_peer(struct segue_multi_channel *multi,
							 uint32_t index);

/** Multi-channels with the same peers. */
struct segue_rails {
	struct segue_multi_channel *const *multis;
	uint32_t count; /* 1 or more */
};

/**
 * segue_rails_pick() - choose the rail of a peer's next request.
 * @rails: rails
 * @peer: its index
 *
 * Used as in segue_peer_rdma_write(segue_rails_pick(&rails, peer), peer, &args). In the request's
 * completion, segue_multi_channel_of() finds the rail, and wc.peer is the peer. Returns a
 * multi-channel on which the peer is up. If it is up on none, returns the peer's own rail, which
 * refuses a request with the reason. Cannot fail.
 */
SEGUEI_HOT_FUNCTION struct segue_multi_channel *segue_rails_pick(const struct segue_rails *rails,
								 uint32_t peer)
{
	const uint32_t self = segue_multi_channel_imm(rails->multis[0]) & SEGUEI_TAG_INDEX,
		       home = (self + peer) % rails->count;
	uint32_t rail = home;

	do {
		if (SEGUEI_LIKELY(seguei_by_peer(rails->multis[rail], peer) != NULL))
			return rails->multis[rail];
		rail = rail + 1 < rails->count ? rail + 1 : 0;
	} while (rail != home);
	return rails->multis[home];
}

/*
 * Multicast groups of a multi-channel over UD, made of the groups of segue/mcast.h.
 *
 * Owner: a group is a child of the multi-channel's queue pair. Closing the multi-channel leaves it.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg().
 * Source: ibv_attach_mcast(3); IBTA vol. 1, 4.1.1 and 10.5.2.
 */

/**
 * segue_multi_channel_join_mcast() - segue_mcast_join() for a multi-channel over UD.
 * @multi: with a completion queue of its own or not
 * @options: not kept
 * @out: set on success
 *
 * Its options must have the group's queue key in path.qkey, the same for all members. Messages name
 * their sender, as others do, if it is a peer. Returns as segue_mcast_join(), -EINVAL without that
 * key, or -ENOTSUP over RC and DC.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_join_mcast(struct segue_multi_channel *multi,
						     const struct segue_mcast_options *options,
						     struct segue_mcast **out);

/**
 * segue_multi_channel_send_mcast() - send one datagram to all members, and wait until the card has
 * sent it.
 * @multi: has joined the group
 * @group: joined with it
 * @from: local memory, at most the path's MTU
 * @deadline: when to give up
 *
 * Its immediate is this side's own index. Returns 0, -EINVAL naming the length, or -EIO. After
 * -ETIMEDOUT it is still under way.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_send_mcast(struct segue_multi_channel *multi,
						     struct segue_mcast *group,
						     const struct segue_local_buf *from,
						     segue_deadline deadline);

#include "segue/detail/end.h"

#include "segue/detail/peers.h"

#endif
