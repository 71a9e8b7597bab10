/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exchange of a fence's bytes: those of each rank go to all ranks, along a tree. A rank receives
 * from the ranks below it, sends to the one above, receives all bytes from that one, and sends them
 * to those below. So a rank has as many messages as neighbours, however many ranks there are.
 *
 * Connections are made for one fence and closed after it. A failed fence leaves nothing, and a
 * process that comes back in place of another has its place here as well.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_TREE_H
#define SEGUE_RUNTIME_PEERS_WORLD_TREE_H

#include <netdb.h>

#include "runtime/peers/world/frames.h"
#include "segue/base.h"

/* Ranks directly below one. */
#define SEGUEI_TREE_WIDTH 16

#define SEGUEI_TREE_ROOT  UINT32_MAX /* the root has no rank above */

/* The ranks from `low` up to, without, `high`. Rank `low` speaks for all of them. */
struct seguei_span {
	uint32_t low, high;
};

struct seguei_tree {
	struct seguei_hello hello; /* of this rank */
	const char *token;
	uint32_t number; /* of the fence */
	segue_deadline deadline;
	int watch;		/* the control connection, to be watched during waits */
	int (*look)(void *arg); /* called when it is readable: 0, or a negative errno with a
				   sentence, for instance after a death */
	void *arg;
	/* Filled by seguei_tree_open(). */
	struct seguei_span span; /* ranks that this one speaks for */
	uint32_t above;
	struct seguei_span below[SEGUEI_TREE_WIDTH];
	int fds[SEGUEI_TREE_WIDTH]; /* of the ranks below, or -1 */
	uint32_t count;		    /* of these */
	int listener;		    /* or -1 */
};

/*
 * Finds this rank's place, and listens at an address of this host if there are ranks below. 0 or a
 * negative errno with a sentence.
 */
int seguei_tree_open(struct seguei_tree *tree, const struct addrinfo *at);

/*
 * All three: `all` has `size` bytes for each rank, in rank order. 0 or a negative errno with a
 * sentence.
 */
int seguei_tree_gather(struct seguei_tree *tree, uint8_t *all, size_t size); /* from those below */
int seguei_tree_pass(struct seguei_tree *tree, const struct addrinfo *above, uint8_t *all,
		     size_t size); /* to the rank above, and back */
int seguei_tree_spread(struct seguei_tree *tree, uint8_t *all, size_t size); /* to those below */

void seguei_tree_close(struct seguei_tree *tree);

#endif
