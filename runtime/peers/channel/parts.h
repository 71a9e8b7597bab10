/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of a multi-channel that posts and polls do not read. One file owns each, and others
 * only read it.
 */
#ifndef SEGUE_RUNTIME_PEERS_CHANNEL_PARTS_H
#define SEGUE_RUNTIME_PEERS_CHANNEL_PARTS_H

#include "segue/peers/channel.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/scope.h"
#include "segue/qp.h"

/* Characters of a name. */
#define SEGUEI_NAME_MAX 16

/* Record of a peer over DC before its first use (directory.c). */
struct seguei_known {
	struct segue_gid gid;
	uint64_t dc_key, flags_addr;
	uint32_t number, flags_rkey, life : 31, met : 1;
	uint16_t lid, credits;
};

/* A completion that arrived while a call waited for others, and that no handler took. */
struct seguei_kept {
	struct segue_wc wc;
	uint8_t cqe[SEGUE_CQE64_SIZE];
};

/* The place in a queue where posting began. */
struct seguei_posted {
	uint32_t queue, from;
	uint32_t outer; /* number of the scope that listed it before */
};

/* A place for one of the library's own requests (request.c). */
struct seguei_request_place {
	uint64_t wr_id; /* of the present or last request in it */
	struct segue_request *request;
	uint32_t next_free;
};

/* queues.c: queues that all peers share, and what is drawn for them. */
struct seguei_shared_queues {
	struct segue_cq *cq; /* completion queue of all queues */
	bool own_cq;
	struct segue_qp *ud, *dct;
	struct seguei_owner ud_owner, dct_owner;
	uint64_t dc_key;
	uint32_t seed;	      /* of PSNs */
	struct segue_ece ece; /* RC: offer of each of its queue pairs */
	bool own_qkey;	      /* UD: chosen at random, and known only to the peers */
};

/* receives.c */
struct seguei_receives {
	struct segue_srq *srq;
	struct segue_pool *pool;
};

/* events.c */
struct seguei_events {
	struct segue_comp_channel *channel; /* of its completion queue. NULL if none */
	int epoll, world_fd;
};

/* dci.c */
struct seguei_dcis {
	struct seguei_dci *all;
	uint32_t next;
	uint32_t first_waiting, last_waiting; /* SEGUE_PEER_NONE if the list is empty */
	uint32_t n_waiting, patience;
};

/* failure.c: peers that have failed or come back. */
struct seguei_changes {
	uint32_t n_failed;    /* number of failed channels */
	uint32_t first, last; /* SEGUE_PEER_NONE if the list is empty */
};

/* directory.c */
struct seguei_directory {
	uint32_t n_made;	    /* number of channels that are used, or usable at once */
	uint32_t next_place;	    /* for a server's next client */
	struct seguei_known *known; /* DC: records of all peers */
	struct segue_endpoint like; /* common part of the endpoints in these records */
};

/* request.c */
struct seguei_requests {
	struct seguei_request_place *places;
	uint32_t room, first_free;
};

/* keepalive.c */
struct seguei_keepalive {
	/* time up to which it has given turns, CLOCK_MONOTONIC in ns */
	uint64_t tried_at;
	uint32_t next; /* peer that has the next turn */
};

/* completion_wait.c: polls by calls that wait. */
struct seguei_turns {
	uint32_t empty; /* empty polls in a row */
	bool in_turn;	/* such a call polls, so its handlers may not wait */
};

/* sender.c: UD. */
struct seguei_senders {
	uint32_t *indices; /* by hash of the queue pair's number */
	uint32_t mask;
};

/* backlog.c */
struct seguei_backlog {
	struct segue_cq no_cq;	  /* an empty completion queue */
	struct seguei_kept *kept; /* in order of arrival */
	uint32_t count, room;
	uint32_t lost; /* completions that could not be kept */
};

/* barrier.c */
struct seguei_barriers {
	uint64_t *flags;
	struct segue_mr *flags_mr;
	uint64_t last[SEGUE_BARRIER_GROUPS]; /* number of each group */
	uint32_t epoch;			     /* segue_barrier_restart() */
};

/* scope.c, posted_queues.c */
struct seguei_scopes {
	struct segue_scope *innermost; /* of the open ones */
	uint32_t last_number;
	/* RC: queues that were used outside of scopes, and may still have requests in flight */
	struct seguei_posted_list posted;
	bool posted_unknown; /* there was no memory to list a queue */
};

/* rendezvous/ */
struct seguei_rendezvous {
	struct segue_world *world;
	char name[SEGUEI_NAME_MAX + 1];
	segue_deadline ask_at; /* time of the next question to the world about deaths */
	uint32_t next_asked;   /* peer to ask about first */
};

#endif
