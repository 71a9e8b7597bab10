/* SPDX-License-Identifier: BSD-2-Clause */
/* What a multi-channel has beside what posts and polls read. */
#ifndef SEGUE_RUNTIME_PEERS_CHANNEL_MULTI_CHANNEL_H
#define SEGUE_RUNTIME_PEERS_CHANNEL_MULTI_CHANNEL_H

#include "runtime/object/tree/object.h"
#include "segue/ah.h"
#include "segue/multi_channel.h"
#include "segue/qp.h"
#include "segue/request.h"
#include "segue/scope.h"

/* Characters of a name. */
#define SEGUEI_NAME_MAX	    16

/*
 * Memory that peers write to in barriers: numbers by group, parities of epoch and count, and round.
 */
#define SEGUEI_FLAGS_ROUNDS 20u
#define SEGUEI_FLAGS_COUNT  (SEGUE_BARRIER_GROUPS * 4 * SEGUEI_FLAGS_ROUNDS)

/* Of which process in its place a peer is, as much as an immediate says. */
#define SEGUEI_LIFE_MASK    0xfffu

/* Completions that a call that waits takes at once. */
#define SEGUEI_TURN	    64

/* Words there: and behind them, with credits, one for each peer. */
static inline uint32_t seguei_flags_words(const struct segue_multi_channel_options *options)
{
	return SEGUEI_FLAGS_COUNT + (options->credits ? options->peers : 0);
}

/* A place for one of the library's own requests: see request.c. */
struct seguei_request_place {
	uint64_t wr_id; /* of the one that has it, or had it last */
	struct segue_request *request;
	uint32_t next_free;
};

struct seguei_channel_more {
	struct segue_qp *qp;	       /* RC */
	struct seguei_owner owner;     /* RC */
	struct segue_address *address; /* UD, DC */
	struct segue_gid gid;	       /* of the peer */
	uint16_t lid;
	char *reason;
	uint32_t life;	     /* of the peer's process in the world, */
	uint32_t tries;	     /* and the number of the last try of both to meet again */
	uint32_t redraws;    /* of packet sequence numbers, within a generation */
	uint64_t flags_addr; /* its barrier memory */
	uint32_t flags_rkey;
	/* RC: its queue's producer index when keepalive looked last */
	uint32_t seen_pi;
	uint32_t scope; /* RC: number of the innermost scope that has noted it; 0: none, */
	bool noted;	/* and whether it is in the multi-channel's list */
	/* credits: of its messages, given back and told; this side's place there; to be told */
	uint32_t given, told, place, next_owing;
	bool owes;
	bool waits;	/* DC: in the list of peers that wait for a DCI */
	uint32_t next_waiting;
	bool changed; /* in the list of those that have failed or come back */
	uint32_t next_changed;
};

/* What is known of a peer over DC until it is first used: see known.c. */
struct seguei_known {
	struct segue_gid gid;
	uint64_t dc_key, flags_addr;
	uint32_t number, flags_rkey, life : 31, met : 1;
	uint16_t lid, credits;
};

/* A completion that came while a call waited for others, and that no handler took. */
struct seguei_kept {
	struct segue_wc wc;
	uint8_t cqe[SEGUE_CQE64_SIZE];
};

/* From where on a queue was posted to. */
struct seguei_posted {
	uint32_t queue, from;
	uint32_t outer; /* number of the scope that had noted it before */
};

struct seguei_multi_more {
	struct seguei_object object; /* first */
	struct segue_multi_channel multi;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_multi_channel_options options; /* completed */
	struct segue_path path;
	bool own_cq;
	struct segue_comp_channel *events; /* of it; NULL: none */
	int epoll, world_fd;
	struct segue_qp *ud, *dct;
	struct seguei_owner ud_owner, dct_owner;
	struct segue_srq *srq;
	struct segue_pool *pool;
	uint64_t dc_key;
	uint32_t seed; /* of PSNs */
	struct segue_ece ece; /* RC: what each of its queue pairs offers */
	bool own_qkey; /* UD: drawn, and known to the peers alone */
	struct seguei_dci *dcis;
	uint32_t next_dci;
	uint32_t first_waiting, last_waiting; /* SEGUE_PEER_NONE: nobody */
	uint32_t n_waiting, patience;
	uint32_t n_failed;		      /* channels */
	uint32_t n_made;		      /* those that have been used, or may be at once */
	uint32_t next_place;		      /* of a server's next client */
	uint32_t first_changed, last_changed; /* SEGUE_PEER_NONE: nobody */
	uint32_t first_owing;		      /* the same */
	struct seguei_known *known;	      /* DC: of all peers, */
	struct segue_endpoint like;	      /* whose endpoints are as this one in all else */
	segue_deadline ask_at;		      /* the world, who has died, */
	uint32_t next_asked;		      /* of this one first */
	struct seguei_request_place *requests;
	uint32_t request_room, free_request;
	/* ns of CLOCK_MONOTONIC up to which keepalive has given the peers their turns, */
	uint64_t tried_at;
	uint32_t next_tried;  /* and whose turn is next */
	uint32_t empty_turns; /* polls in a row, by calls that wait, that brought nothing */
	bool in_turn;	      /* such a call is in a poll, whose handlers may not wait */
	uint32_t *senders;    /* UD: indices by hash of the queue pair's number */
	uint32_t senders_mask;
	struct segue_cq *cq;	  /* which completions come to */
	struct segue_cq no_cq;	  /* has none, ever */
	struct seguei_kept *kept; /* in order of arrival */
	uint32_t n_kept, kept_room;
	uint32_t lost; /* that could not be kept */
	uint64_t *flags;
	struct segue_mr *flags_mr;
	uint64_t barriers[SEGUE_BARRIER_GROUPS]; /* number of each group's last one */
	uint32_t barrier_epoch;			 /* segue_barrier_restart() */
	struct segue_scope *scopes;		 /* that are open, the innermost first */
	uint32_t last_scope;
	/* RC: queues that were posted to outside of scopes and have not been found quiet since */
	struct seguei_posted_list posted;
	bool posted_unknown; /* there was no memory for one */
	struct segue_world *world;
	char name[SEGUEI_NAME_MAX + 1];
};

/* In sentences: "RC". */
const char *seguei_over_name(uint32_t over);

/* 0, or -EINVAL naming call and index. */
int seguei_multi_check_index(const struct segue_multi_channel *multi, const char *call,
			     uint32_t index);

/* Peers that number theirs otherwise are never this side. */
static inline bool seguei_multi_is_self(const struct segue_multi_channel *multi, uint32_t index)
{
	return !multi->more->options.own_numbers && index == multi->more->options.self;
}

static inline uint32_t seguei_tag_of(uint32_t index, uint32_t generation)
{
	return generation << SEGUEI_TAG_SHIFT | index;
}

/* prepare.c: queues. */
int seguei_multi_prepare(struct segue_multi_channel *multi);
int seguei_multi_release(struct segue_multi_channel *multi);
int seguei_channel_open_qp(struct segue_channel *channel);
int seguei_dci_start(struct segue_multi_channel *multi, struct seguei_dci *dci);
int seguei_dct_open(struct segue_multi_channel *multi);

/* kept.c: what came while a call waited. */
/* 0 or -ENOMEM */
int seguei_kept_add(struct segue_multi_channel *multi, const struct segue_wc *wc);
/* true: it is taken */
typedef bool seguei_kept_taker(const struct segue_wc *wc, void *arg);
/* the oldest first */
void seguei_kept_take(struct segue_multi_channel *multi, seguei_kept_taker *taker, void *arg);
void seguei_kept_begin(struct seguei_multi_more *more);

/* receives.c: its own, or those that several share. */
int seguei_receives_check(struct segue_multi_channel_options *options, const struct segue_pd *pd);
/* of a completion queue */
uint32_t seguei_receives_entries(const struct segue_multi_channel_options *options);
int seguei_receives_open(struct segue_multi_channel *multi);
/* 0 or a negative errno; or how many receives it held that nobody has polled */
int seguei_receives_close_qp(const struct segue_multi_channel *multi, struct segue_qp *qp);
void seguei_receives_give_back(struct segue_multi_channel *multi); /* what it has of shared ones */

/* endpoint.c: what peers tell each other beside a plain endpoint, in its user bytes. */
struct seguei_peer_note {
	uint32_t from, to, peers; /* `to` is SEGUE_PEER_NONE if it is for all */
	uint32_t seed;
	uint64_t dc_key;
	uint64_t flags_addr;
	uint32_t flags_rkey;
	uint32_t life; /* of the process that it is from */
	uint32_t barrier_epoch;
	uint32_t credits;
	struct segue_ece ece; /* zero from those that know none */
};
void seguei_note_write(const struct seguei_peer_note *note, uint8_t user[SEGUE_ENDPOINT_USER_SIZE]);
int seguei_note_read(const uint8_t user[SEGUE_ENDPOINT_USER_SIZE], struct seguei_peer_note *note);
int seguei_endpoint_check(const struct segue_multi_channel *multi, uint32_t index,
			  const struct segue_endpoint *endpoint);
uint32_t seguei_psn(uint32_t seed, uint32_t to, uint32_t number);
uint32_t seguei_channel_psn(const struct segue_channel *channel); /* that this side begins with */

/* known.c: channels, made when they are first used. */
int seguei_channels_open(struct segue_multi_channel *multi);
void seguei_channels_close(struct segue_multi_channel *multi);
/* 0, or a negative errno */
int seguei_channel_make(struct segue_multi_channel *multi, uint32_t index,
			struct segue_channel **out);
int seguei_channels_make_all(struct segue_multi_channel *multi);
/* what is known of a peer, made or not */
uint32_t seguei_peer_life(const struct segue_multi_channel *multi, uint32_t index);
void seguei_peer_set_life(struct segue_multi_channel *multi, uint32_t index, uint32_t life);
uint32_t seguei_peer_tag(const struct segue_multi_channel *multi, uint32_t index);
enum segue_channel_state seguei_peer_state(const struct segue_multi_channel *multi, uint32_t index);
/* as seguei_channel_connect(), later if it is not made */
int seguei_peer_connect(struct segue_multi_channel *multi, uint32_t index,
			const struct segue_endpoint *endpoint);

/* multi_channel.c: what strangers are not to guess; 0 or -EIO */
int seguei_multi_draw(void *out, size_t size);

/* connect.c: one peer goes up. */
/* @ret, with a sentence around the one there is */
int seguei_connect_refuse(uint32_t index, int ret);
void seguei_learn_epoch(struct segue_multi_channel *multi, uint32_t generation,
			const struct seguei_peer_note *note);
int seguei_channel_connect(struct segue_channel *channel, const struct segue_endpoint *endpoint);
/* one that is connected: requests may go there */
void seguei_channel_show(struct segue_channel *channel);
/* not yet: the other side may not receive them */
void seguei_channel_hide(struct segue_channel *channel);

/* meet.c: asks the world without leaving one's own peers alone. */
segue_deadline seguei_meet_soon(void); /* what one question may take */
/* polls for some milliseconds, before the next one; 0 or a negative errno */
int seguei_meet_pause(struct segue_multi_channel *multi);
bool seguei_meet_not_yet(int ret); /* what a question returned: it may be there later */

/* anew.c: going up together where somebody has come back. */
int seguei_meet_anew(struct segue_multi_channel *multi, struct segue_world *world,
		     segue_deadline deadline);
/* of all processes: which are there */
int seguei_meet_lives(struct segue_multi_channel *multi, struct segue_world *world, uint32_t *sum);
void seguei_meet_key_anew(char *key, const struct segue_multi_channel *multi, uint32_t sum,
			  uint32_t to);

/* meet.c: a peer's endpoint under a key of the world, and this side's for it. */
int seguei_meet_get_endpoint(const struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, const char *key, struct segue_endpoint *out,
			     segue_deadline deadline);
int seguei_meet_put_endpoint(struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, const char *key);

/* renew.c: this process came back; 0 if a peer has begun to renew it */
int seguei_is_renewed_by(struct segue_multi_channel *multi, struct segue_world *world,
			 uint32_t index);
/* each as it calls */
int seguei_return_to_all(struct segue_multi_channel *multi, struct segue_world *world,
			 segue_deadline deadline);

/* credit.c */
int seguei_credits_check(const struct segue_multi_channel_options *options);
/* of a generation */
void seguei_credits_begin(struct segue_channel *channel, const struct seguei_peer_note *note);
/* those that could not be told when it was due */
void seguei_credits_tell(struct segue_multi_channel *multi);

/* barrier.c: into the peer's flags; what it sends travels inside of the request. */
int seguei_channel_write_word(struct segue_channel *channel, uint32_t at, uint64_t word);

/* sender.c: UD. */
int seguei_senders_add(struct segue_multi_channel *multi, uint32_t index);
uint32_t seguei_imm_of(uint32_t index, uint32_t life); /* by which messages name their sender */
size_t seguei_senders_bytes(const struct segue_multi_channel *multi);
void seguei_senders_remove(struct segue_multi_channel *multi, uint32_t index);

/* failure.c */
/* for segue_multi_channel_next_change() */
void seguei_channel_note_change(struct segue_channel *channel);
void seguei_channel_set_failed(struct segue_channel *channel, const char *why);
void seguei_channel_next_generation(struct segue_channel *channel);
void seguei_dci_set_sick(struct segue_multi_channel *multi, struct seguei_dci *dci);
/* as a poll of the multi-channel does; @arg: it */
void seguei_multi_reset_handler(const struct segue_wc *wc, void *arg);
void seguei_multi_explain(const struct segue_wc *wc, char *out, size_t size);
const char *seguei_syndrome_name(uint8_t syndrome);
/* to the options' handler; @arg: the multi-channel */
void seguei_multi_hand_out(const struct segue_wc *wc, void *arg);

/* wait.c */
/* polls by a call that waits */
int seguei_multi_poll_for(struct segue_multi_channel *multi, segue_wc_handler *handler, void *arg);
int seguei_multi_refuse_turn(void); /* -EBUSY, with a sentence: a handler calls */
int seguei_multi_turn(struct segue_multi_channel *multi); /* the same; 0, or a negative errno */
/* nothing is outstanding to it */
bool seguei_channel_is_quiet(const struct segue_channel *channel);

/* fails all peers that have died; 0, or what the world says */
int seguei_multi_ask_world(struct segue_multi_channel *multi);

/* What the world says of a peer's process, if it may be asked. */
enum seguei_word {
	SEGUEI_WORD_NOTHING,
	SEGUEI_WORD_LIVES,
	SEGUEI_WORD_DEAD, /* and segue_errmsg() says how it died */
};
enum seguei_word seguei_multi_hear_of(struct segue_multi_channel *multi, uint32_t index);
/* the same; one that has died is failed */
enum seguei_word seguei_multi_ask_peer(struct segue_multi_channel *multi, uint32_t index);

/* events.c */
int seguei_multi_events_open(struct seguei_multi_more *more);
int seguei_multi_events_close(struct seguei_multi_more *more);

/* request.c: the library's own requests. */
/* of one for which nobody waits */
uint64_t seguei_wr_id_of_nobody(void);
/* 0 or -ENOMEM; @pending: counted down when it is over, or NULL */
int seguei_request_open(struct segue_request *request, struct segue_multi_channel *multi,
			uint32_t peer, uint32_t *pending);
/* which waits for it, or NULL */
struct segue_request *seguei_request_of(const struct segue_multi_channel *multi, uint64_t wr_id);
void seguei_request_over(struct segue_request *request, uint8_t syndrome, enum segue_outcome end);
void seguei_requests_close(struct seguei_multi_more *more);
int seguei_what_check(const struct segue_multi_channel *multi, uint32_t peer,
		      const struct segue_request_args *what, const char *call);
uint64_t seguei_what_length(const struct segue_request_args *what); /* bytes of its pieces */
/* what was checked */
int seguei_request_post(struct segue_request *request, const struct segue_request_args *what);

/* The wr_id of keepalive's requests, for which nobody waits. */
#define SEGUEI_KEEPALIVE_WR_ID UINT64_MAX

/* posted.c: which queues have been posted to. */
uint32_t seguei_multi_queues(const struct segue_multi_channel *multi);
struct segue_qp *seguei_multi_queue(const struct segue_multi_channel *multi, uint32_t queue);
/* RC: a queue that is made */
void seguei_posted_watch(struct segue_channel *channel);
/* a scope that is not in the list of those that are open yet, or not any more */
void seguei_posted_begin(struct segue_scope *scope);
void seguei_posted_end(struct segue_scope *scope);
uint32_t seguei_posted_count(const struct segue_scope *scope);
struct seguei_posted seguei_posted_at(const struct segue_scope *scope, uint32_t i);
/* true if anything is in flight; sees that it comes to its end, silent or not */
bool seguei_posted_drive(const struct segue_multi_channel *multi);

/* scope.c */
/* what is in flight comes to its end, silent or not */
void seguei_queue_drive(struct segue_qp *qp);
/* a request has failed */
void seguei_scopes_note(struct segue_multi_channel *multi, const struct segue_wc *wc);
/* a queue was reset */
void seguei_scopes_restarted(struct segue_multi_channel *multi, const struct segue_qp *qp);
/* the multi-channel goes */
void seguei_scopes_forget(struct segue_multi_channel *multi);

/* dci.c */
void seguei_dci_forget(struct segue_multi_channel *multi, struct segue_channel *channel);

#endif
