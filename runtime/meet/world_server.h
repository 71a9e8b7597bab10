/* SPDX-License-Identifier: BSD-2-Clause */
/* The rendezvous of a TCP world: a thread in rank 0's process that keeps what is put, counts who is at a fence, and sees who dies. */
#ifndef SEGUE_RUNTIME_WORLD_SERVER_H
#define SEGUE_RUNTIME_WORLD_SERVER_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/meet/world_pipe.h"
#include "runtime/meet/world_store.h"
#include "runtime/meet/world_wire.h"
#include "segue/deadline.h"

/* Callers that have not said hello yet. When all places are taken, the one that is silent for longest loses its own. */
#define SEGUEI_STRANGERS 128

/* What a stranger may take for its hello. */
#define SEGUEI_STRANGER_MS 5000

/* Gets that a rank may have waiting. */
#define SEGUEI_PARKED_MAX 65536

struct seguei_stranger {
	int fd; /* -1: the place is free */
	uint32_t have;
	segue_deadline deadline;
	uint8_t hello[SEGUEI_HELLO_SIZE];
};

enum seguei_presence { SEGUEI_NEVER_CAME, SEGUEI_HERE, SEGUEI_LEFT, SEGUEI_GONE };

struct seguei_member {
	enum seguei_presence presence;
	uint32_t life;
	bool at_fence;
	segue_deadline fence_deadline;
	struct seguei_pipe pipe;
	char why[128]; /* gone: how that was seen */
};

/* A get that waits for its value. */
struct seguei_parked {
	struct seguei_parked *next;
	uint32_t asker, number, rank;
	uint64_t offset, size;
	segue_deadline deadline;
	char key[SEGUE_WORLD_KEY_MAX + 1];
};

struct seguei_server {
	pthread_t thread;
	int listener;
	int wake[2]; /* a pipe: the world tells the thread that rank 0 leaves, by closing it */
	struct seguei_hello expected;
	struct seguei_stranger strangers[SEGUEI_STRANGERS];
	struct seguei_member *members; /* expected.size */
	struct pollfd *polled;
	struct seguei_store store;
	struct seguei_parked *parked;
	uint32_t fence; /* number of the one that is open */
	segue_deadline linger; /* when rank 0 leaves: how long to serve the others. Written before `wake` is closed */
	bool leaving;
	char left_behind[256]; /* then: who was there at the end */
};

/* Listens and starts the thread. 0 or a negative errno with a sentence. */
int seguei_server_start(const char *service, const struct seguei_hello *expected, struct seguei_server **out);

/* Serves those that are still there until they leave, or the deadline. 0, or -ETIMEDOUT naming them. Frees it. */
int seguei_server_stop(struct seguei_server *server, segue_deadline deadline);

/* The port that it listens on. */
int seguei_server_port(const struct seguei_server *server, uint16_t *port);

/* In world_service.c: what members ask for. A member whose call returns a negative errno is dropped with that sentence. */
int seguei_service_request(struct seguei_server *server, uint32_t rank, const struct seguei_frame *frame);
void seguei_service_arrived(struct seguei_server *server, uint32_t rank);
void seguei_service_lost(struct seguei_server *server, uint32_t rank); /* gone or left; its pipe is closed already */
void seguei_service_clock(struct seguei_server *server);

/* The earliest point in time at which seguei_service_clock() has something to do. */
segue_deadline seguei_service_next(const struct seguei_server *server);

#endif
