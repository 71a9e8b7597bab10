/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of a multi-channel that posts and polls do not read. */
#ifndef SEGUE_RUNTIME_PEERS_CHANNEL_MULTI_CHANNEL_H
#define SEGUE_RUNTIME_PEERS_CHANNEL_MULTI_CHANNEL_H

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/parts.h"
#include "segue/peers/channel.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/scope.h"
#include "segue/qp.h"

/*
 * Memory that peers write barrier numbers to, by group, parity of epoch, parity of count, and
 * round.
 */
#define SEGUEI_FLAGS_ROUNDS 20u
#define SEGUEI_FLAGS_COUNT  (SEGUE_BARRIER_GROUPS * 4 * SEGUEI_FLAGS_ROUNDS)

/* The part of a peer's incarnation that fits an immediate. */
#define SEGUEI_LIFE_MASK    0xfffu

/* Completions that a waiting call polls at once. */
#define SEGUEI_TURN	    64

/* Words of that memory, with one more for each peer if there are credits. */
static inline uint32_t seguei_flags_words(const struct segue_multi_channel_options *options)
{
	return SEGUEI_FLAGS_COUNT + (options->credits ? options->peers : 0);
}

struct seguei_channel_more {
	struct segue_qp *qp;	       /* RC */
	struct seguei_owner owner;     /* RC */
	struct segue_ah *address;      /* UD, DC */
	struct segue_gid gid;	       /* of the peer */
	uint16_t lid;
	char *reason;
	uint32_t life;	     /* incarnation of the peer in the world */
	uint32_t tries;	     /* number of the last attempt of both to meet again */
	uint32_t redraws;    /* PSNs drawn within a generation */
	uint64_t flags_addr; /* address of its barrier memory */
	uint32_t flags_rkey;
	/* RC: producer index of its queue at keepalive's last look */
	uint32_t seen_pi;
	uint32_t scope; /* RC: number of the innermost scope that lists it, or 0 */
	bool noted;	/* it is in the multi-channel's list */
	/*
	 * credits: messages given back, number written to the peer, its place there, next peer to
	 * write to
	 */
	uint32_t given, told, place, next_owing;
	bool owes;
	bool waits;	/* DC: in the list of peers that wait for a DCI */
	uint32_t next_waiting;
	bool changed; /* in the list of peers that have failed or come back */
	uint32_t next_changed;
};

struct seguei_multi_more {
	struct seguei_object object; /* first */
	struct segue_multi_channel multi;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_multi_channel_options options; /* with defaults filled in */
	struct segue_path path;
	struct seguei_shared_queues queues;
	struct seguei_receives receives;
	struct seguei_events events;
	struct seguei_dcis dcis;
	struct seguei_directory directory;
	struct seguei_requests requests;
	struct seguei_backlog backlog;
	struct seguei_turns turns;
	struct seguei_scopes scopes;
	struct seguei_senders senders;
	struct seguei_changes changes;
	struct seguei_keepalive keepalive;
	struct seguei_barriers barriers;
	struct seguei_rendezvous rendezvous;
	uint32_t first_owing; /* credits.c: as first_waiting of the DCIs */
};

/* Name for sentences: "RC". */
const char *seguei_over_name(uint32_t over);

/* 0, or -EINVAL naming call and index. */
int seguei_multi_check_index(const struct segue_multi_channel *multi, const char *call,
			     uint32_t index);

/* False for peers with a numbering of their own. */
static inline bool seguei_multi_is_self(const struct segue_multi_channel *multi, uint32_t index)
{
	return !multi->more->options.own_numbers && index == multi->more->options.self;
}

static inline uint32_t seguei_tag_of(uint32_t index, uint32_t generation)
{
	return generation << SEGUEI_TAG_SHIFT | index;
}

/* queues.c */
int seguei_multi_prepare(struct segue_multi_channel *multi);
int seguei_multi_release(struct segue_multi_channel *multi);
int seguei_channel_open_qp(struct segue_channel *channel);
int seguei_dci_start(struct segue_multi_channel *multi, struct seguei_dci *dci);
int seguei_dct_open(struct segue_multi_channel *multi);

/* backlog.c: completions that arrived while a call waited. */
/* 0 or -ENOMEM */
int seguei_kept_add(struct segue_multi_channel *multi, const struct segue_wc *wc);
/* true if the completion was taken */
typedef bool seguei_kept_taker(const struct segue_wc *wc, void *arg);
/* oldest first */
void seguei_kept_take(struct segue_multi_channel *multi, seguei_kept_taker *taker, void *arg);
void seguei_kept_begin(struct seguei_multi_more *more);

/* receives.c: receives of its own, or those that several multi-channels share. */
int seguei_receives_check(struct segue_multi_channel_options *options, const struct segue_pd *pd);
/* number of entries in a completion queue */
uint32_t seguei_receives_entries(const struct segue_multi_channel_options *options);
int seguei_receives_open(struct segue_multi_channel *multi);
/* a negative errno, or the number of receives whose completions were not polled */
int seguei_receives_close_qp(const struct segue_multi_channel *multi, struct segue_qp *qp);
void seguei_receives_give_back(struct segue_multi_channel *multi); /* gives back its share of
								      common receives */

/* endpoint.c: facts that peers exchange in the user bytes of an endpoint. */
struct seguei_peer_note {
	uint32_t from, to, peers; /* `to` is SEGUE_PEER_NONE for all peers */
	uint32_t seed;
	uint64_t dc_key;
	uint64_t flags_addr;
	uint32_t flags_rkey;
	uint32_t life; /* of the sending process */
	uint32_t barrier_epoch;
	uint32_t credits;
	struct segue_ece ece; /* zero from older versions */
};
void seguei_note_write(const struct seguei_peer_note *note, uint8_t user[SEGUE_ENDPOINT_USER_SIZE]);
int seguei_note_read(const uint8_t user[SEGUE_ENDPOINT_USER_SIZE], struct seguei_peer_note *note);
int seguei_endpoint_check(const struct segue_multi_channel *multi, uint32_t index,
			  const struct segue_endpoint *endpoint);
uint32_t seguei_psn(uint32_t seed, uint32_t to, uint32_t number);
uint32_t seguei_channel_psn(const struct segue_channel *channel); /* first PSN of this side */

/* directory.c: channels, created at their first use. */
int seguei_channels_open(struct segue_multi_channel *multi);
void seguei_channels_close(struct segue_multi_channel *multi);
/* 0, or a negative errno */
int seguei_channel_make(struct segue_multi_channel *multi, uint32_t index,
			struct segue_channel **out);
int seguei_channels_make_all(struct segue_multi_channel *multi);
/* These take a peer with or without a channel. */
uint32_t seguei_peer_life(const struct segue_multi_channel *multi, uint32_t index);
void seguei_peer_set_life(struct segue_multi_channel *multi, uint32_t index, uint32_t life);
uint32_t seguei_peer_tag(const struct segue_multi_channel *multi, uint32_t index);
enum segue_channel_state seguei_peer_state(const struct segue_multi_channel *multi, uint32_t index);
/* As seguei_channel_connect(), but later if the channel does not exist. */
int seguei_peer_connect(struct segue_multi_channel *multi, uint32_t index,
			const struct segue_endpoint *endpoint);

/* multi_channel.c: fills it with random bytes. 0 or -EIO */
int seguei_multi_draw(void *out, size_t size);

/* connection.c: connects one peer. */
/* Returns @ret, and adds a sentence to the error message. */
int seguei_connect_refuse(uint32_t index, int ret);
void seguei_learn_epoch(struct segue_multi_channel *multi, uint32_t generation,
			const struct seguei_peer_note *note);
int seguei_channel_connect(struct segue_channel *channel, const struct segue_endpoint *endpoint);
/* Lets requests go to a connected peer. */
void seguei_channel_show(struct segue_channel *channel);
/* Keeps requests back until the other side can receive. */
void seguei_channel_hide(struct segue_channel *channel);

/* rendezvous/world.c: asks the world while the own peers are served. */
segue_deadline seguei_meet_soon(void); /* deadline of one question */
/* Polls for some milliseconds before the next question. Returns 0 or a negative errno. */
int seguei_meet_pause(struct segue_multi_channel *multi);
bool seguei_meet_not_yet(int ret); /* true if that result of a question may change */

/* rendezvous/attempt.c: meeting after a process has come back. */
int seguei_meet_anew(struct segue_multi_channel *multi, struct segue_world *world,
		     segue_deadline deadline);
/* Adds up the incarnations of all processes that run. */
int seguei_meet_lives(struct segue_multi_channel *multi, struct segue_world *world, uint32_t *sum);
void seguei_meet_key_anew(char *key, const struct segue_multi_channel *multi, uint32_t sum,
			  uint32_t to);

/* rendezvous/world.c: a peer's endpoint under a key of the world, and this side's for it. */
int seguei_meet_get_endpoint(const struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, const char *key, struct segue_endpoint *out,
			     segue_deadline deadline);
int seguei_meet_put_endpoint(struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, const char *key);

/* rendezvous/reconnection.c: this process came back. Returns 0 if a peer has begun to reconnect. */
int seguei_is_renewed_by(struct segue_multi_channel *multi, struct segue_world *world,
			 uint32_t index);
/* Reconnects to each peer when that peer asks for it. */
int seguei_return_to_all(struct segue_multi_channel *multi, struct segue_world *world,
			 segue_deadline deadline);

/* credits.c */
int seguei_credits_check(const struct segue_multi_channel_options *options);
/* Starts the numbers of a new generation. */
void seguei_credits_begin(struct segue_channel *channel, const struct seguei_peer_note *note);
/* Writes numbers that could not be written when they were due. */
void seguei_credits_tell(struct segue_multi_channel *multi);

/* barrier/barrier.c: writes into the peer's flags. The word is inline in the request. */
int seguei_channel_write_word(struct segue_channel *channel, uint32_t at, uint64_t word);

/* sender.c: UD. */
int seguei_senders_add(struct segue_multi_channel *multi, uint32_t index);
uint32_t seguei_imm_of(uint32_t index, uint32_t life); /* identification of a sender in its
							  messages */
size_t seguei_senders_bytes(const struct segue_multi_channel *multi);
void seguei_senders_remove(struct segue_multi_channel *multi, uint32_t index);

/* failure.c */
/* Adds the channel to the list of segue_multi_channel_next_change(). */
void seguei_channel_note_change(struct segue_channel *channel);
void seguei_channel_set_failed(struct segue_channel *channel, const char *why);
void seguei_channel_next_generation(struct segue_channel *channel);
void seguei_dci_set_sick(struct segue_multi_channel *multi, struct seguei_dci *dci);
/* hands a completion out, as a poll of the multi-channel does. @arg: the multi-channel */
void seguei_multi_reset_handler(const struct segue_wc *wc, void *arg);
void seguei_multi_explain(const struct segue_wc *wc, char *out, size_t size);
const char *seguei_syndrome_name(uint8_t syndrome);
/* for the options' handler. @arg: the multi-channel */
void seguei_multi_hand_out(const struct segue_wc *wc, void *arg);

/* completion_wait.c */
/* Polls, in a call that waits. */
int seguei_multi_poll_for(struct segue_multi_channel *multi, segue_wc_handler handler, void *arg);
int seguei_multi_refuse_turn(void); /* -EBUSY, with a sentence: a handler calls */
int seguei_multi_turn(struct segue_multi_channel *multi); /* the same; 0, or a negative errno */
/* Returns whether nothing is outstanding to the peer. */
bool seguei_channel_is_quiet(const struct segue_channel *channel);

/* Marks all peers that have died as failed. Returns 0 or the error of the world. */
int seguei_multi_ask_world(struct segue_multi_channel *multi);

/* The world's knowledge of a peer's process, if the world may be asked. */
enum seguei_word {
	SEGUEI_WORD_NOTHING,
	SEGUEI_WORD_LIVES,
	SEGUEI_WORD_DEAD, /* segue_errmsg() has the cause of death */
};
enum seguei_word seguei_multi_hear_of(struct segue_multi_channel *multi, uint32_t index);
/* The same, and marks a dead peer as failed. */
enum seguei_word seguei_multi_ask_peer(struct segue_multi_channel *multi, uint32_t index);

/* events.c */
int seguei_multi_events_open(struct seguei_multi_more *more);
int seguei_multi_events_close(struct seguei_multi_more *more);

/* request.c: the library's own requests. */
/* Returns the wr_id of a request that no call waits for. */
uint64_t seguei_wr_id_of_nobody(void);
/* 0 or -ENOMEM. @pending: counted down at the end, or NULL */
int seguei_request_open(struct segue_request *request, struct segue_multi_channel *multi,
			uint32_t peer, uint32_t *pending);
/* Returns the request that waits for the completion, or NULL. */
struct segue_request *seguei_request_of(const struct segue_multi_channel *multi, uint64_t wr_id);
void seguei_request_over(struct segue_request *request, uint8_t syndrome, enum segue_outcome end);
void seguei_requests_close(struct seguei_multi_more *more);
int seguei_what_check(const struct segue_multi_channel *multi, uint32_t peer,
		      const struct segue_request_args *what, const char *call);
uint64_t seguei_what_length(const struct segue_request_args *what); /* bytes of its SGEs */
/* Posts a request whose arguments have been checked. */
int seguei_request_post(struct segue_request *request, const struct segue_request_args *what);

/* The wr_id of keepalive's requests, which no call waits for. */
#define SEGUEI_KEEPALIVE_WR_ID UINT64_MAX

/* posted_queues.c: which queues have been used. */
struct segue_qp *seguei_multi_queue(const struct segue_multi_channel *multi, uint32_t queue);
/* RC: called for a new queue, so that its next request is noted. */
void seguei_posted_watch(struct segue_channel *channel);
/* Called while the scope is not in the list of open scopes. */
void seguei_posted_begin(struct segue_scope *scope);
void seguei_posted_end(struct segue_scope *scope);
uint32_t seguei_posted_count(const struct segue_scope *scope);
struct seguei_posted seguei_posted_at(const struct segue_scope *scope, uint32_t i);
/* Makes all requests in flight complete, signaled or not. Returns whether there were any. */
bool seguei_posted_drive(const struct segue_multi_channel *multi);

/* scope.c */
/* Makes all requests in flight complete, signaled or not. */
void seguei_queue_drive(struct segue_qp *qp);
/* Called after a failed request. */
void seguei_scopes_note(struct segue_multi_channel *multi, const struct segue_wc *wc);
/* Called after the reset of a queue. */
void seguei_scopes_restarted(struct segue_multi_channel *multi, struct segue_qp *qp);
/* Called before the multi-channel is closed. */
void seguei_scopes_forget(struct segue_multi_channel *multi);

/* dci.c */
void seguei_dci_forget(struct segue_multi_channel *multi, struct segue_channel *channel);

#endif
