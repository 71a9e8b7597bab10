/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A rank's side of a TCP world, in two files: the control connection, and the exchange of a fence's
 * bytes.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_TCP_H
#define SEGUE_RUNTIME_PEERS_WORLD_TCP_H

#include <sys/socket.h>

#include "runtime/peers/world/connection.h"
#include "runtime/peers/world/server.h"
#include "runtime/peers/world/world.h"

struct seguei_tcp_rank {
	uint32_t life;
	char *why; /* reason for its end, or NULL */
	bool away; /* it has left, or was cut off, so its death would not be seen */
	enum seguei_gone how;
};

struct seguei_tcp {
	struct segue_world world;     /* first */
	struct seguei_server *server; /* rank 0 only */
	struct seguei_pipe pipe;
	struct sockaddr_storage rendezvous;
	struct seguei_tcp_rank *ranks;
	uint32_t fence, requests;
	uint32_t gaps;		      /* retired ranks, as of the last fence */
	struct seguei_tcp *next_open; /* in this process */
	char job[SEGUE_WORLD_NAME_MAX];
	char token[SEGUEI_TOKEN_MAX + 1];
	bool in_child; /* after fork(): the parent has the connection */
	bool served;   /* the rendezvous is in a process without a rank */
	int over;      /* an errno. The world is over, for the reason in `why` */
	char why[384];
	char at[128];
};

/* "died" */
const char *seguei_gone_text(enum seguei_gone how);

/* 0, or the error that has ended the world. */
int seguei_tcp_check(const struct seguei_tcp *tcp);

/* Reads frames until `number` is answered or no frame is left: 1, 0 or a negative errno. */
int seguei_tcp_take(struct seguei_tcp *tcp, bool of_fence, uint32_t number,
		    struct seguei_frame *frame);

int seguei_tcp_collect(struct segue_world *world, const void *mine, size_t size, void *all,
		       segue_deadline deadline);

#endif
