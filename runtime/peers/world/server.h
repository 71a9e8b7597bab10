/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rendezvous of a TCP world: a thread in rank 0's process that keeps what is put, counts the
 * ranks at a fence, and notices deaths.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_SERVER_H
#define SEGUE_RUNTIME_PEERS_WORLD_SERVER_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/peers/world/world.h"
#include "runtime/peers/world/connection.h"
#include "runtime/peers/world/store.h"
#include "runtime/peers/world/frames.h"
#include "segue/deadline.h"

/*
 * Callers that are no members yet have places: so many, and one for each rank that is not there, as
 * all may call at once. When all are taken, the one that came first loses its own.
 */
#define SEGUEI_STRANGERS   128

/* What a stranger may take for its hello. */
#define SEGUEI_STRANGER_MS 5000

/* Gets that a rank may have waiting. */
#define SEGUEI_PARKED_MAX  65536

struct seguei_stranger {
	int fd; /* -1: the place is free */
	uint32_t have;
	bool asked; /* it has said hello, and is to prove that it knows the token */
	bool joins; /* it has, and waits to be admitted */
	segue_deadline deadline;
	uint8_t hello[SEGUEI_HELLO_SIZE];
	uint8_t challenge[SEGUEI_CHALLENGE_SIZE];
	uint8_t proof[SEGUEI_PROOF_SIZE];
};

enum seguei_presence {
	SEGUEI_NEVER_CAME,
	SEGUEI_HERE,
	SEGUEI_LEFT,
	SEGUEI_GONE,
	SEGUEI_RETIRED, /* fences do not wait for it */
};

struct seguei_member {
	enum seguei_presence presence;
	uint32_t life;
	bool at_fence, admits;
	bool full;	 /* more waits to be sent to it than can be sent */
	bool unreadable; /* it can be told nothing: to be dropped, and `why` says why */
	bool cut;	 /* gone: only from here, as far as is known; nobody is told of a death */
	bool ended;	 /* gone: it left, and its work was not done */
	bool untold;	 /* away, and the others do not know it yet */
	enum seguei_refusal refused; /* the last caller of this rank, if it is free */
	segue_deadline fence_deadline;
	struct seguei_pipe pipe;
	char why[128]; /* gone: how that was seen */
};

/* A get that waits for its value. */
struct seguei_parked {
	struct seguei_parked *next;
	uint32_t asker, number, rank;
	bool take;
	uint64_t offset, size;
	segue_deadline deadline;
	char key[SEGUE_WORLD_KEY_MAX + 1];
};

/* Addresses of its name that rank 0 listens at. */
#define SEGUEI_LISTENERS 8

struct seguei_server {
	pthread_t thread;
	/* held but for the wait: fork() finds every descriptor in its place */
	pthread_mutex_t awake;
	int listeners[SEGUEI_LISTENERS], n_listeners;
	int wake[2]; /* a pipe: the world tells the thread that rank 0 leaves, by closing it */
	int events;  /* epoll(7) */
	int spare;   /* a descriptor that is given up to refuse a caller when there is no other */
	struct seguei_hello expected;
	uint32_t least_size, most_size; /* that there has been so far */
	char token[SEGUEI_TOKEN_MAX + 1];
	/* for as many ranks as there can be; used are expected.size + SEGUEI_STRANGERS */
	struct seguei_stranger *strangers;
	uint32_t *free_places, n_free;	   /* among them */
	segue_deadline door_due;	   /* no stranger has had its time before */
	struct seguei_member *members; /* likewise; used are expected.size, which may grow */
	uint32_t n_came; /* ranks that came, whether they are still there or not */
	uint32_t n_lost; /* ranks that died, left or retired, and are not back */
	uint32_t n_retired; /* among them */
	uint32_t n_at_fence;
	segue_deadline away_due; /* when to tell which ranks are away; SEGUE_NEVER: all know */
	struct seguei_store store;
	struct seguei_parked *parked;
	uint32_t fence; /* number of the one that is open */
	bool any_unreadable;
	bool any_second; /* a rank has died, left, or come back: newcomers hear of that */
	/* when rank 0 leaves: how long to serve the others. Written before `wake` is closed */
	segue_deadline linger;
	bool served; /* this process is no rank */
	bool leaving;
	bool in_child;	       /* of fork(): there is no thread */
	char left_behind[256]; /* then: the members that were there at the end */
};

/*
 * Listens at those addresses of a host that are this host's, and starts the thread. The plan stays.
 * 0 or a negative errno with a sentence.
 */
int seguei_server_start(const struct seguei_world_plan *plan, struct seguei_server **out);

/*
 * Serves those that are still there until they leave, or the deadline. 0, or -ETIMEDOUT naming
 * them. Frees it.
 */
int seguei_server_stop(struct seguei_server *server, segue_deadline deadline);

/* Around fork(), so that the child can close what it has of the server's. */
void seguei_server_hold(struct seguei_server *server);
void seguei_server_go_on(struct seguei_server *server);
void seguei_server_close_in_child(struct seguei_server *server);

/* What the kernel is to tell of a descriptor; as in the events of epoll(7). */
enum seguei_watched {
	SEGUEI_WATCHED_LISTENER,
	SEGUEI_WATCHED_WAKE,
	SEGUEI_WATCHED_STRANGER,
	SEGUEI_WATCHED_MEMBER
};
int seguei_server_watch(const struct seguei_server *server, int fd, enum seguei_watched what,
			uint32_t index);

/*
 * Of a member: it has come, and is greeted; something waits to be sent to it, or does no more; it
 * is gone.
 */
void seguei_server_take_in(struct seguei_server *server, uint32_t rank, int fd);
void seguei_server_watch_room(struct seguei_server *server, uint32_t rank);
void seguei_server_drop(struct seguei_server *server, uint32_t rank, const char *why);
void seguei_server_serve(struct seguei_server *server, uint32_t rank);

/* 0 or -EMFILE with a sentence. */
int seguei_server_raise_limit(uint32_t size);

/* In admission.c: callers that are no members yet. */
int seguei_door_open(struct seguei_server *server); /* 0 or -ENOMEM */
void seguei_door_answer(struct seguei_server *server, int listener);
void seguei_door_hear(struct seguei_server *server, uint32_t stranger);
segue_deadline seguei_door_clock(struct seguei_server *server); /* when it is to be called next */
/* Those that wait to join are members; they are told the number of the next fence. */
void seguei_door_admit(struct seguei_server *server, uint32_t fence);
void seguei_door_close(struct seguei_server *server);

/*
 * In server_requests.c: what members ask for. A member whose call returns a negative errno is
 * dropped with that sentence.
 */
int seguei_service_request(struct seguei_server *server, uint32_t rank,
			   const struct seguei_frame *frame);
void seguei_service_arrived(struct seguei_server *server, uint32_t rank);
/* gone or left; its pipe is closed already */
void seguei_service_lost(struct seguei_server *server, uint32_t rank);
void seguei_service_clock(struct seguei_server *server);
void seguei_service_doubt(struct seguei_server *server); /* two processes are rank 0 of this job */

/* The earliest point in time at which seguei_service_clock() has something to do. */
segue_deadline seguei_service_next(const struct seguei_server *server);

#endif
