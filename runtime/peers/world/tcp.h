/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank's side of a TCP world, in two files: control connection, and what a fence brings. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_TCP_H
#define SEGUE_RUNTIME_PEERS_WORLD_TCP_H

#include <sys/socket.h>

#include "runtime/peers/world/connection.h"
#include "runtime/peers/world/server.h"
#include "runtime/peers/world/world.h"

struct seguei_tcp_rank {
	uint32_t life;
	char *why; /* it is gone; or NULL */
	bool away; /* its death would not be seen: it has left, or was cut off */
	enum seguei_gone how;
};

struct seguei_tcp {
	struct segue_world world;     /* first */
	struct seguei_server *server; /* rank 0 */
	struct seguei_pipe pipe;
	struct sockaddr_storage rendezvous;
	struct seguei_tcp_rank *ranks;
	uint32_t fence, requests;
	uint32_t gaps;		      /* ranks that have retired, as the last fence has said */
	struct seguei_tcp *next_open; /* in this process */
	char job[SEGUE_WORLD_NAME_MAX];
	char token[SEGUEI_TOKEN_MAX + 1];
	bool in_child; /* of fork(): the parent has the connection */
	bool served;   /* the rendezvous is in a process that is no rank */
	int over;      /* an errno: nothing goes any more, and why */
	char why[384];
	char at[128];
};

/* "died" */
const char *seguei_gone_text(enum seguei_gone how);

/* 0, or what has ended the world. */
int seguei_tcp_check(const struct seguei_tcp *tcp);

/*
 * Takes what has come, until `number` is answered or nothing more is there: 1, 0 or a negative
 * errno.
 */
int seguei_tcp_take(struct seguei_tcp *tcp, bool of_fence, uint32_t number,
		    struct seguei_frame *frame);

int seguei_tcp_collect(struct segue_world *world, const void *mine, size_t size, void *all,
		       segue_deadline deadline);

#endif
