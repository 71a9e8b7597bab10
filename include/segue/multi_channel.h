/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multi-channels: N peers over one protection domain and one completion queue, by RC, DC or UD.
 *
 * Made with segue_multi_channel_open(), it is prepared: endpoints exist. Then peers meet over a
 * world (segue_multi_channel_meet()), or the program carries endpoints itself
 * (segue_multi_channel_connect()). Requests by peer are in segue/gen/peers.h; completions name
 * their peer (segue_wc.peer).
 *
 * RC has a queue pair per peer. DC has a few initiators (DCIs) and one target for all: a DCI
 * belongs to one peer while it has work outstanding; a quota and a waiting list keep any peer from
 * holding it too long. A DCI whose receiver has no receive posted (rnr_retry 7 waits for ever) is
 * taken away if nothing moves for longer than its path's retries take, one of its requests wants a
 * receive (or the path's timeout is 0), and others wait: its requests come back flushed,
 * SEGUE_OUTCOME_UNKNOWN, and the peer stays up. UD has one queue pair for all.
 *
 * Owner: the program's; a child of its protection domain, which closes it if the program has not.
 * Memory and queues given in options stay the caller's.
 * Threads: one per multi-channel; threads scale by having one each over the same device and domain
 * (docs/examples/threads.c). Worlds belong to one thread at a time as well, so meeting, publishing
 * and finding are done by one, or in turn.
 * Errors: negative errno with segue_errmsg(), which names the peer.
 * Source: Segue's own; DC: mlx5dv_create_qp(3).
 */
#ifndef SEGUE_MULTI_CHANNEL_H
#define SEGUE_MULTI_CHANNEL_H

#include "segue/channel.h"
#include "segue/cq_object.h"
#include "segue/detail/function.h"
#include "segue/endpoint.h"
#include "segue/pool.h"
#include "segue/srq_object.h"
#include "segue/world.h"

#include "segue/detail/begin.h"

/** wr_ids from here on are the library's own; programs use smaller ones. */
#define SEGUE_WR_ID_LIMIT UINT64_C(0xfff0000000000000)

/** For options that count milliseconds, and where 0 means a usual time: never. */
#define SEGUE_MS_NEVER	     UINT32_MAX

/** Messages that keepalive writes within options.keepalive_ms, at most, to all peers together. */
#define SEGUE_KEEPALIVE_MAX  16u

/** Groups that can have barriers of their own. */
#define SEGUE_BARRIER_GROUPS 16

/** The transport of a multi-channel. */
enum segue_channel_transport { SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC, SEGUE_TRANSPORT_UD };

/** Options of a multi-channel. All but `peers` may be zero. */
struct segue_multi_channel_options {
	enum segue_channel_transport over;
	uint32_t peers;        /* 1 to SEGUE_PEERS_MAX; this side may be among them */
	uint32_t self;         /* this side's index, which peers know it by */
	/*
	 * which process this is in its place, from 1; 0: 1. A world knows it, see
	 * segue_multi_channel_meet()
	 */
	uint32_t life;
	uint8_t port;          /* of the device; 0: 1 */
	/*
	 * Retries, timeout, MTU, GID index, …; NULL: segue_path_init(). What names a peer does not
	 * count. Over RC the smaller MTU of both is taken; over DC all must have the same, as its
	 * queues are for all peers. Its qkey (UD) is what datagrams must carry that come in; 0: one
	 * is drawn, and peers are told it.
	 */
	const struct segue_path *path;
	/* requests in flight per queue: RC per peer, DC per DCI, UD in all; 0: 64 */
	uint32_t max_send_wr;
	uint32_t max_send_sge; /* 0: 4 */
	uint32_t max_inline;   /* bytes; 0: 64 */
	/*
	 * units of 16 bytes of the largest request, as in segue_qp_options: windows and UMR need
	 * more; 0: what the two above need
	 */
	uint32_t max_wqe_units;
	/* buffers posted, for all peers; 0: 256; with srq and pool, those of the pool */
	uint32_t receives;
	uint32_t receive_size; /* bytes of a message, at most; 0: 4096 */
	/*
	 * RC, DC: messages that each peer may have there, see segue/credit.h: for all peers no more
	 * than `receives`, and fewer than 2^16. All sides have some, or none. 0: as many as come
	 */
	uint32_t credits;
	uint32_t dcis;         /* DC: initiators; 0: 8 */
	/* DC: blocks of 64 bytes that a peer may post while others wait for a DCI; 0: 32 */
	uint32_t quota;
	/* shared with other multi-channels of this thread, and nobody else; NULL: its own */
	struct segue_cq *cq;
	/*
	 * as cq: receives that all of them take from. Of the same domain; its entries have one
	 * piece. With
	 */
	struct segue_srq *srq;
	/*
	 * the buffers posted there, by nobody else; `receives` and `receive_size` are its own.
	 * NULL: both its own
	 */
	struct segue_pool *pool;
	/* rings and buffers that are its own are on huge pages (see segue_pool_options), */
	bool huge_pages;
	bool near_device;      /* and on the NUMA node that the device is on */
	/*
	 * of its own; 0: as many as can complete at once. With fewer, the program must see to it
	 * that it never overruns
	 */
	uint32_t cq_entries;
	/*
	 * RC, DC: a peer with which nothing has happened for so long is tried by an empty WRITE,
	 * SEGUE_KEEPALIVE_MAX peers in that time at most, see segue_multi_channel_keepalive(). Over
	 * DC only those that were used, or waited for. 0 and SEGUE_MS_NEVER: never
	 */
	uint32_t keepalive_ms;
	/*
	 * how often calls that wait ask the world that it met over for deaths; keepalive asks it
	 * before it writes to a peer. 0 and SEGUE_MS_NEVER: never. The world must stay open, and
	 * other threads must not use it meanwhile
	 */
	uint32_t ask_world_ms;
	/*
	 * RC: a peer's queue pair is made by segue_multi_channel_meet_peer(), or
	 * segue_multi_channel_endpoint(). It saves memory and set-up if each peer talks to few of
	 * many
	 */
	bool on_demand;
	/*
	 * peers number theirs otherwise, as a server's clients do: see segue_multi_channel_accept()
	 */
	bool own_numbers;
	/* its completion queue raises events: see segue_multi_channel_fd() */
	bool events;
	/*
	 * DC: the immediate of every message that comes in is its sender's
	 * segue_multi_channel_imm(): it becomes wc.peer
	 */
	bool imm_names_sender;
	/*
	 * gets completions that come while a call waits for others; NULL: they are kept, and the
	 * next segue_multi_channel_poll_each() hands them out first, in their order
	 */
	segue_wc_handler handler;
	void *arg;             /* for the handler */
	uint64_t reserved[4];  /* 0 */
};

/* Members are for the inline functions here and in segue/gen/peers.h. */
struct segue_multi_channel {
	struct segue_channel *channels;
	uint32_t count;
	uint32_t over; /* enum segue_channel_transport */
	/*
	 * that polls look at: one without entries, while completions are kept that come before
	 * those of the other
	 */
	struct segue_cq *cq;
	uint32_t due; /* what polls have to do, when there is time */
	uint32_t empty; /* polls in a row that brought nothing */
	bool keeps_alive;
	bool counts_credits; /* of messages that peers may have in its receives */
	struct segue_srq *srq;
	struct segue_pool *pool;
	uint32_t batch; /* receives that are posted together */
	uint32_t imm; /* segue_multi_channel_imm() */
	struct seguei_multi_more *more;
};

/**
 * segue_multi_channel_open() - make queues for all peers.
 * @pd: registered in it once, memory works with every peer
 * @options: not kept
 * @out: set on success; every channel is ready
 *
 * Returns 0, -EINVAL naming the option, -ENOMEM, or what the kernel says.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_open(struct segue_pd *pd,
					       const struct segue_multi_channel_options *options,
					       struct segue_multi_channel **out);

/**
 * segue_multi_channel_close() - destroy its queues.
 * @multi: or NULL
 *
 * What is in flight is dropped; segue_multi_channel_drain() first. Returns 0, or the first thing
 * that is refused: it stays open then, and may be closed again, but not used.
 */
int segue_multi_channel_close(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_at() is the channel of a peer, by index; NULL with segue_errmsg() if there
 * is none, or over DC, where channels are made when they are first used, no memory for it.
 */
struct segue_channel *segue_multi_channel_at(struct segue_multi_channel *multi, uint32_t index);

/**
 * segue_multi_channel_imm() is the immediate by which this side's messages name their sender: its
 * index in the lower 20 bits, and in the upper 12 which process in that place it is, so that a late
 * message of a former process is not taken for the present one's. Where those are 0, receivers do
 * not look at them. Known once it has met. Cannot fail.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_multi_channel_imm(const struct segue_multi_channel *multi)
{
	return multi->imm;
}

/**
 * segue_multi_channel_bytes_per_peer() is the memory that it takes for each peer, in bytes: Segue's
 * own, and over RC the ring and a share of the completion queue. Over DC and UD peers behind one
 * port share an address, and take less. What libmlx5, the kernel and the card keep for each queue
 * pair or address besides is not known here. Cannot fail.
 */
uint64_t segue_multi_channel_bytes_per_peer(const struct segue_multi_channel *multi);

/**
 * segue_multi_channel_bytes_shared() is what it takes however many peers there are: receives, and
 * over DC and UD queues and completion queue. Cannot fail.
 */
uint64_t segue_multi_channel_bytes_shared(const struct segue_multi_channel *multi);

/**
 * segue_multi_channel_endpoint() - what a peer must know of this side.
 * @multi: multi-channel
 * @index: of the peer; over RC each gets another endpoint
 * @out: filled on success; segue_endpoint_pack() serialises it
 *
 * Returns 0 or -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_endpoint(struct segue_multi_channel *multi,
						   uint32_t index, struct segue_endpoint *out);

/**
 * segue_multi_channel_connect() - connect with endpoints that the program has exchanged itself.
 * @multi: prepared
 * @endpoints: by index: what each peer's segue_multi_channel_endpoint() for this side has filled
 * @count: number of endpoints
 *
 * Before the first message each side must know that the other is up. Returns 0; -EINVAL naming the
 * endpoint that is missing, of the wrong kind, or of or for another peer; the error of connecting.
 * Nothing is connected if one is refused.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_connect(struct segue_multi_channel *multi,
						  const struct segue_endpoint *endpoints,
						  uint32_t count);

/**
 * segue_multi_channel_meet() - connect to the ranks of a world: peer i is rank i.
 * @multi: prepared; its `peers` is the world's size and `self` this rank
 * @world: stays the caller's
 * @name: tells multi-channels of one world apart; 1 to 16 characters
 * @deadline: when to give up
 *
 * With `on_demand` nothing is exchanged, and peers go up one by one
 * (segue_multi_channel_meet_peer()). A process that came back in place of another
 * (segue_world_incarnation()) meets those that call segue_multi_channel_meet_peer(), each as it
 * calls, or together with all those that call this: because a first attempt has failed when a rank
 * died, or because it is another multi-channel, of another name. While it waits, calls of other
 * multi-channels' peers are answered, and completions polled. Returns 0; -ETIMEDOUT naming who is
 * missing: the others are met; -ENOTCONN naming who has died: call again when it is back; -EINVAL;
 * -EPROTO naming the field of what a rank has put.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_meet(struct segue_multi_channel *multi,
					       struct segue_world *world, const char *name,
					       segue_deadline deadline);

/**
 * segue_multi_channel_meet_peer() - meet one peer: for the first time, or because it has come back.
 * @multi: that has met over the world
 * @world: that it met over
 * @index: of the peer; failed or not, or not made yet (`on_demand`)
 * @deadline: for its coming
 *
 * Either another process has taken the peer's place (and calls segue_multi_channel_meet()), or the
 * peer lives, and calls this as well: it is new, or was out of reach, as when a link was cut. Its
 * next generation begins, also if it is up, so with `on_demand` look at segue_channel_state()
 * first. A side that calls it for several peers takes them in the order of their indices. What was
 * in flight is handed to the handler first. Other peers are not affected. Not from a handler.
 * Returns 0 when both sides are up; -ETIMEDOUT naming the peer, which has failed then: call again,
 * also if the other side's call has ended well; -EINVAL; -ENOMEM or what the kernel says if there
 * can be no queue pair. Completions go to the handler meanwhile. See also segue_barrier_restart().
 */
SEGUEI_MUST_CHECK int segue_multi_channel_meet_peer(struct segue_multi_channel *multi,
						    struct segue_world *world, uint32_t index,
						    segue_deadline deadline);

/**
 * segue_multi_channel_restart_peer() - begin a peer's next generation by hand, in two steps: this
 * and segue_multi_channel_connect_peer().
 * @multi: multi-channel
 * @index: of the peer, which has come back, or is to be connected anew; failed or not
 * @deadline: for getting back what is in flight to it
 *
 * What was in flight is handed to the multi-channel's handler first, flushed, and messages that
 * were kept of the former are dropped. Then its segue_multi_channel_endpoint() is for the new one.
 * Others work on. Returns 0, and the channel is ready; -ETIMEDOUT, and it has failed; -EINVAL; what
 * the kernel says. segue_multi_channel_meet_peer() does both over a world.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_restart_peer(struct segue_multi_channel *multi,
						       uint32_t index, segue_deadline deadline);

/**
 * segue_multi_channel_connect_peer() - one peer goes up with an endpoint that the program has
 * carried.
 * @multi: multi-channel
 * @index: of the peer; its channel is ready
 * @endpoint: what its segue_multi_channel_endpoint() for this side has filled
 *
 * Returns as segue_multi_channel_connect(); -EINVAL also if the channel is up or failed
 * (segue_multi_channel_restart_peer()), or the endpoint is of an earlier process than was known in
 * its place.
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
 * What is in flight to it comes back flushed, without waiting for retries. If it lives all the
 * same, RC takes nothing more from it; over DC it can still reach what it has keys to, because one
 * target serves all peers: take windows back, or close regions. Returns 0 or -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_fail_peer(struct segue_multi_channel *multi,
						    uint32_t index, const char *why);

/**
 * segue_multi_channel_rotate_dc_key() - over DC: from now on the key that peers have opens nothing.
 * @multi: multi-channel
 *
 * Another target, with a key that is drawn, takes the place of the one that there is. What peers
 * send to that finds nobody, ends after its retries (SEGUE_OUTCOME_UNKNOWN), and their channel
 * fails; who may go on is told the new endpoint: both sides call segue_multi_channel_meet_peer(),
 * or carry it otherwise. This side's requests go on. Messages that had come are handed out first.
 * Returns the number of those that came so late that they are lost; -ENOTSUP over RC and UD; what
 * the kernel says, and the former target stays.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_rotate_dc_key(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_accept() - take a client that calls, as a peer.
 * @multi: a server's, with own_numbers; its `peers` is how many there may be at once
 * @listener: from segue_exchange_open(), which may be waited for with poll(2)
 * @deadline: when to give up waiting for a call; SEGUE_NOW: take one that is there
 * @index: set to the client's, which is its alone; wc.peer names it
 *
 * Servers need no world, and clients need not know each other. The caller proves that it knows the
 * token (segue/world.h), in two seconds at most, during which nothing else is done. What a client
 * sends at once is repeated by its card until it is taken; over UD it may be lost. keepalive_ms, or
 * a request to it, finds a client that has gone; or the client says that it leaves, and the server
 * calls segue_multi_channel_fail_peer(). Then its index is free for another client, in another
 * generation. Clients learn of memory by messages (segue_remote_buf_pack()). Returns 0; -ETIMEDOUT
 * if nobody calls, or does not say what it should; -ENOSPC if all peers are up; -EINVAL; what
 * segue_exchange_accept() says.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_accept(struct segue_multi_channel *multi, int listener,
						 segue_deadline deadline, uint32_t *index);

/**
 * segue_multi_channel_connect_host() - connect to a server, also once more.
 * @multi: a client's, with own_numbers; one has one server, others have several
 * @index: of the server among this side's peers; servers have it as `self`
 * @host: name or address
 * @service: port number or name, of the server's listener
 * @deadline: when to give up
 *
 * Messages name their sender to the server that was called last. Returns 0; -EINVAL; what
 * segue_exchange_connect() says.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_connect_host(struct segue_multi_channel *multi,
						       uint32_t index, const char *host,
						       const char *service,
						       segue_deadline deadline);

/**
 * segue_multi_channel_fd() - one descriptor for poll(2) or epoll(7): readable when something has
 * completed behind segue_multi_channel_arm(), and, with ask_world_ms over TCP, when the world has
 * something to say.
 * @multi: opened with `events`; for the world, met
 *
 * It stays the multi-channel's. Call it again when it has met. Returns the descriptor; -EINVAL
 * without `events`; what epoll_create1(2) says.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_fd(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_arm() - before sleeping on that descriptor: ask for an event.
 * @multi: opened with `events`
 *
 * Events that came are taken, peers of whom the world says that they have died are failed, and
 * receives are posted. Sleep no longer than segue_multi_channel_keepalive() returns, if there is
 * keepalive_ms. Returns 0: sleep until it is readable; 1: something is there already, poll and ask
 * segue_multi_channel_next_change(); a negative errno.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_arm(struct segue_multi_channel *multi);

/**
 * segue_multi_channel_next_change() - the next peer that has failed or come back.
 * @multi: multi-channel
 * @peer: set to index and present generation
 * @state: set to how far it is now: SEGUE_CHANNEL_FAILED, see segue_channel_reason(), or another
 *
 * Each change is reported once, a peer that changed several times once as well, in the order of
 * first changes. Returns true, or false if there is none. Cannot fail.
 */
bool segue_multi_channel_next_change(struct segue_multi_channel *multi, struct segue_peer_id *peer,
				     enum segue_channel_state *state);

/**
 * segue_multi_channel_publish() - give memory a name that peers find it by.
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
 * @out: filled on success; segue_remote_buf_part() keeps within its bounds
 *
 * Asked of the world once per peer, generation and name; remember what it says. Returns 0;
 * -ETIMEDOUT or -ENOTCONN naming the peer; -EPROTO naming the field.
 */
SEGUEI_MUST_CHECK int segue_multi_channel_find(struct segue_multi_channel *multi, uint32_t index,
					       const char *name, segue_deadline deadline,
					       struct segue_remote_buf *out);

/**
 * segue_multi_channel_hand_over() - let another thread use it from now on.
 * @multi: multi-channel
 *
 * As one that was opened, and has met, in the main thread. The threads synchronise among
 * themselves; only checked builds look at it. A completion queue of the caller's is the caller's to
 * hand over. Cannot fail.
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
 * segue_multi_channel_outcome() - what became of a request, by its completion.
 * @multi: multi-channel
 * @wc: its completion, in the handler
 *
 * Returns enum segue_outcome. Cannot fail.
 */
enum segue_outcome segue_multi_channel_outcome(const struct segue_multi_channel *multi,
					       const struct segue_wc *wc);

/**
 * segue_multi_channel_keepalive() - try the peers with which nothing has happened for
 * options.keepalive_ms.
 * @multi: RC or DC
 *
 * An empty WRITE moves no bytes and needs no key, but must be acknowledged: the channel of a peer
 * that died unnoticed fails, with the reason, after its turn and the retries of its path (retry_cnt
 * times the timeout, and more where the card takes its time). The peers take turns, and
 * SEGUE_KEEPALIVE_MAX bounds the messages: up to 8 peers have their turn within keepalive_ms, n
 * peers within n / 8 times that. One whose queue is full, or that finds no DCI free, is left for
 * its next turn. With ask_world_ms the world is asked first. A peer that has died, as the world
 * knows, fails at once. A peer that has its connection with the world (engine tcp) lives: nothing
 * is written, and it does not fail for being slow. A link that carries only RDMA and is cut is then
 * found by the next request, or by the deadline of a wait. Only a peer of which the world knows
 * nothing is written to: one that has left it or was cut off from it, and all with pmix.
 *
 * Empty polls call this; a program that waits for events in place of polling must call it. Returns
 * the milliseconds after which to call it again, 0 if there is no keepalive; cannot fail. Source:
 * an empty WRITE's key is not looked at, IBTA vol. 1, 9.4.3 and 9.7.4.1.
 */
uint32_t segue_multi_channel_keepalive(struct segue_multi_channel *multi);

/* The clock is read after so many empty polls in a row, some ten microseconds. */
#define SEGUEI_EMPTY_POLLS 256u

/**
 * segue_multi_channel_payload() is the first byte of a message in a receive's buffer: over UD a
 * header comes before it. Cannot fail.
 */
void *segue_multi_channel_payload(const struct segue_multi_channel *multi,
				  const struct segue_wc *wc);

/** segue_multi_channel_payload_size() is its length in bytes. Cannot fail. */
uint32_t segue_multi_channel_payload_size(const struct segue_multi_channel *multi,
					  const struct segue_wc *wc);

/* What a poll that finds nothing, or a failure, has to do. */
#define SEGUEI_DUE_RECEIVES 1u /* post buffers that were given back */
#define SEGUEI_DUE_MEND	    2u /* queues have failed */
#define SEGUEI_DUE_CREDITS  8u /* peers are to be told of messages that were given back */
#define SEGUEI_DUE_KEPT	    4u /* completions that came while a call waited are to be handed out */

/* Posts all free buffers. */
SEGUEI_OF_LIBRARY void seguei_multi_post_receives(struct segue_multi_channel *multi);

/* Of a message whose buffer was given back: its sender has a credit again. */
SEGUEI_OF_LIBRARY void seguei_credit_return(struct segue_multi_channel *multi,
					    const struct segue_peer_id *peer);

/**
 * segue_multi_channel_give_back() returns a receive's buffer, wc->wr_id. It is posted again
 * together with others: when an eighth of them is there, or by the next poll that finds nothing.
 * With credits (segue/credit.h) the sender of the message has one more. Cannot fail.
 */
SEGUEI_HOT_FUNCTION void segue_multi_channel_give_back(struct segue_multi_channel *multi,
						       const struct segue_wc *wc)
{
	segue_pool_push(multi->pool, (void *)(uintptr_t)wc->wr_id);
	multi->due |= SEGUEI_DUE_RECEIVES;
	if (SEGUEI_UNLIKELY(segue_pool_available(multi->pool) >= multi->batch))
		seguei_multi_post_receives(multi);
	if (SEGUEI_UNLIKELY(multi->counts_credits))
		seguei_credit_return(multi, &wc->peer);
}

/* Whose a completion's queue is: context of every queue pair of a multi-channel. */
struct seguei_owner {
	struct segue_multi_channel *multi;
	struct segue_channel *channel; /* RC */
	uint32_t tag;                  /* RC: its peer's */
	/* whose slots name the peer. NULL: a DCT, which only receives */
	struct segue_sq *sq;
	/* enum segue_cqe_syndrome of what stopped the queue; 0: nothing, or this side */
	uint8_t first_error;
};

/**
 * segue_multi_channel_of() is the multi-channel that a completion belongs to, where several share a
 * completion queue. In the handler; cannot fail.
 */
SEGUEI_HOT_FUNCTION struct segue_multi_channel *segue_multi_channel_of(const struct segue_wc *wc)
{
	return ((const struct seguei_owner *)wc->context)->multi;
}

/*
 * Who sent a datagram or, if the program says so, a DC message: a tag, or 0. @cqe: of a good
 * receive, whose buffer is @wr_id. Not the whole completion, here and below: a poll keeps what
 * nobody asks for out of memory.
 */
SEGUEI_OF_LIBRARY uint32_t seguei_multi_sender(const struct segue_multi_channel *multi,
					       const uint8_t *cqe, uint64_t wr_id);

/* Takes note of a failure, after the peer is known and before the handler is told. */
SEGUEI_COLD void seguei_multi_failure(const struct segue_wc *wc);

void seguei_multi_see_to(struct segue_multi_channel *multi);

/* A poll has found nothing, or an error, @ret, and something is due: what it returns then. */
SEGUEI_COLD int seguei_multi_catch_up(struct segue_multi_channel *multi, int ret, int max,
				      segue_wc_handler handler, void *arg);

/* As seguei_multi_sender(), over any transport. */
SEGUE_FUNCTION uint32_t seguei_multi_sender_of(const void *context, const uint8_t *cqe,
					       uint64_t wr_id)
{
	const struct seguei_owner *owner = (const struct seguei_owner *)context;

	return SEGUEI_LIKELY(owner->tag != 0) ? owner->tag
					      : seguei_multi_sender(owner->multi, cqe, wr_id);
}

/* Whose the requests of a queue will be, but for those that say so themselves. */
void seguei_multi_tag_all(struct segue_sq *sq, uint32_t tag);

/* The library's own request has been carried out. @cq: as it was polled; @cqe: of the request */
SEGUEI_OF_LIBRARY void seguei_multi_own(const struct segue_cq *cq, const uint8_t *cqe,
					uint64_t wr_id, uint32_t tag);

/* Goes on with a poll at an entry that is not for the straight path: failures, among others. */
SEGUEI_COLD int seguei_multi_poll_on(struct segue_multi_channel *multi, struct segue_cq *cq,
				     int max, int count, segue_wc_handler handler, void *arg);

/* As segue_cq_poll_each(), with the peer named. @cq: its own, or the one that has no entries */
SEGUEI_HOT_FUNCTION int seguei_multi_poll(struct segue_multi_channel *multi, struct segue_cq *cq,
					  int max, segue_wc_handler handler, void *arg)
{
	uint32_t last = seguei_cq_look(cq);
	int count = 0;

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	if (!seguei_cq_new(cq, last)) {
		SEGUEI_COUNT(cq->counts.empty);
		if (SEGUE_CHECKED)
			seguei_cq_check_end(cq);
		return 0;
	}
	do {
		struct segue_wc wc;
		uint32_t tag;

		if (SEGUEI_UNLIKELY(
			    !seguei_cq_take_of(cq, last, &wc, seguei_multi_sender_of, &tag)))
			return seguei_multi_poll_on(multi, cq, max - count, count, handler, arg);
		wc.peer = seguei_peer_of_tag(tag);
		if (SEGUEI_LIKELY(wc.wr_id < SEGUE_WR_ID_LIMIT))
			handler(&wc, arg);
		else
			seguei_multi_own(cq, wc.cqe, wc.wr_id, tag);
	} while (++count < max && seguei_cq_new(cq, last = seguei_cq_look(cq)));
	seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return count;
}

/**
 * segue_multi_channel_poll_each() - hand new completions to a function.
 * @multi: multi-channel. If others share its completion queue, theirs come too
 * (segue_multi_channel_of()); poll each now and then, because only that looks after its own
 * receives and queues
 * @max: completions, at most
 * @handler: as for segue_cq_poll_each(); wc->peer names the peer. May post, may not poll
 * @arg: for the handler
 *
 * Completions that came while a call waited, without a handler of its own, come first. Polls that
 * find nothing post receives whose buffers were given back, and now and then do what keepalive_ms
 * asks; those that find failures repair queues. Returns as segue_cq_poll_each(); -ENOMEM, once, if
 * something could not be kept.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_multi_channel_poll_each(
	struct segue_multi_channel *multi, int max, segue_wc_handler handler, void *arg)
{
	int ret;

	if (SEGUEI_UNLIKELY(max < 1))
		return 0;
	ret = seguei_multi_poll(multi, multi->cq, max, handler, arg);
	if (SEGUEI_LIKELY(ret > 0))
		return ret;
	if (multi->due)
		ret = seguei_multi_catch_up(multi, ret, max, handler, arg);
#ifndef SEGUE_FREESTANDING /* the host's polls do it */
	if (SEGUEI_UNLIKELY(multi->keeps_alive && ++multi->empty % SEGUEI_EMPTY_POLLS == 0))
		(void)segue_multi_channel_keepalive(multi);
#endif
	return ret;
}

/* A DC initiator. */
struct seguei_dci {
	struct segue_sq *sq;
	uint32_t tag;   /* of the peer that may post now; 0: nobody, it is to run dry */
	uint32_t taken; /* sq->pi when it changed hands */
	uint32_t owner; /* tag of the peer whose work is on it, or was last */
	bool sick;      /* failed: mended when it is empty */
	uint32_t seen_ci;	    /* how far sq had come when somebody was refused, */
	segue_deadline stuck_until; /* and when it may be taken away, if it is that still */
	struct segue_qp *qp;
	struct seguei_owner context;
};

/* Why a post by peer is refused: -EINVAL, -ENOTCONN, -ENOTSUP. */
SEGUEI_COLD int seguei_by_peer_refuse(struct segue_multi_channel *multi, uint32_t index);
SEGUEI_COLD int seguei_by_peer_unknown(const struct segue_multi_channel *multi,
				       const char *request);

/* Finds a DCI for a peer: 0, or -EAGAIN. */
SEGUEI_COLD int seguei_dci_acquire(struct segue_channel *channel);

/* The channel of a peer that takes requests, made if it is the first time; or NULL. */
SEGUEI_COLD struct segue_channel *seguei_by_peer_first(struct segue_multi_channel *multi,
						       uint32_t index);

/* The channel of a peer that takes requests, or NULL. */
SEGUEI_HOT_FUNCTION struct segue_channel *seguei_by_peer(struct segue_multi_channel *multi,
							 uint32_t index)
{
	struct segue_channel *channel;

	if (SEGUEI_UNLIKELY(index >= multi->count))
		return NULL;
	channel = &multi->channels[index];
	return SEGUEI_LIKELY(channel->sq != NULL) ? channel : seguei_by_peer_first(multi, index);
}

/* Writes beside the next request whose it is. UD and DC. */
SEGUEI_HOT_FUNCTION void seguei_by_peer_tag(struct segue_sq *sq, uint32_t tag)
{
	sq->slots[sq->pi & sq->mask].tag = tag;
}

/* DC: the peer has a DCI, and may post on it. 0 or -EAGAIN. */
SEGUEI_HOT_FUNCTION int seguei_by_peer_dci(struct segue_channel *channel)
{
	if (SEGUEI_UNLIKELY(channel->dci->tag != channel->tag))
		return seguei_dci_acquire(channel);
	return 0;
}

/*
 * DC: a request that was to be silent completes all the same, so that the DCI is known to be free;
 * but its completion is handed to nobody. @pi: before it was posted.
 */
SEGUEI_HOT_FUNCTION void seguei_by_peer_hush(struct segue_sq *sq, uint32_t pi, uint32_t flags)
{
	struct segue_sq_slot *slot = &sq->slots[pi & sq->mask];

	if (!(flags & SEGUE_SIGNALED) && seguei_sq_in_flight(sq, slot->next))
		slot->next += SEGUEI_SLOT_FORCED;
}

#include "segue/detail/end.h"

#endif
