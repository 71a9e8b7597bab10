/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rendezvous of a TCP world: a thread in rank 0's process that stores values, counts the ranks
 * at a fence, and notices deaths.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_SERVER_H
#define SEGUE_RUNTIME_PEERS_WORLD_SERVER_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/peers/world/connection.h"
#include "runtime/peers/world/frames.h"
#include "runtime/peers/world/store.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

/*
 * Places for callers that are not yet members: this number, and one for each missing rank, because
 * all may call at once. When all are taken, the earliest caller loses its place.
 */
#define SEGUEI_STRANGERS   128

/* Time limit for a stranger's hello. */
#define SEGUEI_STRANGER_MS 5000

struct seguei_stranger {
	int fd; /* -1 if the place is free */
	uint32_t have;
	bool asked; /* its hello has arrived, and its proof is due */
	bool joins; /* it has proved itself, and waits to be admitted */
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
	bool full;	 /* it has unsent bytes */
	bool unreadable; /* it cannot be sent to, and is to be dropped. `why` has the reason */
	bool cut;	 /* gone only as seen from here, so no death is reported */
	bool ended;	 /* gone: it left before its work was done */
	bool untold;	 /* away, which was not yet reported to the others */
	enum seguei_refusal refused; /* reason for refusing the last caller with this rank, if
					the rank is free */
	segue_deadline fence_deadline;
	struct seguei_pipe pipe;
	char why[128]; /* gone: how that was noticed */
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

/* Addresses that rank 0 listens at, of those that its name has. */
#define SEGUEI_LISTENERS 8

struct seguei_server {
	pthread_t thread;
	/* held except during the wait, so that fork() finds every descriptor in its place */
	pthread_mutex_t awake;
	int listeners[SEGUEI_LISTENERS], n_listeners;
	int wake[2]; /* a pipe. Closing it notifies the thread that rank 0 leaves */
	int events;  /* epoll(7) */
	int spare;   /* a descriptor that is freed to refuse a caller when there is no other */
	struct seguei_hello expected;
	/* smallest and largest number of ranks that the world has had */
	uint32_t least_size, most_size;
	char token[SEGUEI_TOKEN_MAX + 1];
	/* room for the largest number of ranks. In use: expected.size + SEGUEI_STRANGERS */
	struct seguei_stranger *strangers;
	uint32_t *free_places, n_free; /* of these */
	segue_deadline door_due;       /* no stranger's time ends before */
	struct seguei_member *members; /* likewise. In use: expected.size, which may grow */
	uint32_t n_came;	       /* ranks that have come, present or not */
	uint32_t n_lost; /* ranks that died, left or retired, and are not back */
	uint32_t n_retired; /* of these */
	uint32_t n_at_fence;
	segue_deadline away_due; /* when to report which ranks are away. SEGUE_NEVER if all know */
	struct seguei_store store;
	struct seguei_parked *parked;
	uint32_t fence; /* number of the open fence */
	bool any_unreadable;
	bool any_second; /* a rank has died, left, or come back, which newcomers must learn */
	/* time to serve the others when rank 0 leaves. Written before `wake` is closed */
	segue_deadline linger;
	bool served; /* this process has no rank */
	bool leaving;
	bool in_child;	       /* after fork(): the thread is not in this process */
	char left_behind[256]; /* at that time: the members at the end */
};

/*
 * Listens at those addresses of a host that are this host's, and starts the thread. The plan must
 * stay valid. 0 or a negative errno with a sentence.
 */
int seguei_server_start(const struct seguei_world_plan *plan, struct seguei_server **out);

/*
 * Serves the remaining members until they leave, or until the deadline. 0, or -ETIMEDOUT with a
 * sentence that names them. Frees the server.
 */
int seguei_server_stop(struct seguei_server *server, segue_deadline deadline);

/* Called around fork(), so that the child can close its copies of the descriptors. */
void seguei_server_hold(struct seguei_server *server);
void seguei_server_go_on(struct seguei_server *server);
void seguei_server_close_in_child(struct seguei_server *server);

/* Kinds of watched descriptors, as in the events of epoll(7). */
enum seguei_watched {
	SEGUEI_WATCHED_LISTENER,
	SEGUEI_WATCHED_WAKE,
	SEGUEI_WATCHED_STRANGER,
	SEGUEI_WATCHED_MEMBER
};
int seguei_server_watch(const struct seguei_server *server, int fd, enum seguei_watched what,
			uint32_t index);

/* A member has come and gets its welcome, has or no longer has unsent bytes, or is gone. */
void seguei_server_take_in(struct seguei_server *server, uint32_t rank, int fd);
void seguei_server_watch_room(struct seguei_server *server, uint32_t rank);
void seguei_server_serve(struct seguei_server *server, uint32_t rank);

/* 0 or -EMFILE with a sentence. */
int seguei_server_raise_limit(uint32_t size);

/* admission.c: callers that are not yet members. */
int seguei_door_open(struct seguei_server *server); /* 0 or -ENOMEM */
void seguei_door_answer(struct seguei_server *server, int listener);
void seguei_door_hear(struct seguei_server *server, uint32_t stranger);
segue_deadline seguei_door_clock(struct seguei_server *server); /* time of its next call */
/* Makes members of those that wait to join. They get the number of the next fence. */
void seguei_door_admit(struct seguei_server *server, uint32_t fence);
void seguei_door_close(struct seguei_server *server);

/*
 * server_requests.c: requests of members. A member is dropped with the sentence if a call returns a
 * negative errno.
 */
int seguei_service_request(struct seguei_server *server, uint32_t rank,
			   const struct seguei_frame *frame);
void seguei_service_arrived(struct seguei_server *server, uint32_t rank);
/* gone or left. Its pipe is closed already */
void seguei_service_lost(struct seguei_server *server, uint32_t rank);
void seguei_service_clock(struct seguei_server *server);
void seguei_service_doubt(struct seguei_server *server); /* two processes claim to be rank 0 of
							    this job */

/* The time at which seguei_service_clock() is due. */
segue_deadline seguei_service_next(const struct seguei_server *server);

#endif
